// A source that publishes a real folder.
#include <sys/stat.h>

#include "systems/downloads/published_folder.h"
#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace folder_test {

class Folder : public Downloads {
 protected:
  Folder() {
    std::filesystem::create_directory(folder_);
    Write("accounts.csv", "id,name\n1,Anna\n");
    Write("EU-Kunden.parquet", std::string(100'000, 'p'));
    Write("dump.tar.gz", "packed");
    Write("README", "no extension");
    Write("empty.txt", "");
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  void Publish() {
    auto started = Source::Start({.folder = folder_}, Keys(), clock());
    ASSERT_TRUE(started) << started.error();
    source_ = *std::move(started);
  }
  std::vector<std::string> EntitiesOf(const std::string& date) {
    std::vector<std::string> names;
    for (const auto& file : (*PublishedFolder::Open(folder_))->FilesOf(date)) {
      names.push_back(file.name.entity + "|" + file.extension);
    }
    return names;
  }

  const std::string folder_ = directory_ + "/published";
};

TEST_F(Folder, ArrivesFileByFileWithItsNamesAndExtensions) {
  Publish();
  const Batch batch = RunDay().batch;
  EXPECT_EQ(Drain().completed, 5);
  EXPECT_EQ(Outputs(),
            (std::vector<std::string>{"EU-Kunden-2026-02-28.parquet", "README-2026-02-28",
                                      "accounts-2026-02-28.csv", "dump-2026-02-28.tar.gz",
                                      "empty-2026-02-28.txt"}));
  EXPECT_EQ(testing::FileText(directory_ + "/output/EU-Kunden-2026-02-28.parquet"),
            std::string(100'000, 'p'));
  EXPECT_EQ(testing::FileText(directory_ + "/output/README-2026-02-28"), "no extension");
  EXPECT_EQ(testing::FileText(directory_ + "/output/empty-2026-02-28.txt"), "");
  EXPECT_EQ(PollDay(batch).status, "completed");
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Folder, MayHaveTheNamesThatPeopleGive) {
  Write("Kundlista för Västerås #1 100%+moms.xlsx", "kunder");
  Write("St. Eriksgatan 5", "en fil utan ändelse");
  Publish();
  const Batch batch = RunDay().batch;
  source_->SetFault("St. Eriksgatan 5", Fault::kBusy);
  EXPECT_EQ(Drain().completed, 6);
  source_->SetFault("St. Eriksgatan 5", Fault::kNone);
  EXPECT_EQ(RequeueDay().requeued, 1);
  EXPECT_EQ(Drain().completed, 1);
  EXPECT_EQ(
      testing::FileText(directory_ + "/output/Kundlista för Västerås #1 100%+moms-2026-02-28.xlsx"),
      "kunder");
  EXPECT_EQ(testing::FileText(directory_ + "/output/St. Eriksgatan 5-2026-02-28"),
            "en fil utan ändelse");
  EXPECT_EQ(PollDay(batch).status, "completed");
}

TEST_F(Folder, HasFilesOfEveryDayAndOfOneDay) {
  Write("accounts-2026-02-28.json", "of this day");
  Write("loans-2026-03-01.csv", "of another");
  EXPECT_EQ(EntitiesOf("2026-02-28"),
            (std::vector<std::string>{"EU-Kunden|parquet", "README|", "accounts|json",
                                      "dump|tar.gz", "empty|txt"}));
  EXPECT_EQ(EntitiesOf("2026-03-01"),
            (std::vector<std::string>{"EU-Kunden|parquet", "README|", "accounts|csv", "dump|tar.gz",
                                      "empty|txt", "loans|csv"}));
}

TEST_F(Folder, WithTwoFilesOfOneNamePublishesBothUnderTheirWholeNames) {
  Write("accounts.json", "{}");
  EXPECT_EQ(EntitiesOf(kDate),
            (std::vector<std::string>{"EU-Kunden|parquet", "README|", "accounts.csv|csv",
                                      "accounts.json|json", "dump|tar.gz", "empty|txt"}));
}

TEST_F(Folder, LeavesOutWhatCannotBeAFileAndNamesIt) {
  Write("bad~name.csv", "");
  Write("\xff\xfe.csv", "");
  Write(".hidden", "");
  std::filesystem::create_directory(folder_ + "/inner");
  EXPECT_EQ(EntitiesOf(kDate).size(), 5U);
  EXPECT_EQ((*PublishedFolder::Open(folder_))->LeftOut(),
            (std::vector<std::string>{"bad~name.csv", "\xff\xfe.csv"}));
  EXPECT_FALSE(PublishedFolder::Open(folder_ + "/nothing"));
}

TEST_F(Folder, ThatChangesAfterTheManifestIsFetchedAsItIsByTheRequeue) {
  Publish();
  const Batch batch = RunDay().batch;
  Write("accounts.csv", "id,name\n1,Berit\n");
  const DownloadReport report = Drain();
  EXPECT_EQ(report.completed, 4);
  EXPECT_EQ(report.failed, 1);
  EXPECT_EQ(RequeueDay().requeued, 1);
  EXPECT_EQ(Drain().completed, 1);
  EXPECT_EQ(testing::FileText(directory_ + "/output/accounts-2026-02-28.csv"),
            "id,name\n1,Berit\n");
  EXPECT_EQ(PollDay(batch).status, "completed");
}

TEST_F(Folder, IsReadFromAnyOffset) {
  const auto file = (*PublishedFolder::Open(folder_))->Find({"EU-Kunden", kDate});
  ASSERT_TRUE(file);
  const std::string key(32, 'k');
  const std::string iv(16, 'i');
  const std::string whole = Encrypt(key, iv, std::string(100'000, 'p'));
  const auto encrypted = EncryptedFile::Open(*file, key, iv);
  ASSERT_TRUE(encrypted) << encrypted.error();
  for (const std::size_t offset : {0UL, 5UL, 99'999UL, 16UL, 100'015UL}) {
    std::string got;
    while (got.size() < whole.size() - offset) {
      const std::string piece =
          (*encrypted)->Read(static_cast<std::int64_t>(offset + got.size()), 30'000);
      ASSERT_FALSE(piece.empty());
      got += piece;
    }
    EXPECT_EQ(got, whole.substr(offset)) << offset;
  }
  EXPECT_EQ((*encrypted)->Read(static_cast<std::int64_t>(whole.size()), 1), "");
}

TEST(SourceSecret, IsMadeOnceAndForTheSourceAlone) {
  const TemporaryFolder folder("downloads-secret");
  const auto secret = LoadOrGenerateSecret(folder.path());
  ASSERT_TRUE(secret) << secret.error();
  EXPECT_EQ(secret->size(), 64U);
  EXPECT_EQ(*LoadOrGenerateSecret(folder.path()), *secret);
  struct stat status = {};
  ASSERT_EQ(::stat((folder.path() + "/source.secret").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_FALSE(LoadOrGenerateSecret(folder.path() + "/nothing"));
}

}  // namespace folder_test
}  // namespace stator::systems::downloads
