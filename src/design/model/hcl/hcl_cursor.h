// A position in HCL text: blanks, comments, newlines and the first error.
#ifndef STATOR_MODEL_HCL_HCL_CURSOR_H_
#define STATOR_MODEL_HCL_HCL_CURSOR_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/hcl/hcl_syntax.h"

namespace stator::model {

class HclCursor {
 public:
  explicit HclCursor(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool StartsWith(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void Skip(std::size_t count = 1);
  bool Take(char c);
  bool Take(std::string_view word);

  // Spaces, tabs and comments; newlines too where they mean nothing. A comment to the end of the
  // line does not take the newline.
  void SkipBlanks();
  void SkipBlanksAndNewlines();
  // The rest of the line must be blank; takes the newline. True at the end of the text.
  bool TakeNewline();

  // letter (letter | digit | '_' | '-')*; empty when none is here. Bytes beyond ASCII are letters.
  std::string_view TakeIdentifier();
  // Up to the newline, which is taken and not returned.
  std::string_view TakeLine();

  std::uint32_t line() const { return line_; }
  // Keeps the first error. Always false, so that parsers can return it.
  bool Fail(std::string message);
  bool failed() const { return error_.has_value(); }
  std::optional<HclError> error() const { return error_; }
  // "`;`", "the end of the line", "the end of the text"
  std::string HereText() const;

 private:
  bool SkipComment();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::optional<HclError> error_;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_HCL_HCL_CURSOR_H_
