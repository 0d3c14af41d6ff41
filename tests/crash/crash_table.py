"""The table under test: its keys, its indexes, and what an index holds of an item."""

from dataclasses import dataclass, field

TABLE = "Crash"
FILLER_PARTITION = "filler"


def definition(name, kind):
    return {"AttributeName": name, "AttributeType": kind}


@dataclass(frozen=True)
class Index:
    name: str
    hash: str
    range: str = ""
    local: bool = False
    projection: str = "ALL"
    included: tuple = field(default=())

    def request(self):
        keys = [{"AttributeName": self.hash, "KeyType": "HASH"}]
        if self.range:
            keys.append({"AttributeName": self.range, "KeyType": "RANGE"})
        projection = {"ProjectionType": self.projection}
        if self.included:
            projection["NonKeyAttributes"] = list(self.included)
        return {"IndexName": self.name, "KeySchema": keys, "Projection": projection}

    def entry(self, item):
        """What the index holds of the item, None when the item lacks one of its keys."""
        keys = {self.hash, self.range} - {""}
        if not keys <= item.keys():
            return None
        if self.projection == "ALL":
            return item
        names = keys | {"pk", "sk"} | set(self.included)
        return {name: value for name, value in item.items() if name in names}


INDEXES = [
    Index("l_score", "pk", "score", local=True, projection="INCLUDE", included=("note",)),
    Index("g_color", "color", "score"),
    Index("g_flag", "flag", projection="KEYS_ONLY"),
    Index("g_score", "score", "color", projection="INCLUDE", included=("version",)),
]
LATE_INDEX = Index("g_late", "zone", "score", projection="INCLUDE", included=("version",))


def create_request():
    return {
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            definition("pk", "S"), definition("sk", "N"), definition("score", "N"),
            definition("color", "S"), definition("flag", "S"),
        ],
        "LocalSecondaryIndexes": [index.request() for index in INDEXES if index.local],
        "GlobalSecondaryIndexes": [index.request() for index in INDEXES if not index.local],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    }


def add_late_index_request():
    return {
        "TableName": TABLE,
        "AttributeDefinitions": [definition("zone", "S"), definition("score", "N")],
        "GlobalSecondaryIndexUpdates": [{"Create": LATE_INDEX.request()}],
    }


def drop_late_index_request():
    return {"TableName": TABLE, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": LATE_INDEX.name}}]}


def key_of(item):
    return item["pk"]["S"], item["sk"]["N"]
