// Every bound that the server puts on what a peer can make it do, hold or wait for.
#ifndef STATOR_SERVER_LIMITS_H_
#define STATOR_SERVER_LIMITS_H_

#include <chrono>
#include <cstddef>

namespace stator::server {

// A larger request body is answered 413, as DynamoDB does; also the bound of a decompressed body.
inline constexpr std::size_t kBodyBytesMax = std::size_t{16} << 20;
// The request line and all headers, trailers included: 431.
inline constexpr std::size_t kHeaderBytesMax = std::size_t{64} << 10;
inline constexpr std::size_t kHeaderCountMax = 256;
// The request target (a presigned one is long): 414.
inline constexpr std::size_t kUrlBytesMax = std::size_t{16} << 10;

// Open connections of the whole server; the next one is answered 503 and closed.
inline constexpr std::size_t kConnectionsMax = 10'000;
// Requests of one connection that are read and not yet answered; reading stops at the bound.
inline constexpr std::size_t kPipelinedRequestsMax = 16;
// Bytes of answers that one peer has not taken yet; reading stops at the bound.
inline constexpr std::size_t kOutputBytesMax = std::size_t{1} << 20;
// Bytes of request bodies of one connection that are in flight; reading stops at the bound.
inline constexpr std::size_t kBodyBytesInFlightMax = kBodyBytesMax;

// From the first byte of a request to its last.
inline constexpr std::chrono::milliseconds kReadTimeout = std::chrono::seconds(30);
// Between two requests of a connection.
inline constexpr std::chrono::milliseconds kIdleTimeout = std::chrono::minutes(5);
// A peer that takes none of the bytes we have for it.
inline constexpr std::chrono::milliseconds kWriteTimeout = std::chrono::seconds(30);
// Wait for the peer's end of stream after our last answer, so that it gets to read that answer.
inline constexpr std::chrono::milliseconds kLingerTimeout = std::chrono::seconds(2);
// Requests in flight when the server is told to stop.
inline constexpr std::chrono::milliseconds kStopTimeout = std::chrono::seconds(10);

// What one read of a socket can bring; one buffer a loop.
inline constexpr std::size_t kReadBufferBytes = std::size_t{64} << 10;
// A body of known length up to this size gets its buffer at once; a larger one as its bytes arrive.
inline constexpr std::size_t kBodyReserveBytesMax = std::size_t{64} << 10;
// Finished requests whose memory a loop keeps for the next ones, and how much memory each may keep.
inline constexpr std::size_t kSpareExchangesMax = 64;
inline constexpr std::size_t kSpareBytesMax = std::size_t{16} << 10;

// A smaller answer is not worth compressing.
inline constexpr std::size_t kGzipBytesMin = 1024;
// Metrics: distinct outcomes counted for one operation; further ones count as "other".
inline constexpr std::size_t kOutcomesMax = 32;

}  // namespace stator::server

#endif  // STATOR_SERVER_LIMITS_H_
