#include "engine/jobs/job_codec.h"

namespace stator::job_codec {

using table_row::Reader;

void Write(JsonWriter& out, std::string_view key, const std::optional<std::string>& text) {
  if (text) out.Key(key).String(*text);
}

void Write(JsonWriter& out, std::string_view key, const std::optional<std::int64_t>& number) {
  if (number) out.Key(key).Integer(*number);
}

std::optional<std::string> ReadText(Reader& in, std::string_view key) {
  if (!in.Has(key)) return std::nullopt;
  return in.String(key);
}

void Write(JsonWriter& out, const std::optional<JobFailure>& failure) {
  if (!failure) return;
  out.Key("failure").BeginObject();
  out.Key("code").String(failure->code);
  out.Key("message").String(failure->message);
  out.EndObject();
}

std::optional<JobFailure> ReadFailure(Reader& in) {
  if (!in.Has("failure")) return std::nullopt;
  JobFailure failure;
  in.Object("failure", [&](Reader& inner) {
    failure.code = inner.String("code");
    failure.message = inner.String("message");
  });
  return failure;
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
