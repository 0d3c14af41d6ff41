// TLS on top of a socket. A server has to show a certificate for its name that leads to one that is
// trusted.
#ifndef STATOR_CLIENT_TLS_H_
#define STATOR_CLIENT_TLS_H_

#include <openssl/types.h>

#include <memory>
#include <string>

#include "client/byte_stream.h"
#include "client/socket.h"
#include "stator/result.h"

namespace stator {

// What all connections of a client share. Thread-safe.
class TlsContext {
 public:
  // With an empty `ca_file` the system's certificates are trusted.
  static Result<TlsContext> Make(const std::string& ca_file);

  // `host` is the name, or the address, that the certificate has to be for.
  StreamResult<std::unique_ptr<ByteStream>> Connect(std::unique_ptr<Socket> socket,
                                                    const std::string& host,
                                                    Deadline deadline) const;

 private:
  explicit TlsContext(std::shared_ptr<SSL_CTX> context) : context_(std::move(context)) {}
  std::shared_ptr<SSL_CTX> context_;
};

}  // namespace stator

#endif  // STATOR_CLIENT_TLS_H_
