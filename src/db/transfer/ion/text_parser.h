// Ion's text encoding: a sequence of values.
//
//   value     := (symbol "::")* ( null | bool | int | float | decimal | timestamp | symbol
//              | string | "{{" base64-or-string "}}" | "[" value,* "]" | "{" (name ":" value),* "}" )
//   name      := symbol | string
//   symbol    := identifier | 'quoted' | $id
//   int       := -? ( 0 | [1-9] digits | 0x hex | 0b bits )           _ between digits
//   decimal   := -? digits ( . digits? )? ( [dD] [+-]? digits )?      with a point or a d
//   float     := -? digits ( . digits? )? [eE] [+-]? digits | +inf | -inf
//   timestamp := four digits and - or T, …
//
// Strings and comments as in text_scanner.h. S-expressions are not read: no DynamoDB type is
// written as one.
#ifndef STATOR_TRANSFER_ION_TEXT_PARSER_H_
#define STATOR_TRANSFER_ION_TEXT_PARSER_H_

#include <string>
#include <string_view>

#include "transfer/ion/text_scanner.h"
#include "transfer/ion/value.h"

namespace stator::transfer {

class IonTextParser : public IonTextScanner {
 public:
  // REQUIRES: text and symbols outlive the parser.
  IonTextParser(std::string_view text, const IonSymbols& symbols)
      : IonTextScanner(text), symbols_(symbols) {}

  // The next value with its annotations. REQUIRES: SkipBlanks found something.
  IonResult<IonValue> Value() { return Annotated(0); }

 private:
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
  // Passes blanks and "::", or nothing.
  bool TakeDoubleColon();

  // Numbers and timestamps.
  IonResult<IonValue> Numeric();

  IonResult<IonValue> Make(IonType type, std::string text);

  const IonSymbols& symbols_;
  IonBudget budget_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_TEXT_PARSER_H_
