// Any credentials file, and any request to a server that knows one client: only a right signature,
// which nobody finds by chance, is accepted.
//
//   input := credentials file NUL Authorization header NUL query NUL names of signed headers NUL body
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "auth/authenticator.h"
#include "auth/credentials_file.h"
#include "base/clock.h"

namespace {

constexpr std::string_view kNow = "20150830T123600Z";

std::string_view TakePart(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find('\0'));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

// A request whose other parts are right, so that the signed headers and the body are reached.
std::string WellFormed(std::string_view signed_headers) {
  return std::string(
             "AWS4-HMAC-SHA256 Credential=AKID/20150830/us-east-1/dynamodb/aws4_request,"
             "SignedHeaders=host;x-amz-date;")
      .append(signed_headers)
      .append(",Signature=")
      .append(64, '0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const stator::ManualClock clock{stator::TimeMs(*stator::ParseAmzDate(kNow))};
  static const stator::VerifySignature verify(
      {{.access_key_id = "AKID", .secret_access_key = "secret", .session_token = ""}},
      {.region = "us-east-1"}, clock);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view file = TakePart(rest);
  const std::string_view authorization = TakePart(rest);
  const std::string_view query = TakePart(rest);
  const std::string_view signed_headers = TakePart(rest);

  const auto all = stator::AllCredentials(file);
  if (all ? all->empty() : all.error().empty()) std::abort();

  const std::string well_formed = WellFormed(signed_headers);
  const auto accepts = [&](std::string_view header, std::string_view of_url) {
    const std::array<stator::http::HeaderField, 5> fields = {{{"Host", "localhost"},
                                                              {"X-Amz-Date", kNow},
                                                              {"x-note", signed_headers},
                                                              {"X-Note", " a  b\t"},
                                                              {"Authorization", header}}};
    const std::size_t count = header.empty() ? fields.size() - 1 : fields.size();
    return verify
        .Check({.method = "POST",
                .path = "/",
                .query = of_url,
                .headers = std::span(fields).first(count),
                .body = rest})
        .has_value();
  };
  if (accepts(authorization, query) || accepts({}, query) || accepts(well_formed, {}) ||
      accepts(well_formed, query)) {
    std::abort();
  }
  return 0;
}
