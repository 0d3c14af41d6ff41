#include "systems/program/http.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace stator::systems {
namespace {

std::unique_ptr<HttpServer> Serve(HttpServer::Handler handler) {
  auto server = HttpServer::Start(0, std::move(handler));
  EXPECT_TRUE(server) << server.error();
  return *std::move(server);
}

// Answers one connection with these bytes, whatever is asked, and closes it.
class OneAnswer {
 public:
  explicit OneAnswer(std::string bytes) : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 1), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::jthread([this, bytes = std::move(bytes)] {
      const int peer = ::accept(listener_, nullptr, nullptr);
      if (peer < 0) return;
      char request[4096];
      std::ignore = ::recv(peer, request, sizeof request, 0);
      std::ignore = ::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      ::close(peer);
    });
  }
  ~OneAnswer() {
    ::shutdown(listener_, SHUT_RDWR);
    ::close(listener_);
  }
  const std::string& url() const { return url_; }

 private:
  const int listener_;
  std::string url_;
  std::jthread thread_;
};

TEST(HttpSend, ReturnsAnyStatusWithItsWholeBodyAndHeaders) {
  const auto server = Serve([](const HttpRequest& request) {
    if (request.path == "/gone") return HttpAnswer{.status = 410, .body = std::string(5000, 'x')};
    return HttpAnswer{.type = "text/plain", .body = "got " + request.body};
  });
  const auto gone = HttpSend({.url = server->url() + "/gone"});
  ASSERT_TRUE(gone) << gone.error();
  EXPECT_EQ(gone->status, 410);
  EXPECT_EQ(gone->body.size(), 5000U);
  const auto posted = HttpSend({.url = server->url(), .body = "this"});
  ASSERT_TRUE(posted) << posted.error();
  EXPECT_EQ(posted->body, "got this");
  EXPECT_EQ(posted->Header("content-type"), "text/plain");
  EXPECT_EQ(
      HttpText({.url = server->url() + "/gone?secret=1"}).error().substr(0, 60).find("secret"),
      std::string::npos);
}

TEST(HttpSend, RefusesAnAnswerThatIsTooLong) {
  const auto server =
      Serve([](const HttpRequest&) { return HttpAnswer{.body = std::string(101, 'x')}; });
  EXPECT_TRUE(HttpSend({.url = server->url(), .bytes_max = 101}));
  const auto refused = HttpSend({.url = server->url(), .bytes_max = 100});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("longer than 100 bytes"), std::string::npos) << refused.error();
}

