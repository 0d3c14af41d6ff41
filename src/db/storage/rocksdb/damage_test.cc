// What happens to a directory whose files were damaged: it is refused, or a read reports it, or
// nothing is missing. Never is less served than was acknowledged without a word about it.
//
// Each of some directories is copied for every damage. A directory is left by an orderly stop or by
// a power cut, and has several logs and table files. Every file of it is flipped at seeded places, cut
// at every record, emptied, removed, and replaced by a copy from another time.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace damage_test {

namespace fs = std::filesystem;
using Rows = std::map<std::string, std::string>;
using Files = std::map<std::string, std::string>;  // contents by path below the directory

constexpr unsigned kSeed = 20;
constexpr int kFlipsOfAFile = 16;

StorageResult<std::unique_ptr<Store>> OpenSmall(const std::string& directory, SyncMode sync) {
  return OpenRocksStore(
      {.directory = directory, .sync = sync, .cache_bytes = std::size_t{1} << 20});
}

// RocksDB's messages and the locks say nothing about the data.
bool Matters(const std::string& name) {
  return !name.starts_with("LOG") && name != "LOCK" && name != "STATOR.lock";
}

Files ReadFiles(const std::string& directory) {
  Files files;
  for (const auto& file : fs::recursive_directory_iterator(directory)) {
    if (!file.is_regular_file() || !Matters(file.path().filename())) continue;
    std::ifstream stream(file.path(), std::ios::binary);
    files[fs::relative(file.path(), directory)] =
        std::string(std::istreambuf_iterator<char>(stream), {});
  }
  return files;
}

void WriteFiles(const std::string& directory, const Files& files) {
  fs::create_directory(directory + "/db");
  for (const auto& [path, content] : files) {
    std::ofstream(fs::path(directory) / path, std::ios::binary) << content;
  }
}

// A directory, and the rows that it had after each of its commits.
struct Origin {
  std::string name;
  SyncMode sync = SyncMode::kAlways;
  Files files;
  std::vector<Files> earlier;
  std::vector<Rows> rows_after = {{}};  // by the number of commits
};

class Maker {
 public:
  Maker(std::string name, SyncMode sync) { origin_.name = std::move(name), origin_.sync = sync; }

