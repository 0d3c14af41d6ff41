#include "expr/reserved_words.h"

#include <gtest/gtest.h>

#include <string>

namespace stator {
namespace reserved_words_test {

TEST(ReservedWords, AreFoundInAnyCase) {
  for (const char* word : {"ABORT", "abort", "Name", "STATUS", "zone", "Partition", "Size"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWords, OtherWordsAreFree) {
  for (const char* word : {"", "pk", "named", "ABOR", "ZZZ", "AAA"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
  EXPECT_FALSE(IsReservedWord(std::string(1000, 'A')));
}

}  // namespace reserved_words_test
}  // namespace stator
