// What a simulated disk keeps, loses and refuses. Its face to RocksDB is simulated_file_system.cc.
#include "storage/testing/simulated_disk.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator {
namespace {

using rocksdb::IOStatus;

// A disk writes a sector whole or not at all.
constexpr std::size_t kSectorBytes = 512;

bool IsChange(DiskCall call) { return call >= DiskCall::kCreate && call != DiskCall::kClose; }

bool NeedsSpace(DiskCall call) {
  return call == DiskCall::kCreate || call == DiskCall::kAppend || call == DiskCall::kSync ||
         call == DiskCall::kLink || call == DiskCall::kRename;
}

IOStatus Off() { return IOStatus::IOError("the power is off"); }

}  // namespace

std::string_view NameOf(DiskCall call) {
  static constexpr std::array<std::string_view, kDiskCalls> kNames = {
      "open",       "look",   "read", "create", "append",   "sync",
      "sync names", "rename", "link", "remove", "truncate", "close"};
  return kNames[static_cast<std::size_t>(call)];
}

SimulatedDisk::SimulatedDisk(std::uint64_t seed) : random_(seed), root_(std::make_shared<Node>()) {
  root_->is_directory = true;
}

SimulatedDisk::~SimulatedDisk() = default;

// --- Power and faults ----------------------------------------------------------------------------

void SimulatedDisk::CutAfter(std::uint64_t changes) {
  const std::scoped_lock lock(mutex_);
  changes_until_cut_ = changes;
}

void SimulatedDisk::CutNow() {
  const std::scoped_lock lock(mutex_);
  is_off_ = true;
}

bool SimulatedDisk::is_off() const {
  const std::scoped_lock lock(mutex_);
  return is_off_;
}

void SimulatedDisk::FailAfter(const DiskFault& fault) {
  const std::scoped_lock lock(mutex_);
  fault_ = fault;
  failed_calls_ = 0;
  first_failure_.clear();
}

void SimulatedDisk::EndFaults() {
  const std::scoped_lock lock(mutex_);
  fault_.reset();
}

std::uint64_t SimulatedDisk::failed_calls() const {
  const std::scoped_lock lock(mutex_);
  return failed_calls_;
}

std::string SimulatedDisk::first_failure() const {
  const std::scoped_lock lock(mutex_);
  return first_failure_;
}

std::uint64_t SimulatedDisk::calls() const {
  const std::scoped_lock lock(mutex_);
  return calls_;
}

std::uint64_t SimulatedDisk::changes() const {
  const std::scoped_lock lock(mutex_);
  return changes_;
}

std::string SimulatedDisk::story() const {
  const std::scoped_lock lock(mutex_);
  return story_;
}

SimulatedDisk::Turn SimulatedDisk::Take(DiskCall call, std::string_view path) {
  if (is_off_) return {Off(), false};
  ++calls_;
  if (IsChange(call)) {
    ++changes_;
    if (changes_until_cut_ != 0 && --changes_until_cut_ == 0) {
      is_off_ = true;
      story_ = fmt::format("cut during {} {}\n", NameOf(call), path);
      return {Off(), Below(2) == 0};
    }
  }
  if (std::optional<IOStatus> failure = Fail(call, path)) {
    // A failed write may have written something; any other failed call has done nothing.
    return {*std::move(failure), call == DiskCall::kAppend && Below(2) == 0};
  }
  return {IOStatus::OK(), true};
}

std::optional<IOStatus> SimulatedDisk::Fail(DiskCall call, std::string_view path) {
  if (!fault_ || (fault_->only && *fault_->only != call)) return std::nullopt;
  if (fault_->is_full && !NeedsSpace(call)) return std::nullopt;
  // RocksDB 7.8 has an assertion about the wrong variable here, which ends the process.
  if (call == DiskCall::kLook && path.ends_with("/archive")) return std::nullopt;
  if (fault_->after > 1) {
    --fault_->after;
    return std::nullopt;
  }
  const bool is_full = fault_->is_full;
  if (!fault_->persists) fault_.reset();
  if (failed_calls_++ == 0) first_failure_ = fmt::format("{} {}", NameOf(call), path);
  const std::string context = fmt::format("while {}: {}", NameOf(call), path);
  if (!is_full) return IOStatus::IOError(context, "Input/output error");
  IOStatus status = IOStatus::NoSpace(context, "No space left on device");
  status.SetRetryable(true);
  return status;
}

// --- Names ---------------------------------------------------------------------------------------

SimulatedDisk::NodePtr SimulatedDisk::Find(std::string_view path) const {
  NodePtr node = root_;
  while (node && !path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name.empty() || name == ".") continue;
    const auto found = node->names.find(name);
    node = found == node->names.end() ? nullptr : found->second;
  }
  return node;
}

