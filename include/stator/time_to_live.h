// Requests and answers of UpdateTimeToLive and DescribeTimeToLive.
#ifndef STATOR_TIME_TO_LIVE_H_
#define STATOR_TIME_TO_LIVE_H_

#include <cstdint>
#include <optional>
#include <string>

namespace stator {

enum class TimeToLiveStatus : std::uint8_t { kEnabling, kEnabled, kDisabling, kDisabled };

struct TimeToLiveSpecification {
  std::optional<bool> enabled;
  std::optional<std::string> attribute_name;
};

struct UpdateTimeToLiveRequest {
  std::optional<std::string> table_name;
  std::optional<TimeToLiveSpecification> specification;
};
struct UpdateTimeToLiveResponse {
  TimeToLiveSpecification specification;
};

struct DescribeTimeToLiveRequest {
  std::optional<std::string> table_name;
};
struct DescribeTimeToLiveResponse {
  std::string status;                         // DISABLED, ENABLING, ENABLED or DISABLING
  std::optional<std::string> attribute_name;  // absent when DISABLED
};

}  // namespace stator

#endif  // STATOR_TIME_TO_LIVE_H_
