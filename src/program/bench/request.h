// Requests as complete byte strings, prepared in advance.
//
// A body is written with holes: runs of kHole where a key's digits belong. Filling a hole changes
// the bytes in place, so that sending the same request for another key costs next to nothing.
#ifndef STATOR_BENCH_REQUEST_H_
#define STATOR_BENCH_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/sigv4.h"
#include "bench/request_bodies.h"
#include "http/url.h"

namespace stator::bench {

// Twelve characters that no JSON contains.
inline constexpr std::string_view kHole = "\1\1\1\1\1\1\1\1\1\1\1\1";
static_assert(kHole.size() == kKeyDigits);

class Request {
 public:
  std::string_view bytes() const { return bytes_; }
  std::string_view body() const { return std::string_view(bytes_).substr(body_at_); }
  std::size_t hole_count() const { return holes_.size(); }
  // Holes count in the order of the text.
  void Fill(std::size_t hole, std::uint64_t number) {
    WriteKeyText(bytes_.data() + holes_[hole], number);
  }
  void FillAll(std::uint64_t number) {
    for (const std::size_t hole : holes_) WriteKeyText(bytes_.data() + hole, number);
  }

 private:
  friend class RequestFactory;
  std::string bytes_;
  std::string target_;
  std::size_t date_at_ = 0;
  std::size_t authorization_at_ = 0;
  std::size_t body_at_ = 0;
  std::vector<std::size_t> holes_;
};

// Makes requests to one endpoint. Without a signer they carry a signature of the right shape that
// proves nothing. Not thread-safe.
class RequestFactory {
 public:
  RequestFactory(const http::Url& endpoint, std::optional<RequestSigner> signer);

  // Not signed yet if there is a signer.
  Request Make(std::string_view operation, std::string_view body) const;
  // Does nothing without a signer. REQUIRES: every hole is filled.
  void Sign(Request& request, std::time_t now);

 private:
  std::string Authorization(std::string_view target, std::string_view body);

  std::string host_;
  std::optional<RequestSigner> signer_;
  std::time_t date_of_ = 0;
  std::string date_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_REQUEST_H_
