#include "systems/homeops/talking/telegram.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace telegram_test {

std::optional<TelegramUpdate> Of(std::string_view json) {
  const auto item = ItemOfJson(json);
  EXPECT_TRUE(item) << (item ? "" : item.error());
  return item ? UpdateOf(*item, "homeops_bot", 777) : std::nullopt;
}

// A message whose parts differ from the usual.
std::optional<TelegramUpdate> Said(std::string_view chat, std::string_view more) {
  return Of(fmt::format(
      R"({{"update_id": 5, "message": {{"message_id": 8, "date": 1772265600, "chat": {}, {}}}}})",
      chat, more));
}

constexpr const char* kGroup = R"({"id": -1001234567890, "type": "supergroup", "title": "Hemma"})";
constexpr const char* kMartin =
    R"("from": {"id": 5000000001, "is_bot": false, "first_name": "Martin", "last_name": "Ek"})";

TEST(Telegram, AMessageOfAGroupHasItsNumbersAndNames) {
  const auto update = Said(kGroup, fmt::format(R"({}, "text": "Har diskat")", kMartin));
  ASSERT_TRUE(update && update->message);
  EXPECT_EQ(update->id, 5);
  EXPECT_EQ(update->message->chat, "-1001234567890");
  EXPECT_EQ(update->message->user, 5'000'000'001);
  EXPECT_EQ(update->message->name, "Martin Ek");
  EXPECT_EQ(update->message->id, 8);
  EXPECT_EQ(update->message->at, 1'772'265'600);
  EXPECT_EQ(update->message->text, "Har diskat");
  EXPECT_FALSE(update->message->direct);
}

TEST(Telegram, TheBotIsSpokenToAloneByNameOrInAnswer) {
  const char* alone = R"({"id": 5000000001, "type": "private"})";
  EXPECT_TRUE(Said(alone, fmt::format(R"({}, "text": "Hej")", kMartin))->message->direct);
  const auto named =
      Said(kGroup, fmt::format(R"({}, "text": "/start@homeops_bot")", kMartin))->message;
  EXPECT_TRUE(named->direct);
  EXPECT_EQ(named->text, "/start");
  const auto answered = Said(kGroup, fmt::format(R"({}, "text": "ja",
      "reply_to_message": {{"message_id": 7, "from": {{"id": 777, "is_bot": true}}}})",
                                                 kMartin))
                            ->message;
  EXPECT_TRUE(answered->direct);
  EXPECT_EQ(answered->reply_to, 7);
}

TEST(Telegram, APressIsAMessageWithANumberOfItsOwn) {
  const auto update = Of(fmt::format(R"({{"update_id": 6, "callback_query": {{"id": "4382", {},
      "message": {{"message_id": 9, "date": 1772265600, "chat": {}}}, "data": "undo:8"}}}})",
                                     kMartin, kGroup));
  ASSERT_TRUE(update && update->message);
  EXPECT_EQ(update->callback, "4382");
  EXPECT_EQ(update->message->id, -6);
  EXPECT_EQ(update->message->reply_to, 9);
  EXPECT_EQ(update->message->button, "undo:8");
}

TEST(Telegram, AButtonBelowAnOldMessageCanBePressed) {
  const auto update = Of(fmt::format(R"({{"update_id": 6, "callback_query": {{"id": "4382", {},
      "message": {{"message_id": 9, "date": 0, "chat": {}}}, "data": "undo:8"}}}})",
                                     kMartin, kGroup));
  ASSERT_TRUE(update && update->message);
  EXPECT_EQ(update->message->button, "undo:8");
}

TEST(Telegram, WhatSaysNothingHasNoMessageAndIsStillConfirmed) {
  for (const char* more :
       {R"("from": {"id": 3, "is_bot": true, "first_name": "Other"}, "text": "Har diskat")",
        R"("from": {"id": 3, "first_name": "Ann"}, "photo": [])"}) {
    const auto update = Said(kGroup, more);
    ASSERT_TRUE(update) << more;
    EXPECT_EQ(update->id, 5);
    EXPECT_FALSE(update->message) << more;
  }
  EXPECT_EQ(Of(R"({"update_id": 7, "my_chat_member": {"chat": {"id": 1}}})")->id, 7);
  EXPECT_FALSE(Of(R"({"message": {}})"));
}

