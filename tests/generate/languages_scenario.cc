#include "languages_scenario.h"

#include <fmt/format.h>

#include <vector>

namespace stator {
namespace {

Item Parcel(const std::string& depot, int number) {
  Item item{{"depot", depot}, {"parcel", fmt::format("p{}", number)}};
  item.Set("due", AttributeValue(1772280000000 + number * 1000));
  item.Set("weight", AttributeValue::Number(fmt::format("{}.5", number * 5)));
  item.Set("barcode", AttributeValue(fmt::format("4{:012d}", number)));
  return item;
}

Item Key(const std::string& depot, int number) {
  return Item{{"depot", depot}, {"parcel", fmt::format("p{}", number)}};
}

// Keeps the first failure.
class Steps {
 public:
  template <class T>
  void Works(const char* step, const EntityResult<T>& result) {
    if (!result && problem_.empty()) problem_ = fmt::format("{}: {}", step, result.error().message);
  }
  template <class T>
  void Fails(const char* step, const EntityResult<T>& result, EntityErrorKind kind) {
    if (result || result.error().kind != kind) {
      if (problem_.empty()) problem_ = fmt::format("{} did not fail as it should", step);
    }
  }
  std::string TakeProblem() { return std::move(problem_); }

 private:
  std::string problem_;
};

}  // namespace

std::string PlayScenario(Entities& entities) {
  Steps steps;
  for (int number = 1; number <= 6; ++number) {
    steps.Works("register", entities.Create("Parcel", Parcel(" Norr ", number)));
  }
  Item again = Parcel("norr", 7);
  again.Set("barcode", AttributeValue("4000000000001"));
  steps.Fails("a barcode twice", entities.Create("Parcel", again), EntityErrorKind::kNotUnique);
  steps.Fails("a parcel twice", entities.Create("Parcel", Parcel("norr", 2)),
              EntityErrorKind::kExists);
  steps.Works("load 1", entities.Move("Parcel", Key("norr", 1), "load",
                                      {.set = {{"courier", "Ann"}}, .add = {{"attempts", 1}}}));
  steps.Fails("load 1 again",
              entities.Move("Parcel", Key("norr", 1), "load", {.set = {{"courier", "Bo"}}}),
              EntityErrorKind::kConflict);
  steps.Works("load 5", entities.Move("Parcel", Key("norr", 5), "load",
                                      {.set = {{"courier", "Ann"}}, .add = {{"attempts", 2}}}));
  steps.Works("drop 5",
              entities.Move("Parcel", Key("norr", 5), "drop", {.remove = {"courier"}}, "lost"));
  steps.Works("deliver 1", entities.Move("Parcel", Key("norr", 1), "deliver", {}, {},
                                         {.only_if = "courier = $courier",
                                          .parameters = {{"courier", AttributeValue("Ann")}}}));
  steps.Works("weigh 2", entities.Update("Parcel", Key("norr", 2),
                                         {.set = {{"weight", AttributeValue::Number("20")},
                                                  {"note", "heavy"},
                                                  {"tags", AttributeValue::StringSet({"x", "y"})}}},
                                         {.expected_version = 1}));
  steps.Fails(
      "weigh 2 with an old version",
      entities.Update("Parcel", Key("norr", 2), {.set = {{"note", "?"}}}, {.expected_version = 1}),
      EntityErrorKind::kConflict);
  steps.Works("weigh 4", entities.Update("Parcel", Key("norr", 4),
                                         {.set = {{"weight", AttributeValue::Number("19.99")}}},
                                         {.expected_version = 1}));
  steps.Works("label 3",
              entities.Update("Parcel", Key("norr", 3),
                              {.set = {{"barcode", "5#%"}, {"slot", AttributeValue(12)}}}));
  steps.Fails("label 4 with the slot of 3",
              entities.Update("Parcel", Key("norr", 4), {.set = {{"slot", AttributeValue(12)}}}),
              EntityErrorKind::kNotUnique);
  steps.Works("notice 3",
              entities.Update("Parcel", Key("norr", 3),
                              {.add = {{"byDay.mon", 2}, {"byDay.sun", 1}, {"attempts", 3}}}));
  steps.Works("notice 3 again", entities.Update("Parcel", Key("norr", 3),
                                                {.add = {{"byDay.mon", 1}, {"attempts", 1}}}));
  steps.Works("relocate 3",
              entities.Rekey("Parcel", Key("norr", 3), {.set = {{"depot", "S\u00d6DER"}}},
                             {.expected_version = 4}));
  steps.Works("forget 6",
              entities.Delete("Parcel", Key("norr", 6), {.only_if = "state = waiting"}));
  steps.Fails("forget 1", entities.Delete("Parcel", Key("norr", 1), {.only_if = "state = waiting"}),
              EntityErrorKind::kConflict);
  steps.Works("open",
              entities.Upsert("Depot", Item{{"depot", "norr"}}, {.set = {{"city", "Ume\u00e5"}}}));
  EntityTransaction hand_over = entities.Begin();
  hand_over.Move("Parcel", Key("norr", 2), "load",
                 {.set = {{"courier", "Cy"}}, .add = {{"attempts", 1}}});
  hand_over.Upsert("Depot", Item{{"depot", "norr"}}, {.add = {{"parcels", 1}}});
  steps.Works("hand over", hand_over.Commit());
  const WriteOptions lane{.only_if = "lane missing or lane <= $lane",
                          .parameters = {{"lane", AttributeValue(4)}}};
  for (const int number : {4, 9, 5}) {
    const auto scanned =
        entities.Upsert("Scan", Item{{"depot", AttributeValue("norr")}, {"at", AttributeValue(7)}},
                        {.set = {{"day", "2026-02-28"}, {"lane", AttributeValue(number)}}}, lane);
    if (number == 5) {
      steps.Fails("scan 5", scanned, EntityErrorKind::kConflict);
    } else {
      steps.Works("scan", scanned);
    }
  }
  return steps.TakeProblem();
}

}  // namespace stator
