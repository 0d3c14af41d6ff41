// The request line and headers of one request, in one block of memory.
#ifndef STATOR_SERVER_REQUEST_HEAD_H_
#define STATOR_SERVER_REQUEST_HEAD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/headers.h"

namespace stator::server {

// Filled piece by piece as bytes arrive; Finish makes the views.
class RequestHead {
 public:
  void Clear();

  void AppendTarget(std::string_view piece);
  // A name piece after a value piece begins the next header.
  void AppendHeaderName(std::string_view piece);
  void AppendHeaderValue(std::string_view piece);
  // What follows is read and forgotten: trailers have no meaning here.
  void Finish();

  std::size_t byte_count() const { return bytes_.size(); }
  std::size_t target_byte_count() const { return target_size_; }
  std::size_t header_count() const { return spans_.size(); }

  // All below REQUIRE Finish. The views are valid until Clear.
  std::string_view target() const { return {bytes_.data(), target_size_}; }
  std::string_view path() const;   // of an absolute target too
  std::string_view query() const;  // without the question mark
  std::span<const http::HeaderField> headers() const { return headers_; }
  // The first header of that name.
  std::optional<std::string_view> Find(std::string_view name) const;
  std::size_t Count(std::string_view name) const;

 private:
  struct Span {
    std::uint32_t name_begin = 0;
    std::uint32_t value_begin = 0;
    std::uint32_t end = 0;
  };
  std::string bytes_;  // target, then name and value of each header
  std::size_t target_size_ = 0;
  bool in_value_ = true;
  std::vector<Span> spans_;
  std::vector<http::HeaderField> headers_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_REQUEST_HEAD_H_
