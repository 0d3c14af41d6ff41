// Items and attribute values.
//
// A value lives in one contiguous, canonical encoding from the moment a request is read until its
// bytes reach the disk or a socket: two equal values have equal bytes. AttributeValue and Item own
// such bytes; ValueView and ItemView read them in place.
//
//   Item item{{"pk", "user#1"}, {"age", 42}, {"tags", AttributeValue::StringSet({"a", "b"})}};
//   item.Find("age")->N();        // "42"
//
// The grammar of the encoding (all of it is produced and checked by value/item_codec):
//
//   item   := map
//   map    := count:varint (length:varint name value)*         names ascending by bytes, distinct
//   value  := 'S' length:varint utf8
//           | 'N' length:u8 number                             number: value/number.h
//           | 'B' length:varint bytes
//           | 'T' | 'F' | '0'                                  true, false, NULL
//           | 's' size:u32 count:varint (length:varint utf8)*  SS, ascending by bytes, distinct
//           | 'n' size:u32 count:varint (length:u8 number)*    NS, ascending by value, distinct
//           | 'b' size:u32 count:varint (length:varint bytes)* BS, ascending by bytes, distinct
//           | 'L' size:u32 count:varint value*
//           | 'M' size:u32 map
//   size:u32 is little-endian and counts the bytes that follow it.
#ifndef STATOR_ITEM_H_
#define STATOR_ITEM_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator {

class ItemView;
class ListView;
class SetView;
struct ValueProblem;  // value/value_problem.h: why a value given from outside is not acceptable

enum class Type : std::uint8_t { kS, kN, kB, kBool, kNull, kSS, kNS, kBS, kL, kM };

// "S", "N", … as DynamoDB spells them.
std::string_view TypeName(Type type);

// Reads one encoded value. REQUIRES: the bytes are well formed and outlive the view.
class ValueView {
 public:
  ValueView() = default;
  explicit ValueView(std::string_view encoded) : encoded_(encoded) {}

  // The value that starts at the front of `bytes`; its length is found by reading it.
  static ValueView Prefix(std::string_view bytes);

  Type type() const;
  std::string_view encoded() const { return encoded_; }

  std::string_view S() const;       // REQUIRES: type() == kS
  std::string_view B() const;       // REQUIRES: type() == kB; raw bytes
  std::string N() const;            // REQUIRES: type() == kN; plain decimal text
  std::string_view number() const;  // REQUIRES: type() == kN; the order-preserving encoding
  bool Bool() const;                // REQUIRES: type() == kBool
  SetView Set() const;              // REQUIRES: a set
  ListView List() const;            // REQUIRES: type() == kL
  ItemView Map() const;             // REQUIRES: type() == kM

  // The whole value as a 64-bit integer, when it is one.
  std::optional<std::int64_t> AsInt64() const;

  // Deep equality in DynamoDB's sense; the encoding is canonical.
  friend bool operator==(ValueView a, ValueView b) { return a.encoded_ == b.encoded_; }

 private:
  std::string_view encoded_;
};

// Forward iteration over a run of encoded elements. `Read` splits one element off the front.
template <class Element, Element (*Read)(std::string_view&)>
class EncodedIterator {
 public:
  using value_type = Element;
  using difference_type = std::ptrdiff_t;
  EncodedIterator() = default;
  EncodedIterator(std::string_view rest, std::size_t left) : rest_(rest), left_(left) { Load(); }
  const Element& operator*() const { return current_; }
  const Element* operator->() const { return &current_; }
  EncodedIterator& operator++() {
    --left_;
    Load();
    return *this;
  }
  EncodedIterator operator++(int) {
    EncodedIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const EncodedIterator& other) const { return left_ == other.left_; }

 private:
  void Load() {
    if (left_ != 0) current_ = Read(rest_);
  }
  std::string_view rest_;
  std::size_t left_ = 0;
  Element current_{};
};

namespace item_internal {
ValueView ReadElement(std::string_view& rest);
std::pair<std::string_view, ValueView> ReadAttribute(std::string_view& rest);
}  // namespace item_internal

class ListView {
 public:
  using Iterator = EncodedIterator<ValueView, item_internal::ReadElement>;
  ListView(std::string_view body, std::size_t count) : body_(body), count_(count) {}
  std::size_t size() const { return count_; }
  Iterator begin() const { return {body_, count_}; }
  Iterator end() const { return {}; }
  std::optional<ValueView> At(std::size_t index) const;
  // The elements as they are encoded, one behind the other.
  std::string_view body() const { return body_; }

 private:
  std::string_view body_;
  std::size_t count_;
};

// Members of a set: raw text or bytes for SS and BS, order-preserving number encodings for NS.
class SetView {
 public:
  SetView(Type type, std::string_view body, std::size_t count)
      : type_(type), body_(body), count_(count) {}
  Type type() const { return type_; }
  std::size_t size() const { return count_; }
  // All members in order; strings and binaries raw, numbers in their order-preserving encoding.
  std::vector<std::string_view> Members() const;
  bool Contains(std::string_view member) const;

 private:
  Type type_;
  std::string_view body_;
  std::size_t count_;
};

// Reads an encoded item or map. REQUIRES: the bytes are well formed and outlive the view.
class ItemView {
 public:
  using Attribute = std::pair<std::string_view, ValueView>;
  using Iterator = EncodedIterator<Attribute, item_internal::ReadAttribute>;

  ItemView() = default;
  explicit ItemView(std::string_view encoded);

