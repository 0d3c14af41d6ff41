#include "model/parse/predicate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "model/names.h"
#include "model/parse/fields.h"
#include "model/parse/quantity_text.h"
#include "model/parse/text_cursor.h"

namespace stator::model {
namespace {

template <class T>
using Parsed = std::expected<T, PredicateMistake>;

constexpr std::size_t kMostOperands = 100;
constexpr std::size_t kMostTerms = 1000;

struct Sign {
  std::string_view text;
  Comparison comparison;
};
// Longer signs first.
constexpr std::array kSigns{
    Sign{"<>", Comparison::kNotEqual},    Sign{"!=", Comparison::kNotEqual},
    Sign{"<=", Comparison::kLessOrEqual}, Sign{">=", Comparison::kGreaterOrEqual},
    Sign{"==", Comparison::kEqual},       Sign{"=", Comparison::kEqual},
    Sign{"<", Comparison::kLess},         Sign{">", Comparison::kGreater},
};
constexpr std::array kWords{
    Sign{"between", Comparison::kBetween}, Sign{"begins_with", Comparison::kBeginsWith},
    Sign{"in", Comparison::kIn},           Sign{"contains", Comparison::kContains},
    Sign{"exists", Comparison::kExists},   Sign{"missing", Comparison::kMissing},
};
constexpr std::array kFunctions{
    Sign{"begins_with", Comparison::kBeginsWith},
    Sign{"contains", Comparison::kContains},
    Sign{"attribute_exists", Comparison::kExists},
    Sign{"attribute_not_exists", Comparison::kMissing},
};

bool IsWordCharacter(char c) {
  return !IsSpace(c) && std::string_view(",()=<>!'\"").find(c) == std::string_view::npos;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

template <std::size_t n>
const Sign* FindSign(const std::array<Sign, n>& signs, std::string_view word) {
  for (const Sign& sign : signs) {
    if (sign.text == word) return &sign;
  }
  return nullptr;
}

class PredicateReader {
 public:
  explicit PredicateReader(const Node& node) : node_(node), cursor_(node.text) {}

  Parsed<Predicate> Run() {
    Predicate predicate{.text = node_.text, .place = node_.place};
    do {
      ASSIGN_OR_RETURN(auto terms, Conjunction());
      predicate.any_of.push_back(std::move(terms));
    } while (TakeWord("or"));
    if (!cursor_.AtEnd()) return Fail("expected `and`, `or` or the end");
    return predicate;
  }

 private:
  Parsed<std::vector<Term>> Conjunction() {
    std::vector<Term> terms;
    do {
      if (++terms_ > kMostTerms) return Fail("too many terms");
      ASSIGN_OR_RETURN(Term term, OneTerm());
      terms.push_back(std::move(term));
    } while (cursor_.Take(",") || TakeWord("and"));
    return terms;
  }

  Parsed<Term> OneTerm() {
    cursor_.SkipSpaces();
    Term term{.place = node_.At(cursor_.offset())};
    const std::string_view name = Word();
    if (name.empty()) return Fail("expected the name of an attribute");
    if (cursor_.Peek() == '(') return Call(std::move(term), name);
    Name(term, name);
    for (const Sign& sign : kSigns) {
      if (!cursor_.Take(sign.text)) continue;
      term.comparison = sign.comparison;
      RETURN_IF_ERROR(AddOperand(term));
      return term;
    }
    const std::string word = LowerCase(Word());
    const Sign* sign = FindSign(kWords, word);
    if (sign == nullptr) {
      return Fail(
          fmt::format("expected =, <>, <, <=, >, >=, between, begins_with, contains, in, "
                      "exists or missing after `{}`",
                      name));
    }
    term.comparison = sign->comparison;
    RETURN_IF_ERROR(Operands(term));
    return term;
  }

  Parsed<void> Operands(Term& term) {
    switch (term.comparison) {
      case Comparison::kBetween:
        RETURN_IF_ERROR(AddOperand(term));
        if (!TakeWord("and")) return Fail("expected `and` and the upper bound of `between`");
        return AddOperand(term);
      case Comparison::kIn:
        return OperandList(term);
      case Comparison::kExists:
      case Comparison::kMissing:
        return {};
      default:
        return AddOperand(term);
    }
  }

  Parsed<void> OperandList(Term& term) {
    if (!cursor_.Take("(")) return Fail("expected ( after `in`");
    do {
      if (term.operands.size() >= kMostOperands) return Fail("too many values");
      RETURN_IF_ERROR(AddOperand(term));
    } while (cursor_.Take(","));
    if (!cursor_.Take(")")) return Fail("expected , or ) in the list of values");
    return {};
  }

  Parsed<Term> Call(Term term, std::string_view function) {
    const Sign* sign = FindSign(kFunctions, LowerCase(function));
    if (sign == nullptr) return Fail(fmt::format("unknown function `{}`", function));
    cursor_.Take("(");
    term.comparison = sign->comparison;
    const std::string_view name = Word();
    if (name.empty()) return Fail("expected the name of an attribute");
    Name(term, name);
    if (term.comparison == Comparison::kBeginsWith || term.comparison == Comparison::kContains) {
      if (!cursor_.Take(",")) return Fail("expected , and a value");
      RETURN_IF_ERROR(AddOperand(term));
    }
    if (!cursor_.Take(")")) return Fail("expected )");
    return term;
  }

  Parsed<void> AddOperand(Term& term) {
    ASSIGN_OR_RETURN(Operand operand, OneOperand());
    term.operands.push_back(std::move(operand));
    return {};
  }

  Parsed<Operand> OneOperand() {
    const char first = cursor_.Peek();
    if (first == '\'' || first == '"') return Quoted(first);
    const std::size_t begin = cursor_.offset();
    const std::string_view word = Word();
    if (word.empty()) return Fail("expected a value");
    Operand operand{.text = std::string(word)};
    if (word.front() == '$') return Parameter(word.substr(1));
    if (word == "true" || word == "false") {
      operand.kind = Operand::Kind::kBool;
    } else if (word == "now" || word.starts_with("now+") || word.starts_with("now-")) {
      return Now(word, begin);
    } else if (ReadNumber(word)) {
      operand.kind = Operand::Kind::kNumber;
    }
    return operand;
  }

  Parsed<Operand> Parameter(std::string_view text) {
    Operand operand{.kind = Operand::Kind::kParameter};
    const std::size_t colon = text.find(':');
    operand.text = text.substr(0, colon);
    if (operand.text.empty()) return Fail("expected a name after $");
    if (colon != std::string_view::npos) {
      operand.declared_type = text.substr(colon + 1);
      constexpr std::array<std::string_view, 7> kDeclaredTypes{"str",  "num",    "bin",   "bool",
                                                               "list", "strset", "numset"};
      if (std::ranges::find(kDeclaredTypes, operand.declared_type) == kDeclaredTypes.end()) {
        return Fail(
            fmt::format("unknown type `{}` of ${}; one of str, num, bin, bool, list, "
                        "strset, numset",
                        operand.declared_type, operand.text));
      }
    }
    return operand;
  }

  // The sign may be a word of its own: "now - 30m".
  Parsed<Operand> Now(std::string_view word, std::size_t begin) {
    std::string text(word);
    if (word == "now" && (cursor_.Peek() == '-' || cursor_.Peek() == '+')) text += Word();
    if (text.back() == '-' || text.back() == '+') text += Word();
    const auto offset = ReadNow(text);
    if (!offset) return std::unexpected(PredicateMistake{offset.error(), begin});
    return Operand{.kind = Operand::Kind::kNow, .text = std::move(text), .offset = *offset};
  }

  // A doubled quote is the quote itself.
  Parsed<Operand> Quoted(char quote) {
    Operand operand;
    cursor_.Take(std::string_view(&quote, 1));
    std::string_view rest = cursor_.rest();
    std::size_t at = 0;
    for (; at < rest.size(); ++at) {
      if (rest[at] != quote) {
        operand.text += rest[at];
      } else if (at + 1 < rest.size() && rest[at + 1] == quote) {
        operand.text += rest[at++];
      } else {
        break;
      }
    }
    if (at == rest.size()) return Fail(fmt::format("a {} is not closed", quote));
    cursor_ = TextCursor(node_.text, cursor_.offset() + at + 1);
    return operand;
  }

  static void Name(Term& term, std::string_view name) {
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos) {
      term.attribute = name;
    } else {
      term.entity = name.substr(0, dot);
      term.attribute = name.substr(dot + 1);
    }
  }

  std::string_view Word() { return cursor_.TakeWhile(IsWordCharacter); }

  bool TakeWord(std::string_view word) {
    TextCursor ahead = cursor_;
    if (LowerCase(ahead.TakeWhile(IsWordCharacter)) != word) return false;
    cursor_ = ahead;
    return true;
  }

  std::unexpected<PredicateMistake> Fail(std::string message) const {
    return std::unexpected(PredicateMistake{std::move(message), cursor_.offset()});
  }

  const Node& node_;
  TextCursor cursor_;
  std::size_t terms_ = 0;
};

constexpr std::array<std::pair<std::string_view, Guard>, 4> kGuards{{
    {"exists", Guard::kExists},
    {"not_exists", Guard::kNotExists},
    {"version", Guard::kVersion},
    {"none", Guard::kNone},
}};
constexpr std::array<std::string_view, 4> kGuardNames{"exists", "not_exists", "version", "none"};

}  // namespace

std::expected<Predicate, PredicateMistake> ReadPredicate(const Node& node) {
  return PredicateReader(node).Run();
}

std::optional<Predicate> ReadPredicate(Problems& problems, const Node& node) {
  auto predicate = ReadPredicate(node);
  if (predicate) return *std::move(predicate);
  problems.Add(node.At(predicate.error().offset), predicate.error().message);
  return std::nullopt;
}

Guard ReadGuard(Problems& problems, const Node& node, std::optional<Predicate>* condition) {
  if (!node.IsText()) {
    problems.AddWrongKind(node, "guard", "text");
    return Guard::kUnsaid;
  }
  for (const auto& [word, guard] : kGuards) {
    if (word == node.text) return guard;
  }
  const bool one_word = SplitWords(node.text).size() == 1;
  if (condition == nullptr || (one_word && node.text.find_first_of("(=<>") == std::string::npos)) {
    problems.AddUnknown(node.place, "guard", node.text, kGuardNames);
    return Guard::kUnsaid;
  }
  *condition = ReadPredicate(problems, node);
  return Guard::kCondition;
}

}  // namespace stator::model
