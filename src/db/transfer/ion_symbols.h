// The symbols that the ids of an Ion stream stand for.
#ifndef STATOR_TRANSFER_ION_SYMBOLS_H_
#define STATOR_TRANSFER_ION_SYMBOLS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transfer/ion_value.h"

namespace stator::transfer {

class IonSymbols {
 public:
  // The system's symbols alone, as behind a version marker.
  void Reset() { *this = {}; }

  // True for a local symbol table: a struct annotated with $ion_symbol_table.
  static bool IsTable(const IonValue& value);
  // Takes a local symbol table over; a table that imports $ion_symbol_table adds to this one. The
  // symbols of shared tables are not known. REQUIRES: IsTable(table).
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

#endif  // STATOR_TRANSFER_ION_SYMBOLS_H_
