#include "systems/reconciler/ingest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace ingest_test {

using testing::Text;

TEST(CallTime, ReadsWhatRfc3339AllowsAndWritesOneForm) {
  const std::pair<const char*, const char*> cases[] = {
      {"2026-02-28T08:00:00Z", "2026-02-28T08:00:00.000Z"},
      {"2026-02-28t08:00:00.5z", "2026-02-28T08:00:00.500Z"},
      {"2026-02-28T08:00:00.123456789Z", "2026-02-28T08:00:00.123Z"},
      {"2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00.000Z"},
      {"2024-02-29 23:59:59-00:30", "2024-03-01T00:29:59.000Z"},
      {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"},
      {"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
  };
  for (const auto& [text, wanted] : cases) {
    const auto time = ParseTime(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(SortableTime(*time), wanted);
  }
}

TEST(CallTime, RefusesEverythingElse) {
  for (const char* text :
       {"", "2026", "2026-02-28", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-02-28T24:00:00Z", "2026-02-28T08:60:00Z", "2026-02-28T08:00:61Z",
        "2026-02-28T08:00:00", "2026-02-28T08:00:00.Z", "2026-02-28T08:00:00Zx",
        "2026-02-28T08:00:00+1:00", "1969-12-31T23:59:59Z", "0000-00-00T00:00:00Z",
        "9999-12-31T23:59:59-01:00", "-026-02-28T08:00:00Z", "2026-02-28T08:00:00+99:99"}) {
    EXPECT_FALSE(ParseTime(text)) << text;
  }
}

TEST(CallReport, SaysWhatIsWrongWithALine) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "it is not JSON"},
      {"[]", "it is not a JSON object"},
      {R"({"CallId":"c"})", "it has no TenantId"},
      {R"({"TenantId":"t"})", "it has no CallId"},
      {R"({"TenantId":"","CallId":"c"})", "TenantId is not text"},
      {R"({"TenantId":"t","CallId":7})", "CallId is not text"},
      {R"({"TenantId":"t","CallId":"c","AudioReceived":"yes"})", "neither true nor false"},
      {R"({"TenantId":"t","CallId":"c","ProcessingStatus":"failed"})", "none of PENDING"},
      {R"({"TenantId":"t","CallId":"c","CallDateTime":"now"})", "not a time like"},
      {R"({"TenantId":"t","CallId":"c","ReconStatus":"OK"})", "a report has no `ReconStatus`"},
      {R"({"TenantId":"t","CallId":"c","GSI_Recon_PK":"x"})", "a report has no `GSI_Recon_PK`"},
  };
  for (const auto& [line, problem] : cases) {
    const auto report = ParseReport(line);
    ASSERT_FALSE(report) << line;
    EXPECT_NE(report.error().find(problem), std::string::npos) << report.error();
  }
}

class Ingesting : public Reconciler {
 protected:
  IngestSummary Ingest(const std::string& text) {
    std::istringstream in(text);
    IngestOptions options;
    options.refused = [&](std::int64_t line, const std::string&) { refused_.push_back(line); };
    const auto summary = IngestLines(table(), in, options);
    EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
    return summary.value_or(IngestSummary());
  }
  std::vector<std::int64_t> refused_;
};

constexpr const char* kJournal =
    R"({"TenantId":"t","CallId":"a","CallDateTime":"2026-02-28T07:00:00Z","UpdatedAt":"2026-02-28T07:00:01Z"}
{"TenantId":"t","CallId":"b","CallDateTime":"2026-02-28T07:10:00Z","UpdatedAt":"2026-02-28T07:10:01Z"}
{"TenantId":"t","CallId":"a","AudioReceived":true,"ProcessingStatus":"PROCESSING","UpdatedAt":"2026-02-28T07:20:00Z"}
{"TenantId":"t","CallId":"a","ProcessingStatus":"FAILED","UpdatedAt":"2026-02-28T07:30:00Z"}
{"TenantId":"t","CallId":"b","AudioReceived":true,"ProcessingStatus":"SUCCESS","UpdatedAt":"2026-02-28T07:40:00Z"}
)";

TEST_F(Ingesting, LaterLinesChangeTheCall) {
  const IngestSummary summary = Ingest(kJournal);
  EXPECT_EQ(summary.created, 2);
  EXPECT_EQ(summary.changed, 3);
  EXPECT_EQ(Text(Stored("t", "a"), "ProcessingStatus"), "FAILED");
  EXPECT_EQ(Text(Stored("t", "a"), "Revision"), "3");
  EXPECT_EQ(IndexSize(), 1U);
}

TEST_F(Ingesting, ReadingTheSameFileAgainChangesNothingAndOpensNothing) {
  Ingest(kJournal);
  Poll();
  const std::vector<Item> before = Rows();
  const IngestSummary again = Ingest(kJournal);
  EXPECT_EQ(again.stale, 5);
  EXPECT_EQ(Rows(), before);
  EXPECT_EQ(Poll().found, 0);
}

TEST_F(Ingesting, ALateLineDoesNotOverwriteANewerOneThatOnlyConfirmed) {
  Ingest(kJournal);
  Ingest(
      R"({"TenantId":"t","CallId":"a","ProcessingStatus":"FAILED","UpdatedAt":"2026-02-28T07:50:00Z"})");
  const IngestSummary late = Ingest(
      R"({"TenantId":"t","CallId":"a","ProcessingStatus":"SUCCESS","UpdatedAt":"2026-02-28T07:45:00Z"})");
  EXPECT_EQ(late.stale, 1);
  EXPECT_EQ(Text(Stored("t", "a"), "ProcessingStatus"), "FAILED");
}

TEST_F(Ingesting, BadLinesAreNamedAndTheOthersGoOn) {
  const IngestSummary summary =
      Ingest("nonsense\n\n" + std::string(kJournal) +
             R"({"TenantId":"t","CallId":"new"})"
             "\n" +
             std::string(1 << 20, 'x') + "\n" +
             R"({"TenantId":"t","CallId":"x#y","CallDateTime":"2026-02-28T07:00:00Z"})");
  EXPECT_EQ(summary.lines, 10);
  EXPECT_EQ(summary.created, 2);
  EXPECT_EQ(summary.refused, 4);
  EXPECT_EQ(std::ranges::count(refused_, 1), 1);
  EXPECT_EQ(std::ranges::count(refused_, 8), 1);  // without CallDateTime
  EXPECT_EQ(std::ranges::count(refused_, 9), 1);  // too long
  EXPECT_EQ(std::ranges::count(refused_, 10), 1);
}

TEST_F(Ingesting, AChangeCostsOneReadAndOneWriteBesidesTheIndex) {
  Ingest(kJournal);
  Ingest(R"({"TenantId":"t","CallId":"b","AudioReceived":true,"ProcessingStatus":"SUCCESS"})");
  const UsedUnits before = table().used();
  Ingest(R"({"TenantId":"t","CallId":"b","CallDateTime":"2026-02-28T07:11:00Z"})");
  const UsedUnits after = table().used();
  EXPECT_EQ(after.requests - before.requests, 2U);
  EXPECT_EQ(after.read - before.read, 1);
  EXPECT_EQ(after.write - before.write, 1);
}

}  // namespace ingest_test
}  // namespace stator::systems::reconciler