TEST(Telegram, WhoWritesInTheNameOfAChannelIsThatChannel) {
  const auto update =
      Said(kGroup, R"("from": {"id": 136817688, "is_bot": true, "first_name": "Channel"},
      "sender_chat": {"id": -100999, "title": "Föreningen", "type": "channel"}, "text": "Har städat")");
  ASSERT_TRUE(update && update->message);
  EXPECT_EQ(update->message->user, -100'999);
  EXPECT_EQ(update->message->name, "Föreningen");
}

TEST(Telegram, AnAnswerQuotesItsMessageAndHasAButtonPerRow) {
  const Message message{.chat = "-1001234567890", .id = 8};
  EXPECT_EQ(SendMessageJson(message, {.text = "Sa \"ja\"", .buttons = {{"Ångra", "undo:8"}}}),
            R"({"chat_id":-1001234567890,"text":"Sa \"ja\"",)"
            R"("reply_parameters":{"message_id":8,"allow_sending_without_reply":true},)"
            R"("reply_markup":{"inline_keyboard":[[{"text":"Ångra","callback_data":"undo:8"}]]}})");
}

TEST(Telegram, TokensTravelEncryptedAndLookLikeTokens) {
  EXPECT_TRUE(TelegramApi::Open({.token = "123456:AAE-x_y"}));
  EXPECT_TRUE(TelegramApi::Open({.url = "http://127.0.0.1:8081", .token = "1:a"}));
  EXPECT_FALSE(TelegramApi::Open({.url = "http://api.telegram.org", .token = "1:a"}));
  EXPECT_FALSE(TelegramApi::Open({.url = "http://localhost.evil.org", .token = "1:a"}));
  EXPECT_FALSE(TelegramApi::Open({.url = "http://127.0.0.1.evil.org", .token = "1:a"}));
  EXPECT_FALSE(TelegramApi::Open({.url = "http://localhost:80@evil.org", .token = "1:a"}));
  EXPECT_FALSE(TelegramApi::Open({.token = ""}));
  EXPECT_FALSE(TelegramApi::Open({.token = "1:a/../getMe"}));
}

TEST(RawMessages, AreNeverRefusedForTheirUsersNamesOrIds) {
  const auto line = [](std::string_view ids) {
    return MessageOfLine(
        fmt::format(R"({{"messageId": 1, "timestamp": 1772265600, "text": "Hej", {}}})", ids));
  };
  const std::string long_name(5000, 'x');
  for (const std::string& ids :
       {std::string(R"("chatId": -1001234567890, "userId": 5000000001, "userName": "Ann")"),
        std::string(R"("chatId": "a#b", "userId": "U024BE7LH", "userName": "Ann")"),
        std::string(R"("chatId": "a", "userId": -5, "userName": "")"),
        std::string(R"("chatId": "a", "userId": 9223372036854775807, "userName": "#")"),
        std::string(R"("chatId": "a", "userName": "nobody")"),
        fmt::format(R"("chatId": "{}", "userId": 1, "userName": "{}")", long_name, long_name)}) {
    const auto message = line(ids);
    ASSERT_TRUE(message) << ids << ": " << message.error();
    EXPECT_EQ(message->chat.find('#'), std::string::npos);
    EXPECT_LE(message->chat.size(), 64U);
    EXPECT_LE(message->name.size(), 520U);
  }
  // What had to be replaced stays different, and stays the same.
  EXPECT_NE(line(R"("chatId": "a#b", "userId": 1)")->chat,
            line(R"("chatId": "a-b", "userId": 1)")->chat);
  EXPECT_EQ(line(R"("chatId": "a", "userId": "U1")")->user,
            line(R"("chatId": "b", "userId": "U1")")->user);
  EXPECT_NE(line(R"("chatId": "a", "userId": "U1")")->user,
            line(R"("chatId": "a", "userId": "U2")")->user);
}

}  // namespace telegram_test
}  // namespace stator::systems::homeops
