#include "model/parse/attribute_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/try.h"
#include "model/names.h"
#include "model/parse/implied.h"
#include "model/parse/quantity_text.h"

namespace stator::model {
namespace {

constexpr std::size_t kMostCounters = 1000;
constexpr std::size_t kMostEnumValues = 1000;

struct TypeOfName {
  std::string_view word;
  Type type;
};
constexpr std::array kTypes{
    TypeOfName{"str", Type::kS},     TypeOfName{"num", Type::kN},
    TypeOfName{"bin", Type::kB},     TypeOfName{"bool", Type::kBool},
    TypeOfName{"map", Type::kM},     TypeOfName{"list", Type::kL},
    TypeOfName{"strset", Type::kSS}, TypeOfName{"numset", Type::kNS},
    TypeOfName{"binset", Type::kBS},
};

struct UnitName {
  std::string_view word;
  Unit unit;
  Type type;
};
constexpr std::array kUnits{
    UnitName{"date", Unit::kDate, Type::kS},
    UnitName{"iso", Unit::kIsoTime, Type::kS},
    UnitName{"iso_s", Unit::kIsoSeconds, Type::kS},
    UnitName{"iso_ms", Unit::kIsoMilliseconds, Type::kS},
    UnitName{"ulid", Unit::kUlid, Type::kS},
    UnitName{"uuid", Unit::kUuid, Type::kS},
    UnitName{"int", Unit::kInteger, Type::kN},
    UnitName{"epoch_s", Unit::kEpochSeconds, Type::kN},
    UnitName{"epoch_ms", Unit::kEpochMilliseconds, Type::kN},
};

struct Flag {
  std::string_view word;
  bool Attribute::* member;
};
constexpr std::array kFlags{
    Flag{"opt", &Attribute::optional},   Flag{"nullable", &Attribute::nullable},
    Flag{"secret", &Attribute::secret},  Flag{"tenant", &Attribute::tenant},
    Flag{"text", &Attribute::free_text},
};

constexpr std::array<std::string_view, 7> kWeekdays{"mon", "tue", "wed", "thu",
                                                    "fri", "sat", "sun"};
constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};

std::vector<std::string> ToStrings(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

Read<std::vector<std::string>> ReadNames(std::string_view text, std::size_t most) {
  const std::vector<std::string_view> names = SplitText(text, '|');
  if (names.size() > most) return std::unexpected(fmt::format("more than {} names", most));
  for (const std::string_view name : names) {
    if (name.empty()) return std::unexpected(fmt::format("`{}` has an empty name", text));
  }
  return ToStrings(names);
}

Read<std::pair<double, double>> ReadRange(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots != std::string_view::npos) {
    const auto low = ReadNumber(text.substr(0, dots));
    const auto high = ReadNumber(text.substr(dots + 2));
    if (low && high && *low <= *high) return std::pair(*low, *high);
  }
  return std::unexpected(fmt::format("`{}` is not a range; write `0..100`", text));
}

Read<std::vector<std::string>> ReadCounters(std::string_view text) {
  if (text == "mon..sun") return ToStrings(kWeekdays);
  if (text == "jan..dec") return ToStrings(kMonths);
  if (text.find("..") == std::string_view::npos) return ReadNames(text, kMostCounters);
  const auto range = ReadRange(text);
  if (!range || std::floor(range->first) != range->first ||
      !(range->second - range->first < kMostCounters) || std::abs(range->first) > 1e9) {
    return std::unexpected(
        fmt::format("`counters {}` must be names (a|b|c), mon..sun, jan..dec, or "
                    "at most {} whole numbers (0..23)",
                    text, kMostCounters));
  }
  std::vector<std::string> names;
  for (double i = range->first; i <= range->second; ++i) names.push_back(fmt::format("{:.0f}", i));
  return names;
}

class AttributeReader {
 public:
  AttributeReader(std::string_view text, const NamedTypes& types) : types_(types) {
    // The default comes last and may hold anything.
    const std::size_t equals = (std::string(" ") + std::string(text)).find(" =");
    if (equals != std::string::npos) {
      default_ = Trim(text.substr(equals + 1));
      has_default_ = true;
      text = text.substr(0, equals);
    }
    words_ = SplitWords(text);
  }

  Read<Attribute> Run() {
    if (words_.empty()) return std::unexpected("expected a type: str, num, bin, bool, map, list …");
    RETURN_IF_ERROR(TakeType());
    RETURN_IF_ERROR(TakeAmount());
    for (; at_ < words_.size(); ++at_) RETURN_IF_ERROR(TakeWord(words_[at_]));
    if (has_default_) RETURN_IF_ERROR(TakeDefault());
    if (!amount_stated_ && !sized_by_type_) SetDefaultSize(result_);
    return std::move(result_);
  }

 private:
  Read<void> TakeType() {
    const std::string_view word = words_[at_++];
    if (const auto type = TypeOfWord(word)) {
      result_.type = *type;
    } else if (word == "counter") {
      result_.type = Type::kN;
      result_.counter = true;
    } else if (word == "counters") {
      if (at_ == words_.size()) return std::unexpected("expected names after `counters`: mon..sun");
      result_.type = Type::kM;
      ASSIGN_OR_RETURN(result_.counters, ReadCounters(words_[at_++]));
    } else if (const auto named = types_.find(word); named != types_.end()) {
      result_ = named->second;
      sized_by_type_ = result_.size_stated;
    } else {
      return std::unexpected(UnknownType(word));
    }
    return {};
  }

