#include "systems/homeops/talking/chat_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "systems/homeops/memory/stockholm.h"
#include "systems/homeops/talking/chat.h"
#include "systems/homeops/talking/postman.h"
#include "systems/homeops/understanding/classifier_choice.h"
#include "systems/program/items.h"
#include "systems/program/output.h"
#include "systems/program/process.h"

namespace stator::systems::homeops {
namespace {

constexpr const char* kTokenVariable = "TELEGRAM_BOT_TOKEN";

int RunChat(Tables& tables, const ChatOptions& options, const ClassifierChoice& choice) {
  const BotLog log = [](const std::string& line) { Fail(line); };
  const auto classifier = MakeClassifier(choice, tables, log);
  if (!classifier) return Fail(classifier.error(), kMisused);
  Bot bot(tables.entities(), **classifier, log,
          {.aliases = {}, .is_listened_to = true, .reads_members_always = !choice.url.empty()});
  Chat chat(bot, tables.entities(), options, [](const std::string& text) { PrintLine(text); });
  const bool is_terminal = isatty(STDIN_FILENO) == 1;
  int status = kDone;
  std::string line;
  while (true) {
    if (is_terminal) fmt::print("> ");
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) break;
    if (line.ends_with('\r')) line.pop_back();
    if (auto taken = chat.Take(line); !taken) status = Fail(taken.error().message);
  }
  return status;
}

struct BotArguments {
  std::string api = "https://api.telegram.org";
  std::string token_file;
  std::string ca_file;
  int poll_seconds = 10;
  bool resend_unsure = false;
};

// From the file, or else from the environment; other users of the machine can see command lines.
Fallible<std::string> ReadToken(const std::string& path) {
  std::string token;
  if (path.empty()) {
    const char* variable = std::getenv(kTokenVariable);
    if (variable == nullptr) {
      return std::unexpected(fmt::format(
          "the bot needs its token: --token-file FILE, or {} in the environment", kTokenVariable));
    }
    token = variable;
  } else {
    std::ifstream file(path);
    if (!std::getline(file, token)) return std::unexpected("cannot read the token in " + path);
  }
  while (!token.empty() && (token.back() == '\r' || token.back() == '\n' || token.back() == ' ')) {
    token.pop_back();
  }
  return token;
}

// What nobody can say to have arrived. An answer that is still being sent belongs to a bot that died:
// Telegram lets no two bots with one token listen.
Result<std::vector<Message>> UnsureAnswers(Tables& tables) {
  const auto open = OpenAnswers(tables.endpoint(), tables.prefix());
  if (!open) return std::unexpected(open.error());
  std::vector<Message> unsure;
  for (const Item& record : *open) {
    const std::string state = TextOf(record, "answerState");
    if (state == "unsure" || state == "sending") unsure.push_back(MessageOf(record));
  }
  return unsure;
}

int PrintAnswers(Tables& tables) {
  const auto open = OpenAnswers(tables.endpoint(), tables.prefix());
  if (!open) return Fail(open.error().message());
  if (open->empty()) {
    PrintLine("every answer has arrived");
    return kDone;
  }
  std::vector<std::vector<std::string>> rows = {{"chat", "message", "written", "state", "answer"}};
  for (const Item& record : *open) {
    std::string answer = TextOf(record, "answer");
    std::ranges::replace(answer, '\n', ' ');
    rows.push_back({TextOf(record, "chatId"), std::to_string(NumberOf(record, "messageId")),
                    StockholmText(NumberOf(record, "timestamp")), TextOf(record, "answerState"),
                    answer});
  }
  fmt::print("{}", TextTable(rows));
  return kDone;
}

int RunBot(Tables& tables, const BotArguments& given, const ClassifierChoice& choice) {
  const auto token = ReadToken(given.token_file);
  if (!token) return Fail(token.error(), kMisused);
  auto api = TelegramApi::Open({.url = given.api,
                                .token = *token,
                                .ca_file = given.ca_file,
                                .poll = std::chrono::seconds(given.poll_seconds)});
  if (!api) return Fail(api.error(), kMisused);
  const BotLog log = [](const std::string& line) { Fail(line); };
  const auto classifier = MakeClassifier(choice, tables, log);
  if (!classifier) return Fail(classifier.error(), kMisused);
  StopSignal stop;
  for (int attempt = 0;; ++attempt) {
    const auto name = api->Introduce();
    if (name) {
      PrintLine(fmt::format("listening as @{}; end with Ctrl-C", *name));
      break;
    }
    log(name.error().message);
    if (name.error().is_lasting) return kFailed;
    if (stop.Came(std::chrono::seconds(std::min(30, 1 << std::min(attempt, 5))))) return kDone;
  }
  Bot bot(tables.entities(), **classifier, log,
          {.aliases = {}, .is_listened_to = true, .reads_members_always = !choice.url.empty()});
  Postman postman(*api, bot, tables.entities(), log,
                  [&](std::chrono::milliseconds wait) { return stop.Came(wait); });
  if (given.resend_unsure) {
    const auto unsure = UnsureAnswers(tables);
    if (!unsure) return Fail(unsure.error().message());
    PrintLine(fmt::format("sending {} answers again", unsure->size()));
    if (!postman.SendAgain(*unsure)) return kDone;
  }
  const auto ran = postman.Run(std::chrono::seconds(given.poll_seconds));
  return ran ? kDone : Fail(ran.error());
}

}  // namespace

void AddChatCommands(Program& program, const std::string& chat) {
  Command& talk = program.AddCommand(
      "chat", "Talks in Swedish on the terminal; reads lines and answers each when it comes");
  auto& options = talk.Keep<ChatOptions>();
  talk.AddOption("--as", &options.name, "Your name");
  talk.AddOption("--user", &options.user, "Your number, which keeps you apart from others");
  auto& choice = talk.Keep<ClassifierChoice>();
  AddClassifierOptions(talk, choice);
  talk.RunOnTables(
      [&](Tables& tables) {
        options.chat = chat;
        return RunChat(tables, options, choice);
      },
      PlaceRule::kOptional);

  Command& bot = program.AddCommand("bot", "Talks in Telegram chats until it is ended");
  auto& given = bot.Keep<BotArguments>();
  bot.AddOption("--api", &given.api, "Where the Bot API is").Type("URL");
  bot.AddOption("--token-file", &given.token_file,
                fmt::format("The bot's token; without it {} of the environment", kTokenVariable))
      .Type("FILE");
  bot.AddOption("--ca", &given.ca_file, "Certificates to trust instead of the system's")
      .Type("FILE");
  bot.AddOption("--poll", &given.poll_seconds, "Seconds that one request waits for news")
      .Range(0, 50);
  bot.AddFlag("--resend-unsure", &given.resend_unsure,
              "First sends again what `answers` calls unsure or sending; it may come twice");
  AddClassifierOptions(bot, choice);
  bot.RunOnTables([&](Tables& tables) { return RunBot(tables, given, choice); });

  program.AddCommand("answers", "Lists answers that have not surely arrived, and why")
      .RunOnTables(PrintAnswers);
}

}  // namespace stator::systems::homeops
