// Servers that are rude, slow, broken or gone.
#include "client/transport.h"

#include <gtest/gtest.h>

#include "client/testing/scripted_server.h"

namespace stator::testing {
namespace transport_test {

using std::chrono::milliseconds;

constexpr std::string_view kRequest = "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";

HttpTransport To(const ScriptedServer& server, milliseconds request_timeout = milliseconds(4000)) {
  return HttpTransport({.url = *http::ParseUrl("http://" + server.authority()),
                        .tls = std::nullopt,
                        .connect_timeout = milliseconds(4000),
                        .request_timeout = request_timeout,
                        .max_connections = 1,
                        .limits = {.head_bytes = 4096, .body_bytes = 4096}});
}

void Answer(Peer& peer) {
  while (peer.ReadRequest()) peer.SendAnswer("ok");
}

TEST(Transport, KeepsItsConnection) {
  ScriptedServer server({Answer});
  HttpTransport transport = To(server);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(transport.Exchange(kRequest)->body, "ok");
  EXPECT_EQ(server.connections(), 1);
}

TEST(Transport, ClosesAConnectionThatIsNotToBeKept) {
  const auto once = [](Peer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
    peer.WaitForEnd();
  };
  ScriptedServer server({once, once});
  HttpTransport transport = To(server);
  EXPECT_TRUE(transport.Exchange(kRequest));
  EXPECT_TRUE(transport.Exchange(kRequest));
  EXPECT_EQ(server.connections(), 2);
}

TEST(Transport, AConnectionThatDiedIdleIsReplacedAtOnce) {
  const auto answer_once = [](Peer& peer) {
    peer.ReadRequest();
    peer.SendAnswer("ok");
  };
  ScriptedServer server({answer_once, answer_once});
  HttpTransport transport = To(server);
  EXPECT_TRUE(transport.Exchange(kRequest));
  EXPECT_TRUE(transport.Exchange(kRequest));
}

TEST(Transport, AConnectionThatDiesAtItsSecondRequestIsReplacedOnce) {
  const auto answer_then_hang_up = [](Peer& peer) {
    peer.ReadRequest();
    peer.SendAnswer("ok");
    peer.ReadRequest();
  };
  ScriptedServer server({answer_then_hang_up, Answer});
  HttpTransport transport = To(server);
  EXPECT_TRUE(transport.Exchange(kRequest));
  EXPECT_TRUE(transport.Exchange(kRequest));
  EXPECT_EQ(server.connections(), 2);
}

TEST(Transport, AnAnswerThatBeganIsNotAskedForAgain) {
  ScriptedServer server({[](Peer& peer) {
                           peer.ReadRequest();
                           peer.SendAnswer("ok");
                           peer.ReadRequest();
                           peer.Send("HTTP/1.1 200 OK\r\nContent-Le");
                         },
                         Answer});
  HttpTransport transport = To(server);
  EXPECT_TRUE(transport.Exchange(kRequest));
  const auto second = transport.Exchange(kRequest);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().is_retryable);
  EXPECT_EQ(server.connections(), 1);
}

TEST(Transport, RudeAnswersAreFailures) {
  for (const char* answer :
       {"", "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "\0\0\0\0", "HTTP/1.1 200"}) {
    ScriptedServer server({[answer](Peer& peer) {
      peer.ReadRequest();
      peer.Send(answer);
    }});
    HttpTransport transport = To(server);
    const auto failed = transport.Exchange(kRequest);
    ASSERT_FALSE(failed) << answer;
    EXPECT_TRUE(failed.error().is_retryable);
    EXPECT_NE(failed.error().message.find(server.authority()), std::string::npos);
  }
}

TEST(Transport, EndlessAnswersAreFailures) {
  for (const auto& [start, more] : std::vector<std::pair<std::string, std::string>>{
           {"HTTP/1.1 200 OK\r\n", "header: value\r\n"},
           {"HTTP/1.1 200 OK\r\n\r\n", "body"},
           {"", "HTTP/1.1 100 Continue\r\n\r\n"}}) {
    ScriptedServer server({[&](Peer& peer) {
      peer.ReadRequest();
      peer.Send(start);
      while (peer.Send(more)) {
      }
    }});
    HttpTransport transport = To(server);
    EXPECT_FALSE(transport.Exchange(kRequest)) << start << more;
  }
}

TEST(Transport, ASilentServerIsWaitedForOnlySoLong) {
  ScriptedServer server({[](Peer& peer) { peer.WaitForEnd(); }});
  HttpTransport transport = To(server, milliseconds(50));
  const auto failed = transport.Exchange(kRequest);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("too long"), std::string::npos);
}

TEST(Transport, AServerThatStallsInTheMiddleIsWaitedForOnlySoLong) {
  ScriptedServer server({[](Peer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    peer.WaitForEnd();
  }});
  HttpTransport transport = To(server, milliseconds(50));
  EXPECT_FALSE(transport.Exchange(kRequest));
}

TEST(Transport, AnAnswerToAnUnfinishedRequestIsRead) {
  const std::string refusal =
      "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno";
  ScriptedServer server({[&](Peer& peer) {
    peer.Send(refusal);
    shutdown(peer.fd(), SHUT_WR);
    peer.WaitForEnd();
  }});
  HttpTransport transport = To(server);
  const auto answer = transport.Exchange(std::string(1 << 20, 'x'));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 413);
}

TEST(Transport, BusyConnectionsAreWaitedForOnlySoLong) {
  ScriptedServer server({[](Peer& peer) { peer.WaitForEnd(); }});
  HttpTransport transport = To(server, milliseconds(100));
  std::jthread first([&] { EXPECT_FALSE(transport.Exchange(kRequest)); });
  while (server.connections() == 0) std::this_thread::yield();
  EXPECT_FALSE(transport.Exchange(kRequest));
}

TEST(Transport, NobodyThere) {
  std::string authority;
  {
    authority = ScriptedServer({}).authority();
  }
  HttpTransport transport({.url = *http::ParseUrl("http://" + authority),
                           .tls = std::nullopt,
                           .connect_timeout = milliseconds(4000),
                           .request_timeout = milliseconds(4000),
                           .max_connections = 1,
                           .limits = {}});
  const auto failed = transport.Exchange(kRequest);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("cannot connect to " + authority), std::string::npos);
}

}  // namespace transport_test
}  // namespace stator::testing
