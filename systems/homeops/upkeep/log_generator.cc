#include "systems/homeops/upkeep/log_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "systems/homeops/memory/stockholm.h"

namespace stator::systems::homeops {
namespace {

// What people of a household write to each other.
struct Phrase {
  std::string_view text;
  std::string_view activity;  // "none": nothing was done
};

// In words that the bot knows from the start.
std::span<const Phrase> DonePhrases() {
  static constexpr auto kPhrases = std::to_array<Phrase>({
      {"Har diskat", "diskning"},
      {"Diskade precis, köket är fint igen", "diskning"},
      {"Disken är klar!", "diskning"},
      {"Diskat snabbt innan jobbet", "diskning"},
      {"Har tömt diskmaskinen", "diskning"},
      {"Tvätten är upphängd", "tvätt"},
      {"Har tvättat två maskiner", "tvätt"},
      {"Tvättade lakanen, tog hela kvällen", "tvätt"},
      {"Vikt kläder i en timme 😴", "tvätt"},
      {"Städat badrummet", "städning"},
      {"Har städat hela nedervåningen, jättejobbigt", "städning"},
      {"Putsat fönster i vardagsrummet", "städning"},
      {"Dammsugit övervåningen", "dammsugning"},
      {"Dammsög lite i hallen", "dammsugning"},
      {"Lagat mat, det finns lasagne", "matlagning"},
      {"Middagen är serverad", "matlagning"},
      {"Fixat käk till ungarna", "matlagning"},
      {"Handlat på vägen hem", "handling"},
      {"Varit på ICA, mjölk finns", "handling"},
      {"Storhandlat för veckan, slutkörd", "handling"},
      {"Pantat alla burkar", "pantning"},
      {"Tog pant till affären, 84 kr!", "pantning"},
      {"Gick ut med soporna", "sopor"},
      {"Slängt skräpet", "sopor"},
      {"Bäddat sängarna", "bäddning"},
      {"Hämtat barnen från fritids", "hämtning"},
      {"Hjälpt till med läxan", "läxhjälp"},
      {"Läxorna är gjorda", "läxhjälp"},
      {"Vattnat blommorna", "vattning"},
      {"SKOTTAT uppfarten", "snöskottning"},
      {"Tränat på lunchen", "träning"},
      {"Gått en promenad runt sjön", "promenad"},
      {"Vilade en stund på soffan", "vila"},
      {"Badat bastu 🧖", "bad"},
  });
  return kPhrases;
}

// The "{}" of "nu har jag {}", and what is meant by it: unknown until somebody explains it.
std::span<const Phrase> SlangPhrases() {
  static constexpr auto kPhrases = std::to_array<Phrase>({
      {"kört en maskin", "tvätt"},
      {"fejat på vinden", "städning"},
      {"trollat vid spisen", "matlagning"},
      {"plockat i köket", "diskning"},
      {"snurrat med snabeln", "dammsugning"},
      {"gjort återvinningen", "pantning"},
      {"varit på torget", "handling"},
      {"flåsat i spåret", "träning"},
  });
  return kPhrases;
}

// Wishes, plans, questions and denials.
std::span<const std::string_view> NotDonePhrases() {
  static constexpr auto kPhrases = std::to_array<std::string_view>({
      "Kan någon diska?",
      "Vem diskade senast?",
      "Ska handla efter jobbet",
      "Orkar inte städa idag",
      "När hämtade du barnen?",
      "Måste tvätta imorgon",
      "Glöm inte soporna",
      "Jag borde dammsuga",
      "Vill du laga mat ikväll?",
      "Ingen har vattnat blommorna",
  });
  return kPhrases;
}

std::span<const std::string_view> TalkPhrases() {
  static constexpr auto kPhrases = std::to_array<std::string_view>({
      "God morgon!",
      "På väg hem nu",
      "Bussen är sen igen",
      "👍",
      "Haha",
      "Köp mjölk",
      "Vad blir det till middag?",
      "Puss",
      "Är framme om tio minuter",
      "Mamma ringde",
      "Elsa har match på lördag kl 10",
      "Var är bilnycklarna?",
      "De ligger på hallbordet",
      "Ok!",
      "Det regnar",
      "Trevlig helg allihop",
      "Mötet drog ut på tiden",
      "Grattis på namnsdagen",
      "Kolla den här: https://example.org/katt",
      "Tack ❤️",
  });
  return kPhrases;
}

struct Person {
  std::int64_t user;
  std::string_view name;
  std::array<std::string_view, 3> favourites;
};

constexpr auto kPeople = std::to_array<Person>({
    {1, "Martin", {"diskning", "handling", "träning"}},
    {2, "Anna", {"tvätt", "matlagning", "promenad"}},
    {3, "Elsa", {"bäddning", "pantning", "läxhjälp"}},
    {4, "Oskar", {"sopor", "dammsugning", "vila"}},
});

class Generator {
 public:
  explicit Generator(const LogOptions& options) : options_(options), random_(options.seed) {}

