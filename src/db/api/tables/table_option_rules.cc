#include "api/tables/table_option_rules.h"

#include "api/enum_text.h"
#include "api/invalid_value.h"

namespace stator {

Result<void> CheckNewStream(const std::optional<StreamSpecification>& stream) {
  if (!stream) return {};
  if (*stream->stream_enabled) {
    if (stream->stream_view_type) return {};
    return InvalidValue("Table is being created with a stream enabled, UpdateViewType is required");
  }
  if (stream->stream_view_type) {
    return InvalidValue(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  return {};
}

Result<void> CheckStreamChange(const StreamSpecification& stream) {
  if (*stream.stream_enabled) {
    if (stream.stream_view_type) return {};
    return InvalidValue("If stream is being enabled then UpdateViewType is required");
  }
  if (stream.stream_view_type) {
    return InvalidValue("If stream is being disabled, then UpdateViewType must not be specified");
  }
  return {};
}

Result<void> CheckTableClass(const std::optional<Choice<TableClass>>& table_class) {
  if (!table_class || table_class->is_known()) return {};
  return Invalid(
      fmt::format("Invalid table-class parameter provided. Please try again with a valid "
                  "table-class value: {}.",
                  EnumSet<TableClass>()));
}

Result<void> CheckSse(const std::optional<SseSpecification>& sse) {
  if (!sse) return {};
  if (sse->enabled && !*sse->enabled) {
    if (sse->sse_type) return InvalidValue("SSEType can not be specified if Enabled is false");
    if (sse->kms_master_key_id) {
      return InvalidValue("KMSMasterKeyId can not be specified if Enabled is false");
    }
    return {};
  }
  if (sse->kms_master_key_id && !sse->sse_type) {
    return InvalidValue("SSEType KMS is required if KMSMasterKeyId is specified");
  }
  if (sse->sse_type && sse->sse_type->value() == SseType::kAes256) {
    return InvalidValue("SSEType AES256 is not supported");
  }
  return {};
}

}  // namespace stator
