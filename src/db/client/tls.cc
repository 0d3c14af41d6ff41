#include "client/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

#include "base/try.h"

namespace stator {
namespace {

constexpr std::size_t kRecordBytes = 16 * 1024;

std::string OpenSslProblem() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "TLS failed";
  std::array<char, 256> text{};
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

bool IsAddress(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// OpenSSL works on two buffers in memory, and the socket moves their bytes: so its deadlines hold
// here too, and no write of OpenSSL's raises SIGPIPE.
class TlsStream final : public ByteStream {
 public:
  TlsStream(std::unique_ptr<Socket> socket, SSL* ssl)
      : socket_(std::move(socket)),
        ssl_(ssl, SSL_free),
        incoming_(BIO_new(BIO_s_mem())),
        outgoing_(BIO_new(BIO_s_mem())) {
    SSL_set_bio(ssl, incoming_, outgoing_);  // owns both
    SSL_set_connect_state(ssl);
  }

  bool Expect(const std::string& host) {
    if (IsAddress(host)) {
      return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str()) == 1;
    }
    return SSL_set1_host(ssl_.get(), host.c_str()) == 1 &&
           SSL_set_tlsext_host_name(ssl_.get(), host.c_str()) == 1;
  }

  StreamResult<void> Handshake(Deadline deadline) {
    RETURN_IF_ERROR(Run([this] { return SSL_do_handshake(ssl_.get()); }, deadline));
    return {};
  }

  StreamResult<void> Write(std::string_view bytes, Deadline deadline) override {
    while (!bytes.empty()) {
      const int size = static_cast<int>(std::min(bytes.size(), kRecordBytes));
      RETURN_IF_ERROR(Run([&] { return SSL_write(ssl_.get(), bytes.data(), size); }, deadline));
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return {};
  }

  StreamResult<std::size_t> Read(std::span<char> into, Deadline deadline) override {
    const int size = static_cast<int>(std::min(into.size(), std::size_t{INT_MAX}));
    return Run([&] { return SSL_read(ssl_.get(), into.data(), size); }, deadline);
  }

  bool IsQuiet() const override {
    return SSL_pending(ssl_.get()) == 0 && BIO_pending(incoming_) == 0 && socket_->IsQuiet();
  }

 private:
  // Runs one of OpenSSL's functions until it has what it needs; 0 at the end of the stream.
  template <class Function>
  StreamResult<std::size_t> Run(Function function, Deadline deadline) {
    for (;;) {
      ERR_clear_error();
      const int result = function();
      const int reason = result > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl_.get(), result);
      RETURN_IF_ERROR(Flush(deadline));
      if (reason == SSL_ERROR_NONE) return static_cast<std::size_t>(result);
      if (reason == SSL_ERROR_ZERO_RETURN) return 0;
      if (reason != SSL_ERROR_WANT_READ) return Failed();
      ASSIGN_OR_RETURN(const std::size_t received, socket_->Read(buffer_, deadline));
      if (received == 0) {
        // An end without the close that TLS asks for may be an attacker's.
        return std::unexpected(
            StreamProblem{StreamProblem::Kind::kLost, "the connection was cut off"});
      }
      BIO_write(incoming_, buffer_.data(), static_cast<int>(received));
    }
  }

  StreamResult<void> Flush(Deadline deadline) {
    while (BIO_pending(outgoing_) > 0) {
      const int count = BIO_read(outgoing_, buffer_.data(), static_cast<int>(buffer_.size()));
      if (count <= 0) break;
      RETURN_IF_ERROR(socket_->Write({buffer_.data(), static_cast<std::size_t>(count)}, deadline));
    }
    return {};
  }

  std::unexpected<StreamProblem> Failed() {
    const long verdict = SSL_get_verify_result(ssl_.get());
    if (verdict != X509_V_OK) {
      return std::unexpected(StreamProblem{StreamProblem::Kind::kUntrusted,
                                           std::string("its certificate is not trusted: ") +
                                               X509_verify_cert_error_string(verdict)});
    }
    return std::unexpected(StreamProblem{StreamProblem::Kind::kLost, OpenSslProblem()});
  }

  std::unique_ptr<Socket> socket_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
  BIO* incoming_;
  BIO* outgoing_;
  std::array<char, kRecordBytes> buffer_;
};

}  // namespace

Result<TlsContext> TlsContext::Make(const std::string& ca_file) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1) {
    return std::unexpected(Error::Validation(OpenSslProblem()));
  }
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  const bool trusts = ca_file.empty()
                          ? SSL_CTX_set_default_verify_paths(context.get()) == 1
                          : SSL_CTX_load_verify_file(context.get(), ca_file.c_str()) == 1;
  if (!trusts) {
    ERR_clear_error();
    return std::unexpected(Error::Validation("cannot read certificates from '" + ca_file + "'"));
  }
  return TlsContext(std::move(context));
}

StreamResult<std::unique_ptr<ByteStream>> TlsContext::Connect(std::unique_ptr<Socket> socket,
                                                              const std::string& host,
                                                              Deadline deadline) const {
  SSL* ssl = SSL_new(context_.get());
  if (ssl == nullptr) {
    return std::unexpected(StreamProblem{StreamProblem::Kind::kLost, OpenSslProblem()});
  }
  auto stream = std::make_unique<TlsStream>(std::move(socket), ssl);
  if (!stream->Expect(host)) {
    return std::unexpected(StreamProblem{StreamProblem::Kind::kUntrusted, "not a name of a host"});
  }
  RETURN_IF_ERROR(stream->Handshake(deadline));
  return stream;
}

}  // namespace stator
