#include "bench/client_connection.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace stator::bench {
namespace client_connection_test {

using State = ResponseReader::State;

constexpr std::string_view kOk =
    "HTTP/1.1 200 OK\r\nServer: Server\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n{...}";
constexpr std::string_view kError =
    "HTTP/1.1 400 Bad Request\r\ncontent-length:2\r\nconnection: Close\r\n\r\n{}";

TEST(ResponseReader, ReadsAWholeAnswer) {
  ResponseReader reader;
  reader.Begin(false);
  ASSERT_EQ(reader.Take(kOk), State::kDone);
  EXPECT_EQ(reader.head().status, 200);
  EXPECT_EQ(reader.head().body_bytes, 5U);
  EXPECT_TRUE(reader.head().keep_alive);
  EXPECT_EQ(reader.body(), "");
}

TEST(ResponseReader, KeepsTheBodyOfAnError) {
  ResponseReader reader;
  reader.Begin(false);
  ASSERT_EQ(reader.Take(kError), State::kDone);
  EXPECT_EQ(reader.head().status, 400);
  EXPECT_FALSE(reader.head().keep_alive);
  EXPECT_EQ(reader.body(), "{}");
}

TEST(ResponseReader, AnyCutGivesTheSameAnswer) {
  EXPECT_TRUE(rc::check([] {
    const std::size_t first = *rc::gen::inRange<std::size_t>(1, kOk.size() - 1);
    const std::size_t second = *rc::gen::inRange<std::size_t>(first + 1, kOk.size());
    ResponseReader reader;
    reader.Begin(true);
    RC_ASSERT(reader.Take(kOk.substr(0, first)) == State::kMore);
    RC_ASSERT(reader.Take(kOk.substr(first, second - first)) == State::kMore);
    RC_ASSERT(reader.Take(kOk.substr(second)) == State::kDone);
    RC_ASSERT(reader.head().status == 200);
    RC_ASSERT(reader.body() == "{...}");
  }));
}

TEST(ResponseReader, RefusesWhatHasNoEnd) {
  for (const std::string_view bytes :
       {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/2 200\r\n\r\n", "hello\r\n\r\n", "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab"}) {
    ResponseReader reader;
    reader.Begin(false);
    EXPECT_EQ(reader.Take(bytes), State::kBroken) << bytes;
  }
}

TEST(ResponseReader, BytesOfAnyKindDoNotConfuseIt) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    ResponseReader reader;
    reader.Begin(true);
    const State state = reader.Take(bytes);
    RC_ASSERT((state != State::kDone || reader.body().size() == reader.head().body_bytes));
  }));
}

}  // namespace client_connection_test
}  // namespace stator::bench
