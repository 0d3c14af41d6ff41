// Designs that stand close to a mistake and are none, and mistakes that hide.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/parse/parse.h"
#include "rules/rules.h"

namespace stator::model {
namespace edge_cases_test {

std::set<std::string, std::less<>> RulesOf(const std::string& yaml) {
  std::set<std::string, std::less<>> rules;
  const auto model = ParseModel("model: 1\n" + yaml, "model.yaml");
  if (!model) {
    for (const Problem& problem : model.error()) ADD_FAILURE() << ProblemText("", problem);
    return rules;
  }
  for (const Finding& finding : Check(*model).findings) {
    if (finding.severity != Severity::kNote) rules.emplace(finding.rule);
  }
  return rules;
}

bool Found(std::string_view rule, const std::string& yaml) { return RulesOf(yaml).contains(rule); }

std::string Job(const std::string& attributes, const std::string& patterns,
                const std::string& more = "") {
  return "tables:\n  jobs: {key: id str, ttl: TTL}\nentities:\n  Job:\n    table: jobs\n    attrs: "
         "{id: str 20, " +
         attributes + "}\n    volume: {total: 100}\n" + more + "patterns:\n" + patterns;
}

TEST(WriteRules, AnItemThatIsBornByItsUpdateNeedsNoGuard) {
  const std::string count = "  count: {write: Job.update, adds: [n], guard: none, rate: 1/day}\n";
  EXPECT_FALSE(Found("WR02", Job("n: counter", count)));
  EXPECT_TRUE(Found("WR02", Job("n: counter", count + "  put: {write: Job.put, rate: 1/day}\n")));
}

TEST(WriteRules, ACreateUnderANewIdNeedsNoGuard) {
  const std::string entity =
      "tables: {jobs: {key: key str}}\nentities:\n  Job:\n    table: jobs\n    keys: {key: "
      "\"JOB#{id}\"}\n    attrs: {id: ";
  const std::string create =
      "}\n    volume: {total: 9}\npatterns: {add: {write: Job.create, guard: none, rate: 1/day}}\n";
  EXPECT_FALSE(Found("WR03", entity + "str ulid = new" + create));
  EXPECT_TRUE(Found("WR03", entity + "str 20" + create));
}

TEST(WriteRules, AVersionMakesAReadBeforeAWriteSafe) {
  const std::string rest = ", rate: 1/day}\n";
  EXPECT_TRUE(Found("WR05", Job("n: num", "  w: {write: Job.put, read_first: eventual" + rest)));
  EXPECT_FALSE(Found(
      "WR05", Job("n: num", "  w: {write: Job.put, read_first: eventual, guard: version" + rest,
                  "    version: v\n")));
}

TEST(WriteRules, TheCodeOfAnUpdateShowsTheKeyItForgets) {
  const auto model = [](const std::string& update) {
    return "tables:\n  calls: {key: id str, indexes: {I: {pk: k str, project: all}}}\n"
           "entities:\n  Call:\n    table: calls\n    keys: {k: \"S#{state}\"}\n"
           "    attrs: {id: str ulid, state: str 5}\n    volume: {total: 100, per: {state: 9}}\n"
           "patterns:\n  move: {write: Call.update, sets: [state], guard: exists, rate: 1/day, "
           "code: {update: \"" +
           update + "\"}}\n";
  };
  EXPECT_TRUE(Found("WR01", model("SET #s = :s")));
  EXPECT_FALSE(Found("WR01", model("SET #state = :s, k = :k")));
}

TEST(WriteRules, AnAttributeThatIsTheKeyOfASparseIndexIsTakenAway) {
  const auto model = [](const std::string& pk, const std::string& keys, const std::string& more) {
    return "tables:\n  t:\n    key: id str\n    indexes: {byMember: {pk: " + pk +
           " str, project: keys, sparse: {when: state = lent, share: 10%}}}\nentities:\n  Copy: "
           "{table: t, "
           "attrs: {id: str ulid, memberId: str 9 opt}, volume: {total: 9}" +
           keys +
           ", machine: {attr: state, initial: shelf, states: {shelf: dwell 1d, lent: dwell 1d}, "
           "moves: {lend: shelf -> lent +memberId, back: lent -> shelf}}}\npatterns:\n  back: "
           "{write: "
           "Copy.back, rate: 1/day" +
           more + "}\n";
  };
  EXPECT_TRUE(Found("WR04", model("memberId", "", "")));
  EXPECT_FALSE(Found("WR04", model("memberId", "", ", removes: memberId")));
  EXPECT_FALSE(Found("WR04", model("memberPk", ", keys: {memberPk: \"{memberId}\"}", "")));
}

TEST(WriteRules, AMissingParentIsFineBehindACondition) {
  const auto count = [](const std::string& condition) {
    return "  count: {write: Job.update, adds: [days], guard: exists, rate: 1/day, code: {update: "
           "\"ADD days.mon :n\"" +
           condition + "}}\n";
  };
  EXPECT_TRUE(Found("WR07", Job("days: counters mon..sun", count(""))));
  EXPECT_FALSE(
      Found("WR07", Job("days: counters mon..sun", count(", condition: attribute_exists(days)"))));
  EXPECT_FALSE(Found("WR07", Job("days: counters mon..sun",
                                 count("") + "  add: {write: Job.create, rate: 1/day}\n")));
}

TEST(WriteRules, OneRequestCanHaveSeveralMistakes) {
  const std::set<std::string, std::less<>> rules = RulesOf(
      Job("days: counters mon..sun, name: str 9",
          "  w: {write: Job.update, sets: [name], guard: exists, rate: 1/day, code: {api: PutItem, "
          "update: \"SET SET days = if_not_exists(days, :m), days.#d = :n, name = :s\", names: "
          "{\"#d\": mon}, values: {\":m\": map, \":n\": num, \":s\": str}}}\n"));
  for (const std::string_view rule : {"WR06", "WR08", "WR09", "WR10"}) {
    EXPECT_TRUE(rules.contains(rule)) << rule;
  }
}

TEST(WriteRules, ACollectionThatGrowsNeedsABound) {
  const std::string add = "  w: {write: Job.update, adds: [tags], guard: exists, rate: 1/day}\n";
  EXPECT_TRUE(Found("WR15", Job("tags: strset opt", add)));
  EXPECT_FALSE(Found("WR15", Job("tags: strset 200/800 opt", add)));
}

std::string Machine(const std::string& states, const std::string& moves,
                    const std::string& patterns = "") {
  return "tables: {jobs: {key: id str}}\nentities:\n  Job:\n    table: jobs\n    attrs: {id: str "
         "20, at: num epoch_ms}\n    volume: {total: 9}\n    machine:\n      attr: state\n      "
         "initial: open\n      stamp: at\n      states: {open: dwell 1d, " +
         states + "}\n      moves: {" + moves +
         "}\npatterns:\n  add: {write: Job.create, rate: 1/day}\n" + patterns;
}

TEST(StateRules, WorkInProgressNeedsAnExitThatItsWorkerDoesNotMake) {
  const std::string states = "busy: dwell 5m, done: end, late: end";
  const std::string moves = "take: open -> busy, finish: busy -> done, drop: busy -> late";
  EXPECT_TRUE(Found("ST02", Machine(states, moves)));
  EXPECT_FALSE(Found("ST02", Machine(states, moves + ", back: busy -> open")));
  EXPECT_FALSE(Found(
      "ST02", Machine(states, moves, "  drop: {write: Job.drop, class: ops, rate: 1/day}\n")));
  EXPECT_FALSE(Found("ST02", Machine(states, moves,
                                     "  drop: {write: Job.drop, guard: \"at < now-5m\", rate: "
                                     "1/day}\n")));
  EXPECT_FALSE(Found("ST02", Machine("busy: dwell 5m, done: end, timeout: end",
                                     "take: open -> busy, finish: busy -> done|timeout")));
}

TEST(StateRules, AStateOnACircleHasNoEnd) {
  EXPECT_TRUE(Found(
      "ST02", Machine("busy: dwell 5m, done: end", "take: open -> busy, back: busy -> open")));
}

TEST(StateRules, AMoveWrittenWithoutItsConditionIsNoMove) {
  const std::string states = "done: end";
  const std::string moves = "finish: open -> done";
  EXPECT_TRUE(Found(
      "ST01", Machine(states, moves, "  f: {write: Job.finish, guard: none, rate: 1/day}\n")));
  EXPECT_TRUE(Found("ST01", Machine(states, moves,
                                    "  f: {write: Job.update, sets: [state], guard: exists, rate: "
                                    "1/day}\n")));
  EXPECT_FALSE(Found("ST01", Machine(states, moves, "  f: {write: Job.finish, rate: 1/day}\n")));
}

TEST(ExpiryRules, ACredentialThatAMoveRenewsIsNotDead) {
  const std::string url = "url: str 90 valid=30m, TTL: num epoch_s = now+1d";
  EXPECT_TRUE(Found("TT06", Job(url, "  add: {write: Job.create, rate: 1/day}\n")));
  EXPECT_FALSE(Found("TT06", Job(url,
                                 "  add: {write: Job.create, rate: 1/day}\n  renew: {write: "
                                 "Job.update, sets: [url], guard: exists, rate: 1/day}\n")));
}

TEST(ExpiryRules, AFilterOnTheTimeHidesWhatHasExpired) {
  const auto query = [](const std::string& more) {
    return Job("TTL: num epoch_s = now+1d",
               "  q: {query: jobs, of: Job, where: id = $i, limit: 1, rate: 1/day" + more + "}\n");
  };
  EXPECT_TRUE(Found("TT03", query("")));
  EXPECT_FALSE(Found("TT03", query(", filter: TTL > now")));
  EXPECT_FALSE(Found("TT03", query(", expired: see")));
}

TEST(IndexRules, PlainAttributesMayBeKeysOfSeveralIndexes) {
  const auto model = ParseModel(
      "model: 1\ntables:\n  jobs: {key: id str, indexes: {A: {pk: state str, sk: at num, project: "
      "all}, B: {pk: batch str, sk: state str, project: all}}}\nentities:\n  Job: {table: jobs, "
      "attrs: {id: str ulid, state: str 5, at: num epoch_s, batch: str 9}, volume: {total: 9}}\n",
      "model.yaml");
  ASSERT_TRUE(model.has_value());
  for (const Finding& finding : Check(*model).findings) EXPECT_NE(finding.rule, "IX08");
}

TEST(IndexRules, AnEntityCannotBeAskedForUnderTwoKeysOfOneIndex) {
  const auto model = [](const std::string& where) {
    return "tables:\n  t: {key: id str, indexes: {I: {pk: k str, project: all}}}\nentities:\n  "
           "E: {table: t, keys: {k: \"A#{a}\"}, attrs: {id: str ulid, a: str 5, b: str 5}, "
           "volume: {total: 9, per: {a: 1, b: 1}}}\npatterns:\n  p: {query: t.I, of: E, where: a "
           "= $a, all: true, rate: 1/day}\n  q: {query: t.I, of: E, where: " +
           where + ", all: true, rate: 1/day}\n";
  };
  EXPECT_TRUE(Found("IX06", model("b = $b")));
  EXPECT_FALSE(Found("IX06", model("a = $x")));
}

TEST(MigrationRules, AttributesThatItemsHaveNeedNoBackfill) {
  const auto model = [](const std::string& key) {
    return "tables:\n  t: {key: id str, indexes: {I: {pk: k str, project: all}}}\nentities:\n  E: "
           "{table: t, keys: {k: \"" +
           key +
           "\"}, attrs: {id: str ulid, k: str 5, a: str 5}, volume: {total: 9}}\nmigrations:\n  - "
           "{add_index: t.I}\n";
  };
  EXPECT_TRUE(Found("MG01", model("A#{a}")));
  EXPECT_FALSE(Found("MG01", model("{k}")));
}

TEST(InfrastructureRules, ATransactionNeedsTheActionsOfItsParts) {
  const auto model = [](const std::string& actions) {
    return Job("n: num",
               "  add: {write: Job.create, rate: 1/day}\n  drop: {write: Job.delete, rate: 1/day}\n"
               "  both: {transaction: [add, drop], rate: 1/day}\n") +
           "grants:\n  w: {table: jobs, actions: [" + actions + "], patterns: [both]}\n";
  };
  EXPECT_TRUE(Found("IA04", model("PutItem")));
  EXPECT_FALSE(Found("IA04", model("PutItem, DeleteItem")));
  EXPECT_FALSE(Found("IA04", model("\"dynamodb:*\"")));
}

TEST(WriteRules, ALostMessageDoesNoHarmIfTheItemIsFoundAndRenewed) {
  const auto model = [](const std::string& where, const std::string& moves) {
    return "tables:\n  jobs: {key: id str, indexes: {ByStatus: {pk: status str, sk: at num, "
           "project: all}}}\nentities:\n  Job:\n    table: jobs\n    attrs: {id: str 20, at: num "
           "epoch_ms}\n    volume: {total: 100, per: {status: 50}}\n    machine:\n      attr: "
           "status\n      initial: new\n      stamp: at\n      states: {new: dwell 1d, done: end}\n"
           "      moves: {finish: new -> done" +
           moves +
           "}\npatterns:\n  add: {write: Job.create, guard: not_exists, sends: q, rate: 1/day}\n  "
           "left: {query: jobs.ByStatus, of: Job, where: \"" +
           where + "\", all: true, rate: 1/day}\n";
  };
  const std::string late = "status = new, at < now-1h";
  EXPECT_FALSE(Found("WR14", model(late, ", renew: new -> new")));
  EXPECT_TRUE(Found("WR14", model(late, "")));
  EXPECT_TRUE(Found("WR14", model("status = new", ", renew: new -> new")));
  EXPECT_TRUE(Found("WR14", model("status = done, at < now-1h", ", renew: new -> new")));
}

TEST(KeyRules, ADateAtTheEndOfAPartitionKeyCanBeCutOff) {
  const auto model = [](const std::string& key, const std::string& end) {
    return "tables:\n  t: {key: \"" + key +
           "\"}\nentities:\n  E: {table: t, keys: {k: \"{a}-{b}\"}, "
           "attrs: {p: str 5, a: str 8, b: str " +
           end + "}, volume: {total: 9, per: {p: 1}}}\n";
  };
  EXPECT_FALSE(Found("KY04", model("k str", "date")));
  EXPECT_TRUE(Found("KY04", model("k str", "5")));
  EXPECT_TRUE(Found("KY04", model("k str", "enum=on|no")));
  EXPECT_TRUE(Found("KY04", model("p str, k str", "date")));
}

TEST(KeyRules, AnEnumThatASpelledPrefixFixesHasNoOrder) {
  const auto model = [](const std::string& prefix) {
    return "tables:\n  t: {key: \"p str, k str\"}\nentities:\n  E: {table: t, keys: {k: "
           "\"{status}#{rank}#{id}\"}, attrs: {p: str 5, id: str ulid, status: str enum=OPEN|DONE, "
           "rank: str enum=LOW|HIGH}, volume: {total: 9, per: {p: 3}}}\npatterns:\n  q: {query: t, "
           "of: E, where: \"p = $p, k begins_with '" +
           prefix +
           "'\", order: asc, page: 9, rate: "
           "1/day}\n";
  };
  EXPECT_FALSE(Found("KY07", model("OPEN#LOW#")));
  EXPECT_FALSE(Found("KY07", model("OPEN#LO")));
  EXPECT_TRUE(Found("KY07", model("OPEN#")));
}

TEST(HotPartitionRules, AnOnDemandTableHasNoCapacityToExceed) {
  const auto model = [](const std::string& billing) {
    return "tables:\n  t: {key: id str, billing: " + billing +
           ", indexes: {I: {pk: k str, project: all, capacity: {read: 5, write: 5}}}}\nentities:\n "
           " "
           "E: {table: t, attrs: {id: str ulid, k: str 5}, volume: {total: 9, per: {k: 1}}}\n"
           "patterns:\n  add: {write: E.create, rate: 50/s}\n";
  };
  EXPECT_TRUE(Found("HP05", model("{read: 50, write: 50}")));
  EXPECT_FALSE(Found("HP05", model("on_demand")));
}

}  // namespace edge_cases_test
}  // namespace stator::model
