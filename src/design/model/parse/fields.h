// Reads the fields of one map of a model file and collects what is wrong with them.
//
//   Fields fields(problems, node, kIndexFields);
//   index.local = fields.Flag("local");
//   index.projection = ReadProjection(fields.Find("project"));
//
// A field that is absent or empty gives the default. A field that does not parse is reported and
// gives the default too, so that one run finds every mistake.
#ifndef STATOR_MODEL_PARSE_FIELDS_H_
#define STATOR_MODEL_PARSE_FIELDS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"
#include "model/parse/parse.h"
#include "model/parse/text_cursor.h"
#include "model/parse/yaml.h"

namespace stator::model {

class Problems {
 public:
  static constexpr std::size_t kMost = 50;

  void Add(Place place, std::string message, std::string hint = {});
  // "unknown table `job`", with the nearest valid name.
  void AddUnknown(Place place, std::string_view what, std::string_view name,
                  std::span<const std::string_view> valid);
  // "`indexes` must be a map, not a list".
  void AddWrongKind(const Node& node, std::string_view name, std::string_view expected);

  bool empty() const { return found_.empty(); }
  bool full() const { return found_.size() >= kMost; }
  std::vector<Problem> Take();  // in the order of the file

 private:
  std::vector<Problem> found_;
};

// The fields of one part of a model file: what the parser accepts and what the schema for editors
// (docs/model.schema.json) lists under `definitions`.
struct FieldTable {
  std::string_view part;  // "table", "index" … as in the schema
  std::span<const std::string_view> names;

  bool Has(std::string_view name) const;
};

extern const FieldTable kModelFields;
extern const FieldTable kAssumeFields;
extern const FieldTable kTableFields;
extern const FieldTable kCapacityFields;
extern const FieldTable kIndexFields;
extern const FieldTable kSparseFields;
extern const FieldTable kShardsFields;
extern const FieldTable kEntityFields;
extern const FieldTable kVolumeFields;
extern const FieldTable kMachineFields;
extern const FieldTable kGetFields;
extern const FieldTable kQueryFields;
extern const FieldTable kScanFields;
extern const FieldTable kWriteFields;
extern const FieldTable kTransactionFields;
extern const FieldTable kCodeFields;
extern const FieldTable kMigrationFields;
extern const FieldTable kGrantFields;
extern const FieldTable kSnippetFields;
extern const FieldTable kClaimFields;

std::span<const FieldTable* const> AllFieldTables();

template <class T>
using Choice = std::pair<std::string_view, T>;

class Fields {
 public:
  // Reports unknown fields at once. A `node` that is not a map is reported and has no fields.
  Fields(Problems& problems, const Node& node, const FieldTable& table);

  Problems& problems() const { return problems_; }
  Place place() const { return node_.place; }

  // REQUIRES (of all): the table has the field. Null: absent or empty.
  const Node* Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  Place PlaceOf(std::string_view name) const;  // of the value; of the map if it is absent

  std::string Text(std::string_view name) const;
  std::string RequiredText(std::string_view name) const;
  bool Flag(std::string_view name, bool otherwise = false) const;
  std::vector<std::string> Names(std::string_view name) const;  // a list, or a single name
  std::optional<std::chrono::seconds> Duration(std::string_view name) const;
  std::optional<Amount> AmountOf(std::string_view name) const;
  std::optional<double> Share(std::string_view name) const;
  std::optional<std::int64_t> Count(std::string_view name, std::int64_t most) const;
  std::optional<Rate> RateOf(std::string_view name, const Assumptions& assumptions) const;
  std::optional<Predicate> PredicateOf(std::string_view name) const;

  // What `reader` makes of the text.
  template <class Reader>
  auto Parse(std::string_view name, Reader reader) const
      -> std::optional<typename decltype(reader(std::string_view()))::value_type> {
    const Node* text = FindText(name);
    if (text == nullptr) return std::nullopt;
    auto read = reader(std::string_view(text->text));
    if (read) return *std::move(read);
    problems_.Add(text->place, std::move(read).error());
    return std::nullopt;
  }

  template <class T>
  std::optional<T> OneOf(std::string_view name, std::span<const Choice<T>> choices) const {
    const Node* text = FindText(name);
    if (text == nullptr) return std::nullopt;
    std::vector<std::string_view> valid;
    for (const auto& [word, value] : choices) {
      if (word == text->text) return value;
      valid.push_back(word);
    }
    problems_.AddUnknown(text->place, name, text->text, valid);
    return std::nullopt;
  }

 private:
  const Node* FindText(std::string_view name) const;

  Problems& problems_;
  const Node& node_;
  const FieldTable& table_;
};

// For values that are not fields of a fixed map. The checks report and return false.
bool CheckMap(Problems& problems, const Node& node, std::string_view name,
              std::size_t most_entries = 1000);
bool CheckList(Problems& problems, const Node& node, std::string_view name);
std::vector<std::string> ReadNameList(Problems& problems, const Node& node, std::string_view name);
std::optional<bool> ReadFlag(std::string_view word);  // true yes on, false no off

// Calls `take(key, value)` for each entry of a map whose values are text. `expected` describes the
// text: "a rate".
template <class Take>
void ForEachText(Problems& problems, const Node& node, std::string_view name,
                 std::string_view expected, Take take) {
  if (!CheckMap(problems, node, name)) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.items[i].IsText()) {
      take(node.keys[i], node.items[i]);
    } else {
      problems.AddWrongKind(node.items[i], node.keys[i].text, expected);
    }
  }
}

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_FIELDS_H_
