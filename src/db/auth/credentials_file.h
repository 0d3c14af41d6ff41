// AWS's shared credentials file: the keys of a client, or of all clients that a server knows.
//
//   file    := line*
//   line    := (comment | blank | "[" profile "]" | name "=" value) LF
//   comment := ("#" | ";") …
//
// The names that count are aws_access_key_id, aws_secret_access_key and aws_session_token.
#ifndef STATOR_AUTH_CREDENTIALS_FILE_H_
#define STATOR_AUTH_CREDENTIALS_FILE_H_

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "auth/sigv4.h"

namespace stator {

inline constexpr std::size_t kCredentialsFileBytesMax = std::size_t{1} << 20;

// A section of the file. What it lacks is empty.
struct CredentialsProfile {
  std::string name;
  std::size_t line = 0;  // from 1
  SigningCredentials credentials;
};

struct CredentialsFile {
  std::vector<CredentialsProfile> profiles;  // in the file's order
  std::size_t first_odd_line = 0;  // outside of a profile, or not a line of such a file; 0: none
};

// Passes over what it does not understand.
CredentialsFile ParseCredentialsFile(std::string_view text);

// All credentials of the file: at least one, each of them complete and with an access key of its own.
// The error names the line but does not repeat it.
std::expected<std::vector<SigningCredentials>, std::string> AllCredentials(std::string_view text);

// The same for the file at `path`, which the error names too. Warns in the log if everyone on this
// machine can read or change the file.
std::expected<std::vector<SigningCredentials>, std::string> LoadCredentials(
    const std::string& path);

}  // namespace stator

#endif  // STATOR_AUTH_CREDENTIALS_FILE_H_
