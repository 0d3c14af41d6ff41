// Appends to a string through a pointer: many small pieces need one check for room.
#ifndef STATOR_VALUE_OUTPUT_CURSOR_H_
#define STATOR_VALUE_OUTPUT_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace stator {

// Copies the bytes and returns the end of the copy. Nearly all are short: two words that may
// overlap cover them.
inline char* CopyBytes(char* to, std::string_view bytes) {
  const char* const from = bytes.data();
  const std::size_t size = bytes.size();
  const auto ends = [&]<class Word>(Word first, Word last) {
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + size - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + size - sizeof last, &last, sizeof last);
  };
  if (size > 16) {
    std::memcpy(to, from, size);
  } else if (size >= 8) {
    ends(std::uint64_t{}, std::uint64_t{});
  } else if (size >= 4) {
    ends(std::uint32_t{}, std::uint32_t{});
  } else if (size >= 2) {
    ends(std::uint16_t{}, std::uint16_t{});
  } else if (size == 1) {
    *to = *from;
  }
  return to + size;
}

//   OutputCursor out(text);
//   char* to = out.Room(2);   // at least two bytes may be written at `to`
//   *to++ = '{';
//   *to++ = '}';
//   out.MoveTo(to);
class OutputCursor {
 public:
  // Starts at the end of `text`, which nobody else may touch while the cursor lives.
  explicit OutputCursor(std::string& text) : text_(text) { Stretch(text.size(), text.capacity()); }
  OutputCursor(const OutputCursor&) = delete;
  OutputCursor& operator=(const OutputCursor&) = delete;
  ~OutputCursor() { text_.resize(size()); }

  // Where the next bytes go; `bytes` of them have room there.
  char* Room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - to_) < bytes) [[unlikely]]
      Grow(bytes);
    return to_;
  }
  void MoveTo(char* to) { to_ = to; }

  // The text so far, and its bytes. REQUIRES: `size` and `index` are not beyond them.
  std::size_t size() const { return static_cast<std::size_t>(to_ - text_.data()); }
  std::string_view text() const { return {text_.data(), size()}; }
  char* At(std::size_t index) { return text_.data() + index; }
  void CutTo(std::size_t size) { to_ = text_.data() + size; }

 private:
  // Makes the text `size` bytes long, with the cursor behind `used`. The bytes behind it stay
  // uninitialized; those that are never written are cut off before anyone reads them.
  void Stretch(std::size_t used, std::size_t size) {
    text_.resize_and_overwrite(size, [=](char*, std::size_t) { return size; });
    to_ = text_.data() + used;
    end_ = text_.data() + size;
  }
  // The string at least doubles its capacity.
  [[gnu::noinline]] void Grow(std::size_t bytes) {
    const std::size_t used = size();
    Stretch(used, used + bytes);
    Stretch(used, text_.capacity());
  }

  std::string& text_;
  char* to_;
  char* end_;
};

}  // namespace stator

#endif  // STATOR_VALUE_OUTPUT_CURSOR_H_
