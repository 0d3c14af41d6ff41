// The source: publishes every day's files, encrypted, behind addresses that live for 30 minutes.
//
// A file's content, AES key and IV follow from the source's secret, the entity and the day: a source
// that was stopped and started again publishes the same files.
#ifndef STATOR_SYSTEMS_DOWNLOADS_SOURCE_H_
#define STATOR_SYSTEMS_DOWNLOADS_SOURCE_H_

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "stator/clock.h"
#include "systems/downloads/file_name.h"
#include "systems/downloads/http.h"
#include "systems/downloads/key_pair.h"
#include "systems/downloads/manifest.h"

namespace stator::systems::downloads {

enum class Fault : std::uint8_t {
  kNone,
  kCorrupt,   // one byte of the file is another
  kGone,      // 404
  kBusy,      // 503
  kWrongKey,  // the wrapped AES key cannot be unwrapped
};

struct SourceOptions {
  int port = 0;
  std::string secret = "a secret of the source";
  std::vector<std::string> entities;  // default: DefaultEntities()
  std::int64_t file_bytes = 8192;     // roughly
  std::int64_t bytes_per_second = 0;  // of each transfer; 0: no bound
};

// accounts, transactions, …; from the eleventh on numbered.
std::vector<std::string> DefaultEntities(std::size_t count = 10);

// Thread-safe.
class Source {
 public:
  // `clock` must outlive the source: addresses expire by it.
  static std::expected<std::unique_ptr<Source>, std::string> Start(SourceOptions options,
                                                                   KeyPair keys,
                                                                   const Clock& clock);
  std::string url() const { return server_->url(); }

  // The plain file.
  std::string Content(const FileName& name) const;

  void SetFault(const std::string& entity, Fault fault);
  // Called whenever a file is asked for with a good address, before it is sent.
  void OnDownload(std::function<void(const FileName& name)> callback);
  // Transfers of a file that were begun.
  std::int64_t Downloads(const FileName& name) const;

 private:
  Source(SourceOptions options, KeyPair keys, const Clock& clock);
  HttpAnswer Answer(const HttpQuestion& question);
  HttpAnswer AnswerManifest(const HttpQuestion& question) const;
  HttpAnswer AnswerLink(const HttpQuestion& question) const;
  HttpAnswer AnswerFile(const HttpQuestion& question);
  HttpAnswer AnswerStats() const;
  SourceFile Describe(const FileName& name) const;
  bool Has(const FileName& name) const;
  std::string Secret(std::string_view purpose, const FileName& name) const;
  Fault FaultOf(const std::string& entity) const;

  const SourceOptions options_;
  const KeyPair keys_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Fault> faults_;
  std::map<FileName, std::int64_t> downloads_;
  std::function<void(const FileName&)> on_download_;
  std::atomic<bool> ready_ = false;     // the address is known
  std::unique_ptr<HttpServer> server_;  // last: it answers until it is gone
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_SOURCE_H_
