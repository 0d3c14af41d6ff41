#include "systems/program/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::systems {
namespace {

constexpr std::size_t kPrintedUrlMax = 200;

}  // namespace

std::string_view HostOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  std::string_view authority = url.substr(begin, url.find_first_of("/?#", begin) - begin);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    authority.remove_prefix(at + 1);
  }
  return authority;
}

bool IsThisMachine(std::string_view host) {
  return host.starts_with("127.") || host.starts_with("[::1]") || host == "localhost" ||
         host.starts_with("localhost:");
}

std::string_view WithoutQuery(std::string_view url) {
  return url.substr(0, std::min(url.find_first_of("?#"), kPrintedUrlMax));
}

std::string UrlEscaped(std::string_view text) {
  constexpr std::string_view kKept = "-._~/";
  std::string escaped;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || kKept.find(c) != std::string_view::npos;
    if (is_plain) {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

std::string UrlProblem(std::string_view url) {
  const bool is_http = url.starts_with("http://") || url.starts_with("https://");
  const bool is_clean = std::ranges::none_of(
      url, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; });
  if (!is_http || !is_clean || HostOf(url).empty()) {
    return fmt::format("{} is not an address like https://files.example.com/calls",
                       WithoutQuery(url));
  }
  if (url.size() > kUrlMax) {
    return fmt::format("{}: an address has at most {} bytes, and this one has {}",
                       WithoutQuery(url), kUrlMax, url.size());
  }
  return {};
}

}  // namespace stator::systems
