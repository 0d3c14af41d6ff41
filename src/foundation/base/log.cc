#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <memory>
#include <utility>

namespace stator {
namespace {

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v";
constexpr const char* kJsonPattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";

spdlog::level::level_enum SpdlogLevel(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      break;
  }
  return spdlog::level::off;
}

struct Logger {
  Logger() { Configure(LogLevel::kInfo, LogFormat::kText); }

  void Configure(LogLevel new_level, LogFormat new_format) {
    level.store(new_level, std::memory_order_relaxed);
    format.store(new_format, std::memory_order_relaxed);
    out.set_level(SpdlogLevel(new_level));
    out.set_pattern(new_format == LogFormat::kJson ? kJsonPattern : kTextPattern,
                    spdlog::pattern_time_type::utc);
  }

  std::atomic<LogLevel> level;
  std::atomic<LogFormat> format;
  spdlog::logger out{"stator", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
};

Logger& GlobalLogger() {
  static Logger logger;
  return logger;
}

// A control character could forge a line or drive a terminal; a quote could end a field early.
void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

bool IsPlain(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c > 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '=';
  });
}

void AppendTextValue(std::string& out, std::string_view text) {
  if (IsPlain(text)) {
    out += text;
  } else {
    AppendQuoted(out, text);
  }
}

}  // namespace

std::optional<LogLevel> ParseLogLevel(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, LogLevel>, 5> kNames = {{
      {"debug", LogLevel::kDebug},
      {"info", LogLevel::kInfo},
      {"warning", LogLevel::kWarning},
      {"error", LogLevel::kError},
      {"off", LogLevel::kOff},
  }};
  for (const auto& [known, level] : kNames) {
    if (known == name) return level;
  }
  return std::nullopt;
}

void ConfigureLog(LogLevel level, LogFormat format) { GlobalLogger().Configure(level, format); }

bool LogEnabled(LogLevel level) {
  return level >= GlobalLogger().level.load(std::memory_order_relaxed) && level != LogLevel::kOff;
}

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!LogEnabled(level)) return;
  Logger& logger = GlobalLogger();
  const std::string line =
      FormatLogLine(logger.format.load(std::memory_order_relaxed), message, fields);
  logger.out.log(SpdlogLevel(level), spdlog::string_view_t(line));
}

std::string FormatLogLine(LogFormat format, std::string_view message,
                          std::initializer_list<LogField> fields) {
  const bool json = format == LogFormat::kJson;
  std::string line;
  if (json) {
    line += R"("message":)";
    AppendQuoted(line, message);
  } else {
    line += message;
  }
  for (const LogField& field : fields) {
    if (json) {
      line += ',';
      AppendQuoted(line, field.name);
      line += ':';
    } else {
      line += ' ';
      line += field.name;
      line += '=';
    }
    if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
      line += std::to_string(*number);
    } else if (json) {
      AppendQuoted(line, std::get<std::string_view>(field.value));
    } else {
      AppendTextValue(line, std::get<std::string_view>(field.value));
    }
  }
  return line;
}

}  // namespace stator
