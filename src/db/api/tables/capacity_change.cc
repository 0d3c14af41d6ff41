#include "api/tables/capacity_change.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/request_rules.h"
#include "api/tables/index_rules.h"
#include "api/tables/throughput_rules.h"
#include "base/try.h"

namespace stator {
namespace {

// What was warm stays warm, whatever the capacity is now.
void KeepWarm(WarmUnits before, BillingMode mode, const Throughput& throughput,
              std::optional<WarmThroughput>& warm) {
  const WarmUnits now = WarmUnitsOf(mode, throughput, warm);
  if (now.read >= before.read && now.write >= before.write) return;
  warm = WarmThroughput{std::max(now.read, before.read), std::max(now.write, before.write)};
}

Result<void> CheckChanges(const ProvisionedThroughput& sent, const Throughput& current,
                          std::string_view index) {
  if (*sent.read_capacity_units != current.read_units ||
      *sent.write_capacity_units != current.write_units) {
    return {};
  }
  const std::string subject =
      index.empty() ? std::string("the table") : fmt::format("the index {}", index);
  const std::string owner =
      index.empty() ? std::string("the table") : fmt::format("index {}", index);
  return Invalid(fmt::format(
      "The provisioned throughput for {0} will not change. The requested value equals the current "
      "value. Current ReadCapacityUnits provisioned for {1}: {2}. Requested ReadCapacityUnits: "
      "{2}. "
      "Current WriteCapacityUnits provisioned for {1}: {3}. Requested WriteCapacityUnits: {3}. "
      "Refer "
      "to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
      subject, owner, current.read_units, current.write_units));
}

// Units of a table or index that stays provisioned, or becomes so.
Result<void> SetUnits(const ProvisionedThroughput& sent, BillingMode was, std::string_view index,
                      const ChangeContext& context, Throughput& throughput) {
  RETURN_IF_ERROR(CheckBounds(sent, index));
  if (was == BillingMode::kProvisioned) {
    RETURN_IF_ERROR(CheckChanges(sent, throughput, index));
    RETURN_IF_ERROR(ChangeThroughput(sent, context.now, throughput));
  } else {
    throughput.read_units = *sent.read_capacity_units;
    throughput.write_units = *sent.write_capacity_units;
  }
  return CheckAccountLimits(throughput, context.region);
}

// On-demand capacity has no units, and no maxima carry over into another mode.
void ResetForMode(BillingMode mode, Throughput& throughput, OnDemandThroughput& on_demand) {
  on_demand = {};
  if (mode == BillingMode::kPayPerRequest) throughput.read_units = throughput.write_units = 0;
}

void SwitchMode(BillingMode mode, TimeMs now, Table& table) {
  if (mode == BillingMode::kPayPerRequest) {
    table.was_ever_pay_per_request = true;
    table.last_update_to_pay_per_request_ms = now.time_since_epoch().count();
  }
  for (Index& index : table.indexes) {
    if (!index.global) continue;
    const WarmUnits before = WarmUnitsOf(table.billing_mode, index.throughput, index.warm);
    ResetForMode(mode, index.throughput, index.on_demand);
    KeepWarm(before, mode, index.throughput, index.warm);
  }
  ResetForMode(mode, table.throughput, table.on_demand);
  table.billing_mode = mode;
}

const ProvisionedThroughput* SentForIndex(const UpdateTableRequest& request,
                                          std::string_view index) {
  if (!request.global_secondary_index_updates) return nullptr;
  for (const GlobalSecondaryIndexUpdate& update : *request.global_secondary_index_updates) {
    if (update.update && update.update->index_name == index &&
        update.update->provisioned_throughput) {
      return &*update.update->provisioned_throughput;
    }
  }
  return nullptr;
}

}  // namespace

Result<void> ChangeTableCapacity(const UpdateTableRequest& request, const ChangeContext& context,
                                 Table& table) {
  const std::optional<BillingMode> sent_mode =
      SentBillingMode(request.billing_mode, request.table_throughput_mode);
  const auto& units = request.provisioned_throughput;
  if (!sent_mode && !units) return {};
  const BillingMode was = table.billing_mode;
  const BillingMode mode = sent_mode.value_or(was);
  if (mode == BillingMode::kPayPerRequest && units) {
    return InvalidValue(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  RETURN_IF_ERROR(CheckNoIndexIsChanging(table, "table IOPS"));
  if (mode == BillingMode::kProvisioned && was == BillingMode::kPayPerRequest) {
    for (const Index& index : table.indexes) {
      if (!index.global || SentForIndex(request, index.name)) continue;
      return InvalidValue(
          fmt::format("ProvisionedThroughput must be specified for index: {}", index.name));
    }
  }
  const WarmUnits warm_before = WarmUnitsOf(was, table.throughput, table.warm);
  if (mode != was) SwitchMode(mode, context.now, table);
  if (units) RETURN_IF_ERROR(SetUnits(*units, was, {}, context, table.throughput));
  KeepWarm(warm_before, mode, table.throughput, table.warm);
  return {};
}

Result<void> ChangeOnDemand(const OnDemandThroughput& sent, BillingMode mode,
                            std::string_view index, OnDemandThroughput& on_demand) {
  RETURN_IF_ERROR(CheckOnDemand(sent, mode, {.index = index, .is_new = false}));
  const auto merge = [](const std::optional<std::int64_t>& wanted,
                        std::optional<std::int64_t>& current) {
    if (wanted) current = *wanted == -1 ? std::nullopt : wanted;
  };
  merge(sent.max_read_request_units, on_demand.max_read_request_units);
  merge(sent.max_write_request_units, on_demand.max_write_request_units);
  return {};
}

Result<void> ChangeTableWarm(const WarmThroughput& sent, Table& table) {
  const WarmUnits current = WarmUnitsOf(table.billing_mode, table.throughput, table.warm);
  RETURN_IF_ERROR(CheckWarmGrows(sent, current));
  table.warm = WarmThroughput{sent.read_units_per_second.value_or(current.read),
                              sent.write_units_per_second.value_or(current.write)};
  return {};
}

Result<void> ChangeIndexCapacity(const GlobalSecondaryIndexUpdate::UpdateAction& sent,
                                 BillingMode was, const ChangeContext& context, const Table& table,
                                 Index& index) {
  const WarmUnits warm_before = WarmUnitsOf(table.billing_mode, index.throughput, index.warm);
  if (sent.provisioned_throughput) {
    if (table.billing_mode == BillingMode::kPayPerRequest) {
      return InvalidValue(fmt::format(
          "The only Updates for index: {} when TableThroughputMode is PAY_PER_REQUEST can be to "
          "OnDemandThroughput, WarmThroughput",
          index.name));
    }
    RETURN_IF_ERROR(
        SetUnits(*sent.provisioned_throughput, was, index.name, context, index.throughput));
    KeepWarm(warm_before, table.billing_mode, index.throughput, index.warm);
  }
  if (sent.on_demand_throughput) {
    RETURN_IF_ERROR(ChangeOnDemand(*sent.on_demand_throughput, table.billing_mode, index.name,
                                   index.on_demand));
  }
  if (sent.warm_throughput) {
    const WarmUnits current = WarmUnitsOf(table.billing_mode, index.throughput, index.warm);
    RETURN_IF_ERROR(CheckWarmGrows(*sent.warm_throughput, current, index.name));
    index.warm =
        WarmThroughput{sent.warm_throughput->read_units_per_second.value_or(current.read),
                       sent.warm_throughput->write_units_per_second.value_or(current.write)};
  }
  return {};
}

}  // namespace stator
