// The command line of a benchmark's program: `--name value`, `--flag`, and words without a name, in
// order. The program ends with 2 and a message on standard error if a value cannot be read.
//
//   Arguments arguments(argc, argv);
//   arguments.Take("--items", options.items);
//   const std::string directory = arguments.Word();
//   arguments.Finish();
#ifndef STATOR_BENCH_ARGUMENTS_H_
#define STATOR_BENCH_ARGUMENTS_H_

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stator::bench {

class Arguments {
 public:
  Arguments(int argc, char** argv);

  // Leaves `value` as it is if the option is not given.
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  void Take(std::string_view name, T& value) {
    const std::optional<std::string> text = TakeText(name);
    if (!text) return;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size()) Refuse(name, *text);
  }
  void Take(std::string_view name, std::string& value);
  // A number of bytes: 4096, 64KB, 64MB or 1GB.
  void TakeBytes(std::string_view name, std::size_t& value);
  std::optional<std::string> TakeText(std::string_view name);
  bool Flag(std::string_view name);
  // The next word without a name; empty if there is none. Call it after all options were taken.
  std::string Word();

  // Ends the program if something was not taken.
  void Finish() const;
  [[noreturn]] static void Refuse(std::string_view name, std::string_view text);

 private:
  std::vector<std::string> words_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_ARGUMENTS_H_
