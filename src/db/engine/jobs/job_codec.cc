#include "engine/jobs/job_codec.h"

namespace stator::job_codec {

using table_row::Reader;

bool IsOfEarlierFormat(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return false;
  Reader in(document.root());
  const std::int64_t format = in.Integer("format");
  return in.ok() && format < kFormat;
}

void Write(JsonWriter& out, const transfer::ImportProgress& progress) {
  out.Key("progress").BeginObject();
  out.Key("object").Base64(progress.object);  // keys of objects are bytes
  out.Key("recordsInObject").Integer(static_cast<std::int64_t>(progress.records_in_object));
  out.Key("records").Integer(static_cast<std::int64_t>(progress.record_count));
  out.Key("errors").Integer(static_cast<std::int64_t>(progress.error_count));
  out.Key("bytes").Integer(static_cast<std::int64_t>(progress.unpacked_bytes));
  out.EndObject();
}

transfer::ImportProgress ReadProgress(Reader& in) {
  transfer::ImportProgress progress;
  in.Object("progress", [&](Reader& inner) {
    progress.object = inner.Bytes("object");
    progress.records_in_object = inner.Number<std::uint64_t>("recordsInObject");
    progress.record_count = inner.Number<std::uint64_t>("records");
    progress.error_count = inner.Number<std::uint64_t>("errors");
    progress.unpacked_bytes = inner.Number<std::uint64_t>("bytes");
  });
  return progress;
}

}  // namespace stator::job_codec
