// Transcodes DynamoDB JSON into the stored encoding.
#ifndef STATOR_VALUE_ITEM_READER_H_
#define STATOR_VALUE_ITEM_READER_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/wording.h"
#include "stator/error.h"
#include "stator/item.h"
#include "value/json_access.h"
#include "value/output_cursor.h"
#include "value/shape_error.h"
#include "value/value_problem.h"

namespace stator {

// Reads one item or one value. The Read functions return false at the first wrong JSON shape, and
// error() is set. A value of the right shape that is not acceptable is replaced by NULL; the first
// one becomes the problem().
class ItemReader {
 public:
  using Element = JsonAccess::Element;

  // The order in which the attributes of a map are read. By name, the encoding is complete; as
  // sent, the first wrong shape or problem of the request is found first.
  enum class Order : std::uint8_t { kByName, kAsSent };

  // Buffers that outlive a reader, so that reading allocates nothing once they are warm.
  struct Buffers {
    struct Attribute {
      std::string_view name;
      Element value;
      bool overridden;  // by a later one with the same name
    };
    struct Place {
      std::uint64_t name_start;  // the first bytes of the name, as a number in the same order
      std::size_t attribute;
    };
    std::string out;
    std::vector<Attribute> attributes;  // of the maps that are being read, innermost last
    std::vector<Place> places;          // the same, sorted by name per map
  };

  // REQUIRES: the buffers are empty.
  ItemReader(Buffers& buffers, Wording wording, Order order)
      : out_(buffers.out), buffers_(buffers), wording_(wording), order_(order) {}

  // Appends to encoded(). `depth` counts the lists and maps around it.
  bool ReadMap(Element json, int depth);
  bool ReadValue(Element json, ValuePlace place, int depth);

  // Complete when read kByName.
  std::string_view encoded() const { return out_.text(); }
  std::optional<Error>& error() { return error_; }
  std::optional<ValueProblem>& problem() { return problem_; }
  // True if attributes were read in another order than they were sent in.
  bool reordered() const { return reordered_; }
  // How many lists and maps there are in each other, if more than an item may have.
  int too_many_levels() const { return too_many_levels_; }

 private:
  using Attribute = Buffers::Attribute;
  using Place = Buffers::Place;

  std::size_t Collect(Element json);
  std::size_t MarkOverridden(std::span<const Place> places);
  bool IsLess(const Place& a, const Place& b) const;
  bool ReadAttribute(const Attribute& attribute, int depth);
  bool ReadOverridden(Element json, int depth);
  bool ReadSeveralMembers(Element object, int depth);
  bool ReadContent(Type type, Element json, int depth);
  bool ReadString(Element json);
  bool ReadNumber(Element json);
  bool ReadBinary(Element json);
  bool ReadBool(Element json);
  bool ReadNull(Element json);
  bool ReadSet(Type type, Element json);
  bool ReadAscendingStrings(Element json);
  bool ReadList(Element json, int depth);
  bool ReadNestedMap(Element json, int depth);
  std::optional<bool> Boolean(Element json);

  // Keeps the problem if it is the first; Refuse also replaces the value with NULL.
  void Record(ValueProblem problem);
  void RecordTooDeep(int depth);
  void RecordName(std::string_view name, int depth);
  void Refuse(std::size_t value_begin, ValueProblem problem);
  bool Fail(Error error);

  OutputCursor out_;
  Buffers& buffers_;
  Wording wording_;
  Order order_;
  bool reordered_ = false;
  bool inside_overridden_ = false;
  int too_many_levels_ = 0;
  bool problem_is_inner_name_ = false;
  std::optional<ValueProblem> problem_;
  std::optional<Error> error_;
};

}  // namespace stator

#endif  // STATOR_VALUE_ITEM_READER_H_
