#include "stator/design.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/entity/entity_fixture.h"

namespace stator::testing {
namespace design_test {

const PatternProof& ProofOf(const Design& design, std::string_view pattern) {
  const auto it = std::ranges::find(design.patterns, pattern, &PatternProof::pattern);
  EXPECT_NE(it, design.patterns.end()) << pattern;
  return *it;
}

TEST(Design, SaysWhatEveryPatternBecomes) {
  const Design design = CheckDesign(*Model::Parse(kCallsModel));
  const PatternProof& timeline = ProofOf(design, "timeline");
  EXPECT_EQ(timeline.operation, "Query");
  EXPECT_TRUE(timeline.is_read);
  EXPECT_TRUE(timeline.by_primary_key);
  EXPECT_EQ(timeline.per_day, 86'400);
  const PatternProof& by_id = ProofOf(design, "by_id");
  EXPECT_EQ(by_id.index, "byCallId");
  EXPECT_FALSE(by_id.by_primary_key);
  EXPECT_FALSE(ProofOf(design, "create").is_read);
}

TEST(Design, CarriesFindingsWithTheirRules) {
  const Design design = CheckDesign(*Model::Parse(R"(
model: 1
tables: {notes: {key: id str, indexes: {byTopic: {pk: topic str, project: all}}}}
entities: {Note: {table: notes, attrs: {id: str 8, topic: str 8}, volume: {total: 10, per: {id: 1}}}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 1/s}
  read: {get: Note, rate: 1/s}
)"));
  EXPECT_FALSE(design.clean);
  ASSERT_EQ(design.findings.size(), 1U);
  EXPECT_EQ(design.findings[0].rule, "IX01");
  EXPECT_EQ(design.findings[0].target, "notes.byTopic");
  EXPECT_EQ(design.findings[0].severity, DesignSeverity::kWarning);
  EXPECT_EQ(design.findings[0].line, 3U);
  ASSERT_EQ(design.projections.size(), 1U);
  EXPECT_EQ(design.projections[0].asked, "");
}

TEST(Design, DrawsAChartForEachIndex) {
  const auto charts = DrawEntityCharts(*Model::Parse(kCallsModel));
  ASSERT_EQ(charts.size(), 5U);
  EXPECT_EQ(charts[0].file_name, "entity-chart.md");
  EXPECT_EQ(charts[4].file_name, "entity-chart-gsi4.md");
  EXPECT_NE(charts[4].text.find("OPEN#<shard>"), std::string::npos) << charts[4].text;
}

}  // namespace design_test
}  // namespace stator::testing
