// How a Server is set up. The limits default to limits.h; tests make them small.
#ifndef STATOR_SERVER_OPTIONS_H_
#define STATOR_SERVER_OPTIONS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/limits.h"

namespace stator::server {

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, or "localhost"
  std::uint16_t port = 8000;       // 0: any free port
  unsigned threads = 0;            // 0: one event loop for each core

  // The clients that are known (auth/credentials_file.h): every request must be signed by one of
  // them. Empty: any signature of the right shape is believed.
  std::string credentials_file;
  // Answer requests that carry no signature. Without effect if clients are known.
  bool accept_unsigned = false;
  // Errors as DynamoDB worded them before mid-2026.
  bool classic_wording = false;
  // The origin whose scripts a browser lets read our answers; "*": every origin; empty: none.
  std::string cors_origin;

  std::size_t connections_max = kConnectionsMax;
  std::size_t output_bytes_max = kOutputBytesMax;
  std::chrono::milliseconds read_timeout = kReadTimeout;
  std::chrono::milliseconds idle_timeout = kIdleTimeout;
  std::chrono::milliseconds write_timeout = kWriteTimeout;
  std::chrono::milliseconds linger_timeout = kLingerTimeout;
  std::chrono::milliseconds stop_timeout = kStopTimeout;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_OPTIONS_H_
