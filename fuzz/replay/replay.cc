// Runs every fuzz target on its corpus, and on inputs made from it, without libFuzzer: so that a
// target keeps compiling and what was once found stays found, in every test run and with every
// sanitizer. Looking for new faults is libFuzzer's work (./dev fuzz).
//
//   fuzz_replay CORPORA [TARGET…]        STATOR_TEST_SEED repeats a run
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

// STATOR_TARGETS(X) lists the targets: X(value_json) …
#include "targets.inc"

#define STATOR_DECLARE(name) \
  extern "C" int stator_fuzz_##name(const std::uint8_t* data, std::size_t size);
STATOR_TARGETS(STATOR_DECLARE)

namespace {

using Target = int (*)(const std::uint8_t*, std::size_t);
using Random = std::mt19937_64;

constexpr int kMutationsOfEach = 600;
constexpr std::size_t kMutatedBytesMax = 16 * 1024;

const std::map<std::string, Target> kTargets = {
#define STATOR_ROW(name) {#name, &stator_fuzz_##name},
    STATOR_TARGETS(STATOR_ROW)};

std::vector<std::string> ReadCorpus(const std::filesystem::path& folder) {
  std::vector<std::string> inputs = {""};
  std::error_code missing;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return inputs;
}

std::size_t Below(std::size_t limit, Random& random) {
  return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

// A few bytes are changed, removed, doubled, or taken from another input.
std::string Mutated(std::string text, const std::string& other, Random& random) {
  text.resize(std::min(text.size(), kMutatedBytesMax));
  for (std::size_t changes = 1 + Below(4, random); changes > 0; --changes) {
    const std::size_t at = Below(text.size() + 1, random);
    const std::size_t length = std::min(text.size() - at, 1 + Below(16, random));
    switch (Below(5, random)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(Below(256, random));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, 1, static_cast<char>(Below(256, random)));
        break;
      default:
        if (!other.empty()) text.insert(at, other.substr(Below(other.size(), random), 16));
    }
  }
  return text;
}

void Run(Target target, const std::string& input) {
  target(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::size_t RunAll(Target target, const std::vector<std::string>& corpus, Random& random) {
  std::size_t runs = 0;
  for (const std::string& input : corpus) {
    Run(target, input);
    for (int i = 0; i < kMutationsOfEach; ++i) {
      Run(target, Mutated(input, corpus[Below(corpus.size(), random)], random));
    }
    runs += 1 + kMutationsOfEach;
  }
  return runs;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: fuzz_replay CORPORA [TARGET…]\n", stderr);
    return 2;
  }
  const char* given = std::getenv("STATOR_TEST_SEED");
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::printf("STATOR_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  for (const auto& [name, target] : kTargets) {
    const bool asked =
        count == 2 || std::find(arguments + 2, arguments + count, name) != arguments + count;
    if (!asked) continue;
    std::printf("%s: ", name.c_str());
    std::fflush(stdout);  // what was running when a fault is found
    Random random(seed);
    const std::size_t runs =
        RunAll(target, ReadCorpus(std::filesystem::path(arguments[1]) / name), random);
    std::printf("%zu inputs\n", runs);
  }
  return 0;
}
