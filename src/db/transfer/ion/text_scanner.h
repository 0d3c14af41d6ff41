// The characters of Ion's text encoding: blanks, comments, strings and quoted symbols.
//
//   string    := "short" | '''long'''+                  adjacent long strings are one
//   comments  := // to the end of the line, /* anywhere */   wherever blanks are allowed
#ifndef STATOR_TRANSFER_ION_TEXT_SCANNER_H_
#define STATOR_TRANSFER_ION_TEXT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "transfer/ion/value.h"

namespace stator::transfer {

constexpr bool IsIonBlank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class IonTextScanner {
 public:
  // REQUIRES: the text outlives the scanner.
  explicit IonTextScanner(std::string_view text) : text_(text) {}

  // Passes blanks and comments; false at the end, or in a comment that does not end.
  bool SkipBlanks();
  // Passes the character if it is next.
  bool Take(char c);

  // How much was read.
  std::size_t at() const { return at_; }
  // True if the scanner looked behind the end of the text: more text could have changed the result.
  bool touched_end() const { return touched_end_; }

 protected:
  static constexpr int kEnd = -1;

  // The character `ahead` of the next, or kEnd.
  int Peek(std::size_t ahead = 0);
  bool StartsWith(std::string_view word);

  // The rest of a string or symbol behind its opening quote.
  IonResult<std::string> Quoted(char quote);
  // Adjacent long strings, from the first ''' on.
  IonResult<std::string> LongStrings();

  std::string_view text_;
  std::size_t at_ = 0;

 private:
  IonResult<void> LongString(std::string& out);
  IonResult<void> Escape(std::string& out);
  std::optional<std::uint32_t> HexDigits(int count);

  bool touched_end_ = false;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_TEXT_SCANNER_H_
