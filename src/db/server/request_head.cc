#include "server/request_head.h"

#include <algorithm>

namespace stator::server {
namespace {

// A target may name the whole URL (as sent through proxies): keeps what follows the authority.
std::string_view StripAuthority(std::string_view target) {
  const std::size_t scheme_end = target.find("://");
  if (target.starts_with('/') || scheme_end == std::string_view::npos) return target;
  const std::size_t path = target.find_first_of("/?", scheme_end + 3);
  return path == std::string_view::npos ? std::string_view("/") : target.substr(path);
}

}  // namespace

void RequestHead::Clear() {
  bytes_.clear();
  target_size_ = 0;
  in_value_ = true;
  spans_.clear();
  headers_.clear();
}

void RequestHead::AppendTarget(std::string_view piece) {
  bytes_ += piece;
  target_size_ = bytes_.size();
}

void RequestHead::AppendHeaderName(std::string_view piece) {
  if (in_value_) {
    const auto begin = static_cast<std::uint32_t>(bytes_.size());
    spans_.push_back({begin, begin, begin});
    in_value_ = false;
  }
  bytes_ += piece;
  const auto end = static_cast<std::uint32_t>(bytes_.size());
  spans_.back().value_begin = end;
  spans_.back().end = end;
}

void RequestHead::AppendHeaderValue(std::string_view piece) {
  if (spans_.empty()) return;
  in_value_ = true;
  bytes_ += piece;
  spans_.back().end = static_cast<std::uint32_t>(bytes_.size());
}

void RequestHead::Finish() {
  headers_.clear();
  const std::string_view all = bytes_;
  for (const Span& span : spans_) {
    headers_.push_back(
        {all.substr(span.name_begin, span.value_begin - span.name_begin),
         http::TrimBlanks(all.substr(span.value_begin, span.end - span.value_begin))});
  }
}

std::string_view RequestHead::path() const {
  const std::string_view rest = StripAuthority(target());
  const std::string_view path = rest.substr(0, rest.find('?'));
  return path.empty() ? std::string_view("/") : path;
}

std::string_view RequestHead::query() const {
  const std::string_view rest = target();
  const std::size_t mark = rest.find('?');
  return mark == std::string_view::npos ? std::string_view() : rest.substr(mark + 1);
}

std::optional<std::string_view> RequestHead::Find(std::string_view name) const {
  for (const http::HeaderField& header : headers_) {
    if (http::SameHeaderName(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::size_t RequestHead::Count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      headers_,
      [&](const http::HeaderField& header) { return http::SameHeaderName(header.name, name); }));
}

}  // namespace stator::server
