// JSON out: appends to one buffer, with the commas that are needed.
//
//   JsonWriter json(out);
//   json.BeginObject();
//   json.Key("TableName").String(name);
//   json.Key("Count").Integer(3);
//   json.EndObject();
#ifndef STATOR_VALUE_JSON_WRITER_H_
#define STATOR_VALUE_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace stator {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  // REQUIRES: inside an object; a value follows. The key is escaped like any string.
  JsonWriter& Key(std::string_view key);
  JsonWriter& String(std::string_view utf8);
  JsonWriter& Base64(std::string_view bytes);
  JsonWriter& Integer(std::int64_t value);
  // Always with a fraction: 1.0, 0.5, 12.0 (capacity units).
  JsonWriter& Units(double value);
  // Epoch seconds with a millisecond fraction: 1791504762.511
  JsonWriter& TimestampMs(std::int64_t epoch_ms);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  // A complete JSON value, copied as it is.
  JsonWriter& Raw(std::string_view json);
  // The buffer, to which the caller appends one complete JSON value.
  std::string& BeginValue();

 private:
  void Comma();
  std::string& out_;
};

}  // namespace stator

#endif  // STATOR_VALUE_JSON_WRITER_H_
