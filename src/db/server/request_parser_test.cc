#include "server/request_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "server/options.h"
#include "server/testing/strict_reader.h"

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
    "\r\nPOST /e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
    "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: t\r\n\r\n"
    "GET /f HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

TEST(RequestParser, FindsTheRequestsHoweverTheBytesAreCut) {
  const Parsed whole = ParsePieces(kThreeRequests, {kThreeRequests.size()});
  EXPECT_EQ(whole.requests, (std::vector<std::string>{"/a hello", "/b?c=d ", "/e abcde", "/f "}));
  EXPECT_TRUE(rc::check([&] {
    const auto sizes = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 40)));
    RC_ASSERT(ParsePieces(kThreeRequests, sizes) == whole);
  }));
}

TEST(RequestParser, SeesNothingInDamagedRequestsThatAStrictReaderDoesNotSee) {
  EXPECT_TRUE(AgreesWithStrictReader(kThreeRequests));
  EXPECT_TRUE(rc::check([&] {
    std::string damaged = kThreeRequests;
    const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(
        rc::gen::pair(rc::gen::inRange<std::size_t>(0, damaged.size()),
                      rc::gen::oneOf(rc::gen::arbitrary<char>(),
                                     rc::gen::elementOf(std::string("\r\n \t:;0")))));
    for (const auto& [position, byte] : changes) damaged[position] = byte;
    RC_ASSERT(AgreesWithStrictReader(damaged));
  }));
}

TEST(RequestParser, RefusesWhatAProxyCouldUnderstandDifferently) {
  const std::string post = "POST / HTTP/1.1\r\nHost: h\r\n";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  for (const std::string& bytes :
       {chunked + "3\r\nabcXX0\r\n\r\n",
        chunked + "3\r\nabc\n0\r\n\r\n",
        chunked + "3\nabc\r\n",
        chunked + " 3\r\nabc\r\n",
        chunked + "0x3\r\nabc\r\n",
        chunked + "0\r\nA: b\r\n c\r\n\r\n",
        chunked + "0\r\n A: b\r\n\r\n",
        chunked + "0\r\n: b\r\n\r\n",
        chunked + "0\r\nA: b\r\n\n",
        post + "X: a\r\n b\r\n\r\n",
        post + "X:\r\n\tb\r\n\r\n",
        post + " X: b\r\n\r\n",
        post + "X: a\r\n\n",
        post + "X: a\n\r\n",
        post + "X: a\rY: b\r\n\r\n",
        post + "X y: a\r\n\r\n",
        post + ": a\r\n\r\n",
        post + "Host: h\r\n\r\n",
        post + "Transfer-Encoding: gzip, chunked\r\n\r\n",
        post + "Transfer-Encoding: identity\r\n\r\n",
        post + "Transfer-Encoding:\r\nContent-Length: 2\r\n\r\n{}",
        post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        post + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n",
        post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
        post + "Content-Length: 2, 2\r\n\r\n",
        post + "Content-Length : 2\r\n\r\n",
        std::string("POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\n\r\n"),
        std::string("GET / HTTP/1.1\nHost: h\r\n\r\n"),
        std::string("GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
        std::string("GET /  HTTP/1.1\r\nHost: h\r\n\r\n"),
        std::string("GET / RTSP/1.0\r\nHost: h\r\n\r\n"),
        std::string("GET /\r\n\r\n"),
        std::string("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        std::string("\r\rGET / HTTP/1.1\r\nHost: h\r\n\r\n")}) {
    for (const std::size_t size : {std::size_t{1}, bytes.size()}) {
      const Parsed parsed = ParsePieces(bytes, {size});
      EXPECT_EQ(parsed.refusal_status, 400) << bytes;
      EXPECT_TRUE(parsed.requests.empty()) << bytes;
    }
    EXPECT_TRUE(StrictReader::Read(bytes).empty()) << bytes;
  }
}

void FeedAll(RequestParser& parser, std::string_view bytes) {
  while (!bytes.empty()) bytes.remove_prefix(parser.Feed(bytes).consumed);
}

TEST(RequestParser, MereHeaderReservesNoMegabytes) {
  ExchangePool pool;
  RequestParser parser(pool);
  FeedAll(parser, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 16000000\r\n\r\n123");
  const auto partial = parser.TakeRequest();
  EXPECT_EQ(partial->body.size(), 3U);
  EXPECT_LE(partial->body.capacity(), kBodyReserveBytesMax);
}

TEST(RequestParser, SmallBodyOfKnownLengthGetsItsBufferAtOnce) {
  ExchangePool pool;
  RequestParser parser(pool);
  FeedAll(parser, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n123");
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
