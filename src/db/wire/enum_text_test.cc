#include "wire/enum_text.h"

#include <gtest/gtest.h>

namespace stator {
namespace enum_text_test {

TEST(EnumText, SetsAreSpelledInTheServicesOrder) {
  EXPECT_EQ(EnumSet<ReturnConsumedCapacity>(), "[INDEXES, TOTAL, NONE]");
  EXPECT_EQ(EnumSet<ReturnItemCollectionMetrics>(), "[SIZE, NONE]");
  EXPECT_EQ(EnumSet<ReturnValues>(), "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]");
  EXPECT_EQ(EnumSet<ReturnValuesOnConditionCheckFailure>(), "[ALL_OLD, NONE]");
  EXPECT_EQ(EnumSet<Select>(),
            "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]");
  EXPECT_EQ(EnumSet<ConditionalOperator>(), "[OR, AND]");
  EXPECT_EQ(EnumSet<ComparisonOperator>(),
            "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, "
            "CONTAINS]");
  EXPECT_EQ(EnumSet<ScalarType>(), "[B, N, S]");
  EXPECT_EQ(EnumSet<KeyType>(), "[HASH, RANGE]");
  EXPECT_EQ(EnumSet<ProjectionType>(), "[ALL, INCLUDE, KEYS_ONLY]");
  EXPECT_EQ(EnumSet<BillingMode>(), "[PROVISIONED, PAY_PER_REQUEST]");
  EXPECT_EQ(EnumSet<StreamViewType>(), "[OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]");
  EXPECT_EQ(EnumSet<SseType>(), "[AES256, KMS]");
  EXPECT_EQ(EnumSet<TableClass>(), "[STANDARD, STANDARD_INFREQUENT_ACCESS]");
}

// Each of the first `count` enumerators has a word of its own that leads back to it.
template <class E>
void ExpectRoundTrip(int count) {
  for (int i = 0; i < count; ++i) {
    const E value = static_cast<E>(i);
    EXPECT_EQ(EnumFromText<E>(EnumText(value)), value) << EnumText(value);
  }
}

TEST(EnumText, EveryEnumeratorLeadsBackToItself) {
  ExpectRoundTrip<ReturnValues>(5);
  ExpectRoundTrip<ReturnConsumedCapacity>(3);
  ExpectRoundTrip<ReturnItemCollectionMetrics>(2);
  ExpectRoundTrip<ReturnValuesOnConditionCheckFailure>(2);
  ExpectRoundTrip<Select>(4);
  ExpectRoundTrip<ConditionalOperator>(2);
  ExpectRoundTrip<ComparisonOperator>(13);
  ExpectRoundTrip<AttributeAction>(3);
  ExpectRoundTrip<ScalarType>(3);
  ExpectRoundTrip<KeyType>(2);
  ExpectRoundTrip<ProjectionType>(3);
  ExpectRoundTrip<BillingMode>(2);
  ExpectRoundTrip<TableClass>(2);
  ExpectRoundTrip<TableStatus>(4);
  ExpectRoundTrip<IndexStatus>(4);
  ExpectRoundTrip<StreamViewType>(4);
  ExpectRoundTrip<SseType>(2);
}

TEST(EnumText, OtherWordsAreNone) {
  EXPECT_EQ(EnumFromText<KeyType>("hash"), std::nullopt);
  EXPECT_EQ(EnumFromText<KeyType>(""), std::nullopt);
  EXPECT_EQ(EnumFromText<KeyType>("HASH "), std::nullopt);
}

}  // namespace enum_text_test
}  // namespace stator
