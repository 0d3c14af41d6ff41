// Servers that are rude, slow, broken or gone.
#include "http/transport.h"

#include <gtest/gtest.h>

#include "http/testing/scripted_server.h"

namespace stator::http {
namespace transport_test {

using std::chrono::milliseconds;
using Answer = std::expected<Response, TransportFailure>;

const Request kRequest{.headers = {"x-a: b"}, .body = "{}"};

std::unique_ptr<Transport> To(const std::string& authority,
                              milliseconds request_timeout = milliseconds(4000)) {
  return *OpenTransport({.url = *ParseUrl("http://" + authority),
                         .connect_timeout = milliseconds(4000),
                         .request_timeout = request_timeout,
                         .max_connections = 1,
                         .limits = {.head_bytes = 4096, .body_bytes = 4096}});
}
std::unique_ptr<Transport> To(const ScriptedServer& server,
                              milliseconds request_timeout = milliseconds(4000)) {
  return To(server.authority(), request_timeout);
}

void KeepAnswering(Peer& peer) {
  while (peer.ReadRequest()) peer.SendAnswer("ok");
}

// Reads one request, sends `answer` and closes.
ScriptedServer::Script SendOnce(std::string answer) {
  return [answer = std::move(answer)](Peer& peer) {
    peer.ReadRequest();
    peer.Send(answer);
  };
}

// What a transport makes of an answer after which the server closes.
Answer AnswerTo(const std::string& bytes) {
  ScriptedServer server({SendOnce(bytes)});
  return To(server)->Exchange(kRequest);
}

TEST(Transport, SendsWhatItWasGivenAndLittleElse) {
  std::string received;
  ScriptedServer server({[&](Peer& peer) {
    peer.ReadRequest();
    received = peer.received();
    peer.SendAnswer("ok");
  }});
  ASSERT_TRUE(To(server)->Exchange({.headers = {"host: h", "x-a: b"}, .body = "{}"}));
  EXPECT_EQ(received,
            "POST / HTTP/1.1\r\nHost: h\r\nx-a: b\r\nContent-Length: 2\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n{}");
}

TEST(Transport, GetsAPathWithoutABody) {
  std::string received;
  ScriptedServer server({[&](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    received = peer.received();
    peer.SendAnswer("ok");
  }});
  const Answer answer = To(server)->Exchange({.method = Request::Method::kGet, .path = "/metrics"});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "ok");
  EXPECT_EQ(received, "GET /metrics HTTP/1.1\r\nHost: " + server.authority() + "\r\n\r\n");
}

TEST(Transport, GivesStatusHeadersAndBody) {
  const Answer answer =
      AnswerTo("HTTP/1.1 400 Bad\r\nContent-Length: 5\r\nX-Amz-Crc32:  7 \r\n\r\nhello");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->body, "hello");
  EXPECT_EQ(answer->Header("x-amz-crc32"), "7");
  EXPECT_EQ(answer->Header("CONTENT-LENGTH"), "5");
  EXPECT_FALSE(answer->Header("x-amz-crc"));
}

TEST(Transport, ReadsAnAnswerHoweverItIsCut) {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: 7\r\n\r\nhello";
  for (std::size_t cut = 1; cut < whole.size(); cut += 3) {
    ScriptedServer server({[&](Peer& peer) {
      peer.ReadRequest();
      peer.Send(whole.substr(0, cut));
      std::this_thread::sleep_for(milliseconds(2));
      peer.Send(whole.substr(cut));
      peer.WaitForEnd();
    }});
    const Answer answer = To(server)->Exchange(kRequest);
    ASSERT_TRUE(answer) << cut << ": " << answer.error().message;
    EXPECT_EQ(answer->body, "hello");
    EXPECT_EQ(answer->Header("a"), "7");
  }
}

TEST(Transport, ReadsChunksAndAnswersThatEndWithTheConnection) {
  const Answer chunked = AnswerTo(
      "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n");
  ASSERT_TRUE(chunked) << chunked.error().message;
  EXPECT_EQ(chunked->status, 400);
  EXPECT_EQ(chunked->body, "hello");
  const Answer open = AnswerTo("HTTP/1.1 200 OK\r\n\r\nhello");
  ASSERT_TRUE(open) << open.error().message;
  EXPECT_EQ(open->body, "hello");
}

