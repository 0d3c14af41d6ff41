// Structured log lines on stderr: a message and named fields.
//
//   Log(LogLevel::kInfo, "listening", {{"url", url}, {"threads", 4}});
//
// as text   2026-01-31T12:00:00.000Z info  listening url=http://127.0.0.1:8000 threads=4
// as JSON   {"time":"2026-01-31T12:00:00.000Z","level":"info","message":"listening",…}
//
// Thread-safe. Before ConfigureLog, lines of level info and above are written as text.
#ifndef STATOR_BASE_LOG_H_
#define STATOR_BASE_LOG_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace stator {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError, kOff };
enum class LogFormat : std::uint8_t { kText, kJson };

std::optional<LogLevel> ParseLogLevel(std::string_view name);  // debug, info, warning, error, off

struct LogField {
  template <std::integral T>
  LogField(std::string_view field_name, T number)
      : name(field_name), value(static_cast<std::int64_t>(number)) {}
  LogField(std::string_view field_name, std::string_view text) : name(field_name), value(text) {}
  LogField(std::string_view field_name, const char* text)
      : name(field_name), value(std::string_view(text)) {}
  LogField(std::string_view field_name, const std::string& text)
      : name(field_name), value(std::string_view(text)) {}

  std::string_view name;
  std::variant<std::int64_t, std::string_view> value;
};

// May be called again; not while other threads log.
void ConfigureLog(LogLevel level, LogFormat format);

// Ask first where the fields are costly to gather.
bool LogEnabled(LogLevel level);

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

// What Log writes after the timestamp and level (text), or from the message on (JSON). Text from
// outside cannot break out of its field or its line in either.
std::string FormatLogLine(LogFormat format, std::string_view message,
                          std::initializer_list<LogField> fields);

}  // namespace stator

#endif  // STATOR_BASE_LOG_H_