  std::string_view encoded() const { return encoded_; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  Iterator begin() const { return {body_, count_}; }
  Iterator end() const { return {}; }
  std::optional<ValueView> Find(std::string_view name) const;

  friend bool operator==(ItemView a, ItemView b) { return a.encoded_ == b.encoded_; }

 private:
  std::string_view encoded_{"\0", 1};
  std::string_view body_;
  std::size_t count_ = 0;
};

// Owns one value. Built from C++ values or JSON; a value that DynamoDB would refuse (an empty set,
// a malformed number) can be built too and carries its problem, which the operation then reports.
class AttributeValue {
 public:
  AttributeValue() : AttributeValue(Null()) {}
  AttributeValue(std::string_view text);                                               // NOLINT: S
  AttributeValue(const char* text) : AttributeValue(std::string_view(text)) {}         // NOLINT
  AttributeValue(const std::string& text) : AttributeValue(std::string_view(text)) {}  // NOLINT
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  AttributeValue(T number) : AttributeValue(FromInteger(number)) {}  // NOLINT
  template <std::same_as<bool> T>
  AttributeValue(T value) : AttributeValue(Bool(value)) {}  // NOLINT

  static AttributeValue String(std::string_view text) { return AttributeValue(text); }
  static AttributeValue Number(std::string_view text);
  static AttributeValue Binary(std::string_view bytes);
  static AttributeValue Bool(bool value);
  static AttributeValue Null();
  static AttributeValue StringSet(const std::vector<std::string>& members);
  static AttributeValue NumberSet(const std::vector<std::string>& members);
  static AttributeValue BinarySet(const std::vector<std::string>& members);
  static AttributeValue List(const std::vector<AttributeValue>& elements);
  static AttributeValue Map(const std::vector<std::pair<std::string, AttributeValue>>& entries);

  // Takes bytes that are known to be well formed, e.g. from a ValueView.
  static AttributeValue FromEncoded(std::string encoded);
  static AttributeValue FromView(ValueView view) {
    return FromEncoded(std::string(view.encoded()));
  }
  // A value that was refused; `encoded` is whatever could be kept of it (NULL if nothing).
  static AttributeValue WithProblem(ValueProblem problem);
  static AttributeValue WithProblem(ValueProblem problem, std::string encoded);

  ValueView view() const { return ValueView(encoded()); }
  Type type() const { return view().type(); }
  const std::string& encoded() const { return large_ ? *large_ : encoded_; }
  // Null when the value is acceptable.
  const ValueProblem* problem() const { return problem_.get(); }

  friend bool operator==(const AttributeValue& a, const AttributeValue& b) {
    return a.encoded() == b.encoded();
  }

 private:
  // Copies share the bytes of a large value: an expression may name one a thousand times.
  static constexpr std::size_t kLargeBytes = 1024;

  struct RawTag {};
  AttributeValue(RawTag, std::string encoded) : encoded_(std::move(encoded)) { ShareLarge(); }
  void ShareLarge() {
    if (encoded_.size() >= kLargeBytes) [[unlikely]]
      large_ = std::make_shared<const std::string>(std::exchange(encoded_, {}));
  }
  template <std::integral T>
  static AttributeValue FromInteger(T number) {
    if constexpr (std::unsigned_integral<T>)
      return FromUint64(number);
    else
      return FromInt64(number);
  }
  static AttributeValue FromInt64(std::int64_t number);
  static AttributeValue FromUint64(std::uint64_t number);

  std::string encoded_;                       // empty if the value is large
  std::shared_ptr<const std::string> large_;  // null unless it is
  std::shared_ptr<const ValueProblem> problem_;
};

// Owns an item: attribute names to values.
class Item {
 public:
  Item() : encoded_(1, '\0') {}
  // Later entries win over earlier ones of the same name.
  Item(std::initializer_list<std::pair<std::string_view, AttributeValue>> attributes);
  explicit Item(const std::vector<std::pair<std::string, AttributeValue>>& attributes);

  static Item FromEncoded(std::string encoded);
  static Item FromView(ItemView view) { return FromEncoded(std::string(view.encoded())); }
  // An item that was refused; `encoded` is what could be kept of it (nothing if left out).
  static Item WithProblem(ValueProblem problem);
  static Item WithProblem(ValueProblem problem, std::string encoded);

  ItemView view() const { return ItemView(encoded_); }
  const std::string& encoded() const& { return encoded_; }
  std::string encoded() && { return std::move(encoded_); }
  std::size_t size() const { return view().size(); }
  bool empty() const { return size() == 0; }
  std::optional<ValueView> Find(std::string_view name) const { return view().Find(name); }
  ItemView::Iterator begin() const { return view().begin(); }
  ItemView::Iterator end() const { return {}; }

  // Adds or replaces one attribute.
  void Set(std::string_view name, const AttributeValue& value);
  void Remove(std::string_view name);

  // Null when every value is acceptable; otherwise the first problem in request order.
  const ValueProblem* problem() const { return problem_.get(); }

  friend bool operator==(const Item& a, const Item& b) { return a.encoded_ == b.encoded_; }

 private:
  std::string encoded_;
  std::shared_ptr<const ValueProblem> problem_;
};

// Many items in one buffer: the rows of a page without an allocation a row.
class ItemList {
 public:
  // Makes room, in items and in bytes of their encodings.
  void Reserve(std::size_t items, std::size_t bytes) {
    ends_.reserve(items);
    bytes_.reserve(bytes);
  }
  void Append(ItemView item) {
    bytes_.append(item.encoded());
    ends_.push_back(bytes_.size());
  }
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  // Of all encodings together.
  std::size_t bytes() const { return bytes_.size(); }
  ItemView operator[](std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : ends_[index - 1];
    return ItemView(std::string_view(bytes_).substr(start, ends_[index] - start));
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace stator

#endif  // STATOR_ITEM_H_