TEST(Transport, PassesOverInterimAnswers) {
  const Answer answer = AnswerTo(
      "HTTP/1.1 100 Continue\r\nA: b\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
  EXPECT_FALSE(answer->Header("a"));
}

TEST(Transport, DoesNotFollowRedirects) {
  const Answer answer = AnswerTo(
      "HTTP/1.1 307 Over There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 307);
}

TEST(Transport, DoesNotUnpackWhatItDidNotAskFor) {
  const Answer answer =
      AnswerTo("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "ok");
}

TEST(Transport, KeepsItsConnection) {
  ScriptedServer server({KeepAnswering});
  const auto transport = To(server);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(transport->Exchange(kRequest)->body, "ok");
  EXPECT_EQ(server.connections(), 1);
}

TEST(Transport, ClosesAConnectionThatIsNotToBeKept) {
  const auto once = [](Peer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
    peer.WaitForEnd();
  };
  ScriptedServer server({once, once});
  const auto transport = To(server);
  EXPECT_TRUE(transport->Exchange(kRequest));
  EXPECT_TRUE(transport->Exchange(kRequest));
  EXPECT_EQ(server.connections(), 2);
}

TEST(Transport, DoesNotKeepAConnectionThatSaysTooMuch) {
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
  for (const bool at_once : {true, false}) {
    std::atomic<bool> has_said_all = false;
    ScriptedServer server({[&](Peer& peer) {
                             peer.ReadRequest();
                             peer.Send(at_once ? answer + "ok" + answer + "no" : answer + "ok");
                             std::this_thread::sleep_for(milliseconds(20));
                             if (!at_once) peer.Send(answer + "no");
                             has_said_all = true;
                             peer.WaitForEnd();
                           },
                           KeepAnswering});
    const auto transport = To(server);
    EXPECT_EQ(transport->Exchange(kRequest)->body, "ok");
    while (!has_said_all) std::this_thread::yield();
    EXPECT_EQ(transport->Exchange(kRequest)->body, "ok");
    EXPECT_EQ(server.connections(), 2);
  }
}

TEST(Transport, AConnectionThatDiedIdleIsReplacedAtOnce) {
  const auto answer_once = [](Peer& peer) {
    peer.ReadRequest();
    peer.SendAnswer("ok");
  };
  ScriptedServer server({answer_once, answer_once});
  const auto transport = To(server);
  EXPECT_TRUE(transport->Exchange(kRequest));
  EXPECT_TRUE(transport->Exchange(kRequest));
}

TEST(Transport, AConnectionThatDiesAtItsSecondRequestIsReplacedOnce) {
  const auto answer_then_hang_up = [](Peer& peer) {
    peer.ReadRequest();
    peer.SendAnswer("ok");
    peer.ReadRequest();
  };
  ScriptedServer server({answer_then_hang_up, KeepAnswering});
  const auto transport = To(server);
  EXPECT_TRUE(transport->Exchange(kRequest));
  EXPECT_TRUE(transport->Exchange(kRequest));
  EXPECT_EQ(server.connections(), 2);
}

TEST(Transport, AnAnswerThatBeganIsNotAskedForAgain) {
  ScriptedServer server({[](Peer& peer) {
                           peer.ReadRequest();
                           peer.SendAnswer("ok");
                           peer.ReadRequest();
                           peer.Send("HTTP/1.1 200 OK\r\nContent-Le");
                         },
                         KeepAnswering});
  const auto transport = To(server);
  EXPECT_TRUE(transport->Exchange(kRequest));
  const Answer second = transport->Exchange(kRequest);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().is_retryable);
  EXPECT_EQ(server.connections(), 1);
}

TEST(Transport, RudeAnswersAreFailures) {
  using std::string_literals::operator""s;
  for (const std::string& answer :
       {""s, "garbage\r\n\r\n"s, "GET / HTTP/1.1\r\n\r\n"s, "\0\0\0\0"s, "\r\n\r\n"s,
        std::string(100'000, '\xff'), "HTTP/1.1 200"s, "HTTP/9.9 200 OK\r\n\r\n"s,
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"s,
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"s,
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"s,
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"s,
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n"s,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"s,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"s,
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nmore"s}) {
    ScriptedServer server({SendOnce(answer)});
    const Answer failed = To(server)->Exchange(kRequest);
    ASSERT_FALSE(failed) << answer;
    EXPECT_TRUE(failed.error().is_retryable) << answer;
    EXPECT_NE(failed.error().message.find("no answer from " + server.authority()),
              std::string::npos);
  }
}

TEST(Transport, HalfAnAnswerIsAFailure) {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: 7\r\n\r\nhello";
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_FALSE(AnswerTo(whole.substr(0, cut))) << cut;
  }
}

TEST(Transport, EndlessAnswersAreFailures) {
  const std::string start = "HTTP/1.1 200 OK\r\n";
  const std::string chunked = start + "Transfer-Encoding: chunked\r\n\r\n";
  for (const auto& [head, more] :
       std::vector<std::pair<std::string, std::string>>{{start, "a: b\r\n"},
                                                        {start + "a: ", "long value "},
                                                        {start + "a:", "          "},
                                                        {start, "long_name"},
                                                        {"HTTP/1.1 200 ", "reason "},
                                                        {start + "\r\n", "body"},
                                                        {chunked, "3\r\nabc\r\n"},
                                                        {chunked + "0\r\n", "trailer: x\r\n"},
                                                        {"", "HTTP/1.1 100 Continue\r\n\r\n"}}) {
    ScriptedServer server({[&](Peer& peer) {
      peer.ReadRequest();
      peer.Send(head);
      std::string block;
      while (block.size() < 10'000) block += more;
      while (peer.Send(block)) {
      }
    }});
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(To(server)->Exchange(kRequest)) << head << more;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(3500)) << head << more;
  }
}

TEST(Transport, ABodyBeyondTheLimitIsAFailure) {
  const auto answer_of = [](std::size_t bytes) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" +
           std::string(bytes, 'x');
  };
  EXPECT_EQ(AnswerTo(answer_of(4096))->body.size(), 4096);
  EXPECT_FALSE(AnswerTo(answer_of(4097)));
  const Answer unannounced = AnswerTo("HTTP/1.1 200 OK\r\n\r\n" + std::string(4097, 'x'));
  ASSERT_FALSE(unannounced);
  EXPECT_NE(unannounced.error().message.find("the body of the answer is too large"),
            std::string::npos);
}

TEST(Transport, ASilentServerIsWaitedForOnlySoLong) {
  ScriptedServer server({[](Peer& peer) { peer.WaitForEnd(); }});
  const Answer failed = To(server, milliseconds(50))->Exchange(kRequest);
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().is_retryable);
  EXPECT_NE(failed.error().message.find("too long"), std::string::npos);
}

TEST(Transport, AServerThatStallsInTheMiddleIsWaitedForOnlySoLong) {
  ScriptedServer server({[](Peer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    peer.WaitForEnd();
  }});
  EXPECT_FALSE(To(server, milliseconds(50))->Exchange(kRequest));
}

TEST(Transport, AnAnswerToAnUnfinishedRequestIsRead) {
  ScriptedServer server({[&](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno");
    shutdown(peer.fd(), SHUT_WR);
    peer.WaitForEnd();
  }});
  const std::string body(4 << 20, 'x');
  const Answer answer = To(server)->Exchange({.body = body});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 413);
}

TEST(Transport, BusyConnectionsAreWaitedForOnlySoLong) {
  ScriptedServer server({[](Peer& peer) { peer.WaitForEnd(); }});
  const auto transport = To(server, milliseconds(100));
  std::jthread first([&] { EXPECT_FALSE(transport->Exchange(kRequest)); });
  while (server.connections() == 0) std::this_thread::yield();
  EXPECT_FALSE(transport->Exchange(kRequest));
}

TEST(Transport, AFreedConnectionGoesToThoseWhoWait) {
  ScriptedServer server({KeepAnswering});
  const auto transport = To(server);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) EXPECT_TRUE(transport->Exchange(kRequest));
    });
  }
  threads.clear();
  EXPECT_EQ(server.connections(), 1);
}

TEST(Transport, NobodyThere) {
  const std::string authority = ScriptedServer({}).authority();
  const Answer failed = To(authority)->Exchange(kRequest);
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().is_retryable);
  EXPECT_EQ(failed.error().message, "cannot connect to " + authority + ": Connection refused");
}

}  // namespace transport_test
}  // namespace stator::http
