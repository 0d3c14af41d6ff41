# ---- writes


@dataclass(frozen=True)
class Move:
    """A move of a state machine: its sources are the condition, its stamps are set to now."""

    name: str
    sources: Sequence[str]
    to: str
    stamps: Sequence[str] = ()


@dataclass(frozen=True)
class Write(Generic[T]):
    """A write that has not been sent: `send` sends one, `transact` several that happen together or not at all."""

    kind: Literal["create", "put", "update", "upsert", "delete", "rekey"]
    entity: Entity[T]
    item: Any = None  # of a create or put: the dataclass
    key: Any = None  # of all others: a dataclass with the attributes that the key is made of
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, Any] = field(default_factory=dict)
    remove: Sequence[str] = ()
    move: Move | None = None
    guard: Terms | None = None
    expected_version: int | None = None

    def upserts(self) -> bool:
        """Whether the item is made if it does not exist."""
        return self.kind in ("put", "upsert")


AnyWrite = Write[Any]


class Unset:
    """An argument that was not given."""


UNSET = Unset()


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if not isinstance(value, Unset)}


ATTEMPTS = 5


class Expression:
    """Names and values of an expression."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: Item = {}

    def name(self, attribute: str) -> str:
        return self.names.setdefault(attribute, f"#n{len(self.names)}")

    def value(self, value: AttributeValue) -> str:
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = value
        return placeholder

    def still_is(self, attribute: str, value: AttributeValue | None) -> str:
        if value is None:
            return f"attribute_not_exists({self.name(attribute)})"
        return f"{self.name(attribute)} = {self.value(value)}"

    def term(self, entity: AnyEntity, term: Term, now: int) -> str:
        name = self.name(term.attribute)
        if term.comparison == "exists":
            return f"attribute_exists({name})"
        if term.comparison == "missing":
            return f"attribute_not_exists({name})"
        values = [self.value(operand_value(entity, term, operand, now)) for operand in term.values]
        if term.comparison == "between":
            return f"{name} BETWEEN {values[0]} AND {values[1]}"
        if term.comparison == "in":
            return f"{name} IN ({', '.join(values)})"
        if term.comparison in ("begins_with", "contains"):
            return f"{term.comparison}({name}, {values[0]})"
        return f"{name} {term.comparison} {values[0]}"

    def condition(self, entity: AnyEntity, terms: Terms, now: int) -> str:
        alternatives = [f"({' AND '.join(self.term(entity, term, now) for term in every)})" for every in terms]
        return alternatives[0] if len(alternatives) == 1 else f"({' OR '.join(alternatives)})"

    def members(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if self.names:
            out["ExpressionAttributeNames"] = {placeholder: name for name, placeholder in self.names.items()}
        if self.values:
            out["ExpressionAttributeValues"] = self.values
        return out


@dataclass
class Action:
    kind: Literal["Put", "Update", "Delete"]
    request: dict[str, Any]
    owner: int  # which of the writes it belongs to
    not_unique: str = ""  # of a sentinel: what it means that another item has the value


@dataclass
class Prepared:
    actions: list[Action]
    before: Item | None = None  # the item as the write found it, where that is known
    after: Item | None = None  # and as it leaves it


def new_id(db: Connection, kind: Literal["ulid", "uuid"]) -> str:
    def digits(count: int, alphabet: str) -> str:
        return "".join(alphabet[int(db.random() * len(alphabet))] for _ in range(count))

    hexadecimal = "0123456789abcdef"
    if kind == "uuid":
        groups = [digits(8, hexadecimal), digits(4, hexadecimal), "4" + digits(3, hexadecimal)]
        return "-".join([*groups, digits(1, "89ab") + digits(3, hexadecimal), digits(12, hexadecimal)])
    base32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    now = db.now()
    return "".join(base32[now >> 5 * place & 31] for place in range(9, -1, -1)) + digits(16, base32)


def filled(db: Connection, attribute: Attribute) -> AttributeValue | None:
    if isinstance(attribute.fill, Now):
        return time_value(attribute, db.now() + attribute.fill.offset * 1000)
    return {"S": new_id(db, attribute.fill.kind)} if isinstance(attribute.fill, NewId) else attribute.fill


def with_keys(db: Connection, entity: AnyEntity, item: Item) -> Item:
    made = derived_keys(db, entity, item)
    kept = {name: value for name, value in item.items() if name not in made}
    return kept | {name: value for name, value in made.items() if value is not None}


def new_item(db: Connection, entity: AnyEntity, source: Any) -> Item:
    """A whole new item: given attributes, the first state, defaults, version and keys."""
    names = [name for name in entity.attributes if name != entity.version]
    item = to_item(entity, given_by(entity, source, names))
    if machine := entity.machine:
        only = machine.initial[0] if len(machine.initial) == 1 else None
        state = item.get(machine.attribute, {}).get("S", only)
        if state is None:
            invalid(f"{entity.name} starts as {' or '.join(machine.initial)}: say which")
        if state not in machine.initial:
            invalid(f"{entity.name} cannot start as {state}: it starts as {' or '.join(machine.initial)}")
        item[machine.attribute] = {"S": state}
        if machine.stamp and machine.stamp not in item:
            item[machine.stamp] = time_value(entity.attributes.get(machine.stamp), db.now())
    for name in names:
        attribute = entity.attributes[name]
        if name in item:
            continue
        value = filled(db, attribute) or attribute.start
        if value is not None:
            item[name] = value
        elif attribute.required:
            invalid(f"{entity.name} needs `{name}`")
    if entity.version:
        item[entity.version] = {"N": "1"}
    primary_key(entity, item)
    return with_keys(db, entity, item)


def sentinel_text(entity: AnyEntity, names: Sequence[str], item: Item) -> str | None:
    """None: the item lacks one of the attributes, so there is nothing to keep unique."""
    values = [item.get(name, {}).get("S", item.get(name, {}).get("N")) for name in names]
    if any(value is None for value in values):
        return None
    safe = [str(value).replace("%", "%25").replace("#", "%23") for value in values]
    return f"UNIQUE#{entity.name}#{'+'.join(names)}#{'#'.join(safe)}"


def put_new(db: Connection, entity: AnyEntity, item: Item, owner: int, not_unique: str = "") -> Action:
    text = Expression()
    request = {"TableName": db.table_prefix + entity.table, "Item": item}
    request["ConditionExpression"] = f"attribute_not_exists({text.name(entity.partition)})"
    return Action("Put", request | text.members(), owner, not_unique)


def sentinels(db: Connection, owner: int, entity: AnyEntity, before: Item | None, after: Item | None) -> list[Action]:
    """The writes that keep the unique values of an item that changes from `before` to `after`."""
    actions: list[Action] = []
    for names in entity.unique:
        old = sentinel_text(entity, names, before) if before is not None else None
        made = sentinel_text(entity, names, after) if after is not None else None
        if old == made:
            continue
        if old is not None:
            key: Item = {name: {"S": old} for name in entity.primary()}
            actions.append(Action("Delete", {"TableName": db.table_prefix + entity.table, "Key": key}, owner))
        if made is not None and after is not None:
            item: Item = {name: {"S": made} for name in entity.primary()}
            if entity.ttl in after:
                item[entity.ttl] = after[entity.ttl]
            message = f"another {entity.name} has this {' and '.join(names)}"
            actions.append(put_new(db, entity, item, owner, message))
    return actions


def stated(db: Connection, write: AnyWrite, text: Expression) -> list[str]:
    """The conditions that the caller and the pattern state."""
    entity = write.entity
    conditions: list[str] = []
    if write.expected_version is not None and entity.version:
        version = text.name(entity.version)
        equals = f"{version} = {text.value({'N': str(write.expected_version)})}"
        # An item that was written without a version has version 0.
        conditions.append(equals if write.expected_version else f"(attribute_not_exists({version}) OR {equals})")
    if write.guard is not None:
        condition = text.condition(entity, write.guard, db.now())
        if write.upserts():
            condition = f"(attribute_not_exists({text.name(entity.partition)}) OR {condition})"
        conditions.append(condition)
    return conditions


def judge(db: Connection, write: AnyWrite, item: Item | None) -> None:
    """Raises why the write cannot succeed, given the stored item; returns if it is worth another try."""
    entity, move = write.entity, write.move
    if write.kind == "create":
        raise EntityError("exists", f"this {entity.name} exists already", item)
    if item is None:
        if write.upserts():
            return
        raise EntityError("missing", f"there is no such {entity.name}")
    state = item.get(entity.machine.attribute, {}).get("S", "without a state") if entity.machine else ""
    if move and move.sources and state not in move.sources:
        sources = " or ".join(move.sources)
        raise EntityError("conflict", f"{entity.name} is {state}; {move.name} starts from {sources}", item)
    version = int(item.get(entity.version, {}).get("N", "0"))
    if write.expected_version is not None and version != write.expected_version:
        message = f"{entity.name} has version {version}, expected {write.expected_version}"
        raise EntityError("conflict", message, item)
    if write.guard is not None and not holds(entity, write.guard, item, db.now()):
        raise EntityError("conflict", f"{entity.name}: the condition of this write does not hold", item)
