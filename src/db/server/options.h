// How a Server is set up, and every bound on what a peer can make it do, hold or wait for.
#ifndef STATOR_SERVER_OPTIONS_H_
#define STATOR_SERVER_OPTIONS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stator::server {

// A larger request body is answered 413, as DynamoDB does; also the bound of a decompressed body.
inline constexpr std::size_t kBodyBytesMax = std::size_t{16} << 20;
// All headers, trailers included: 400, as DynamoDB answers.
inline constexpr std::size_t kHeaderBytesMax = std::size_t{16} << 10;
inline constexpr std::size_t kHeaderCountMax = 256;
// The request target (a presigned one is long): 400.
inline constexpr std::size_t kUrlBytesMax = std::size_t{16} << 10;

// Open connections of the whole server; the next one is answered 503 and closed.
inline constexpr std::size_t kConnectionsMax = 10'000;
// Requests of one connection that are read and not yet answered; reading stops at the bound.
inline constexpr std::size_t kPipelinedRequestsMax = 16;
// Bytes of answers that one peer has not taken yet; reading stops at the bound.
inline constexpr std::size_t kOutputBytesMax = std::size_t{1} << 20;
// Bytes of request bodies of one connection that are in flight; reading stops at the bound.
inline constexpr std::size_t kBodyBytesInFlightMax = kBodyBytesMax;

// Memory that a connection may take without being counted (memory_budget.h), and the largest body that is
// read before its head was looked at.
inline constexpr std::size_t kFreeBytesPerConnection = std::size_t{16} << 10;
// What one peer address may take of the memory: a quarter, and not more than this for each core, of which
// two are counted at least.
inline constexpr std::size_t kPeerBytesPerCoreMax = std::size_t{16} << 20;
// Open connections of one peer address.
inline constexpr std::size_t kConnectionsPerPeerMax = kConnectionsMax / 4;
// For memory that others hold; then 503.
inline constexpr std::chrono::milliseconds kMemoryTimeout = std::chrono::seconds(5);
// How often those who wait for memory try again, and how many of them, oldest first, are looked at then:
// nobody may be there any more.
inline constexpr std::size_t kWaitersLookedAt = 64;
inline constexpr std::chrono::milliseconds kMemoryRetry = std::chrono::milliseconds(5);
// A reader that takes less is closed: of an answer that does not fit into the buffers of the kernel, and
// over the whole of kWriteTimeout.
inline constexpr std::size_t kWriteBytesPerSecondMin = std::size_t{8} << 10;

// From the first byte of a request to its last.
inline constexpr std::chrono::milliseconds kReadTimeout = std::chrono::seconds(30);
// Between two requests of a connection.
inline constexpr std::chrono::milliseconds kIdleTimeout = std::chrono::minutes(5);
// For a peer that takes none, or almost none, of the bytes we have for it.
inline constexpr std::chrono::milliseconds kWriteTimeout = std::chrono::seconds(30);
// For the peer to end its stream after our last answer, so that it gets to read that answer.
inline constexpr std::chrono::milliseconds kLingerTimeout = std::chrono::seconds(2);
// For requests in flight when the server is told to stop; leaves time to close the database.
inline constexpr std::chrono::milliseconds kStopTimeout = std::chrono::seconds(7);

// What one read of a socket can bring; each loop has one such buffer.
inline constexpr std::size_t kReadBufferBytes = std::size_t{64} << 10;
// A body of known length up to this size gets its buffer at once; a larger one as its bytes arrive.
inline constexpr std::size_t kBodyReserveBytesMax = std::size_t{64} << 10;
// Finished requests whose memory a loop keeps for the next ones, and how much memory each may keep.
inline constexpr std::size_t kSpareExchangesMax = 64;
inline constexpr std::size_t kSpareBytesMax = std::size_t{16} << 10;

// A smaller answer is not worth compressing.
inline constexpr std::size_t kGzipBytesMin = 4096;
// Metrics: distinct outcomes counted for one operation; further ones count as "other".
inline constexpr std::size_t kOutcomesMax = 32;

// The version of the program, as in the project() line of CMakeLists.txt (a test compares them).
inline constexpr std::string_view kVersion = "0.1.0";

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
  // Names by which clients may call the server (access_rules.h): "db.example", "*.example" for all names
  // below it, "*" for any.
  std::vector<std::string> allowed_hosts;
  // The origin whose scripts a browser lets read our answers; "*": every origin; empty: none.
  std::string cors_origin;

  // For all that clients make the server hold; 0: half of the machine's memory.
  std::size_t memory_limit = 0;
  // The share of one peer address; 0: a quarter of the limit, at most kPeerBytesPerCoreMax a core.
  std::size_t memory_per_peer = 0;
  std::size_t connections_per_peer = kConnectionsPerPeerMax;

  std::size_t connections_max = kConnectionsMax;
  std::size_t output_bytes_max = kOutputBytesMax;
  std::chrono::milliseconds read_timeout = kReadTimeout;
  std::chrono::milliseconds idle_timeout = kIdleTimeout;
  std::chrono::milliseconds write_timeout = kWriteTimeout;
  std::chrono::milliseconds memory_timeout = kMemoryTimeout;
  std::size_t write_bytes_per_second_min = kWriteBytesPerSecondMin;
  std::chrono::milliseconds linger_timeout = kLingerTimeout;
  std::chrono::milliseconds stop_timeout = kStopTimeout;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_OPTIONS_H_
