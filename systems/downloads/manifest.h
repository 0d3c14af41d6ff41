// What the source says of a day's files. How it is asked:
//
//   GET /manifest?date=2026-02-28          {"date": …, "files": [FILE …]}
//   GET /link?file=accounts-2026-02-28     FILE, with a new address
//   FILE: {"entity", "url", "key", "iv", "sha256", "size"}, and "extension" if it is not csv
#ifndef STATOR_SYSTEMS_DOWNLOADS_MANIFEST_H_
#define STATOR_SYSTEMS_DOWNLOADS_MANIFEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "systems/downloads/job.h"
#include "systems/downloads/retry.h"
#include "systems/program/fallible.h"

namespace stator::systems::downloads {

// Where the source is, and what is accepted from it.
struct SourceAccess {
  std::string url;           // http:// or https://
  std::string ca_file = {};  // whom to trust; empty: the system's certificates
  SizeLimits limits = {};
  RetryOptions retry = {};
};

// A file that the manifest names and that cannot be fetched.
struct Refusal {
  std::string entity;  // fit to be printed, whatever the source sent
  std::string why;
};

// How a name must be, for people.
inline constexpr const char* kNameRule =
    "a name has no '/', '\\' or '~', does not begin with '-', '.' or a space, and has at most 100 "
    "bytes";

struct Manifest {
  std::vector<SourceFile> files;
  std::vector<Refusal> refused;
};

std::string ManifestJson(const std::string& date, const std::vector<SourceFile>& files);
std::string FileJson(const SourceFile& file);

// Ask the source. What it says is checked, file by file: names, addresses, sizes, no file twice. Files
// of a source that speaks TLS must come over TLS. Fails if there is no manifest of that day, or if
// its files are too large together.
Fallible<Manifest> FetchManifest(const SourceAccess& source, const std::string& date);
Fallible<SourceFile> FetchLink(const SourceAccess& source, const FileName& name);

// What FetchManifest does with the answer.
Fallible<Manifest> ParseManifest(std::string_view json, const std::string& date,
                                 const SourceAccess& source);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_MANIFEST_H_
