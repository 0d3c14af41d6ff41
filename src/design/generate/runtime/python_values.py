from __future__ import annotations

import json
import random
import re
import time
import unicodedata
import urllib.parse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Context, Decimal
from typing import Any, Generic, Literal, NoReturn, Protocol, TypeVar, Union

# ---- values: what attributes hold, and the keys that are made of them

T = TypeVar("T")

# A value as DynamoDB has it: {"S": "ann"}. Maps and lists of the model keep this form, so that nothing is lost.
AttributeValue = dict[str, Any]
Item = dict[str, AttributeValue]


class DynamoDBClient(Protocol):
    """What boto3.client("dynamodb") has."""

    @property
    def get_item(self) -> Any: ...
    @property
    def batch_get_item(self) -> Any: ...
    @property
    def query(self) -> Any: ...
    @property
    def scan(self) -> Any: ...
    @property
    def put_item(self) -> Any: ...
    @property
    def update_item(self) -> Any: ...
    @property
    def delete_item(self) -> Any: ...
    @property
    def transact_write_items(self) -> Any: ...


@dataclass
class Connection:
    """Where the tables are. Every function takes it first."""

    client: DynamoDBClient
    table_prefix: str = ""  # put before the name of every table
    now: Callable[[], int] = lambda: int(time.time() * 1000)  # milliseconds since 1970
    random: Callable[[], float] = random.random  # for random shards and new ids


# invalid: the request breaks the model, and nothing was sent. exists, missing: the item. not_unique: another item
# has the unique value. conflict: the version, the state or a condition is not as expected.
EntityErrorKind = Literal["invalid", "exists", "missing", "not_unique", "conflict"]


class EntityError(Exception):
    def __init__(self, kind: EntityErrorKind, message: str, item: Item | None = None) -> None:
        super().__init__(message)
        self.kind: EntityErrorKind = kind
        self.item = item  # the stored item, if it is known


def invalid(message: str) -> NoReturn:
    raise EntityError("invalid", message)


Comparison = Literal["=", "<>", "<", "<=", ">", ">=", "between", "begins_with", "in", "contains", "exists", "missing"]


@dataclass(frozen=True)
class Now:
    """The time, so many seconds from now, written as the attribute writes times."""

    offset: int = 0


@dataclass(frozen=True)
class NewId:
    kind: Literal["ulid", "uuid"]


Operand = Union[AttributeValue, Now]


@dataclass(frozen=True)
class Term:
    attribute: str
    comparison: Comparison
    values: Sequence[Operand] = ()


Terms = Sequence[Sequence[Term]]  # an or of ands


@dataclass(frozen=True)
class Attribute:
    field: str  # its name in the dataclass
    type: Literal["S", "N", "B", "BOOL", "SS", "NS", "BS", "counters", "any"]
    whole: bool = False  # an int, not a Decimal
    required: bool = False  # a create must give it
    nullable: bool = False
    values: Sequence[str] = ()
    range: tuple[float, float] | None = None
    forbidden: str = ""
    norm: Sequence[str] = ()
    unit: Literal["", "epoch_s", "epoch_ms", "date", "iso_s", "iso_ms", "ulid", "uuid"] = ""
    fill: AttributeValue | Now | NewId | None = None  # what is written if the caller gives nothing
    start: AttributeValue | None = None  # what a new item starts with


@dataclass(frozen=True)
class Part:
    """A value in the text of a key."""

    of: str
    digits: int = 0


@dataclass(frozen=True)
class Shard:
    """The number of the shard in the text of a key."""


@dataclass(frozen=True)
class DerivedKey:
    """A key attribute that is made from other attributes."""

    name: str
    type: Literal["S", "N", "B"]
    parts: Sequence[str | Part | Shard]
    made_from: Sequence[str] = ()  # the attributes that decide what it is
    when: Terms | None = None  # of a sparse index: the items that have the key
    shards: int = 0
    shard_by: str = ""  # empty: at random


@dataclass(frozen=True)
class Machine:
    attribute: str
    initial: Sequence[str]
    stamp: str = ""


@dataclass(frozen=True)
class Entity(Generic[T]):
    name: str
    table: str
    make: Callable[..., T]
    partition: str
    sort: str = ""
    key_from: Sequence[str] = ()  # the attributes that the primary key is made of
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    keys: Sequence[DerivedKey] = ()
    unique: Sequence[Sequence[str]] = ()
    version: str = ""
    ttl: str = ""
    machine: Machine | None = None

    def primary(self) -> list[str]:
        return [self.partition, self.sort] if self.sort else [self.partition]


AnyEntity = Entity[Any]


