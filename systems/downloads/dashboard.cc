#include "systems/downloads/dashboard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "systems/downloads/poller.h"
#include "systems/program/text_table.h"

namespace stator::systems::downloads {
namespace {

std::expected<std::vector<std::string>, std::string> FileIds(Entities& entities,
                                                             std::string_view pattern,
                                                             const PatternParameters& parameters) {
  const auto items = entities.All(pattern, parameters);
  if (!items) return std::unexpected(items.error().message);
  std::vector<std::string> ids;
  for (const Item& item : *items) ids.push_back(TextOf(item, "FileID"));
  return ids;
}

}  // namespace

std::expected<std::vector<std::string>, std::string> FilesOfBatch(Entities& entities,
                                                                  const std::string& batch_id,
                                                                  const std::string& status) {
  if (status.empty()) return FileIds(entities, "of_batch", {{"batch", batch_id}});
  return FileIds(entities, "of_batch_in", {{"batch", batch_id}, {"status", status}});
}

std::expected<Dashboard, std::string> LookAt(Entities& entities, const std::string& date) {
  Dashboard board{.date = date};
  const double before = entities.used().read;
  for (const char* status : {"available", "downloading", "completed", "failed", "error"}) {
    const auto count = entities.Count("count_in", {{"status", status}});
    if (!count) return std::unexpected(count.error().message);
    board.counts.emplace_back(status, *count);
  }
  board.count_read_units = entities.used().read - before;
  auto batches = BatchesOf(entities, date);
  if (!batches) return std::unexpected(batches.error());
  board.batches = *std::move(batches);
  const auto timed_out = entities.All("batches_in", {{"date", date}, {"status", "timeout"}});
  if (!timed_out) return std::unexpected(timed_out.error().message);
  for (const Item& item : *timed_out) board.timed_out.push_back(Batch::Of(item).id());
  for (auto [pattern, ids] :
       {std::pair("stuck", &board.stuck), std::pair("never_claimed", &board.never_claimed)}) {
    auto found = FileIds(entities, pattern, {});
    if (!found) return std::unexpected(found.error());
    *ids = *std::move(found);
  }
  return board;
}

std::string DashboardText(const Dashboard& board) {
  std::vector<std::vector<std::string>> rows = {{"STATUS", "JOBS"}};
  for (const auto& [status, count] : board.counts) rows.push_back({status, std::to_string(count)});
  std::string text = TextTable(rows);
  text += fmt::format("counted for {} read units\n\n", board.count_read_units);
  rows = {{"BATCH", "STATUS", "EXPECTED", "COMPLETED", "FAILED"}};
  for (const Batch& batch : board.batches) {
    rows.push_back({batch.id(), batch.status, std::to_string(batch.expected.size()),
                    std::to_string(batch.completed.size()), std::to_string(batch.failed.size())});
  }
  text += board.batches.empty() ? fmt::format("no batch of {}\n", board.date) : TextTable(rows);
  if (!board.timed_out.empty())
    text += fmt::format("timed out: {}\n", fmt::join(board.timed_out, ", "));
  if (!board.stuck.empty()) text += fmt::format("stuck: {}\n", fmt::join(board.stuck, ", "));
  if (!board.never_claimed.empty()) {
    text += fmt::format("never claimed: {}\n", fmt::join(board.never_claimed, ", "));
  }
  return text;
}

}  // namespace stator::systems::downloads