TEST(HttpSend, RefusesAnAnswerThatIsCutOff) {
  for (const char* cut :
       {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "HTTP/1.1 200 OK\r\nContent-", "",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"}) {
    const OneAnswer server(cut);
    const auto reply = HttpSend({.url = server.url()});
    ASSERT_FALSE(reply) << cut;
    EXPECT_NE(reply.error().find("the connection was closed"), std::string::npos) << reply.error();
  }
}

TEST(HttpSend, TakesAddressesOfEightKilobytesAndNoOthersThanHttp) {
  std::size_t asked = 0;
  const auto server = Serve([&](const HttpRequest& request) {
    asked = request.parameters.at("s").size();
    return HttpAnswer();
  });
  std::string url = server->url() + "/?s=";
  url.resize(kUrlMax, 'x');
  const auto longest = HttpSend({.url = url});
  ASSERT_TRUE(longest) << longest.error();
  EXPECT_EQ(longest->status, 200);
  EXPECT_GT(asked, 8000U);
  EXPECT_NE(HttpSend({.url = url + "x"}).error().find("at most 8192 bytes"), std::string::npos);
  for (const char* wrong : {"file:///etc/passwd", "ftp://127.0.0.1/", "http://", "https:///x", "",
                            "http://a b/", "http://a/\r\nX: y"}) {
    EXPECT_NE(HttpSend({.url = wrong}).error().find("is not an address"), std::string::npos)
        << wrong;
  }
  EXPECT_FALSE(HttpSend({.url = server->url(), .headers = {"X: y\r\nZ: injected"}}));
}

TEST(HttpSend, DoesNotWaitForEver) {
  const auto server = Serve([](const HttpRequest&) {
    return HttpAnswer{.body = std::string(100, 'x'), .bytes_per_second = 100};
  });
  const auto slow = HttpSend({.url = server->url(), .timeout = std::chrono::milliseconds(100)});
  ASSERT_FALSE(slow);
  EXPECT_NE(slow.error().find("too long"), std::string::npos) << slow.error();
}

TEST(HttpSend, FollowsRedirectsOnlyWhenAskedAndToTheSameScheme) {
  const std::string found = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ";
  const auto target = Serve([](const HttpRequest&) { return HttpAnswer{.body = "here"}; });
  for (const bool followed : {false, true}) {
    const OneAnswer server(found + target->url() + "/\r\n\r\n");
    const auto reply = HttpSend({.url = server.url(), .redirects_max = followed ? 1 : 0});
    ASSERT_TRUE(reply) << reply.error();
    EXPECT_EQ(reply->status, followed ? 200 : 302);
    EXPECT_EQ(reply->body, followed ? "here" : "");
  }
  for (const char* elsewhere : {"file:///etc/passwd", "https://127.0.0.1:1/"}) {
    const OneAnswer server(found + elsewhere + "\r\n\r\n");
    const auto reply = HttpSend({.url = server.url(), .redirects_max = 3});
    ASSERT_FALSE(reply);
    EXPECT_NE(reply.error().find("another scheme"), std::string::npos) << reply.error();
  }
}

TEST(HttpReceive, TakesTheRestOfABodyFromAnOffset) {
  const auto server = Serve([](const HttpRequest&) { return HttpAnswer{.body = "0123456789"}; });
  std::string taken;
  std::optional<HttpRange> range;
  const HttpReceiver receiver{.begin =
                                  [&](const HttpReply& head) {
                                    range = ContentRange(head);
                                    return true;
                                  },
                              .take =
                                  [&](std::string_view piece) {
                                    taken += piece;
                                    return true;
                                  }};
  const auto rest = HttpReceive({.url = server->url(), .offset = 7}, receiver);
  ASSERT_TRUE(rest) << rest.error().message;
  EXPECT_EQ(rest->status, 206);
  EXPECT_EQ(taken, "789");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 7);
  EXPECT_EQ(range->total, 10);
  EXPECT_EQ(HttpReceive({.url = server->url(), .offset = 10}, receiver)->status, 416);
}

TEST(HttpReceive, StopsWhenTheReceiverSaysSo) {
  const auto server = Serve([](const HttpRequest&) { return HttpAnswer{.body = "body"}; });
  const auto yes = [](const auto&) { return true; };
  const auto no = [](const auto&) { return false; };
  EXPECT_FALSE(HttpReceive({.url = server->url()}, {.begin = no, .take = yes}));
  EXPECT_FALSE(HttpReceive({.url = server->url()}, {.begin = yes, .take = no}));
  EXPECT_TRUE(HttpReceive({.url = server->url()}, {.begin = yes, .take = yes}));
}

TEST(HttpReceive, TellsWhetherARequestMayHaveArrived) {
  const auto nobody = HttpReceive({.url = "http://127.0.0.1:1/"}, {});
  ASSERT_FALSE(nobody);
  EXPECT_FALSE(nobody.error().may_have_arrived);
  const OneAnswer rude("");
  const auto unanswered = HttpReceive({.url = rude.url()}, {});
  ASSERT_FALSE(unanswered);
  EXPECT_TRUE(unanswered.error().may_have_arrived);
}

TEST(ContentRange, IsReadStrictly) {
  const auto range = [](const std::string& text) {
    return ContentRange({.body = "", .headers = {{"content-range", text}}});
  };
  EXPECT_EQ(range("bytes 1-2/*")->total, std::nullopt);
  EXPECT_EQ(range("bytes 1-2/3")->last, 2);
  for (const char* wrong : {"", "bytes 2-1/3", "bytes 1-3/3", "bytes */3", "bytes -1-2/3",
                            "items 1-2/3", "bytes 1-2", "bytes 1-99999999999999999999/*"}) {
    EXPECT_FALSE(range(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace stator::systems
