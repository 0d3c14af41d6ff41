// TLS, and proxies from the environment.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "http/testing/certificate.h"
#include "http/testing/scripted_server.h"
#include "http/transport.h"

namespace stator::http {
namespace transport_tls_test {

using std::chrono::milliseconds;
using Answer = std::expected<Response, TransportFailure>;

const Request kRequest{.headers = {}, .body = "{}"};

// What clients offered in the handshake, as ALPN lists it.
struct Offer {
  std::string protocols;
};

int ChooseHttp1(SSL*, const unsigned char** out, unsigned char* out_bytes,
                const unsigned char* offered, unsigned bytes, void* offer) {
  static constexpr unsigned char kHttp1[] = "\x08http/1.1";
  static_cast<Offer*>(offer)->protocols.assign(reinterpret_cast<const char*>(offered), bytes);
  *out = kHttp1 + 1;
  *out_bytes = kHttp1[0];
  return SSL_TLSEXT_ERR_OK;
}

// Answers one request with TLS, with `body_bytes` of body.
ScriptedServer::Script AnswerWith(const Certificate& certificate, std::size_t body_bytes,
                                  Offer* offer = nullptr) {
  return [=](Peer& peer) {
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(
        SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    SSL_CTX_use_certificate(context.get(), certificate.x509.get());
    SSL_CTX_use_PrivateKey(context.get(), certificate.key.get());
    if (offer != nullptr) SSL_CTX_set_alpn_select_cb(context.get(), ChooseHttp1, offer);
    const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), SSL_free);
    SSL_set_fd(ssl.get(), peer.fd());
    if (SSL_accept(ssl.get()) != 1) return;
    std::string request(4096, '\0');
    if (SSL_read(ssl.get(), request.data(), static_cast<int>(request.size())) <= 0) return;
    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body_bytes) +
                               "\r\n\r\n" + std::string(body_bytes, 'x');
    SSL_write(ssl.get(), answer.data(), static_cast<int>(answer.size()));
    SSL_shutdown(ssl.get());
  };
}

class Tls : public ::testing::Test {
 protected:
  Tls() { std::signal(SIGPIPE, SIG_IGN); }  // the server's writes may meet a client that has left
  ~Tls() override { unlink(ca_file.c_str()); }

  Answer Exchange(const ScriptedServer& server, const Certificate& trusted) {
    WritePem(trusted, ca_file);
    const auto transport = OpenTransport({.url = *ParseUrl("https://" + server.authority()),
                                          .ca_file = ca_file,
                                          .connect_timeout = milliseconds(4000),
                                          .request_timeout = milliseconds(4000)});
    return (*transport)->Exchange(kRequest);
  }

  const std::string ca_file = "transport_tls_test." + std::to_string(getpid()) + ".pem";
};

TEST_F(Tls, TalksToAServerThatIsTrusted) {
  const Certificate certificate = MakeCertificate("IP:127.0.0.1");
  ScriptedServer server({AnswerWith(certificate, 100'000)});
  const Answer answer = Exchange(server, certificate);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body.size(), 100'000);
}

TEST_F(Tls, OffersHttp2AndTakesHttp1) {
  const Certificate certificate = MakeCertificate("IP:127.0.0.1");
  Offer offer;
  ScriptedServer server({AnswerWith(certificate, 2, &offer)});
  const Answer answer = Exchange(server, certificate);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_NE(offer.protocols.find("\x02h2"), std::string::npos);
}

TEST_F(Tls, RefusesAServerThatNobodyVouchesFor) {
  ScriptedServer server({AnswerWith(MakeCertificate("IP:127.0.0.1"), 2)});
  const Answer refused = Exchange(server, MakeCertificate("IP:127.0.0.1"));
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().is_retryable);
  EXPECT_NE(refused.error().message.find("not trusted"), std::string::npos);
}

TEST_F(Tls, RefusesTheCertificateOfAnotherServer) {
  const Certificate other = MakeCertificate("DNS:elsewhere.example,IP:127.0.0.2");
  ScriptedServer server({AnswerWith(other, 2)});
  const Answer refused = Exchange(server, other);
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().is_retryable);
}

TEST_F(Tls, AServerWithoutTlsIsAFailure) {
  ScriptedServer server({[](Peer& peer) {
    peer.Send("HTTP/1.1 400 Bad Request\r\n\r\n");
    shutdown(peer.fd(), SHUT_WR);
    peer.WaitForEnd();
  }});
  const Answer failed = Exchange(server, MakeCertificate("IP:127.0.0.1"));
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().is_retryable);
}

