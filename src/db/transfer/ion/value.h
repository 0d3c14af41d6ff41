// A value of Amazon Ion 1.0, the same for both of its encodings, and the symbols of a stream.
#ifndef STATOR_TRANSFER_ION_VALUE_H_
#define STATOR_TRANSFER_ION_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace stator::transfer {

enum class IonType : std::uint8_t {
  kNull,
  kBool,
  kInt,
  kFloat,
  kDecimal,
  kTimestamp,
  kSymbol,
  kString,
  kClob,
  kBlob,
  kList,
  kSexp,
  kStruct,
};
std::string_view IonTypeName(IonType type);

struct IonValue {
  IonType type = IonType::kNull;
  bool is_null = true;  // null, null.string …
  bool boolean = false;
  bool is_bare_symbol = false;  // written in text, without quotes
  std::string annotation;       // the first one; empty if there is none
  std::string name;             // of a field of a struct
  // Text of strings and symbols, bytes of blobs; numbers in DynamoDB's grammar ("6e2"), or "nan".
  std::string text;
  std::vector<IonValue> elements;  // of lists and structs
};

// A value that is nested deeper is malformed; DynamoDB allows less.
inline constexpr int kIonDepthMax = 64;

// Bounds the memory of one record: a symbol of one byte can stand for a long text.
class IonBudget {
 public:
  // False if the record has used up its budget.
  bool TakeValue() {
    if (values_left_ == 0) return false;
    --values_left_;
    return true;
  }
  bool TakeBytes(std::size_t count) {
    if (count > bytes_left_) return false;
    bytes_left_ -= count;
    return true;
  }

 private:
  // An item of 400 KB has at most 200,000 values; a change has two images.
  std::size_t values_left_ = 500'000;
  std::size_t bytes_left_ = 32 * 1024 * 1024;
};

// What is wrong with the text or bytes of a value.
template <class T>
using IonResult = std::expected<T, std::string>;

// Decimal digits of a big-endian magnitude; an error beyond every number of DynamoDB.
IonResult<std::string> DecimalDigits(std::string_view magnitude);

// The symbols that the ids of an Ion stream stand for.
class IonSymbols {
 public:
  // Forgets all but the system symbols, as a version marker does.
  void Reset() { *this = {}; }

  // True for a local symbol table: a struct annotated with $ion_symbol_table.
  static bool IsTable(const IonValue& value);
  // Replaces the symbols with those of a local symbol table; a table that imports $ion_symbol_table
  // adds to them. The symbols of shared tables are not known. REQUIRES: IsTable(table).
  IonResult<void> Take(const IonValue& table);

  // What an id stands for; an error for ids without a known text.
  IonResult<std::string_view> Text(std::uint64_t id) const;

 private:
  IonResult<void> TakeImports(const IonValue& imports);
  IonResult<void> Add(const IonValue& symbols);

  std::uint64_t unknown_count_ = 0;  // imported, between the system's and the local ones
  std::vector<std::string> local_;
  std::size_t local_bytes_ = 0;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_VALUE_H_
