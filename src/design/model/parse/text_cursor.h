// What the small grammars share: characters, words, numbers, and a cursor in one line.
#ifndef STATOR_MODEL_PARSE_TEXT_CURSOR_H_
#define STATOR_MODEL_PARSE_TEXT_CURSOR_H_

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stator::model {

// The result of reading a text, or what is wrong with it.
template <class T>
using Read = std::expected<T, std::string>;

bool IsSpace(char c);
bool IsDigit(char c);
bool IsNameCharacter(char c);  // letters, digits, _ - . and every byte beyond ASCII
std::string_view Trim(std::string_view text);
// The words between `separator`, trimmed; empty ones too.
std::vector<std::string_view> SplitText(std::string_view text, char separator);
std::vector<std::string_view> SplitWords(std::string_view text);  // by white space
// "1e6", "1_000_000", "-2.5": the whole text, finite.
std::optional<double> ReadNumber(std::string_view text);

class TextCursor {
 public:
  explicit TextCursor(std::string_view text, std::size_t offset = 0) : text_(text), at_(offset) {}

  std::size_t offset() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  void SkipSpaces();
  bool AtEnd();                       // after spaces
  char Peek();                        // after spaces; '\0' at the end
  bool Take(std::string_view token);  // after spaces
  // The longest run of characters for which `accepts` holds; may be empty.
  template <class Accepts>
  std::string_view TakeWhile(Accepts accepts) {
    SkipSpaces();
    const std::size_t begin = at_;
    while (at_ < text_.size() && accepts(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_TEXT_CURSOR_H_