  // "1 KB/2 KB" is three words.
  Read<void> TakeAmount() {
    std::string amount;
    while (at_ < words_.size()) {
      const std::string_view word = words_[at_];
      const bool unit = word.starts_with("KB") || word.starts_with("MB") || word == "B" ||
                        word.starts_with("B/") || word.starts_with("KiB");
      if (!IsDigit(word.front()) && word.front() != '/' && !(unit && !amount.empty())) break;
      amount += word;
      ++at_;
    }
    if (amount.empty()) return {};
    ASSIGN_OR_RETURN(result_.bytes, ReadAmount(amount));
    if (result_.type == Type::kN) {
      result_.bytes = {NumberBytes(result_.bytes.typical), NumberBytes(result_.bytes.max)};
    }
    result_.size_stated = amount_stated_ = true;
    return {};
  }

  Read<void> TakeWord(std::string_view word) {
    for (const Flag& flag : kFlags) {
      if (flag.word != word) continue;
      result_.*flag.member = true;
      return {};
    }
    for (const UnitName& unit : kUnits) {
      if (unit.word == word) return TakeUnit(unit);
    }
    if (word.starts_with("->")) {
      result_.refers_to = word.substr(2);
      if (result_.refers_to.empty()) return std::unexpected("expected an entity after `->`");
      return {};
    }
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return std::unexpected(UnknownWord(word));
    return TakeSetting(word.substr(0, equals), word.substr(equals + 1));
  }

  Read<void> TakeUnit(const UnitName& unit) {
    if (result_.type != unit.type) {
      return std::unexpected(fmt::format("`{}` is a unit of {}, not of this type", unit.word,
                                         unit.type == Type::kS ? "str" : "num"));
    }
    result_.unit = unit.unit;
    return {};
  }

  Read<void> TakeSetting(std::string_view name, std::string_view value) {
    if (value.empty()) return std::unexpected(fmt::format("expected a value after `{}=`", name));
    if (name == "enum") {
      ASSIGN_OR_RETURN(result_.values, ReadNames(value, kMostEnumValues));
    } else if (name == "no") {
      result_.forbidden = value;
    } else if (name == "norm") {
      return TakeNormalizers(value);
    } else if (name == "canon") {
      result_.canonical_in = value;
    } else if (name == "card") {
      ASSIGN_OR_RETURN(const Amount count, ReadAmount(value));
      result_.cardinality = count.typical;
    } else if (name == "range") {
      ASSIGN_OR_RETURN(result_.range, ReadRange(value));
    } else if (name == "valid") {
      ASSIGN_OR_RETURN(result_.valid_for, ReadDuration(value));
    } else {
      return std::unexpected(UnknownWord(name));
    }
    return {};
  }

  Read<void> TakeNormalizers(std::string_view value) {
    constexpr std::array<std::string_view, 4> kNormalizers{"nfc", "lower", "upper", "trim"};
    ASSIGN_OR_RETURN(result_.normalizers, ReadNames(value, kNormalizers.size()));
    for (const std::string& name : result_.normalizers) {
      if (std::ranges::find(kNormalizers, name) == kNormalizers.end()) {
        return std::unexpected(
            fmt::format("unknown normaliser `{}` ({})", name, NameHint(name, kNormalizers)));
      }
    }
    return {};
  }

  Read<void> TakeDefault() {
    if (default_.empty()) return std::unexpected("expected a default after `=`");
    DefaultValue value;
    if (default_ == "new") {
      value.kind = DefaultValue::Kind::kNewId;
    } else if (const auto now = ReadNow(default_)) {
      value.kind = DefaultValue::Kind::kNow;
      value.offset = *now;
    } else if (default_.starts_with("now+") || default_.starts_with("now-")) {
      return std::unexpected(now.error());
    } else {
      value.text = default_;
    }
    result_.default_value = std::move(value);
    return {};
  }

  std::string UnknownType(std::string_view word) const {
    std::vector<std::string_view> valid{"counter", "counters"};
    for (const TypeOfName& type : kTypes) valid.push_back(type.word);
    for (const auto& [name, type] : types_) valid.emplace_back(name);
    const std::string hint = NameHint(word, valid);
    return fmt::format("unknown type `{}`{}", word, hint.empty() ? "" : fmt::format(" ({})", hint));
  }

  static std::string UnknownWord(std::string_view word) {
    std::vector<std::string_view> valid{"enum", "no", "norm", "canon", "card", "range", "valid"};
    for (const Flag& flag : kFlags) valid.push_back(flag.word);
    for (const UnitName& unit : kUnits) valid.push_back(unit.word);
    const std::string_view nearest = NearestName(word, valid);
    return fmt::format("unknown word `{}` in an attribute{}", word,
                       nearest.empty() ? "" : fmt::format(" (did you mean `{}`?)", nearest));
  }

  const NamedTypes& types_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  std::string_view default_;
  bool has_default_ = false;
  bool amount_stated_ = false;
  bool sized_by_type_ = false;
  Attribute result_;
};

}  // namespace

std::string_view WordOfUnit(Unit unit) {
  const auto* const found = std::ranges::find(kUnits, unit, &UnitName::unit);
  return found == kUnits.end() ? std::string_view() : found->word;
}

Read<Attribute> ReadAttribute(std::string_view text, const NamedTypes& types) {
  return AttributeReader(text, types).Run();
}

std::optional<Type> TypeOfWord(std::string_view word) {
  for (const TypeOfName& type : kTypes) {
    if (type.word == word) return type.type;
  }
  return std::nullopt;
}

std::string_view TypeWord(std::string_view text) {
  return TextCursor(text).TakeWhile([](char c) { return !IsSpace(c); });
}

}  // namespace stator::model
