// What the source says of its files, and how it is asked.
//
//   GET /manifest?date=2026-02-28          {"date": …, "files": [FILE …]}
//   GET /link?file=accounts-2026-02-28     FILE, with a new address
//   FILE: {"entity", "url", "key", "iv", "sha256", "size"}
#ifndef STATOR_SYSTEMS_DOWNLOADS_MANIFEST_H_
#define STATOR_SYSTEMS_DOWNLOADS_MANIFEST_H_

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "systems/downloads/file_name.h"

namespace stator::systems::downloads {

struct SourceFile {
  FileName name;
  std::string url;          // signed; lives for kUrlLife
  std::string wrapped_key;  // base64
  std::string iv;           // base64
  std::string checksum;     // SHA-256 of the plain file, in hex
  std::int64_t size_bytes = 0;
};

inline constexpr std::int64_t kFileBytesMax = std::int64_t{256} << 20;

std::string ManifestJson(const std::string& date, const std::vector<SourceFile>& files);
std::string FileJson(const SourceFile& file);

// Ask the source at `source_url`. What it says is checked: names, sizes, no file twice.
std::expected<std::vector<SourceFile>, std::string> FetchManifest(const std::string& source_url,
                                                                  const std::string& date);
std::expected<SourceFile, std::string> FetchLink(const std::string& source_url,
                                                 const FileName& name);

// For tests and for FetchManifest.
std::expected<std::vector<SourceFile>, std::string> ParseManifest(std::string_view json,
                                                                  const std::string& date);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_MANIFEST_H_
