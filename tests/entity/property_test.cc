// Random models and random partial updates: after each, every derived key is what the model says.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fmt/format.h>

#include "tests/entity/entity_fixture.h"

namespace stator::testing {
namespace property_test {

constexpr int kAttributes = 5;

std::string Name(int i) { return fmt::format("a{}", i); }

// A template over some of the attributes, sometimes padded or with literals.
std::string RandomTemplate(bool may_pad) {
  std::string text = *rc::gen::element<std::string>("", "K#", "ORDER#");
  const int parts = *rc::gen::inRange(1, 4);
  for (int i = 0; i < parts; ++i) {
    if (i > 0) text += "#";
    if (may_pad && *rc::gen::inRange(0, 4) == 0) {
      text += "{n:06d}";
    } else {
      text += "{" + Name(*rc::gen::inRange(0, kAttributes)) + "}";
    }
  }
  return text;
}

std::string RandomModel() {
  std::string yaml = "model: 1\ntables:\n  things:\n    key: pk str, sk str\n    indexes:\n";
  const int indexes = *rc::gen::inRange(1, 4);
  std::string keys;
  for (int i = 1; i <= indexes; ++i) {
    std::string extra;
    if (*rc::gen::inRange(0, 2) == 0) {
      const std::string value = *rc::gen::element<std::string>("x", "y");
      extra = fmt::format(", sparse: {{when: \"{} = {}\", share: 10%}}",
                          Name(*rc::gen::inRange(0, kAttributes)), value);
    }
    std::string partition = RandomTemplate(false);
    if (*rc::gen::inRange(0, 3) == 0) {
      const char* by = *rc::gen::element("random", "a0");
      extra += fmt::format(", shards: {{n: 3, by: {}}}", by);
      partition += "#{shard}";
    }
    yaml += fmt::format("      GSI{0}: {{pk: g{0}pk str, sk: g{0}sk str, project: all{1}}}\n", i,
                        extra);
    keys += fmt::format(", g{0}pk: \"{1}\", g{0}sk: \"{2}\"", i, partition, RandomTemplate(true));
  }
  yaml +=
      "entities:\n  E:\n    table: things\n    keys: {pk: \"E#{id}\", sk: \"{id}\"" + keys + "}\n";
  yaml += "    attrs: {id: str 5, n: num int opt";
  for (int i = 0; i < kAttributes; ++i) yaml += fmt::format(", {}: str 5 opt", Name(i));
  yaml += "}\n";
  if (*rc::gen::inRange(0, 2) == 0) yaml += "    version: version\n";
  return yaml + "patterns: {}\n";
}

Change RandomChange() {
  Change change;
  for (int i = 0; i < kAttributes; ++i) {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        change.set.emplace_back(Name(i), *rc::gen::element<std::string>("x", "y", "zz"));
        break;
      case 1:
        change.remove.push_back(Name(i));
        break;
      default:
        break;
    }
  }
  if (*rc::gen::inRange(0, 3) == 0) change.set.emplace_back("n", *rc::gen::inRange(0, 999'999));
  return change;
}

TEST(EntityProperty, DerivedKeysStayRightThroughPartialUpdates) {
  EXPECT_TRUE(rc::check("audit is clean after every update", [] {
    const std::string yaml = RandomModel();
    RC_LOG() << yaml;
    World world(yaml);
    for (const char* id : {"1", "2"}) {
      RC_ASSERT(world.entities().Create("E", Item{{"id", id}, {"a0", "x"}}).has_value());
    }
    for (int step = 0; step < 12; ++step) {
      const Item key{{"id", *rc::gen::element<std::string>("1", "2", "3")}};
      const Change change = RandomChange();
      const bool upsert = *rc::gen::inRange(0, 3) == 0;
      const auto updated = upsert ? world.entities().Upsert("E", key, change)
                                  : world.entities().Update("E", key, change);
      if (!updated) {
        RC_LOG() << updated.error().message;
        RC_ASSERT(updated.error().kind == EntityErrorKind::kMissing);
      }
      const std::vector<std::string> problems = world.Audit();
      if (!problems.empty()) RC_LOG() << problems.front();
      RC_ASSERT(problems.empty());
    }
  }));
}

}  // namespace property_test
}  // namespace stator::testing
