# ---- reads


@dataclass
class Page(Generic[T]):
    items: list[T]
    cursor: str | None = None  # where the next page starts; None: this is the last one


@dataclass
class Read(Generic[T]):
    """What a pattern asks. Its requests, one for each shard and value, are merged by the sort key."""

    table: str
    requests: list[dict[str, Any]]  # without a key condition: a scan
    entities: Sequence[AnyEntity]  # of the table
    wanted: Sequence[AnyEntity]
    order: Sequence[str]  # key attributes that order the items
    position: Sequence[str]  # those that say where an item is
    convert: Callable[[AnyEntity, Item], T]
    size: int
    descending: bool = False
    bounds: Sequence[Term] = ()  # ranges of which the key condition may read a little too much
    then_get: AnyEntity | None = None  # an index of keys: the items are fetched afterwards
    strong: bool = False
    see_expired: bool = False


@dataclass
class PartialRead:
    """One of the requests, and what of its answer has not been taken yet."""

    request: dict[str, Any]
    items: list[Item] = field(default_factory=list)
    next: Item | None = None
    position: Item | None = None  # behind the last item that was taken
    done: bool = False


def is_wanted(db: Connection, read: Read[Any], item: Item) -> bool:
    entity = entity_of(read.entities, read.table, item)
    if entity is None or entity not in read.wanted:
        return False
    return holds(entity, [[term for term in read.bounds if term.attribute in item]], item, db.now())


def fetch_part(db: Connection, read: Read[Any], part: PartialRead, wanted: int) -> None:
    while not part.items and not part.done:
        request = dict(part.request, TableName=db.table_prefix + read.table)
        # With a filter, steps are larger: otherwise a rare match would take a request per item.
        request["Limit"] = min(1000, max(wanted, 100 if "FilterExpression" in request else 1))
        if part.next:
            request["ExclusiveStartKey"] = part.next
        answer = db.client.query(**request) if "KeyConditionExpression" in request else db.client.scan(**request)
        part.items = [item for item in answer["Items"] if is_wanted(db, read, item)]
        part.next = answer.get("LastEvaluatedKey")
        part.done = part.next is None
        if not part.items and part.next:
            part.position = part.next


def compare_items(order: Sequence[str], a: Item, b: Item) -> int:
    for name in order:
        difference = compare_values(a[name], b[name]) if name in a and name in b else 0
        if difference:
            return difference
    return 0


def take_foremost(read: Read[Any], parts: list[PartialRead]) -> Item | None:
    best: PartialRead | None = None
    for part in parts:
        if not part.items:
            continue
        order = compare_items(read.order, part.items[0], best.items[0]) if best else -1
        if best is None or (order > 0 if read.descending else order < 0):
            best = part
    if best is None:
        return None
    item = best.items.pop(0)
    here = {name: item[name] for name in read.position if name in item}
    best.position = best.next if not best.items and best.next else here
    return item


def cursor_text(parts: list[PartialRead]) -> str | None:
    def position(part: PartialRead) -> Any:
        if part.done and not part.items:
            return "end"
        return part.position or "start"

    if all(part.done and not part.items for part in parts):
        return None
    return urllib.parse.quote(json.dumps([position(part) for part in parts], default=lambda value: {"hex": value.hex()}))


def resume(parts: list[PartialRead], cursor: str) -> None:
    def as_bytes(value: dict[str, Any]) -> Any:
        return bytes.fromhex(value["hex"]) if set(value) == {"hex"} else value

    try:
        positions = json.loads(urllib.parse.unquote(cursor), object_hook=as_bytes)
    except ValueError:
        positions = None
    if not isinstance(positions, list) or len(positions) != len(parts):
        invalid("the cursor does not belong to this question: start again without one")
    for part, position in zip(parts, positions):
        part.done = position == "end"
        if isinstance(position, dict):
            part.next = part.position = position


def read_page(db: Connection, read: Read[T], limit: int | None = None, cursor: str | None = None) -> Page[T]:
    """One page, with the items of all requests in one order."""
    size = limit or read.size
    parts = [PartialRead(request) for request in read.requests]
    if cursor:
        resume(parts, cursor)
    found: list[Item] = []
    while len(found) < size:
        active = [part for part in parts if not part.done]
        rest = size - len(found)
        step = min(rest, max(10, -(-rest * 3 // (2 * len(active))))) if len(active) > 1 else rest
        for part in active:
            fetch_part(db, read, part, step)
        item = take_foremost(read, parts)
        if item is None:
            break
        found.append(item)
    next_cursor = cursor_text(parts)
    if read.then_get:
        entity = read.then_get
        keys = [{name: item[name] for name in entity.primary()} for item in found]
        fetched = batch_get(db, entity, keys, read.strong)
        found = [item for item in fetched if read.see_expired or is_visible(db, entity, item)]
    return Page([convert_found(read, item) for item in found], next_cursor)


def convert_found(read: Read[T], item: Item) -> T:
    return read.convert(entity_of(read.entities, read.table, item) or read.wanted[0], item)


def read_all(db: Connection, read: Read[T]) -> list[T]:
    """Every page."""
    items: list[T] = []
    cursor: str | None = None
    while True:
        page = read_page(db, read, 1000, cursor)
        items += page.items
        cursor = page.cursor
        if cursor is None:
            return items


def read_unique(db: Connection, read: Read[T]) -> T | None:
    """The one item there can be."""
    items = read_page(db, read, 2).items
    if len(items) > 1:
        raise EntityError("conflict", "two items have what only one should have")
    return items[0] if items else None


def batch_get(db: Connection, entity: AnyEntity, keys: list[Item], strong: bool) -> list[Item]:
    table = db.table_prefix + entity.table
    distinct: list[Item] = []
    for key in keys:
        if key not in distinct:
            distinct.append(key)
    wanted, found = list(distinct), []
    while wanted:
        batch, wanted = wanted[:100], wanted[100:]
        answer = db.client.batch_get_item(RequestItems={table: {"Keys": batch, "ConsistentRead": strong}})
        found += answer["Responses"].get(table, [])
        wanted += answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
    at = [next((item for item in found if compare_items(list(key), item, key) == 0), None) for key in distinct]
    return [item for item in at if item is not None]


def is_visible(db: Connection, entity: AnyEntity, item: Item) -> bool:
    expires = item.get(entity.ttl, {}).get("N")
    return expires is None or int(expires) > db.now() // 1000


def stored_item(db: Connection, entity: AnyEntity, key: Item, strong: bool) -> Item | None:
    answer = db.client.get_item(TableName=db.table_prefix + entity.table, Key=key, ConsistentRead=strong)
    item: Item | None = answer.get("Item")
    return item


def get_item(db: Connection, entity: Entity[T], key: Any, strong: bool = False, see_expired: bool = False) -> T | None:
    """One item by the attributes that its key is made of."""
    item = stored_item(db, entity, primary_key(entity, key_sources(entity, key)), strong)
    return from_item(entity, item) if item and (see_expired or is_visible(db, entity, item)) else None


def get_items(
    db: Connection, entity: Entity[T], keys: Iterable[Any], strong: bool = False, see_expired: bool = False
) -> list[T]:
    """Several items by their keys, in the order of the keys; those that do not exist are left out."""
    made = [primary_key(entity, key_sources(entity, key)) for key in keys]
    items = batch_get(db, entity, made, strong)
    return [from_item(entity, item) for item in items if see_expired or is_visible(db, entity, item)]


def at_least(low: str, high: str) -> str:
    """The upper end of a range, which DynamoDB wants at least as high as the lower one."""
    return max(low, high)
