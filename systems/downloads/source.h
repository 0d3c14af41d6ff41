// The source: publishes every day's files, encrypted, behind addresses that expire after 30
// minutes. The files are those of a folder, or made up.
//
// A file's AES key and IV, and what is made up, follow from the source's secret, the entity, the day
// and the content: a source that was stopped and started again publishes the same.
#ifndef STATOR_SYSTEMS_DOWNLOADS_SOURCE_H_
#define STATOR_SYSTEMS_DOWNLOADS_SOURCE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/clock.h"
#include "systems/downloads/crypto.h"
#include "systems/downloads/job.h"
#include "systems/downloads/published_folder.h"
#include "systems/program/http.h"

namespace stator::systems::downloads {

// Addresses that prove themselves and expire: PATH?expires=SECONDS&signature=HMAC.
inline constexpr std::chrono::minutes kUrlLife{30};

// "/files/x?expires=1772267400&signature=…"
std::string SignPath(std::string_view secret, std::string_view path, TimeMs now);

enum class Permission { kGranted, kForged, kExpired };
Permission JudgePath(std::string_view secret, std::string_view path, const std::string& expires,
                     const std::string& signature, TimeMs now);

enum class Fault : std::uint8_t {
  kNone,
  kCorrupt,   // one byte of the file is wrong
  kGone,      // 404
  kBusy,      // 503
  kWrongKey,  // the wrapped AES key cannot be unwrapped
};

struct SourceOptions {
  int port = 0;
  std::string secret = "a secret of the source";
  std::vector<std::string> entities;  // default: DefaultEntities()
  std::int64_t file_bytes = 8192;     // roughly
  std::int64_t bytes_per_second = 0;  // of each transfer; 0: no limit
  std::string folder = {};            // publishes its files; empty: made-up ones
};

// accounts, transactions, …; numbered from the eleventh on.
std::vector<std::string> DefaultEntities(std::size_t count = 10);

// Thread-safe.
class Source {
 public:
  // `clock` must outlive the source: addresses expire by it.
  static Fallible<std::unique_ptr<Source>> Start(SourceOptions options, KeyPair keys,
                                                 const Clock& clock);
  std::string url() const { return server_->url(); }
  // Files of the folder that cannot be published, for people.
  std::vector<std::string> LeftOut() const;

  // The plain file; of those that are made up.
  std::string Content(const FileName& name) const;

  void SetFault(const std::string& entity, Fault fault);
  // Called whenever a file is requested with a valid address, before it is sent.
  void OnDownload(std::function<void(const FileName& name)> callback);
  // Transfers of a file that were begun.
  std::int64_t Downloads(const FileName& name) const;

 private:
  Source(SourceOptions options, KeyPair keys, const Clock& clock);
  HttpAnswer Answer(const HttpRequest& request);
  HttpAnswer AnswerManifest(const HttpRequest& request) const;
  HttpAnswer AnswerLink(const HttpRequest& request) const;
  HttpAnswer AnswerFile(const HttpRequest& request);
  HttpAnswer AnswerStats() const;
  std::optional<PublishedFile> Find(const FileName& name) const;
  PublishedFile MadeUp(const FileName& name) const;
  SourceFile Describe(const PublishedFile& file) const;
  HttpAnswer Send(const PublishedFile& file) const;
  std::string KeyOfFile(const PublishedFile& file) const { return Secret("key", file); }
  std::string IvOfFile(const PublishedFile& file) const {
    return Secret("iv", file).substr(0, kAesIvBytes);
  }
  std::string Secret(std::string_view purpose, const PublishedFile& file) const;
  Fault FaultOf(const std::string& entity) const;

  const SourceOptions options_;
  const KeyPair keys_;
  const Clock& clock_;
  std::unique_ptr<PublishedFolder> folder_;  // null: the files are made up
  mutable std::mutex mutex_;
  std::map<std::string, Fault> faults_;
  std::map<FileName, std::int64_t> downloads_;
  std::function<void(const FileName&)> on_download_;
  std::atomic<bool> ready_ = false;     // the address is known
  std::unique_ptr<HttpServer> server_;  // last: it answers until it is gone
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_SOURCE_H_