  std::vector<Message> Run() {
    const auto midnight = FromStockholm(options_.first_day, 0, 0);
    day_ = midnight.value_or(0);
    while (std::ssize(log_) < options_.messages) {
      Day();
      // Noon of the next day, then back to its midnight: days have 23, 24 or 25 hours.
      day_ = *FromStockholm(InStockholm(day_ + 36 * 3600).date, 0, 0);
    }
    log_.resize(static_cast<std::size_t>(std::max(options_.messages, 0)));
    return std::move(log_);
  }

 private:
  std::uint64_t Below(std::uint64_t bound) { return random_() % bound; }
  template <class Range>
  const auto& Any(const Range& range) {
    return range[Below(std::size(range))];
  }

  // Minutes after midnight: mornings, noon, and mostly evenings.
  std::int64_t MinuteOfDay() {
    static constexpr std::array<std::array<std::uint64_t, 2>, 6> kBusy = {{{6 * 60 + 30, 120},
                                                                           {11 * 60, 120},
                                                                           {16 * 60, 120},
                                                                           {18 * 60, 150},
                                                                           {19 * 60, 180},
                                                                           {0, 1440}}};
    const auto& [from, length] = Any(kBusy);
    return static_cast<std::int64_t>(from + Below(length));
  }

  void Day() {
    std::vector<std::int64_t> times;
    for (int i = 0; i < options_.per_day; ++i) {
      times.push_back(day_ + MinuteOfDay() * 60 + static_cast<std::int64_t>(Below(60)));
    }
    std::ranges::sort(times);
    for (const std::int64_t time : times) One(std::max(time, last_ + 1));
  }

  void One(std::int64_t at) {
    const Person& person = Any(kPeople);
    if (started_.insert(person.user).second) return Say(person, at, "/start", "none");
    const std::uint64_t dice = Below(100);
    if (dice < 28) return Done(person, at);
    if (dice < 31 && options_.slang) return Slang(person, at);
    if (dice < 40) return Say(person, at, Any(NotDonePhrases()), "none");
    Say(person, at, Any(TalkPhrases()), "none");
  }

  void Done(const Person& person, std::int64_t at) {
    Phrase phrase = Any(DonePhrases());
    // People have their chores: another draw or two if it is not one of theirs.
    for (int i = 0;
         i < 2 && std::ranges::find(person.favourites, phrase.activity) == person.favourites.end();
         ++i) {
      phrase = Any(DonePhrases());
    }
    Say(person, at, phrase.text, phrase.activity);
  }

  // The first time somebody asks what that was; later it may be confirmed.
  void Slang(const Person& person, std::int64_t at) {
    const Phrase& phrase = Any(SlangPhrases());
    const bool known = !explained_.insert(phrase.text).second;
    chat_ = "hemma";
    Say(person, at, fmt::format("Nu har jag {}", phrase.text),
        known ? phrase.activity : std::string_view("none"));
    const std::int64_t asked = log_.back().id;
    const std::int64_t answered = at + 30 + static_cast<std::int64_t>(Below(90));
    if (!known) {
      Say(person, answered, fmt::format("Nej, jag menade {}", phrase.activity), "none", asked);
    } else if (Below(2) == 0) {
      Say(person, answered, "Ja, precis", "none", asked);
    }
  }

  void Say(const Person& person, std::int64_t at, std::string_view text, std::string_view expected,
           std::optional<std::int64_t> reply_to = std::nullopt) {
    std::string chat = std::exchange(chat_, {});
    if (chat.empty()) chat = person.user <= 2 && Below(12) == 0 ? "stugan" : "hemma";
    if (reply_to) chat = "hemma";
    last_ = std::max(last_, at);
    log_.push_back({.chat = chat,
                    .id = ++ids_[chat],
                    .user = person.user,
                    .name = std::string(person.name),
                    .at = at,
                    .text = std::string(text),
                    .reply_to = reply_to,
                    .expected = std::string(expected)});
  }

  LogOptions options_;
  std::mt19937_64 random_;
  std::vector<Message> log_;
  std::int64_t day_ = 0;
  std::int64_t last_ = 0;
  std::string chat_;  // of the next message, if it must be a certain one
  std::map<std::string, std::int64_t> ids_;
  std::set<std::int64_t> started_;
  std::set<std::string_view> explained_;
};

}  // namespace

std::vector<Message> GenerateLog(const LogOptions& options) { return Generator(options).Run(); }

}  // namespace stator::systems::homeops
