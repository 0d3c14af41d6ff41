#include "auth/sigv4.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "base/check.h"

namespace stator {
namespace {

// Looking an algorithm up takes OpenSSL a lock and longer than hashing a small request: once for
// the process, and a context for each thread.
const EVP_MD* Algorithm() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  STATOR_CHECK(algorithm != nullptr);
  return algorithm;
}

using HashContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)>;

MacContext NewMacContext() {
  static EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  STATOR_CHECK(hmac != nullptr);
  MacContext context(EVP_MAC_CTX_new(hmac), &EVP_MAC_CTX_free);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end()};
  STATOR_CHECK(context && EVP_MAC_CTX_set_params(context.get(), parameters) == 1);
  return context;
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

struct Fields {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// Reads `text` along `form`, where Y M D h m s stand for digits of those fields, ? for anything,
// and every other character for itself.
std::optional<Fields> ReadFields(std::string_view text, std::string_view form) {
  if (text.size() != form.size()) return std::nullopt;
  Fields fields;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '?') continue;
    const auto append = [digit = text[i] - '0'](auto& field) {
      using Field = std::remove_reference_t<decltype(field)>;
      if (digit < 0 || digit > 9) return false;
      field = static_cast<Field>(field * 10 + static_cast<Field>(digit));
      return true;
    };
    bool fits = false;
    switch (form[i]) {
      case 'Y':
        fits = append(fields.year);
        break;
      case 'M':
        fits = append(fields.month);
        break;
      case 'D':
        fits = append(fields.day);
        break;
      case 'h':
        fits = append(fields.hour);
        break;
      case 'm':
        fits = append(fields.minute);
        break;
      case 's':
        fits = append(fields.second);
        break;
      default:
        fits = text[i] == form[i];
    }
    if (!fits) return std::nullopt;
  }
  return fields;
}

std::optional<std::chrono::sys_seconds> TimeOf(const Fields& fields) {
  const std::chrono::year_month_day date{std::chrono::year(fields.year),
                                         std::chrono::month(fields.month),
                                         std::chrono::day(fields.day)};
  if (!date.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 59) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + std::chrono::hours(fields.hour) +
         std::chrono::minutes(fields.minute) + std::chrono::seconds(fields.second);
}

// More than the canonical form of what an SDK sends, apart from a session token.
constexpr std::size_t kUsualBytes = 768;

void AppendScope(std::string& out, const SigningScope& scope) {
  out.append(scope.date).append("/").append(scope.region).append("/").append(scope.service);
  out.append("/").append(kScopeTerminator);
}

void AppendNames(std::string& out, std::span<const http::HeaderField> headers) {
  for (const http::HeaderField& header : headers) {
    if (&header != headers.data()) out.push_back(';');
    out.append(header.name);
  }
}

std::string CanonicalText(const SignedRequest& request, std::string_view body_hash) {
  std::string text;
  text.reserve(kUsualBytes);
  for (const std::string_view part : {request.method, request.path, request.query}) {
    text.append(part).push_back('\n');
  }
  for (const http::HeaderField& header : request.headers) {
    text.append(header.name).append(":").append(header.value).push_back('\n');
  }
  text.push_back('\n');
  AppendNames(text, request.headers);
  text.push_back('\n');
  text.append(body_hash);
  return text;
}

}  // namespace

