#include "auth/request_time.h"

#include <gtest/gtest.h>

namespace stator {
namespace request_time_test {

using std::chrono::seconds;
using std::chrono::sys_seconds;

TEST(RequestTime, BothFormsAreRead) {
  EXPECT_EQ(ParseAmzDate("20150830T123600Z"), sys_seconds(seconds(1440938160)));
  EXPECT_EQ(ParseAmzDate("20240229T235959Z"), sys_seconds(seconds(1709251199)));
  EXPECT_EQ(ParseHttpDate("Sun, 30 Aug 2015 12:36:00 GMT"), sys_seconds(seconds(1440938160)));
}

TEST(RequestTime, NothingElseIs) {
  for (const std::string_view text :
       {"", "today", "2015-08-30T12:36:00Z", "20150830T123600", "20150830T123600z",
        "20151330T123600Z", "20150229T123600Z", "20150830T243600Z", "20150830T126000Z",
        "20150830T123660Z", "2015083oT123600Z", "+2150830T123600Z"}) {
    EXPECT_FALSE(ParseAmzDate(text)) << text;
  }
  for (const std::string_view text :
       {"", "Sun, 30 Aug 2015 12:36:00 CET", "Sun, 30 aug 2015 12:36:00 GMT",
        "Sun, 31 Feb 2015 12:36:00 GMT", "Sun, 3 Aug 2015 12:36:00 GMT", "20150830T123600Z"}) {
    EXPECT_FALSE(ParseHttpDate(text)) << text;
  }
}

}  // namespace request_time_test
}  // namespace stator