def time_value(attribute: Attribute | None, milliseconds: int) -> AttributeValue:
    unit = attribute.unit if attribute else ""
    moment = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    if unit == "epoch_ms":
        return {"N": str(milliseconds)}
    if unit == "date":
        return {"S": moment.strftime("%Y-%m-%d")}
    if unit == "iso_s":
        return {"S": moment.strftime("%Y-%m-%dT%H:%M:%SZ")}
    if unit == "iso_ms":
        return {"S": moment.strftime("%Y-%m-%dT%H:%M:%S") + f".{milliseconds % 1000:03d}Z"}
    return {"N": str(milliseconds // 1000)}


EXACT = Context(prec=38)


def number_text(value: Any) -> str | None:
    """The digits of a number without an exponent and without zeros that say nothing."""
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
        return None
    try:
        number = Decimal(value)
    except ArithmeticError:
        return None
    if not number.is_finite() or len(number.as_tuple().digits) > 38 and EXACT.plus(number) != number:
        return None
    return "0" if number == 0 else format(number.normalize(EXACT), "f")


def compare_values(a: AttributeValue, b: AttributeValue) -> int | None:
    """Less than, equal to or greater than 0; None if the values cannot be compared."""
    for kind in ("S", "N", "B"):
        if kind in a and kind in b:
            left, right = (Decimal(a["N"]), Decimal(b["N"])) if kind == "N" else (a[kind], b[kind])
            return -1 if left < right else 1 if left > right else 0
    return None


def normalized(norm: Sequence[str], text: str) -> str:
    for step in norm:
        if step == "nfc":
            text = unicodedata.normalize("NFC", text)
        if step == "lower":  # one letter at a time, so that no letter becomes two and none depends on its neighbours
            text = "".join(letter.lower()[0] for letter in text)
        if step == "trim":
            text = text.strip(" \t\r\n")
    return text


def marshalled(attribute: Attribute, value: Any) -> AttributeValue | None:
    kind = attribute.type
    if kind == "S" and isinstance(value, str):
        return {"S": normalized(attribute.norm, value)}
    if kind == "N" and (text := number_text(value)) is not None:
        return {"N": text}
    if kind == "B" and isinstance(value, (bytes, bytearray)):
        return {"B": bytes(value)}
    if kind == "BOOL" and isinstance(value, bool):
        return {"BOOL": value}
    if kind in ("SS", "BS") and isinstance(value, (set, frozenset)):
        return {kind: sorted(value)}
    if kind == "NS" and isinstance(value, (set, frozenset)):
        return {"NS": [number_text(each) or "NaN" for each in sorted(value)]}
    if kind == "counters" and isinstance(value, Mapping):
        return {"M": {name: {"N": number_text(count) or "NaN"} for name, count in value.items()}}
    return value if kind == "any" and isinstance(value, dict) else None


def problem_of(attribute: Attribute, value: AttributeValue) -> str:
    """What is wrong with the value; empty: nothing."""
    if "N" in value:
        number = float(value["N"])
        if attribute.range and not attribute.range[0] <= number <= attribute.range[1]:
            return f"is {value['N']}, outside {attribute.range[0]:g}..{attribute.range[1]:g}"
        if attribute.unit == "epoch_s" and number >= 1e11:
            return f"is {value['N']}: milliseconds, where the model has seconds"
        if attribute.unit == "epoch_ms" and 1e8 <= number < 1e11:
            return f"is {value['N']}: seconds, where the model has milliseconds"
        if attribute.unit == "epoch_ms" and number < 0:
            return f"is {value['N']}: a time before 1970"
    if "S" in value:
        if attribute.values and value["S"] not in attribute.values:
            return f"is `{value['S']}`, which is none of {', '.join(attribute.values)}"
        for letter in attribute.forbidden:
            if letter in value["S"]:
                return f"contains '{letter}', which the model forbids: it separates the parts of a key"
    return ""


def to_value(entity: AnyEntity, name: str, value: Any) -> AttributeValue:
    """The value as it is stored; refuses what breaks the model."""
    attribute = entity.attributes.get(name) or invalid(f"entity `{entity.name}` has no attribute `{name}`")
    made = marshalled(attribute, value)
    if made is None:
        invalid(f"{entity.name}.{name} is {value!r}, which is not of type {attribute.type}")
    if problem := problem_of(attribute, made):
        invalid(f"{entity.name}.{name} {problem}")
    return made


def asked_value(entity: AnyEntity, name: str, value: Any) -> AttributeValue:
    """The value as a question asks for it: normalised, and otherwise as it is."""
    attribute = entity.attributes.get(name) or Attribute(name, "S" if isinstance(value, str) else "any")
    made = marshalled(attribute, value)
    return invalid(f"{name} = {value!r} is not of type {attribute.type}") if made is None else made


def to_item(entity: AnyEntity, given: Mapping[str, Any]) -> Item:
    """The attributes that the caller gives. None, and a set without members, is absent."""
    item: Item = {}
    for name, value in given.items():
        if value is not None and not (isinstance(value, (set, frozenset)) and not value):
            item[name] = to_value(entity, name, value)
    return item


def given_by(entity: AnyEntity, source: Any, names: Iterable[str]) -> dict[str, Any]:
    """These attributes of a dataclass, by the names that the model gives them."""
    return {name: getattr(source, entity.attributes[name].field, None) for name in names}


def from_value(entity: AnyEntity, name: str, value: AttributeValue) -> Any:
    attribute = entity.attributes[name]
    kind = {"counters": "M"}.get(attribute.type, attribute.type)
    if "NULL" in value:
        return None
    if kind == "any":
        return value
    if kind not in value:
        invalid(f"{entity.name}.{name} holds another type than the model says: {value}")
    stored = value[kind]
    if kind == "N":
        return int(stored) if attribute.whole else Decimal(stored)
    if kind == "NS":
        return {Decimal(each) for each in stored}
    if kind == "M":
        return {key: int(count["N"]) for key, count in stored.items()}
    return set(stored) if kind in ("SS", "BS") else stored


def from_item(entity: Entity[T], item: Item) -> T:
    """The stored item as its dataclass."""
    given: dict[str, Any] = {}
    for name, attribute in entity.attributes.items():
        if name in item:
            given[attribute.field] = from_value(entity, name, item[name])
        elif attribute.required and attribute.type not in ("SS", "NS", "BS"):
            invalid(f"a stored {entity.name} lacks `{name}`")
    return entity.make(**given)


def from_projection(entity: AnyEntity, make: Callable[..., T], only: Sequence[str], item: Item) -> T:
    """What an index projects of the item."""
    return make(**{entity.attributes[name].field: from_value(entity, name, item[name]) for name in only if name in item})