std::pair<SimulatedDisk::NodePtr, std::string> SimulatedDisk::Place(std::string_view path) const {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {root_, std::string(path)};
  NodePtr directory = Find(path.substr(0, slash));
  if (directory && !directory->is_directory) directory = nullptr;
  return {std::move(directory), std::string(path.substr(slash + 1))};
}

void SimulatedDisk::Apply(const NameChange& change, bool durably) {
  for (const Edit& edit : change) {
    auto& names = durably ? edit.directory->durable_names : edit.directory->names;
    if (edit.node) {
      names.insert_or_assign(edit.name, edit.node);
    } else {
      names.erase(edit.name);
    }
  }
}

void SimulatedDisk::Change(NameChange change) {
  Apply(change, /*durably=*/false);
  pending_.push_back(std::move(change));
}

void SimulatedDisk::SyncNames(const NodePtr& directory) {
  std::erase_if(pending_, [&](const NameChange& change) {
    const bool is_here =
        std::ranges::any_of(change, [&](const Edit& edit) { return edit.directory == directory; });
    if (is_here) Apply(change, /*durably=*/true);
    return is_here;
  });
}

// --- After a cut ---------------------------------------------------------------------------------

void SimulatedDisk::Restart() {
  const std::scoped_lock lock(mutex_);
  story_ += "then:\n";
  SettleNames();
  std::vector<const Node*> settled;
  SettleTree(*root_, settled);
  locks_.clear();
  fault_.reset();
  changes_until_cut_ = 0;
  is_off_ = false;
}

// Of the names that were not synced none survive, or the first few, or any, or all. What happened to a
// file or directory after a change that is lost is lost too.
void SimulatedDisk::SettleNames() {
  const std::uint64_t way = Below(4);
  const std::size_t first = Below(pending_.size() + 1);
  std::vector<NodePtr> stuck;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const bool is_chosen = way == 1 ? i < first : way == 2 ? Below(2) == 0 : way == 3;
    const bool survives = is_chosen && std::ranges::none_of(pending_[i], [&](const Edit& edit) {
                            return edit.node && std::ranges::find(stuck, edit.node) != stuck.end();
                          });
    for (const Edit& edit : pending_[i]) {
      story_ += fmt::format("{} {}: {}\n", edit.node ? "name" : "removal of", edit.name,
                            survives ? "survived" : "lost");
      if (!survives && edit.node) stuck.push_back(edit.node);
    }
    if (survives) Apply(pending_[i], /*durably=*/true);
  }
  pending_.clear();
}

void SimulatedDisk::SettleTree(Node& directory, std::vector<const Node*>& settled) {
  directory.names = directory.durable_names;
  for (auto& [name, node] : directory.names) {
    if (std::ranges::find(settled, node.get()) != settled.end()) continue;
    settled.push_back(node.get());
    if (node->is_directory) {
      SettleTree(*node, settled);
    } else {
      SettleBytes(*node, name);
    }
  }
}

void SimulatedDisk::SettleBytes(Node& file, std::string_view name) {
  const auto scramble = [&](std::size_t begin, std::size_t end, bool to_zero) {
    for (std::size_t i = begin; i < end; ++i) {
      file.bytes[i] = to_zero ? '\0' : static_cast<char>(random_());
    }
  };
  for (const auto& [begin, end] : file.dropped) {
    if (Below(2) == 0) scramble(begin, std::min(end, file.bytes.size()), Below(2) == 0);
  }
  file.dropped.clear();
  const std::size_t unsynced = file.bytes.size() - file.synced;
  if (unsynced == 0) return;
  const std::uint64_t way = Below(7);
  if (way == 0) {
    file.bytes.resize(file.synced);
  } else if (way == 1) {
    file.bytes.resize(file.synced + Below(unsynced + 1));
  } else if (way == 2) {
    const std::size_t end = file.synced + Below(unsynced + 1);
    file.bytes.resize(std::max(file.synced, end / kSectorBytes * kSectorBytes));
  } else if (way == 3) {
    scramble(file.synced, file.bytes.size(), /*to_zero=*/true);
  } else if (way <= 5) {
    // Each sector by itself, and perhaps fewer or more of them than were written.
    if (Below(2) == 0) file.bytes.resize(file.synced + Below(unsynced + 2 * kSectorBytes));
    for (std::size_t begin = file.synced; begin < file.bytes.size();) {
      const std::size_t end =
          std::min((begin / kSectorBytes + 1) * kSectorBytes, file.bytes.size());
      if (Below(2) == 0) scramble(begin, end, /*to_zero=*/way == 4);
      begin = end;
    }
  }
  story_ += fmt::format("{}: {} bytes synced, {} not, way {}, {} left\n", name, file.synced,
                        unsynced, way, file.bytes.size());
  file.synced = file.bytes.size();
}

}  // namespace stator
