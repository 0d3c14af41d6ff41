#include "storage/rocksdb/rocks_settings.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "base/log.h"

namespace stator {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;

rocksdb::CompressionType BestCompression() {
  const auto supported = rocksdb::GetSupportedCompressions();
  const bool has_lz4 = std::ranges::find(supported, rocksdb::kLZ4Compression) != supported.end();
  return has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

rocksdb::BlockBasedTableOptions TableSettings(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  // With 16 KB the resident set during a load is an eighth larger, and point reads are no faster.
  table.block_size = 8 * kKiB;
  table.format_version = 5;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.whole_key_filtering = true;
  // Indexes and filters are cached in parts, like data: a large database does not need more memory.
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.pin_top_level_index_and_filter = true;
  return table;
}

std::shared_ptr<rocksdb::Cache> MakeCache(std::size_t bytes) {
  rocksdb::LRUCacheOptions options;
  options.capacity = bytes;
  options.num_shard_bits = 4;
  return rocksdb::NewLRUCache(options);
}

// RocksDB's own messages, in the log of the program. A log file of its own stops the process when the
// disk is full.
class ProgramLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list values) override {
    if (level != rocksdb::ERROR_LEVEL && level != rocksdb::FATAL_LEVEL) return;
    std::array<char, 1024> text;
    std::vsnprintf(text.data(), text.size(), format, values);
    std::string_view message = text.data();
    if (message.ends_with('\n')) message.remove_suffix(1);
    Log(LogLevel::kWarning, "RocksDB", {{"message", message}});
  }
  void Logv(const char*, va_list) override {}
};

// After a failure RocksDB would try again by itself. Only RocksStore knows whether that is safe.
class NoRecoveryByItself final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

}  // namespace

std::size_t RocksCaches::UsedBytes() const { return blocks->GetUsage() + rows->UsedBytes(); }

RocksCaches MakeRocksCaches(std::size_t cache_bytes) {
  // Finding a row here costs a tenth of looking it up in cached blocks.
  const std::size_t row_bytes = cache_bytes / 4;
  return {.blocks = MakeCache(cache_bytes - row_bytes),
          .rows = std::make_shared<RowCache>(row_bytes)};
}

rocksdb::Options RocksSettings(const RocksCaches& caches, std::size_t write_buffer_bytes) {
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(TableSettings(caches.blocks)));
  options.compression = BestCompression();

  options.write_buffer_size = write_buffer_bytes;
  options.max_write_buffer_number = 3;
  options.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(
      std::max(caches.blocks->GetCapacity() / 2, 16 * kMiB), caches.blocks);
  // Most keys that are read are not in a memtable: a filter says so faster than a search.
  options.memtable_whole_key_filtering = true;
  options.memtable_prefix_bloom_size_ratio = 0.05;
  options.max_bytes_for_level_base = 128 * kMiB;
  options.level_compaction_dynamic_level_bytes = true;
  options.bytes_per_sync = kMiB;
  options.max_background_jobs = 2;
  // A read that has to open its file first takes twice as long. There are few files, of 64 MB each,
  // but with more shards some shard would soon hold too many.
  options.max_open_files = 1000;
  options.table_cache_numshardbits = 3;
  // There is one writer.
  options.allow_concurrent_memtable_write = false;
  options.enable_write_thread_adaptive_yield = false;

  options.avoid_flush_during_recovery = true;
  options.avoid_flush_during_shutdown = true;
  options.skip_stats_update_on_db_open = true;
  options.max_manifest_file_size = 16 * kMiB;

  // Each table file has a checksum in the manifest, and must be the one that the manifest means.
  // The logs are the ledger's business (ledger.h): RocksDB's own tracking does not see the newest,
  // and costs another sync of the manifest.
  options.file_checksum_gen_factory = rocksdb::GetFileChecksumGenCrc32cFactory();
  options.verify_sst_unique_id_in_manifest = true;
  options.paranoid_checks = true;

  options.listeners.push_back(std::make_shared<NoRecoveryByItself>());
  options.max_bgerror_resume_count = 0;

  options.info_log_level = rocksdb::ERROR_LEVEL;
  options.info_log = std::make_shared<ProgramLog>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

}  // namespace stator
