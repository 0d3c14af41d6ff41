#include "generate/identifiers.h"

#include <gtest/gtest.h>

namespace stator::model {
namespace identifiers_test {

TEST(Identifiers, WordsEndAtCaseDigitsAndSigns) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"FileID", "file_id"},
      {"data-download_jobs", "data_download_jobs"},
      {"GSI1PK", "gsi1_pk"},
      {"statusUpdatedAt", "status_updated_at"},
      {"XMLFile", "xml_file"},
      {"2fast", "n2fast"},
      {"tournament.matches", "tournament_matches"},
      {"é#", "unnamed"},
      {"", "unnamed"},
  };
  for (const auto& [name, snake] : cases) EXPECT_EQ(SnakeName(name), snake) << name;
  EXPECT_EQ(PascalName("data-download_jobs"), "DataDownloadJobs");
  EXPECT_EQ(PascalName("2fast"), "N2fast");
  EXPECT_EQ(CamelName("data-download_jobs"), "dataDownloadJobs");
}

TEST(Identifiers, ANameThatIsTakenGetsANumber) {
  NameSet names({"node"});
  EXPECT_EQ(names.Add("jobs"), "jobs");
  EXPECT_EQ(names.Add("jobs"), "jobs2");
  EXPECT_EQ(names.Add("jobs"), "jobs3");
  EXPECT_EQ(names.Add("node"), "node2");
}

}  // namespace identifiers_test
}  // namespace stator::model
