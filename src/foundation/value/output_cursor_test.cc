#include "value/output_cursor.h"

#include <gtest/gtest.h>

#include <vector>

namespace stator {
namespace output_cursor_test {

TEST(OutputCursor, KeepsWhatWasThereAndWhatIsWrittenWhileItGrows) {
  std::string text = "kept";
  std::string expected = text;
  {
    OutputCursor out(text);
    for (std::size_t i = 0; i < 1000; ++i) {
      char* to = out.Room(i % 7 + 100);
      const std::string piece(i % 7, static_cast<char>('a' + i % 26));
      out.MoveTo(CopyBytes(to, piece));
      expected += piece;
      ASSERT_EQ(out.text(), expected);
    }
  }
  EXPECT_EQ(text, expected);
}

TEST(OutputCursor, LeavesATextAloneToWhichNothingIsWritten) {
  std::string text = "kept";
  {
    OutputCursor out(text);
  }
  EXPECT_EQ(text, "kept");
}

TEST(OutputCursor, CutsOffWhatIsTakenBack) {
  std::string text = "kept";
  {
    OutputCursor out(text);
    out.MoveTo(CopyBytes(out.Room(5), " more"));
    out.CutTo(4);
    EXPECT_EQ(out.size(), 4U);
  }
  EXPECT_EQ(text, "kept");
}

TEST(CopyBytes, CopiesEveryLengthIntoExactlyItsRoom) {
  for (std::size_t length = 0; length <= 70; ++length) {
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>(i);
    std::vector<char> room(length);
    ASSERT_EQ(CopyBytes(room.data(), bytes), room.data() + length);
    ASSERT_EQ(std::string(room.begin(), room.end()), bytes);
  }
}

}  // namespace output_cursor_test
}  // namespace stator
