#include "systems/reconciler/sink.h"

#include <string_view>

#include "systems/reconciler/file_sink.h"
#include "systems/reconciler/http_sink.h"

namespace stator::systems::reconciler {
namespace {

constexpr std::string_view kFile = "file:";

}  // namespace

std::expected<std::unique_ptr<Sink>, std::string> OpenSink(const std::string& name) {
  if (name.starts_with("http://") || name.starts_with("https://")) {
    return HttpSink::Open({.url = name});
  }
  return FileSink::Open(name.starts_with(kFile) ? name.substr(kFile.size()) : name);
}

std::expected<Sink*, std::string> Sinks::Find(const std::string& name) {
  if (name.empty() || name == own_->name()) return own_.get();
  const auto found = others_.find(name);
  if (found != others_.end()) return found->second.get();
  auto opened = OpenSink(name);
  if (!opened) return std::unexpected(opened.error());
  return others_.emplace(name, *std::move(opened)).first->second.get();
}

}  // namespace stator::systems::reconciler
