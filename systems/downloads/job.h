// The two records of the pipeline, as it reads them from their items.
#ifndef STATOR_SYSTEMS_DOWNLOADS_JOB_H_
#define STATOR_SYSTEMS_DOWNLOADS_JOB_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "stator/clock.h"
#include "stator/item.h"
#include "systems/downloads/file_name.h"
#include "systems/downloads/manifest.h"

namespace stator::systems::downloads {

// A FileJob: one file of one day.
struct Job {
  SourceFile file;
  std::string batch_id;
  std::string status;
  std::string claimed_by;
  std::int64_t attempts = 0;
  std::int64_t status_updated_at_ms = 0;

  static Job Of(const Item& item);
};

// A Batch: one run of one day.
struct Batch {
  std::string date;
  std::string run_id;
  std::string status;
  std::string start_time;  // ISO 8601
  std::set<std::string> expected;
  std::set<std::string> completed;
  std::set<std::string> failed;

  std::string id() const { return "batch-" + date + "-" + run_id; }
  bool is_open() const { return status == "initiated" || status == "queued"; }
  static Batch Of(const Item& item);
};

// What the records are found by.
Item KeyOf(const FileName& name);
Item KeyOf(const Batch& batch);

std::string TextOf(const Item& item, std::string_view name);
std::int64_t NumberOf(const Item& item, std::string_view name);
std::set<std::string> SetOf(const Item& item, std::string_view name);
AttributeValue SetValue(const std::set<std::string>& members);

// "2026-02-28T08:00:00.000Z" and back; the epoch for what is no time.
std::string IsoText(TimeMs time);
TimeMs ParseIso(std::string_view text);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_JOB_H_
