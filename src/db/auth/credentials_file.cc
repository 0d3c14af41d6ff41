#include "auth/credentials_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include "base/log.h"
#include "http/headers.h"

namespace stator {
namespace {

// Cuts the first line off.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return http::TrimBlanks(line);
}

void Set(SigningCredentials& credentials, std::string_view name, std::string_view value) {
  if (name == "aws_access_key_id") credentials.access_key_id = value;
  if (name == "aws_secret_access_key") credentials.secret_access_key = value;
  if (name == "aws_session_token") credentials.session_token = value;
}

bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

// Why a profile cannot be used by a client; empty if it can.
std::string_view FindMistake(const SigningCredentials& credentials) {
  const std::string& key = credentials.access_key_id;
  if (key.empty()) return "has no aws_access_key_id";
  if (credentials.secret_access_key.empty()) return "has no aws_secret_access_key";
  // A slash ends the key in a signature.
  if (!IsPrintable(key) || key.find_first_of("/,") != std::string::npos) {
    return "has an aws_access_key_id that no client can use";
  }
  if (!IsPrintable(credentials.session_token)) {
    return "has an aws_session_token that no client can use";
  }
  return {};
}

std::string AtLine(std::size_t line, std::string_view what) {
  return fmt::format("line {}: {}", line, what);
}

// Nothing if the file cannot be read.
std::optional<std::string> ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text(kCredentialsFileBytesMax + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return std::nullopt;
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

void WarnIfOpenToAll(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0 || (status.st_mode & (S_IROTH | S_IWOTH)) == 0) return;
  Log(LogLevel::kWarning, "everyone on this machine can use these credentials; chmod 600 helps",
      {{"file", path}});
}

}  // namespace

CredentialsFile ParseCredentialsFile(std::string_view text) {
  CredentialsFile file;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = TakeLine(text);
    if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      const std::string_view name = http::TrimBlanks(line.substr(1, line.size() - 2));
      file.profiles.push_back({.name = std::string(name), .line = number, .credentials = {}});
      continue;
    }
    const std::size_t equals = line.find('=');
    if (file.profiles.empty() || equals == std::string_view::npos) {
      if (file.first_odd_line == 0) file.first_odd_line = number;
      continue;
    }
    Set(file.profiles.back().credentials, http::TrimBlanks(line.substr(0, equals)),
        http::TrimBlanks(line.substr(equals + 1)));
  }
  return file;
}

std::expected<std::vector<SigningCredentials>, std::string> AllCredentials(std::string_view text) {
  CredentialsFile file = ParseCredentialsFile(text);
  if (file.first_odd_line != 0) {
    return std::unexpected(
        AtLine(file.first_odd_line, "expected [PROFILE], or NAME = VALUE in a profile"));
  }
  std::map<std::string, std::size_t> line_of_key;
  std::vector<SigningCredentials> all;
  for (CredentialsProfile& profile : file.profiles) {
    if (const std::string_view mistake = FindMistake(profile.credentials); !mistake.empty()) {
      return std::unexpected(
          AtLine(profile.line, fmt::format("the profile '{}' {}", profile.name, mistake)));
    }
    const auto [found, is_new] =
        line_of_key.try_emplace(profile.credentials.access_key_id, profile.line);
    if (!is_new) {
      return std::unexpected(AtLine(
          profile.line, fmt::format("the profile '{}' has the access key of the one in line {}",
                                    profile.name, found->second)));
    }
    all.push_back(std::move(profile.credentials));
  }
  if (all.empty()) {
    return std::unexpected(
        "there are no credentials in it; write [default] and below it aws_access_key_id = … and "
        "aws_secret_access_key = …");
  }
  return all;
}

std::expected<std::vector<SigningCredentials>, std::string> LoadCredentials(
    const std::string& path) {
  const std::optional<std::string> text = ReadFile(path);
  if (!text) return std::unexpected(fmt::format("cannot read the credentials file {}", path));
  if (text->size() > kCredentialsFileBytesMax) {
    return std::unexpected(
        fmt::format("{}: a credentials file has at most {} bytes", path, kCredentialsFileBytesMax));
  }
  auto all = AllCredentials(*text);
  if (!all) return std::unexpected(fmt::format("{}: {}", path, all.error()));
  WarnIfOpenToAll(path);
  return all;
}

}  // namespace stator