  void Commit(Store& store, int count) {
    for (int i = 0; i < count; ++i) {
      Rows rows = origin_.rows_after.back();
      const std::string key = "key" + std::to_string(random_() % 200);
      if (random_() % 8 == 0 && rows.contains(key)) {
        ASSERT_TRUE(Apply(store, [&](WriteBatch& batch) { batch.Delete(key); }));
        rows.erase(key);
      } else {
        std::string value(900, '\0');
        for (char& c : value) c = static_cast<char>('a' + random_() % 26);
        ASSERT_TRUE(Put(store, key, value));
        rows[key] = value;
      }
      origin_.rows_after.push_back(std::move(rows));
    }
  }
  std::unique_ptr<Store> Open() {
    auto store = OpenSmall(directory_.path(), origin_.sync);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  void Remember() { origin_.earlier.push_back(ReadFiles(directory_.path())); }
  Origin Finish() {
    origin_.files = ReadFiles(directory_.path());
    return std::move(origin_);
  }

 private:
  const TestDirectory directory_;
  std::mt19937 random_{kSeed};
  Origin origin_;
};

// Makes a table file of what is in the logs: a checkpoint needs one.
void Flush(Store& store) {
  ASSERT_TRUE(store.MakeCheckpoint("flush"));
  ASSERT_TRUE(store.DeleteCheckpoint("flush"));
}

// Several openings, table files, and logs that are not yet in table files.
Origin MakeOrigin(const std::string& name, SyncMode sync, bool is_clean) {
  Maker maker(name, sync);
  {
    const auto store = maker.Open();
    for (int tables = 0; tables < 3; ++tables) {
      maker.Commit(*store, 30);
      maker.Remember();
      Flush(*store);
    }
  }
  for (const int commits : {9, 12}) {
    const auto store = maker.Open();
    maker.Commit(*store, commits);
    maker.Remember();
  }
  maker.Remember();
  auto store = maker.Open();
  maker.Commit(*store, 8);
  maker.Remember();
  maker.Commit(*store, 20);
  if (is_clean) store.reset();
  return maker.Finish();
}

struct Damage {
  std::string kind;  // "flip", "cut" …
  std::string path;
  std::optional<std::string> content;  // absent: the file is removed
};

std::string FileKind(const std::string& path) {
  const std::string name = fs::path(path).filename();
  if (name.ends_with(".log")) return "WAL";
  if (name.ends_with(".sst")) return "SST";
  return name.substr(0, name.find('-'));
}

// Where the records of a file end; for files without records, some places.
std::set<std::size_t> Edges(const std::string& path, const std::string& content,
                            std::mt19937& random) {
  std::set<std::size_t> edges = {1, content.size() / 2, content.size() - 1};
  const std::string kind = FileKind(path);
  if (kind == "WAL" || kind == "MANIFEST") {
    // A prefix that ends with a record is a sound log.
    std::size_t bytes = 0;
    for (std::size_t at = 0; at + 7 <= content.size();) {
      if (32768 - at % 32768 < 7) at += 32768 - at % 32768;
      const auto low = static_cast<unsigned char>(content[at + 4]);
      const auto high = static_cast<unsigned char>(content[at + 5]);
      at += 7 + low + (std::size_t{high} << 8);
      bytes = at;
      edges.insert(bytes);
    }
  } else if (kind == "SST") {
    for (int i = 0; i < 10; ++i) edges.insert(random() % content.size());
  } else {
    for (std::size_t at = 0; at < content.size(); ++at) {
      if (content[at] == '\n' && edges.size() < 20) edges.insert(at + 1);
    }
  }
  std::erase_if(edges, [&](std::size_t at) { return at == 0 || at >= content.size(); });
  return edges;
}

// Contents that the file, or another of its kind, had at another time.
std::set<std::string> OtherContents(const Origin& origin, const std::string& path) {
  std::set<std::string> others;
  for (const Files& files : origin.earlier) {
    if (const auto file = files.find(path); file != files.end()) others.insert(file->second);
  }
  std::size_t strangers = 0;
  for (const auto& [other, content] : origin.files) {
    if (FileKind(other) == FileKind(path) && ++strangers <= 2) others.insert(content);
  }
  for (const Files& files : origin.earlier) {
    for (const auto& [other, content] : files) {
      if (FileKind(other) == FileKind(path) && ++strangers <= 6) others.insert(content);
    }
  }
  if (path == "STATOR") others.insert("stator data directory, format 1\n");
  others.erase(origin.files.at(path));
  return others;
}

std::vector<Damage> DamagesOf(const Origin& origin) {
  std::vector<Damage> damages;
  std::mt19937 random(kSeed);
  for (const auto& [path, content] : origin.files) {
    damages.push_back({"removed", path, std::nullopt});
    if (content.empty()) continue;
    damages.push_back({"emptied", path, ""});
    for (int i = 0; i < kFlipsOfAFile; ++i) {
      std::string flipped = content;
      // Some in the last bytes, where a log has the record that could be torn.
      const std::size_t range =
          i % 4 == 0 ? std::min<std::size_t>(content.size(), 1000) : content.size();
      flipped[content.size() - 1 - random() % range] ^= static_cast<char>(1 << random() % 8);
      damages.push_back({"flipped", path, flipped});
    }
    for (const std::size_t edge : Edges(path, content, random)) {
      damages.push_back({"cut", path, content.substr(0, edge)});
    }
    for (const std::string& other : OtherContents(origin, path)) {
      damages.push_back({"swapped", path, other});
    }
  }
  return damages;
}

enum class Outcome { kRefused, kReadError, kReported, kWarned, kHarmless, kSilent };
constexpr const char* kOutcomeNames[] = {"refused", "read error", "reported end",
                                         "warned",  "harmless",   "silent"};

// The number behind `name=` in the log; absent if it does not say.
std::optional<std::size_t> Said(const std::string& log, const std::string& name) {
  const std::size_t at = log.find(name + "=");
  if (at == std::string::npos) return std::nullopt;
  return std::stoul(log.substr(at + name.size() + 1));
}

// What reading the whole store gives, by scan and by key; absent if a read failed.
std::optional<Rows> ReadAll(const Store& store, const Rows& expected) {
  Rows rows;
  const StorageResult<void> scanned =
      store.Scan({}, Direction::kForward, [&](std::string_view key, std::string_view value) {
        rows.emplace(key, value);
        return true;
      });
  if (!scanned) return std::nullopt;
  for (const auto& [key, value] : expected) {
    std::string found;
    const StorageResult<bool> got = store.Get(key, found);
    if (!got) return std::nullopt;
    // A key that a scan finds and a read by key does not, or the other way round, is a difference.
    const auto scanned_row = rows.find(key);
    if (*got != (scanned_row != rows.end())) rows["differs by key"] = key;
    if (*got && scanned_row != rows.end() && found != scanned_row->second) rows["differs"] = key;
  }
  return rows;
}

Outcome OutcomeOf(const Origin& origin, const Damage& damage) {
  const TestDirectory directory;
  Files files = origin.files;
  if (damage.content) {
    files[damage.path] = *damage.content;
  } else {
    files.erase(damage.path);
  }
  WriteFiles(directory.path(), files);
  testing::internal::CaptureStderr();
  auto store = OpenSmall(directory.path(), origin.sync);
  const std::string log = testing::internal::GetCapturedStderr();
  if (!store) {
    EXPECT_EQ(ReadFiles(directory.path()), files) << damage.kind << " " << damage.path;
    return Outcome::kRefused;
  }
  const Rows& last = origin.rows_after.back();
  const std::optional<Rows> rows = ReadAll(**store, last);
  if (!rows) return Outcome::kReadError;
  const bool warned = log.find("warning") != std::string::npos;
  if (*rows == last) return warned ? Outcome::kWarned : Outcome::kHarmless;
  const std::optional<std::size_t> number = Said(log, "last_commit");
  const bool is_told = number && Said(log, "dropped_bytes") && *number < origin.rows_after.size();
  return is_told && *rows == origin.rows_after[*number] ? Outcome::kReported : Outcome::kSilent;
}

std::ptrdiff_t CountOf(const Origin& origin, const std::string& kind) {
  return std::ranges::count_if(origin.files,
                               [&](const auto& file) { return FileKind(file.first) == kind; });
}

void PrintTable(const std::map<std::string, std::map<Outcome, int>>& counts) {
  std::map<Outcome, int> total;
  const auto print = [](const std::string& name, const std::map<Outcome, int>& row) {
    int sum = 0;
    std::string line = name;
    line.resize(36, ' ');
    for (int i = 0; i < static_cast<int>(std::size(kOutcomeNames)); ++i) {
      const auto found = row.find(static_cast<Outcome>(i));
      const int count = found == row.end() ? 0 : found->second;
      sum += count;
      const std::string text = std::to_string(count);
      line += std::string(14 - text.size(), ' ') + text;
    }
    std::cout << line << "   of " << sum << "\n";
  };
  std::string head(36, ' ');
  for (const char* name : kOutcomeNames)
    head += std::string(14 - std::string_view(name).size(), ' ') + name;
  std::cout << head << "\n";
  for (const auto& [name, row] : counts) {
    print(name, row);
    if (!name.starts_with("any")) {
      for (const auto& [outcome, count] : row) total[outcome] += count;
    }
  }
  print("all", total);
}

TEST(Damage, IsSeenNeverSwallowed) {
  std::map<std::string, std::map<Outcome, int>> counts;
  int all = 0;
  for (const Origin& origin : {MakeOrigin("orderly stop", SyncMode::kAlways, true),
                               MakeOrigin("power cut", SyncMode::kAlways, false),
                               MakeOrigin("power cut without sync", SyncMode::kOff, false)}) {
    EXPECT_GE(CountOf(origin, "SST"), 2);
    EXPECT_GE(CountOf(origin, "WAL"), 2);
    for (const Damage& damage : DamagesOf(origin)) {
      const Outcome outcome = OutcomeOf(origin, damage);
      ++counts[origin.name + ", " + FileKind(damage.path)][outcome];
      ++counts["any stop, " + damage.kind][outcome];
      ++all;
      EXPECT_NE(outcome, Outcome::kSilent)
          << origin.name << ": " << damage.path << " " << damage.kind << " to "
          << (damage.content ? damage.content->size() : 0) << " bytes";
      if (origin.files.at(damage.path).size() > 0 && origin.name == "orderly stop") {
        EXPECT_NE(outcome, Outcome::kReported) << damage.path << " " << damage.kind;
      }
    }
  }
  PrintTable(counts);
  std::cout << all << " damages, seed " << kSeed << "\n";
  EXPECT_GE(all, 1000);
}

}  // namespace damage_test
}  // namespace stator
