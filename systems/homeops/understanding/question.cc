#include "systems/homeops/understanding/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "systems/homeops/memory/stockholm.h"

namespace stator::systems::homeops {
namespace {

using QuestionWords = std::vector<std::string>;

bool Has(const QuestionWords& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

template <std::size_t N>
bool HasOne(const QuestionWords& words, const std::array<std::string_view, N>& wanted) {
  return std::ranges::any_of(wanted, [&](std::string_view word) { return Has(words, word); });
}

bool HasPhrase(const QuestionWords& words, std::string_view phrase) {
  return ContainsPhrase(words, WordsOf(phrase));
}

std::int64_t DayStart(std::int64_t at) {
  return FromStockholm(InStockholm(at).date, 0, 0).value_or(at);
}

// "senaste 10 dagarna".
std::optional<Period> LastDays(const QuestionWords& words, std::int64_t now) {
  const auto last = std::ranges::find(words, "senaste");
  if (last == words.end() || last + 1 == words.end()) return std::nullopt;
  if (*(last + 1) == "veckan") return Period{now - 7 * 86'400, now, "senaste veckan"};
  if (*(last + 1) == "månaden") return Period{now - 30 * 86'400, now, "senaste månaden"};
  int days = 0;
  const std::string& number = *(last + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), days);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  if (days < 1 || days > 3660) return std::nullopt;
  return Period{now - days * std::int64_t{86'400}, now, "senaste " + number + " dagarna"};
}

// "i mars": the last one that has begun.
std::optional<Period> Month(const QuestionWords& words, std::int64_t now) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "januari", "februari", "mars",      "april",   "maj",      "juni",
      "juli",    "augusti",  "september", "oktober", "november", "december"};
  for (unsigned month = 1; month <= kMonths.size(); ++month) {
    const std::string name = fmt::format("i {}", kMonths[month - 1]);
    if (!HasPhrase(words, name)) continue;
    const std::string today = InStockholm(now).date;
    int year = 0;
    std::from_chars(today.data(), today.data() + 4, year);
    if (fmt::format("{:02}", month) > today.substr(5, 2)) --year;
    const int next_year = month == 12 ? year + 1 : year;
    const auto from = FromStockholm(fmt::format("{:04}-{:02}-01", year, month), 0, 0);
    const auto end = FromStockholm(fmt::format("{:04}-{:02}-01", next_year, month % 12 + 1), 0, 0);
    if (!from || !end) return std::nullopt;
    return Period{*from, std::min(*end - 1, now), name};
  }
  return std::nullopt;
}

Period PeriodIn(const QuestionWords& words, std::int64_t now) {
  const std::string date = InStockholm(now).date;
  const auto since = [&](const std::string& day, std::string name) {
    return Period{FromStockholm(day, 0, 0).value_or(0), now, std::move(name)};
  };
  if (auto last = LastDays(words, now)) return *std::move(last);
  if (auto month = Month(words, now)) return *std::move(month);
  if (HasPhrase(words, "förra veckan")) {
    const std::int64_t monday = WeekStart(now);
    return {WeekStart(monday - 1), monday - 1, "förra veckan"};
  }
  if (Has(words, "idag") || HasPhrase(words, "i dag")) return since(date, "i dag");
  if (Has(words, "igår") || HasPhrase(words, "i går")) {
    const std::int64_t today = DayStart(now);
    return {DayStart(today - 1), today - 1, "i går"};
  }
  if (Has(words, "veckan") || Has(words, "vecka")) return {WeekStart(now), now, "den här veckan"};
  if (Has(words, "månaden") || Has(words, "månad")) {
    return since(date.substr(0, 8) + "01", "den här månaden");
  }
  if (HasPhrase(words, "i år")) return since(date.substr(0, 5) + "01-01", "i år");
  return {0, now, "totalt"};
}

std::optional<Question::Kind> KindIn(const QuestionWords& words, bool has_mark, bool has_activity) {
  // Wishes and plans are not about what was done.
  static constexpr std::array<std::string_view, 8> kPlans = {"kan",   "ska",   "vill",   "orkar",
                                                             "borde", "måste", "skulle", "kommer"};
  static constexpr std::array<std::string_view, 3> kLast = {"senast", "sist", "senaste"};
  if (HasOne(words, kPlans)) return std::nullopt;
  const bool is_last = HasOne(words, kLast);
  if (HasPhrase(words, "hur ofta") || HasPhrase(words, "hur många gånger")) {
    return Question::Kind::kHowOften;
  }
  // "Har någon diskat?"; "har du" asks somebody else.
  const bool asks_whether = words.front() == "har" && has_mark && has_activity;
  if (asks_whether && !Has(words, "du")) return Question::Kind::kHowOften;
  if (!has_activity && !is_last) return std::nullopt;
  if (!has_mark && !is_last && !Has(words, "mest")) return std::nullopt;
  if (words.front() == "vem" || words.front() == "vilka" || words.front() == "vilken") {
    const bool is_most = Has(words, "mest") || Has(words, "oftast");
    return is_most ? Question::Kind::kWhoMost : Question::Kind::kWhoLast;
  }
  if (words.front() == "när") return Question::Kind::kWhenLast;
  return std::nullopt;
}

// The longest name of a member that stands in the text.
std::string NameIn(const QuestionWords& words, const Vocabulary& vocabulary) {
  std::string found;
  for (const std::string& name : vocabulary.people) {
    if (name.size() > found.size() && HasPhrase(words, name)) found = name;
  }
  return found;
}

// A word with a capital letter inside the text, which is not among those of an activity: somebody
// nobody knows.
std::string StrangerIn(std::string_view text, const std::vector<Mention>& mentions) {
  std::size_t at = text.find(' ');
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" ?!.,", at + 1), text.size());
    const std::string_view word = text.substr(at + 1, end - at - 1);
    const std::string lower = Normalised(word);
    const bool is_known = std::ranges::any_of(mentions, [&](const Mention& mention) {
      return ContainsPhrase(WordsOf(mention.phrase), {lower});
    });
    if (!lower.empty() && lower != word && !is_known) return lower;
    at = text.find(' ', end);
  }
  return {};
}

}  // namespace

std::optional<Question> QuestionIn(std::string_view text, const Vocabulary& vocabulary,
                                   std::int64_t now) {
  QuestionWords words = WordsOf(text);
  if (words.empty()) return std::nullopt;
  const auto mentions = MentionsIn(words, vocabulary);
  const bool has_mark = text.find('?') != std::string_view::npos;
  const auto kind = KindIn(words, has_mark, !mentions.empty());
  if (!kind) return std::nullopt;
  Question question{.kind = *kind, .period = PeriodIn(words, now)};
  if (words.front() == "har" && question.period.from == 0) {
    question.period = {DayStart(now), now, "i dag"};
  }
  if (!mentions.empty()) question.activity = mentions.front().activity;
  question.is_about_me = Has(words, "jag");
  const bool asks_who = *kind == Question::Kind::kWhoLast || *kind == Question::Kind::kWhoMost;
  if (asks_who || question.is_about_me) return question;
  question.name = NameIn(words, vocabulary);
  if (question.name.empty()) question.name = StrangerIn(text, mentions);
  return question;
}

}  // namespace stator::systems::homeops
