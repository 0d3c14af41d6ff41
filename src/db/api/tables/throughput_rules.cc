#include "api/tables/throughput_rules.h"

#include <fmt/format.h>

#include <fmt/chrono.h>

#include <algorithm>

#include "api/request_rules.h"
#include "base/try.h"
#include "base/utc_text.h"

namespace stator {
namespace {

constexpr std::int64_t kMaxUnits = 1'000'000'000'000;
constexpr std::int64_t kMaxTableUnits = 40'000;
constexpr WarmUnits kInitialOnDemand{.read = 12'000, .write = 4'000};
constexpr std::int64_t kFreeDecreasesADay = 4;
constexpr std::chrono::seconds kBetweenFurtherDecreases{3600};

// " for index idx" or nothing, in the spelling that each message has.
std::string OfIndex(std::string_view format, std::string_view index) {
  return index.empty() ? std::string() : fmt::format(fmt::runtime(format), index);
}

Result<void> CheckMaximum(std::string_view member, const std::optional<std::int64_t>& units,
                          BillingMode mode, CapacityOwner owner) {
  if (!units) return {};
  if (mode == BillingMode::kProvisioned) {
    return InvalidValue(fmt::format(
        "{} for OnDemandThroughput{} cannot be specified when {}table BillingMode is PROVISIONED{}",
        member, OfIndex(" for index: {}", owner.index), owner.is_new ? "" : "the ",
        owner.is_new ? "." : ""));
  }
  // UpdateTable clears a maximum with -1.
  if (*units >= 1 || (*units == -1 && !owner.is_new)) return {};
  return InvalidValue(
      fmt::format("Requested {} for OnDemandThroughput for {} is outside of valid range", member,
                  owner.index.empty() ? "table" : fmt::format("index : {}", owner.index)));
}

struct WarmMember {
  std::string_view name;
  std::string_view provisioned;
  std::optional<std::int64_t> sent;
};

std::string WarmOwner(std::string_view index) {
  return index.empty() ? std::string("table") : fmt::format("index {}", index);
}

Result<void> CheckNewWarmMember(const WarmMember& member, BillingMode mode, std::int64_t least,
                                std::string_view index) {
  if (!member.sent || *member.sent >= least) return {};
  if (mode == BillingMode::kPayPerRequest) {
    return InvalidValue(fmt::format(
        "Requested {} for WarmThroughput for {} is lower than initial throughput for OnDemand. "
        "See: "
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
        "on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
        member.name, WarmOwner(index)));
  }
  return InvalidValue(fmt::format(
      "Requested {} for WarmThroughput for {} is lower than {} of ProvisionedThroughput",
      member.name, WarmOwner(index), member.provisioned));
}

Result<void> CheckWarmMemberGrows(const WarmMember& member, std::int64_t current,
                                  std::string_view index) {
  if (!member.sent || *member.sent >= current) return {};
  return InvalidValue(fmt::format(
      "Requested {} for WarmThroughput for {} is lower than current WarmThroughput, decreasing "
      "WarmThroughput is not supported",
      member.name, WarmOwner(index)));
}

WarmMember ReadMember(const WarmThroughput& sent) {
  return {"ReadUnitsPerSecond", "ReadCapacityUnits", sent.read_units_per_second};
}
WarmMember WriteMember(const WarmThroughput& sent) {
  return {"WriteUnitsPerSecond", "WriteCapacityUnits", sent.write_units_per_second};
}

Throughput AsThroughput(const std::optional<ProvisionedThroughput>& sent) {
  Throughput throughput;
  if (sent) {
    throughput.read_units = *sent->read_capacity_units;
    throughput.write_units = *sent->write_capacity_units;
  }
  return throughput;
}

Result<void> CheckAccountLimit(std::string_view member, std::int64_t units,
                               std::string_view region) {
  if (units <= kMaxTableUnits) return {};
  return std::unexpected(Error::LimitExceeded(fmt::format(
      "The requested {}, {}, is above the per table maximum for the account in {}. Per table "
      "maximum: {}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to "
      "request higher limits.",
      member, units, region, kMaxTableUnits)));
}

std::string LongDate(TimeMs time) {
  return fmt::format("{:%A, %B %d, %Y %I:%M:%S %p} UTC", UtcParts(time));
}

TimeMs AsTime(std::int64_t epoch_ms) { return TimeMs(std::chrono::milliseconds(epoch_ms)); }

Result<void> CheckDecreaseAllowed(const Throughput& throughput, TimeMs now) {
  const std::int64_t today = DecreasesToday(throughput, now);
  if (today < kFreeDecreasesADay) return {};
  const TimeMs last = AsTime(*throughput.last_decrease_ms);
  if (now - last >= kBetweenFurtherDecreases) return {};
  return std::unexpected(Error::LimitExceeded(fmt::format(
      "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC "
      "day. After the first {} decreases, each subsequent decrease in the same UTC day can be "
      "performed at most once every {} seconds. Number of decreases today: {}. Last decrease at "
      "{}. "
      "Next decrease can be made at {}",
      kFreeDecreasesADay, kBetweenFurtherDecreases.count(), today, LongDate(last),
      LongDate(last + kBetweenFurtherDecreases))));
}

}  // namespace

std::optional<BillingMode> SentBillingMode(const std::optional<Choice<BillingMode>>& billing_mode,
                                           const std::optional<Choice<BillingMode>>& alias) {
  if (billing_mode) return billing_mode->value();
  if (alias) return alias->value();
  return std::nullopt;
}

Result<void> CheckBounds(const ProvisionedThroughput& sent, std::string_view index) {
  const std::pair<std::string_view, std::int64_t> members[] = {
      {"ReadCapacityUnits", *sent.read_capacity_units},
      {"WriteCapacityUnits", *sent.write_capacity_units},
  };
  for (const auto& [member, units] : members) {
    if (units <= kMaxUnits) continue;
    return Invalid(fmt::format("Given value {} for {} is out of bounds{}", units, member,
                               OfIndex(" for index {}", index)));
  }
  return {};
}

Result<Throughput> NewTableThroughput(BillingMode mode,
                                      const std::optional<ProvisionedThroughput>& sent) {
  if (mode == BillingMode::kPayPerRequest && sent) {
    return InvalidValue(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (mode == BillingMode::kProvisioned && !sent) {
    return InvalidValue(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
        "PROVISIONED");
  }
  if (sent) RETURN_IF_ERROR(CheckBounds(*sent));
  return AsThroughput(sent);
}

Result<Throughput> NewIndexThroughput(BillingMode mode, const GlobalSecondaryIndex& sent,
                                      bool with_table) {
  const std::string& index = *sent.index_name;
  const std::optional<ProvisionedThroughput>& throughput = sent.provisioned_throughput;
  if (mode == BillingMode::kProvisioned && !throughput) {
    if (with_table)
      return InvalidValue(
          fmt::format("ProvisionedThroughput is not specified for index: {}", index));
    return InvalidValue(fmt::format(
        "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {}", index));
  }
  if (mode == BillingMode::kPayPerRequest && throughput) {
    if (with_table) {
      return InvalidValue(fmt::format(
          "ProvisionedThroughput should not be specified for index: {} when BillingMode is "
          "PAY_PER_REQUEST",
          index));
    }
    return InvalidValue(fmt::format(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {} when "
        "BillingMode is PAY_PER_REQUEST",
        index));
  }
  if (throughput) RETURN_IF_ERROR(CheckBounds(*throughput, index));
  return AsThroughput(throughput);
}

Result<void> CheckOnDemand(const OnDemandThroughput& sent, BillingMode mode, CapacityOwner owner) {
  RETURN_IF_ERROR(CheckMaximum("MaxReadRequestUnits", sent.max_read_request_units, mode, owner));
  return CheckMaximum("MaxWriteRequestUnits", sent.max_write_request_units, mode, owner);
}

WarmUnits WarmUnitsOf(BillingMode mode, const Throughput& throughput,
                      const std::optional<WarmThroughput>& asked) {
  WarmUnits warm = mode == BillingMode::kPayPerRequest
                       ? kInitialOnDemand
                       : WarmUnits{throughput.read_units, throughput.write_units};
  if (asked) {
    warm.read = std::max(warm.read, asked->read_units_per_second.value_or(0));
    warm.write = std::max(warm.write, asked->write_units_per_second.value_or(0));
  }
  return warm;
}

Result<void> CheckNewWarm(const WarmThroughput& sent, BillingMode mode,
                          const Throughput& throughput, std::string_view index) {
  const WarmUnits least = WarmUnitsOf(mode, throughput, std::nullopt);
  RETURN_IF_ERROR(CheckNewWarmMember(ReadMember(sent), mode, least.read, index));
  return CheckNewWarmMember(WriteMember(sent), mode, least.write, index);
}

Result<void> CheckWarmGrows(const WarmThroughput& sent, WarmUnits current, std::string_view index) {
  RETURN_IF_ERROR(CheckWarmMemberGrows(ReadMember(sent), current.read, index));
  return CheckWarmMemberGrows(WriteMember(sent), current.write, index);
}

Result<void> CheckAccountLimits(const Throughput& throughput, std::string_view region) {
  RETURN_IF_ERROR(CheckAccountLimit("ReadCapacityUnits", throughput.read_units, region));
  return CheckAccountLimit("WriteCapacityUnits", throughput.write_units, region);
}

std::int64_t DecreasesToday(const Throughput& throughput, TimeMs now) {
  if (!throughput.last_decrease_ms) return 0;
  const auto last_day = std::chrono::floor<std::chrono::days>(AsTime(*throughput.last_decrease_ms));
  return last_day == std::chrono::floor<std::chrono::days>(now) ? throughput.decreases_today : 0;
}

Result<void> ChangeThroughput(const ProvisionedThroughput& sent, TimeMs now,
                              Throughput& throughput) {
  const std::int64_t read = *sent.read_capacity_units;
  const std::int64_t write = *sent.write_capacity_units;
  const std::int64_t now_ms = now.time_since_epoch().count();
  if (read < throughput.read_units || write < throughput.write_units) {
    RETURN_IF_ERROR(CheckDecreaseAllowed(throughput, now));
    throughput.decreases_today = DecreasesToday(throughput, now) + 1;
    throughput.last_decrease_ms = now_ms;
  }
  if (read > throughput.read_units || write > throughput.write_units) {
    throughput.last_increase_ms = now_ms;
  }
  throughput.read_units = read;
  throughput.write_units = write;
  return {};
}

}  // namespace stator
