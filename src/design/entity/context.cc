#include "entity/context.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "base/random.h"

namespace stator::entity {
namespace {

std::uint64_t Seed(std::uint64_t given) {
  if (given != 0) return given;
  std::uint64_t seed = 0;
  for (const char c : RandomBytes(8)) seed = seed << 8 | static_cast<unsigned char>(c);
  return seed;
}

// 48 bits of time and 80 random bits, in Crockford's base 32: 26 characters that sort by time.
std::string Ulid(TimeMs time, std::uint64_t high, std::uint64_t low) {
  static constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::string text(26, '0');
  auto rest = static_cast<std::uint64_t>(time.time_since_epoch().count());
  for (std::size_t i = 10; i-- > 0; rest >>= 5) text[i] = kDigits[rest & 31];
  for (std::size_t i = 18; i-- > 10; high >>= 5) text[i] = kDigits[high & 31];
  for (std::size_t i = 26; i-- > 18; low >>= 5) text[i] = kDigits[low & 31];
  return text;
}

std::string Uuid(std::uint64_t high, std::uint64_t low) {
  high = (high & ~0xF000ULL) | 0x4000ULL;
  low = (low & ~(3ULL << 62)) | (2ULL << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xFFFF,
                     high & 0xFFFF, low >> 48, low & 0xFFFFFFFFFFFFULL);
}

// A cancelled transaction says in the reasons of its actions why; its own message sends the reader
// there.
std::string StoreMessage(const Error& cause) {
  if (cause.code() != ErrorCode::kTransactionCanceled) {
    return fmt::format("{}: {}", cause.name(), cause.message());
  }
  std::string text;
  bool contended = false;
  for (const CancellationReason& reason : cause.cancellation_reasons()) {
    contended |= reason.code == "TransactionConflict";
    if (reason.code == "None" || reason.code == "TransactionConflict") continue;
    const std::string& why = reason.message.empty() ? reason.code : reason.message;
    if (text.find(why) == std::string::npos) text += (text.empty() ? "" : "; ") + why;
  }
  if (!text.empty()) return "nothing was written: " + text;
  return contended ? "nothing was written: others are writing the same items; try again"
                   : "nothing was written, and the store does not say why; try again";
}

}  // namespace

EntityError MakeError(EntityErrorKind kind, std::string message, std::optional<Item> item) {
  return {
      .kind = kind, .message = std::move(message), .item = std::move(item), .cause = std::nullopt};
}

std::unexpected<EntityError> Invalid(std::string message) {
  return std::unexpected(MakeError(EntityErrorKind::kInvalid, std::move(message)));
}

EntityError StoreError(Error cause) {
  return {.kind = EntityErrorKind::kStore,
          .message = StoreMessage(cause),
          .item = std::nullopt,
          .cause = std::move(cause)};
}

Context::Context(Endpoint& endpoint, Model model, EntityOptions options)
    : endpoint_(endpoint),
      model_(std::move(model)),
      options_(std::move(options)),
      random_(Seed(options_.seed)) {}

TimeMs Context::Now() const {
  if (options_.clock != nullptr) return options_.clock->Now();
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

EntityResult<Home> Context::FindHome(std::string_view entity_name) const {
  const model::Entity* entity = model().FindEntity(entity_name);
  if (entity == nullptr) {
    return Invalid(fmt::format("the model has no entity `{}`", entity_name));
  }
  const model::Table* table = model().FindTable(entity->table);
  if (table == nullptr || !table->partition) {
    return Invalid(fmt::format("entity `{}` lives in table `{}`, which has no key in the model",
                               entity_name, entity->table));
  }
  return Home{*entity, *table, TableName(*table)};
}

std::string Context::TableName(const model::Table& table) const {
  return options_.table_prefix + table.name;
}

std::int64_t Context::RandomBelow(std::int64_t count) {
  const std::lock_guard lock(random_mutex_);
  return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random_);
}

std::string Context::NewId(model::Unit unit) {
  const std::lock_guard lock(random_mutex_);
  const std::uint64_t high = random_();
  const std::uint64_t low = random_();
  return unit == model::Unit::kUuid ? Uuid(high, low) : Ulid(Now(), high, low);
}

void Context::CountRead(const std::optional<ConsumedCapacity>& consumed) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  if (consumed) read_units_.fetch_add(consumed->capacity_units, std::memory_order_relaxed);
}

void Context::CountWrite(const std::optional<ConsumedCapacity>& consumed) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  if (consumed) write_units_.fetch_add(consumed->capacity_units, std::memory_order_relaxed);
}

UsedUnits Context::used() const {
  return {.read = read_units_, .write = write_units_, .requests = requests_};
}

}  // namespace stator::entity
