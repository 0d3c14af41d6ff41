#include "http/response_parser.h"

#include <gtest/gtest.h>

namespace stator::http {
namespace response_parser_test {

using State = ResponseParser::State;

constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Amz-Crc32: 7\r\n\r\nhello";

TEST(ResponseParser, ReadsAnAnswerHoweverItIsCut) {
  for (std::size_t cut = 1; cut < kAnswer.size(); ++cut) {
    ResponseParser parser;
    ASSERT_EQ(parser.Take(kAnswer.substr(0, cut)), State::kMore) << cut;
    ASSERT_EQ(parser.Take(kAnswer.substr(cut)), State::kDone) << cut;
    EXPECT_EQ(parser.response().status, 200);
    EXPECT_EQ(parser.response().body, "hello");
    EXPECT_EQ(parser.response().Header("x-amz-crc32"), "7");
    EXPECT_FALSE(parser.response().Header("x-amz-crc"));
    EXPECT_TRUE(parser.response().keep_alive);
  }
}

TEST(ResponseParser, ReadsChunksAndAnswersThatEndWithTheConnection) {
  ResponseParser chunked;
  EXPECT_EQ(chunked.Take("HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"),
            State::kDone);
  EXPECT_EQ(chunked.response().status, 400);
  EXPECT_EQ(chunked.response().body, "hello");

  ResponseParser open;
  EXPECT_EQ(open.Take("HTTP/1.1 200 OK\r\n\r\nhello"), State::kMore);
  EXPECT_EQ(open.TakeEnd(), State::kDone);
  EXPECT_EQ(open.response().body, "hello");
  EXPECT_FALSE(open.response().keep_alive);
}

TEST(ResponseParser, PassesOverInterimAnswers) {
  ResponseParser parser;
  EXPECT_EQ(parser.Take("HTTP/1.1 100 Continue\r\nA: b\r\n\r\n"), State::kMore);
  EXPECT_EQ(parser.Take(kAnswer), State::kDone);
  EXPECT_EQ(parser.response().status, 200);
  EXPECT_FALSE(parser.response().Header("a"));
}

TEST(ResponseParser, DoesNotKeepAConnectionThatSaysTooMuchOrWantsToClose) {
  ResponseParser more;
  EXPECT_EQ(more.Take(std::string(kAnswer) + "HTTP/1.1 200"), State::kDone);
  EXPECT_FALSE(more.response().keep_alive);

  ResponseParser close;
  EXPECT_EQ(close.Take("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
            State::kDone);
  EXPECT_FALSE(close.response().keep_alive);
}

TEST(ResponseParser, RefusesWhatIsNoAnswer) {
  for (const char* bytes :
       {"garbage\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nmore"}) {
    ResponseParser parser;
    EXPECT_EQ(parser.Take(bytes), State::kBroken) << bytes;
    EXPECT_FALSE(parser.problem().empty());
  }
}

TEST(ResponseParser, RefusesHalfAnAnswer) {
  for (std::size_t cut = 0; cut < kAnswer.size(); ++cut) {
    ResponseParser parser;
    if (cut > 0) {
      ASSERT_EQ(parser.Take(kAnswer.substr(0, cut)), State::kMore);
    }
    EXPECT_EQ(parser.TakeEnd(), State::kBroken) << cut;
  }
}

// Feeds `piece` until the parser has an opinion, but not more than a few megabytes.
State Flood(ResponseParser& parser, const std::string& piece) {
  State state = State::kMore;
  for (std::size_t sent = 0; state == State::kMore && sent < (4u << 20); sent += piece.size()) {
    state = parser.Take(piece);
  }
  return state;
}

TEST(ResponseParser, BoundsWhatAServerMaySend) {
  constexpr ResponseLimits kSmall{.head_bytes = 1024, .body_bytes = 1024};
  const std::string start = "HTTP/1.1 200 OK\r\n";
  const std::string chunked = start + "Transfer-Encoding: chunked\r\n\r\n";
  for (const auto& [head, piece] :
       std::vector<std::pair<std::string, std::string>>{{start, "a: b\r\n"},
                                                        {start + "a: ", "long value "},
                                                        {start + "a:", "          "},
                                                        {start, "long_name"},
                                                        {"HTTP/1.1 200 ", "reason "},
                                                        {start + "\r\n", "body body body "},
                                                        {chunked, "3\r\nabc\r\n"},
                                                        {chunked + "0\r\n", "trailer: x\r\n"},
                                                        {"", "HTTP/1.1 100 Continue\r\n\r\n"}}) {
    ResponseParser parser(kSmall);
    if (!head.empty()) {
      ASSERT_EQ(parser.Take(head), State::kMore);
    }
    EXPECT_EQ(Flood(parser, piece), State::kBroken) << head << piece;
  }
  ResponseParser announced(kSmall);
  EXPECT_EQ(announced.Take(start + "Content-Length: 4096\r\n\r\n" + std::string(1025, 'x')),
            State::kBroken);
}

}  // namespace response_parser_test
}  // namespace stator::http
