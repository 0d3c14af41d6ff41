// What the tables of models/everything.yaml and models/reconciler.yaml must become, said once, in the form of DescribeTable.
const hash = (name) => ({ AttributeName: name, KeyType: "HASH" });
const range = (name) => ({ AttributeName: name, KeyType: "RANGE" });
const attribute = (name, type) => ({ AttributeName: name, AttributeType: type });

export const jobs = {
  TableName: "data-download-jobs",
  KeySchema: [hash("FileID")],
  AttributeDefinitions: [
    attribute("FileID", "S"),
    attribute("Status", "S"),
    attribute("StatusUpdatedAt", "N"),
    attribute("BatchID", "S"),
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "StatusIndex",
      KeySchema: [hash("Status"), range("StatusUpdatedAt")],
      Projection: { ProjectionType: "ALL" },
    },
    {
      IndexName: "BatchIndex",
      KeySchema: [hash("BatchID"), range("Status")],
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
  ],
};

export const matches = {
  TableName: "tournament.matches",
  KeySchema: [hash("matchId"), range("startedAt")],
  AttributeDefinitions: [
    attribute("matchId", "S"),
    attribute("startedAt", "N"),
    attribute("tournament", "S"),
    attribute("region", "S"),
    attribute("round", "N"),
    attribute("bracket", "S"),
    attribute("player", "B"),
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "RegionIndex",
      KeySchema: [hash("tournament"), hash("region"), range("round"), range("bracket")],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["winner", "loser"] },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: "ByPlayer",
      KeySchema: [hash("matchId"), range("player")],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["winner"] },
    },
  ],
};

export const plain = {
  TableName: "plain",
  KeySchema: [hash("id")],
  AttributeDefinitions: [attribute("id", "S"), attribute("GSI1PK", "S"), attribute("GSI1SK", "S")],
  ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
  GlobalSecondaryIndexes: [
    {
      IndexName: "GSI1",
      KeySchema: [hash("GSI1PK"), range("GSI1SK")],
      Projection: { ProjectionType: "KEYS_ONLY" },
      ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
    },
  ],
};

/** The parts of `properties` that the table above says something about. */
export function shape(properties) {
  const names = [
    "TableName",
    "KeySchema",
    "AttributeDefinitions",
    "ProvisionedThroughput",
    "GlobalSecondaryIndexes",
    "LocalSecondaryIndexes",
  ];
  return Object.fromEntries(names.filter((name) => name in properties).map((name) => [name, properties[name]]));
}

/** The same with AttributeDefinitions in one order: a tool may sort them. */
export function sorted(properties) {
  const byName = (a, b) => (a.AttributeName < b.AttributeName ? -1 : 1);
  return { ...properties, AttributeDefinitions: [...properties.AttributeDefinitions].sort(byName) };
}