Sha256Digest Sha256(std::string_view text) {
  thread_local const HashContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  Sha256Digest digest{};
  STATOR_CHECK(EVP_DigestInit_ex2(context.get(), Algorithm(), nullptr) == 1 &&
               EVP_DigestUpdate(context.get(), text.data(), text.size()) == 1 &&
               EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

Sha256Digest HmacSha256(std::span<const std::uint8_t> key, std::string_view text) {
  thread_local const MacContext context = NewMacContext();
  Sha256Digest digest{};
  std::size_t size = 0;
  STATOR_CHECK(EVP_MAC_init(context.get(), key.data(), key.size(), nullptr) == 1 &&
               EVP_MAC_update(context.get(), Bytes(text), text.size()) == 1 &&
               EVP_MAC_final(context.get(), digest.data(), &size, digest.size()) == 1);
  return digest;
}

void AppendHex(std::string& out, const Sha256Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const std::uint8_t byte : digest) {
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
}

std::string Hex(const Sha256Digest& digest) {
  std::string text;
  text.reserve(2 * digest.size());
  AppendHex(text, digest);
  return text;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::optional<std::chrono::sys_seconds> ParseAmzDate(std::string_view text) {
  const std::optional<Fields> fields = ReadFields(text, "YYYYMMDDThhmmssZ");
  return fields ? TimeOf(*fields) : std::nullopt;
}

std::optional<std::chrono::sys_seconds> ParseHttpDate(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  // The M of GMT would be a digit.
  std::optional<Fields> fields = ReadFields(text, "???, DD ??? YYYY hh:mm:ss G?T");
  if (!fields || !text.ends_with("GMT")) return std::nullopt;
  const auto* const month = std::ranges::find(kMonths, text.substr(8, 3));
  if (month == kMonths.end()) return std::nullopt;
  fields->month = static_cast<unsigned>(month - kMonths.begin()) + 1;
  return TimeOf(*fields);
}

std::string AmzDate(std::time_t time) {
  std::tm utc{};
  gmtime_r(&time, &utc);
  std::array<char, sizeof("20150830T123600Z")> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc);
  return {text.data(), length};
}

Sha256Digest SigningKey(std::string_view secret_access_key, const SigningScope& scope) {
  const std::string start = "AWS4" + std::string(secret_access_key);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(start.data());
  Sha256Digest key = HmacSha256({bytes, start.size()}, scope.date);
  key = HmacSha256(key, scope.region);
  key = HmacSha256(key, scope.service);
  return HmacSha256(key, kScopeTerminator);
}

void ScopedKey::MoveTo(std::string_view date, std::string_view secret_access_key) {
  if (scope.date == date) return;
  scope.date = date;
  key = SigningKey(secret_access_key, scope);
}

std::string Signature(const SignedRequest& request, const ScopedKey& key,
                      std::string_view amz_date) {
  return SignatureOverHash(request, Hex(Sha256(request.body)), key, amz_date);
}

std::string SignatureOverHash(const SignedRequest& request, std::string_view body_hash,
                              const ScopedKey& key, std::string_view amz_date) {
  std::string text;
  text.reserve(kUsualBytes);
  text.append(kSigningAlgorithm).append("\n").append(amz_date).append("\n");
  AppendScope(text, key.scope);
  text.push_back('\n');
  AppendHex(text, Sha256(CanonicalText(request, body_hash)));
  return Hex(HmacSha256(key.key, text));
}

std::string Authorization(const SignedRequest& request, std::string_view access_key_id,
                          const ScopedKey& key, std::string_view amz_date) {
  std::string header(kSigningAlgorithm);
  header.append(" Credential=").append(access_key_id).append("/");
  AppendScope(header, key.scope);
  header.append(", SignedHeaders=");
  AppendNames(header, request.headers);
  header.append(", Signature=");
  header.append(Signature(request, key, amz_date));
  return header;
}

DayKey::DayKey(std::string secret_access_key, std::string region, std::string service)
    : secret_access_key_(std::move(secret_access_key)),
      latest_{.scope = {.date = "", .region = std::move(region), .service = std::move(service)}} {}

ScopedKey DayKey::On(std::string_view date) const {
  const std::scoped_lock lock(mutex_);
  latest_.MoveTo(date, secret_access_key_);
  return latest_;
}

RequestSigner::RequestSigner(SigningCredentials credentials, std::string region,
                             std::string service)
    : credentials_(std::move(credentials)),
      key_{.scope = {.date = "", .region = std::move(region), .service = std::move(service)}} {}

std::string RequestSigner::Authorization(const SignedRequest& request, std::string_view amz_date) {
  key_.MoveTo(amz_date.substr(0, kScopeDateLength), credentials_.secret_access_key);
  return stator::Authorization(request, credentials_.access_key_id, key_, amz_date);
}

}  // namespace stator
