#include "value/json_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace stator {
namespace json_text_test {

std::string Reference(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20) {
      out += c;
    } else if (const auto at = std::string_view("\b\f\n\r\t").find(c);
               at != std::string_view::npos) {
      out += '\\';
      out += "bfnrt"[at];
    } else {
      out += fmt::format("\\u{:04x}", byte);
    }
  }
  return out;
}

std::string Escaped(std::string_view text) {
  std::string out = "before";
  AppendJsonEscaped(out, text);
  EXPECT_EQ(out.substr(0, 6), "before");
  return out.substr(6);
}

TEST(JsonText, EveryByteIsWrittenAsTheReferenceDoesAtEveryPlaceOfEveryLength) {
  for (std::size_t length = 0; length <= 70; ++length) {
    std::string text(length, 'x');
    EXPECT_EQ(Escaped(text), text);
    for (std::size_t at = 0; at < length; ++at) {
      for (const char c :
           {'\0', '\x1F', '\n', '"', '\\', ' ', '!', '#', '[', ']', '\x7F', '\xA2'}) {
        text[at] = c;
        ASSERT_EQ(Escaped(text), Reference(text)) << length << " bytes, " << int{c} << " at " << at;
      }
      text[at] = 'x';
    }
  }
}

TEST(JsonText, NoByteIsMistakenForAnother) {
  for (int byte = 0; byte < 256; ++byte) {
    for (const std::size_t length : {1U, 5U, 11U, 16U, 33U}) {
      const std::string text(length, static_cast<char>(byte));
      ASSERT_EQ(Escaped(text), Reference(text)) << byte;
    }
  }
}

TEST(JsonText, AnyBytesAreWrittenAsTheReferenceDoes) {
  EXPECT_TRUE(
      rc::check([](const std::string& text) { RC_ASSERT(Escaped(text) == Reference(text)); }));
}

TEST(JsonText, ARunIsCopiedIntoExactlyItsRoom) {
  for (std::size_t length = 0; length <= 70; ++length) {
    const std::string text(length, 'x');
    std::vector<char> room(length);
    ASSERT_EQ(CopyPlainRun(room.data(), text), length);
    ASSERT_EQ(std::string(room.begin(), room.end()), text);
  }
}

}  // namespace json_text_test
}  // namespace stator
