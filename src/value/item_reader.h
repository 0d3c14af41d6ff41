// Transcodes DynamoDB JSON into the stored encoding in one pass.
#ifndef STATOR_VALUE_ITEM_READER_H_
#define STATOR_VALUE_ITEM_READER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/wording.h"
#include "stator/error.h"
#include "stator/item.h"
#include "value/json_access.h"
#include "value/shape_error.h"
#include "value/value_problem.h"

namespace stator {

// Reads one item or one value. The Read functions return false at the first wrong JSON shape, which
// error() then tells. A value of the right shape that is not acceptable is replaced by NULL and
// remembered as the problem, if it is the first.
class ItemReader {
 public:
  using Element = JsonAccess::Element;

  // Buffers that outlive a reader, so that reading allocates nothing once they are warm.
  struct Buffers {
    struct Attribute {
      std::string_view name;
      std::uint64_t name_start;  // its first bytes, ordered as they are
      std::size_t begin;         // of its length:varint in `out`
      std::size_t end;           // equals begin if the attribute is absent (an explicit null)
    };
    std::string out;
    std::string ordered;                // a map while it is put in order
    std::vector<Attribute> attributes;  // of the maps that are being read, innermost last
  };

  // `skip_overridden`: of attributes with one name only the last is looked at. It costs a sort of
  // the names in every map, and matters only if an overridden attribute has a problem.
  ItemReader(Buffers& buffers, Wording wording, bool skip_overridden)
      : out_(buffers.out),
        buffers_(buffers),
        wording_(wording),
        skip_overridden_(skip_overridden) {}

  // Appends to Buffers::out. `depth` counts the lists and maps around it.
  bool ReadMap(Element json, int depth);
  bool ReadValue(Element json, ValuePlace place, int depth);

  Error error() && { return *std::move(error_); }
  std::optional<ValueProblem>& problem() { return problem_; }
  // True if some map had two attributes with one name.
  bool saw_repeated_names() const { return saw_repeated_names_; }

 private:
  bool ReadAttribute(std::string_view name, Element json, int depth);
  bool ReadOnlyMember(Element object, int depth);
  bool ReadSeveralMembers(Element object, int depth);
  bool ReadContent(Type type, Element json, int depth);
  bool ReadString(Element json);
  bool ReadNumber(Element json);
  bool ReadBinary(Element json);
  bool ReadBool(Element json);
  bool ReadNull(Element json);
  bool ReadSet(Type type, Element json);
  bool ReadList(Element json, int depth);
  bool ReadNestedMap(Element json, int depth);
  std::optional<bool> Boolean(Element json);

  void PutInOrder(std::size_t map_begin, std::size_t first_attribute);
  // Keeps the problem if it is the first; Refuse also puts NULL in the value's place.
  void Record(ValueProblem problem);
  void Refuse(std::size_t value_begin, ValueProblem problem);
  bool Fail(Error error);

  std::string& out_;
  Buffers& buffers_;
  Wording wording_;
  bool skip_overridden_;
  bool saw_repeated_names_ = false;
  std::optional<ValueProblem> problem_;
  std::optional<Error> error_;
};

}  // namespace stator

#endif  // STATOR_VALUE_ITEM_READER_H_
