#include "client/tls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "client/testing/certificate.h"
#include "client/testing/scripted_server.h"
#include "client/transport.h"

namespace stator::testing {
namespace tls_test {

using std::chrono::milliseconds;

constexpr std::string_view kRequest = "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";

// Answers one request with TLS, with `body_bytes` of body. Not with memory buffers, as the client's
// is, but with OpenSSL's own use of sockets.
ScriptedServer::Script AnswerWith(const Certificate& certificate, std::size_t body_bytes) {
  return [=](Peer& peer) {
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(
        SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    SSL_CTX_use_certificate(context.get(), certificate.x509.get());
    SSL_CTX_use_PrivateKey(context.get(), certificate.key.get());
    const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), SSL_free);
    SSL_set_fd(ssl.get(), peer.fd());
    if (SSL_accept(ssl.get()) != 1) return;
    std::string request(kRequest.size(), '\0');
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

  std::expected<http::Response, TransportFailure> Exchange(const ScriptedServer& server,
                                                           const Certificate& trusted) {
    WritePem(trusted, ca_file);
    HttpTransport transport({.url = *http::ParseUrl("https://" + server.authority()),
                             .tls = *TlsContext::Make(ca_file),
                             .connect_timeout = milliseconds(4000),
                             .request_timeout = milliseconds(4000),
                             .max_connections = 1,
                             .limits = {}});
    return transport.Exchange(kRequest);
  }

  const std::string ca_file = "tls_test." + std::to_string(getpid()) + ".pem";
};

TEST_F(Tls, TalksToAServerThatIsTrusted) {
  const Certificate certificate = MakeCertificate("IP:127.0.0.1");
  ScriptedServer server({AnswerWith(certificate, 100'000)});
  const auto answer = Exchange(server, certificate);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body.size(), 100'000);
}

TEST_F(Tls, RefusesAServerThatNobodyVouchesFor) {
  ScriptedServer server({AnswerWith(MakeCertificate("IP:127.0.0.1"), 2)});
  const auto refused = Exchange(server, MakeCertificate("IP:127.0.0.1"));
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().is_retryable);
  EXPECT_NE(refused.error().message.find("not trusted"), std::string::npos);
}

TEST_F(Tls, RefusesTheCertificateOfAnotherServer) {
  const Certificate other = MakeCertificate("DNS:elsewhere.example,IP:127.0.0.2");
  ScriptedServer server({AnswerWith(other, 2)});
  const auto refused = Exchange(server, other);
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().is_retryable);
}

TEST_F(Tls, AServerWithoutTlsIsAFailure) {
  ScriptedServer server({[](Peer& peer) {
    peer.Send("HTTP/1.1 400 Bad Request\r\n\r\n");
    shutdown(peer.fd(), SHUT_WR);
    peer.WaitForEnd();
  }});
  EXPECT_FALSE(Exchange(server, MakeCertificate("IP:127.0.0.1")));
}

TEST_F(Tls, CertificatesThatAreNoneAreRefusedAtOnce) {
  EXPECT_FALSE(TlsContext::Make("/no/such/file"));
  EXPECT_TRUE(TlsContext::Make(""));
}

}  // namespace tls_test
}  // namespace stator::testing
