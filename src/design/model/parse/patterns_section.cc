#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "model/parse/fields.h"
#include "model/parse/pattern_parts.h"
#include "model/parse/rate_text.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

constexpr std::size_t kMostPatterns = 10'000;

struct KindOfPattern {
  std::string_view word;
  PatternKind kind;
  const FieldTable* table;
  void (*read)(const Fields& fields, Pattern& pattern);
};

void ReadTransactionPattern(const Fields& fields, Pattern& pattern) {
  pattern.parts = fields.Names("transaction");
}

constexpr std::array kKinds{
    KindOfPattern{"get", PatternKind::kGet, &kGetFields, ReadGetPattern},
    KindOfPattern{"query", PatternKind::kQuery, &kQueryFields, ReadQueryPattern},
    KindOfPattern{"scan", PatternKind::kScan, &kScanFields, ReadScanPattern},
    KindOfPattern{"write", PatternKind::kWrite, &kWriteFields, ReadWritePattern},
    KindOfPattern{"transaction", PatternKind::kTransaction, &kTransactionFields,
                  ReadTransactionPattern},
};

// The kind whose word is a field of the pattern; reports none and several.
const KindOfPattern* FindKind(Problems& problems, const Node::Key& name, const Node& node) {
  const KindOfPattern* found = nullptr;
  for (const KindOfPattern& kind : kKinds) {
    if (node.Find(kind.word) == nullptr) continue;
    if (found != nullptr) {
      problems.Add(name.place, fmt::format("pattern `{}` is both a {} and a {}", name.text,
                                           found->word, kind.word));
    }
    found = &kind;
  }
  if (found == nullptr) {
    problems.Add(name.place, fmt::format("pattern `{}` does not say what it does", name.text),
                 "give it one of get, query, scan, write, transaction");
  }
  return found;
}

void ReadCommonFields(const Reading& reading, const Fields& fields, Pattern& pattern) {
  static constexpr std::array<Choice<PatternClass>, 3> kClasses{
      {{"hot", PatternClass::kHot}, {"ops", PatternClass::kOps}, {"admin", PatternClass::kAdmin}}};
  pattern.rate = fields.Parse(
      "rate", [&](std::string_view text) { return ReadRate(text, reading.model.assume); });
  pattern.rate_text = fields.Text("rate");
  pattern.class_stated = fields.Has("class");
  pattern.pattern_class =
      fields.OneOf<PatternClass>("class", kClasses).value_or(PatternClass::kHot);
  pattern.reason = fields.Text("reason");
  pattern.on_error = fields.Text("on_error");
  pattern.items = fields.AmountOf("items");
  pattern.scope = fields.Text("scope");
  if (const Node* code = fields.Find("code")) {
    pattern.code = ReadCode(reading.problems, *code);
  }
}

}  // namespace

void ReadPatterns(Reading& reading, const Node& node) {
  Problems& problems = reading.problems;
  if (!CheckMap(problems, node, "patterns", kMostPatterns)) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    const Node::Key& name = node.keys[i];
    if (!CheckMap(problems, value, name.text)) continue;
    const KindOfPattern* kind = FindKind(problems, name, value);
    if (kind == nullptr) continue;
    Pattern pattern{.name = name.text, .kind = kind->kind, .place = name.place};
    const Fields fields(problems, value, *kind->table);
    kind->read(fields, pattern);
    ReadCommonFields(reading, fields, pattern);
    reading.model.patterns.push_back(std::move(pattern));
  }
}

}  // namespace stator::model
