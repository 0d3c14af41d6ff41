#include "server/request_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "server/options.h"

namespace stator::server {
namespace request_parser_test {

using Event = RequestParser::Event;

struct Parsed {
  std::vector<std::string> requests;  // target and body
  int refusal_status = 0;
  bool operator==(const Parsed&) const = default;
};

// Feeds the bytes in pieces of the given sizes, over and over.
Parsed ParsePieces(std::string_view bytes, const std::vector<std::size_t>& sizes) {
  ExchangePool pool;
  RequestParser parser(pool);
  Parsed parsed;
  std::size_t turn = 0;
  while (!bytes.empty()) {
    // A copy without slack: reading past the piece is an error that the sanitizer sees.
    const std::vector<char> piece(
        bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(
                                           std::min(bytes.size(), sizes[turn++ % sizes.size()])));
    std::string_view rest(piece.data(), piece.size());
    bytes.remove_prefix(rest.size());
    while (!rest.empty()) {
      const RequestParser::Progress progress = parser.Feed(rest);
      rest.remove_prefix(progress.consumed);
      if (progress.event == Event::kComplete) {
        const auto exchange = parser.TakeRequest();
        parsed.requests.push_back(std::string(exchange->head.target()) + " " +
                                  std::string(exchange->body.Padded()));
        if (!exchange->keep_alive) return parsed;
      } else if (progress.event == Event::kRefused) {
        parsed.refusal_status = parser.refusal_status();
        return parsed;
      }
    }
  }
  return parsed;
}

const std::string kThreeRequests =
    "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
    "GET /b?c=d HTTP/1.1\r\nHost: h\r\n\r\n"
    "\r\nPOST /e HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
    "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: t\r\n\r\n"
    "GET /f HTTP/1.1\r\nConnection: close\r\n\r\n";

TEST(RequestParser, FindsTheRequestsHoweverTheBytesAreCut) {
  const Parsed whole = ParsePieces(kThreeRequests, {kThreeRequests.size()});
  EXPECT_EQ(whole.requests, (std::vector<std::string>{"/a hello", "/b?c=d ", "/e abcde", "/f "}));
  EXPECT_TRUE(rc::check([&] {
    const auto sizes = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 40)));
    RC_ASSERT(ParsePieces(kThreeRequests, sizes) == whole);
  }));
}

TEST(RequestParser, DamagedRequestsNeverCrashIt) {
  EXPECT_TRUE(rc::check([&] {
    std::string damaged = kThreeRequests;
    const auto changes =
        *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(rc::gen::pair(
            rc::gen::inRange<std::size_t>(0, damaged.size()), rc::gen::arbitrary<char>()));
    for (const auto& [position, byte] : changes) damaged[position] = byte;
    const Parsed parsed = ParsePieces(damaged, {7, 1, 30});
    RC_ASSERT(parsed.requests.size() <= 20U);
  }));
}

TEST(RequestParser, MereHeaderReservesNoMegabytes) {
  ExchangePool pool;
  RequestParser parser(pool);
  parser.Feed("POST / HTTP/1.1\r\nContent-Length: 16000000\r\n\r\n123");
  const auto partial = parser.TakeRequest();
  EXPECT_EQ(partial->body.size(), 3U);
  EXPECT_LE(partial->body.capacity(), kBodyReserveBytesMax);
}

TEST(RequestParser, SmallBodyOfKnownLengthGetsItsBufferAtOnce) {
  ExchangePool pool;
  RequestParser parser(pool);
  parser.Feed("POST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n123");
  EXPECT_EQ(parser.TakeRequest()->body.capacity(), 5000U);
}

TEST(PaddedBuffer, PaddingIsReadableAndZero) {
  PaddedBuffer buffer;
  EXPECT_EQ(buffer.Padded(), "");
  buffer.Append("abc");
  const std::string_view text = buffer.Padded();
  EXPECT_EQ(text, "abc");
  EXPECT_EQ(std::string(text.data() + 3, Database::kPadding),
            std::string(Database::kPadding, '\0'));
}

TEST(RequestHead, FindsHeadersWithoutRegardToCase) {
  RequestHead head;
  head.AppendTarget("/x");
  head.AppendHeaderName("Ho");
  head.AppendHeaderName("st");
  head.AppendHeaderValue(" a");
  head.AppendHeaderValue("b ");
  head.AppendHeaderName("Empty");
  head.AppendHeaderValue("");
  head.Finish();
  EXPECT_EQ(head.Find("HOST"), "ab");
  EXPECT_EQ(head.Find("empty"), "");
  EXPECT_FALSE(head.Find("other").has_value());
}

}  // namespace request_parser_test
}  // namespace stator::server
