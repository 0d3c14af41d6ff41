// Reads the fields of one map of a model file and reports every one that does not belong there.
//
//   Fields fields(problems, node, kIndexFields);
//   index.local = fields.Flag("local");
//   index.projection = ReadProjection(fields.Find("project"));
//
// A field that is absent or empty gives the default; one that does not parse is reported and gives
// the default too, so that one run finds every mistake.
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

#include "model/keys/predicate.h"
#include "model/parse/field_tables.h"
#include "model/parse/node.h"
#include "model/parse/problems.h"
#include "model/parse/text_cursor.h"

namespace stator::model {

template <class T>
using Choice = std::pair<std::string_view, T>;

class Fields {
 public:
  // Reports unknown fields at once. `node` that is no map is reported and has no fields.
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
  std::vector<std::string> Names(std::string_view name) const;  // a list, or one name alone
  std::optional<std::chrono::seconds> Duration(std::string_view name) const;
  std::optional<Amount> AmountOf(std::string_view name) const;
  std::optional<double> Share(std::string_view name) const;
  std::optional<std::int64_t> Count(std::string_view name, std::int64_t most) const;
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

// Of values that are no field of a fixed map.
bool CheckMap(Problems& problems, const Node& node, std::string_view name,
              std::size_t most_entries = 1000);
std::vector<std::string> ReadNameList(Problems& problems, const Node& node, std::string_view name);
std::optional<bool> ReadFlag(std::string_view word);  // true yes on, false no off
std::optional<Predicate> ReadPredicateNode(Problems& problems, const Node& node);

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_FIELDS_H_
