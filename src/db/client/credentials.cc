#include "client/credentials.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "auth/credentials_file.h"

namespace stator {
namespace {

constexpr std::string_view kDefaultRegion = "us-east-1";

bool IsComplete(const SigningCredentials& credentials) {
  return !credentials.access_key_id.empty() && !credentials.secret_access_key.empty();
}

// They go into headers, where the end of a line would begin another header.
bool IsPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

std::optional<SigningCredentials> FromFile(const std::string& profile,
                                           const Environment& environment) {
  std::string path = environment.variable("AWS_SHARED_CREDENTIALS_FILE");
  if (path.empty()) path = environment.variable("HOME") + "/.aws/credentials";
  const std::optional<std::string> file = environment.file(path);
  if (!file) return std::nullopt;
  return ParseProfile(*file, profile);
}

std::optional<SigningCredentials> FromVariables(const Environment& environment) {
  SigningCredentials credentials{.access_key_id = environment.variable("AWS_ACCESS_KEY_ID"),
                                 .secret_access_key = environment.variable("AWS_SECRET_ACCESS_KEY"),
                                 .session_token = environment.variable("AWS_SESSION_TOKEN")};
  if (!IsComplete(credentials)) return std::nullopt;
  return credentials;
}

Result<SigningCredentials> Find(const ClientOptions& options, bool is_loopback,
                                const Environment& environment) {
  const ClientCredentials& given = options.credentials;
  if (!given.access_key_id.empty()) {
    return SigningCredentials{.access_key_id = given.access_key_id,
                              .secret_access_key = given.secret_access_key,
                              .session_token = given.session_token};
  }
  if (!options.profile.empty()) {
    if (auto found = FromFile(options.profile, environment)) return *std::move(found);
    return std::unexpected(Error::Validation("the credentials file has no profile '" +
                                             options.profile + "' with credentials"));
  }
  if (auto found = FromVariables(environment)) return *std::move(found);
  std::string profile = environment.variable("AWS_PROFILE");
  if (profile.empty()) profile = "default";
  if (auto found = FromFile(profile, environment)) return *std::move(found);
  if (is_loopback) {
    return SigningCredentials{.access_key_id = "local", .secret_access_key = "local"};
  }
  return std::unexpected(
      Error::Validation("no credentials are given: set AWS_ACCESS_KEY_ID and "
                        "AWS_SECRET_ACCESS_KEY, or put a profile into ~/.aws/credentials"));
}

}  // namespace

Environment Environment::OfProcess() {
  return {.variable =
              [](const char* name) {
                const char* value = std::getenv(name);
                return value == nullptr ? std::string() : std::string(value);
              },
          .file = [](const std::string& path) -> std::optional<std::string> {
            std::ifstream in(path, std::ios::binary);
            if (!in) return std::nullopt;
            std::string text(kCredentialsFileBytesMax, '\0');
            in.read(text.data(), static_cast<std::streamsize>(text.size()));
            text.resize(static_cast<std::size_t>(in.gcount()));
            return text;
          }};
}

std::optional<SigningCredentials> ParseProfile(std::string_view file, std::string_view profile) {
  SigningCredentials credentials;
  const auto take = [](std::string& into, const std::string& value) {
    if (!value.empty()) into = value;
  };
  for (const CredentialsProfile& one : ParseCredentialsFile(file).profiles) {
    if (one.name != profile) continue;
    take(credentials.access_key_id, one.credentials.access_key_id);
    take(credentials.secret_access_key, one.credentials.secret_access_key);
    take(credentials.session_token, one.credentials.session_token);
  }
  if (!IsComplete(credentials)) return std::nullopt;
  return credentials;
}

Result<SigningCredentials> FindCredentials(const ClientOptions& options, bool is_loopback,
                                           const Environment& environment) {
  Result<SigningCredentials> found = Find(options, is_loopback, environment);
  if (found &&
      (!IsComplete(*found) || !IsPlain(found->access_key_id) || !IsPlain(found->session_token))) {
    return std::unexpected(Error::Validation(
        "the credentials are incomplete or contain blanks or control characters"));
  }
  return found;
}

std::string FindRegion(const ClientOptions& options, const Environment& environment) {
  if (!options.region.empty()) return options.region;
  if (const auto url = http::ParseUrl(options.endpoint)) {
    const std::string_view in_name = http::RegionOfHost(url->host);
    if (!in_name.empty()) return std::string(in_name);
  }
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (std::string region = environment.variable(name); !region.empty()) return region;
  }
  // Which region of AWS is meant is not ours to guess.
  return options.endpoint.empty() ? std::string() : std::string(kDefaultRegion);
}

}  // namespace stator
