// Ion's text encoding: one value after the other.
//
//   value     := (symbol "::")* ( null | bool | int | float | decimal | timestamp | symbol
//              | string | "{{" base64-or-string "}}" | "[" value,* "]" | "{" (name ":" value),* "}" )
//   name      := symbol | string
//   symbol    := identifier | 'quoted' | $id
//   string    := "short" | '''long'''+                  adjacent long strings are one
//   comments  := // to the line's end, /* anywhere */   wherever blanks may stand
//
// S-expressions are not read: no DynamoDB type is written as one.
#ifndef STATOR_TRANSFER_ION_TEXT_PARSER_H_
#define STATOR_TRANSFER_ION_TEXT_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "transfer/ion_symbols.h"
#include "transfer/ion_value.h"

namespace stator::transfer {

class IonTextParser {
 public:
  // REQUIRES: text and symbols outlive the parser.
  IonTextParser(std::string_view text, const IonSymbols& symbols)
      : text_(text), symbols_(symbols) {}

  // The next value with its annotations. REQUIRES: SkipBlanks found something.
  IonResult<IonValue> Value() { return Annotated(0); }
  // Passes blanks and comments; false at the end, or in a comment that does not end.
  bool SkipBlanks();
  // Passes this character if it stands next.
  bool Take(char c);

  // How much was read.
  std::size_t at() const { return at_; }
  // True if the parser looked at what lies behind the text: more text could have changed what it
  // said.
  bool touched_end() const { return touched_end_; }

 private:
  static constexpr int kEnd = -1;

  // The character `ahead` of the next, or kEnd.
  int Peek(std::size_t ahead = 0);
  bool StartsWith(std::string_view word);
  IonResult<IonValue> Annotated(int depth);
  IonResult<IonValue> Unannotated(int depth);
  IonResult<IonValue> List(int depth);
  IonResult<IonValue> Struct(int depth);
  IonResult<IonValue> Braced(int depth);
  IonResult<IonValue> Lob();
  IonResult<std::string> FieldName();

  // Symbols. An identifier may be a keyword, or an id ($10).
  std::string_view Identifier();
  IonResult<IonValue> Word(std::string_view word);
  IonResult<IonValue> Null();
  IonResult<std::string> SymbolText(std::string_view identifier);
  // Passes "::" if it stands behind blanks; otherwise stays.
  bool TakeDoubleColon();

  // ion_text_string.cc. Each begins behind the opening quote or quotes.
  IonResult<std::string> Quoted(char quote);
  IonResult<std::string> LongStrings();
  IonResult<void> LongString(std::string& out);
  IonResult<void> Escape(std::string& out);
  std::optional<std::uint32_t> HexDigits(int count);

  // ion_text_number.cc. Numbers, and timestamps.
  IonResult<IonValue> Numeric();

  IonResult<IonValue> Make(IonType type, std::string text);

  std::string_view text_;
  const IonSymbols& symbols_;
  std::size_t at_ = 0;
  bool touched_end_ = false;
  IonBudget budget_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_TEXT_PARSER_H_
