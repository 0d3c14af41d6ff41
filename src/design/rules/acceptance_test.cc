// What `accept` covers: the finding that it names, and no other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/testing/model_fixture.h"
#include "rules/rules.h"

namespace stator::model {
namespace acceptance_test {

// Each entity is `Name: the partition of GSI1`; the sort keys do not keep them apart.
std::string App(const std::vector<std::pair<std::string, std::string>>& entities,
                const std::string& accept) {
  std::string text =
      "model: 1\ntables:\n  app:\n    key: PK str, SK str\n    indexes: {GSI1: {pk: GSI1PK str, "
      "sk: "
      "GSI1SK str, project: all, overloaded: true}}\nentities:\n";
  for (const auto& [name, partition] : entities) {
    text += fmt::format(
        "  {0}:\n    table: app\n    keys: {{PK: \"{0}#{{id}}\", SK: \"{0}\", GSI1PK: \"{1}\", "
        "GSI1SK: \"{{at}}\"}}\n    attrs: {{id: str uuid = new, name: str 20, status: str "
        "enum=OPEN|DONE, at: str iso_s}}\n",
        name, partition);
  }
  return text + (accept.empty() ? "" : "accept:\n  " + accept + ": a reason\n");
}

struct Outcome {
  std::vector<std::string> accepted;  // messages
  std::vector<std::string> open;
  std::vector<Finding> wrong;  // AC01
};

Outcome CheckRule(const std::string& yaml, std::string_view rule) {
  Outcome outcome;
  const Model model = ParsedModel(yaml);
  for (const Finding& finding : Check(model).findings) {
    if (finding.rule == "AC01") outcome.wrong.push_back(finding);
    if (finding.rule != rule) continue;
    (finding.accepted ? outcome.accepted : outcome.open).push_back(finding.accept_as);
  }
  return outcome;
}

using Names = std::vector<std::string>;

TEST(Acceptances, TwoPartiesNameOneFinding) {
  const Outcome outcome = CheckRule(App({{"Order", "ORDER#{name}"}, {"Shipment", "ORDER#{status}"}},
                                        "KY05@app.GSI1/Order+Shipment"),
                                    "KY05");
  EXPECT_EQ(outcome.accepted, Names{"KY05@app.GSI1/Order+Shipment"});
  EXPECT_TRUE(outcome.open.empty());
  EXPECT_TRUE(outcome.wrong.empty());
}

TEST(Acceptances, DoNotCoverWhatIsAddedAtTheSamePlace) {
  const Outcome outcome = CheckRule(
      App({{"Order", "ORDER#{name}"}, {"Shipment", "ORDER#{status}"}, {"Parcel", "ORDER#{at}"}},
          "KY05@app.GSI1/Order+Shipment"),
      "KY05");
  EXPECT_EQ(outcome.accepted, Names{"KY05@app.GSI1/Order+Shipment"});
  EXPECT_EQ(outcome.open, Names{"KY05@app.GSI1/Order+Parcel"});
  EXPECT_TRUE(outcome.wrong.empty());
}

TEST(Acceptances, ThePlaceAloneDoesNotNameTheParties) {
  const Outcome outcome = CheckRule(
      App({{"Order", "ORDER#{name}"}, {"Shipment", "ORDER#{status}"}}, "KY05@app.GSI1"), "KY05");
  EXPECT_TRUE(outcome.accepted.empty());
  ASSERT_EQ(outcome.wrong.size(), 1U);
  EXPECT_EQ(outcome.wrong[0].severity, Severity::kError);
  EXPECT_NE(outcome.wrong[0].fix.find("KY05@app.GSI1/Order+Shipment"), std::string::npos);
}

TEST(Acceptances, GoStaleWithAnErrorWhenAnotherFindingTakesThePlace) {
  const Outcome outcome = CheckRule(
      App({{"Order", "ORDER#{name}"}, {"Parcel", "ORDER#{at}"}}, "KY05@app.GSI1/Order+Shipment"),
      "KY05");
  EXPECT_TRUE(outcome.accepted.empty());
  ASSERT_EQ(outcome.wrong.size(), 1U);
  EXPECT_EQ(outcome.wrong[0].severity, Severity::kError);
  EXPECT_NE(outcome.wrong[0].fix.find("Order+Parcel"), std::string::npos);
}

// Two scans, and so two findings of AP02.
std::string Scans(const std::string& accept) {
  return "model: 1\ntables: {notes: {key: \"owner str, id str\"}}\nentities:\n  Note: {table: "
         "notes, "
         "attrs: {owner: str 20, id: str ulid}, volume: {total: 1000, per: {owner: 20}}}\n"
         "patterns:\n  add: {write: Note.create, rate: 10/day}\n  one: {scan: notes, all: true, "
         "rate: "
         "1/day}\n  two: {scan: notes, all: true, rate: 1/day}\naccept: {" +
         accept + ": a reason}\n";
}

TEST(Acceptances, ARuleAloneMeansItsOnlyFinding) {
  const Outcome outcome = CheckRule(Scans("AP02"), "AP02");
  EXPECT_TRUE(outcome.accepted.empty());
  ASSERT_EQ(outcome.wrong.size(), 1U);
  EXPECT_NE(outcome.wrong[0].message.find("2 findings"), std::string::npos);
  const Outcome exact = CheckRule(Scans("AP02@one"), "AP02");
  EXPECT_EQ(exact.accepted, Names{"AP02@one"});
  EXPECT_EQ(exact.open, Names{"AP02@two"});
}

// Two terms that no key serves: two findings of AP03 at one pattern.
std::string Terms(const std::string& where, const std::string& accept) {
  return "model: 1\ntables: {notes: {key: \"owner str, id str\"}}\nentities:\n  Note: {table: "
         "notes, "
         "attrs: {owner: str 20, id: str ulid, tag: str 9 card=9, box: str 9 card=9}, volume: "
         "{total: "
         "1000, per: {owner: 20}}}\npatterns:\n  add: {write: Note.create, rate: 10/day}\n  mine: "
         "{query: notes, where: \"owner = $o" +
         where + "\", all: true, rate: 1/day}\n" +
         (accept.empty() ? "" : "accept:\n  " + accept + ": a reason\n");
}

TEST(Acceptances, AMarkNamesOneOfSeveralFindingsAtOnePlace) {
  const Outcome both = CheckRule(Terms(", tag = $t, box = $b", ""), "AP03");
  ASSERT_EQ(both.open.size(), 2U);
  EXPECT_NE(both.open[0], both.open[1]);
  EXPECT_EQ(both.open[0].substr(0, 10), "AP03@mine#");
  const Outcome one = CheckRule(Terms(", tag = $t, box = $b", both.open[0]), "AP03");
  EXPECT_EQ(one.accepted, Names{both.open[0]});
  EXPECT_EQ(one.open, Names{both.open[1]});
  EXPECT_TRUE(one.wrong.empty());
  // The other one alone is not what was accepted.
  const Outcome stale = CheckRule(Terms(", box = $b", both.open[0]), "AP03");
  EXPECT_TRUE(stale.accepted.empty());
  EXPECT_EQ(stale.wrong.size(), 1U);
  // With both there, the place alone says too little.
  EXPECT_EQ(CheckRule(Terms(", tag = $t, box = $b", "AP03@mine"), "AP03").wrong.size(), 1U);
  EXPECT_TRUE(CheckRule(Terms(", tag = $t", "AP03@mine"), "AP03").wrong.empty());
}

}  // namespace acceptance_test
}  // namespace stator::model
