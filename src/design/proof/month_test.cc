#include "proof/month.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "model/cost/cost.h"
#include "model/testing/model_fixture.h"

namespace stator::proof {
namespace month_test {

Month Play(const std::string& yaml) {
  const model::Model model = model::ParsedModel("model: 1\n" + yaml);
  return ProveMonth(model, ProvePatterns(model), kUsualItems);
}

std::string Text(const Month& month) {
  std::string text;
  for (const MonthPlace& place : month.places) {
    text += place.name + ": RRU " + std::to_string(place.priced.reads) + " / " +
            std::to_string(place.metered.reads) + ", WRU " + std::to_string(place.priced.writes) +
            " / " + std::to_string(place.metered.writes) + "\n";
  }
  return text;
}

constexpr const char* kMix = R"(assume: {rates: {msgs: 200/day, done: 60/day}}
tables:
  notes:
    key: chat str, id str
    indexes:
      byState: {pk: openPk str, sk: id str, project: keys, sparse: {when: state <> done, share: 20%}}
  words: {key: "chat str, word str"}
  counts: {key: day str}
entities:
  Note: {table: notes, keys: {openPk: "OPEN#{state}"}, attrs: {chat: str 9, id: str ulid, state: str enum=new|busy|done, body: str 900}, volume: {total: 9000, per: {chat: 300}}}
  Word: {table: words, attrs: {chat: str 9, word: str 9, meaning: str 200}, volume: {total: 100, per: {chat: 50}}}
  Count: {table: counts, attrs: {day: str date, n: counter}, volume: {total: 365}}
patterns:
  save: {write: Note.create, rate: $msgs, dup: 5%}
  words: {query: words, where: chat = $c, all: true, rate: $msgs, cache: 5m}
  finish: {write: Note.update, sets: [state], guard: exists, rate: $done}
  count: {write: Count.update, adds: [n], guard: none, rate: $done}
  learn: {transaction: [finish, count], rate: $done}
  open: {query: notes.byState, where: state = new, then_get: Note, page: 9, rate: 20/day}
  all: {query: notes, where: chat = $c, all: true, rate: 9/day}
)";

TEST(Months, TakeWhatTheCostSays) {
  const Month month = Play(kMix);
  EXPECT_TRUE(month.ok()) << Text(month);
  EXPECT_TRUE(month.left_out.empty());
  // By hand: 200 notes, and 60 times a transaction of two items at twice the price.
  const auto place = [&](std::string_view name) {
    return *std::ranges::find(month.places, name, &MonthPlace::name);
  };
  EXPECT_NEAR(place("notes").metered.writes, 30 * (200 + 60 * 2), 1e-6);
  EXPECT_NEAR(place("counts").metered.writes, 30 * 60 * 2, 1e-6);
  EXPECT_NEAR(place("counts").priced.writes, 30 * 60 * 2, 1e-6);
  EXPECT_GT(place("notes.byState").metered.reads, 0);
}

TEST(Months, MembersOfATransactionWithoutARateRunAtTheirOwn) {
  std::string yaml = kMix;
  const std::string learn = "learn: {transaction: [finish, count], rate: $done}";
  yaml.replace(yaml.find(learn), learn.size(), "learn: {transaction: [finish, count]}");
  const Month month = Play(yaml);
  EXPECT_TRUE(month.ok()) << Text(month);
  EXPECT_NEAR(month.places[0].metered.writes, 30 * (200 + 60 * 2), 1e-6);
}

TEST(Months, MayDifferByOnePercent) {
  MonthPlace place{.name = "notes", .priced = {100, 1000}, .metered = {100, 1009}};
  EXPECT_TRUE(place.ok());
  place.metered.writes = 1011;
  EXPECT_FALSE(place.ok());
  place.metered = {102, 1000};
  EXPECT_FALSE(place.ok());
  Month month;
  month.places.push_back(place);
  EXPECT_FALSE(month.ok());
}

}  // namespace month_test
}  // namespace stator::proof