TEST_F(Tls, ASilentHandshakeIsWaitedForOnlySoLong) {
  ScriptedServer server({[](Peer& peer) { peer.WaitForEnd(); }});
  const auto transport = OpenTransport({.url = *ParseUrl("https://" + server.authority()),
                                        .connect_timeout = milliseconds(50),
                                        .request_timeout = milliseconds(4000)});
  const Answer failed = (*transport)->Exchange(kRequest);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message,
            "cannot connect to " + server.authority() + ": it took too long");
}

TEST_F(Tls, AFileWithoutCertificatesIsRefusedAtOnce) {
  const Url url = *ParseUrl("https://localhost");
  EXPECT_EQ(OpenTransport({.url = url, .ca_file = "/no/such/file"}).error(),
            "cannot read certificates from '/no/such/file'");
  EXPECT_FALSE(OpenTransport({.url = url, .ca_file = "/dev/null"}));
  EXPECT_TRUE(OpenTransport({.url = url}));
}

// Sets a variable as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

Answer Post(const std::string& url) {
  const auto transport = OpenTransport({.url = *ParseUrl(url),
                                        .connect_timeout = milliseconds(4000),
                                        .request_timeout = milliseconds(4000)});
  return (*transport)->Exchange(kRequest);
}

TEST(Proxy, GetsTheWholeUrlOfAPlainRequest) {
  std::string received;
  ScriptedServer proxy({[&](Peer& peer) {
    peer.ReadRequest();
    received = peer.received();
    peer.SendAnswer("through the proxy");
  }});
  const Variable variable("http_proxy", "http://" + proxy.authority());
  const Answer answer = Post("http://dynamodb.invalid:8000");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "through the proxy");
  EXPECT_TRUE(received.starts_with("POST http://dynamodb.invalid:8000/ HTTP/1.1\r\n")) << received;
  EXPECT_NE(received.find("Host: dynamodb.invalid:8000\r\n"), std::string::npos) << received;
}

TEST(Proxy, IsAskedForATunnelToATlsServer) {
  std::string received;
  ScriptedServer proxy({[&](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    received = peer.received();
    peer.Send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  }});
  const Variable variable("https_proxy", "http://" + proxy.authority());
  const Answer failed = Post("https://dynamodb.invalid");
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().is_retryable);
  EXPECT_TRUE(failed.error().message.starts_with("cannot connect to dynamodb.invalid: "));
  EXPECT_TRUE(received.starts_with("CONNECT dynamodb.invalid:443 HTTP/1.1\r\n")) << received;
}

TEST(Proxy, IsNotUsedForThisMachineOrForWhatNoProxyNames) {
  const Variable proxy("http_proxy", "http://" + ScriptedServer({}).authority());
  ScriptedServer server({[](Peer& peer) {
    peer.ReadRequest();
    peer.SendAnswer("direct");
  }});
  const Answer answer = Post("http://" + server.authority());
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "direct");

  const Variable exception("no_proxy", "dynamodb.invalid");
  const Answer failed = Post("http://dynamodb.invalid");
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("resolve host"), std::string::npos)
      << failed.error().message;
}

}  // namespace transport_tls_test
}  // namespace stator::http
