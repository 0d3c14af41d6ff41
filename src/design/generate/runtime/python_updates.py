@dataclass
class Change:
    """What an update, put or move changes, checked."""

    sources: Item
    set: Item
    add: Item
    counters: list[tuple[str, str, str]]
    remove: list[str]

    def touched(self) -> frozenset[str]:
        return frozenset([*self.set, *self.add, *self.remove, *(name for name, _, _ in self.counters)])


def checked_change(db: Connection, write: AnyWrite) -> Change:
    entity = write.entity
    whole = write.kind == "put"
    names = [name for name in entity.attributes if name != entity.version]
    wanted = given_by(entity, write.item, names) if whole else dict(write.set)
    sources = key_sources(entity, write.item if whole else write.key)
    made = to_item(entity, wanted)
    if whole:
        made = {name: value for name, value in made.items() if name not in entity.key_from}
    if write.move and entity.machine:
        made[entity.machine.attribute] = {"S": write.move.to}
        for stamp in write.move.stamps:
            made.setdefault(stamp, time_value(entity.attributes.get(stamp), db.now()))
    add: Item = {}
    counters: list[tuple[str, str, str]] = []
    for name, more in write.add.items():
        value = marshalled(Attribute(name, entity.attributes[name].type), more)
        if value is None:
            invalid(f"{entity.name}.{name} cannot be raised by {more!r}")
        if "M" in value:
            counters += [(name, member, count["N"]) for member, count in value["M"].items()]
        else:
            add[name] = value
    # None, and a set without members, is no attribute.
    emptied = [] if whole else [name for name in wanted if name not in made]
    remove = [name for name in [*write.remove, *emptied] if name not in made]
    return Change(sources, made, add, counters, remove)


def changed(before: Item, change: Change) -> Item:
    item = {name: value for name, value in (before | change.sources | change.set).items() if name not in change.remove}
    for name, more in change.add.items():
        kind = next(iter(more))
        if kind == "N":
            item[name] = {"N": number_text(Decimal(item.get(name, {}).get("N", "0")) + Decimal(more["N"])) or "0"}
        else:
            item[name] = {kind: sorted({*item.get(name, {}).get(kind, []), *more[kind]})}
    for name, member, count in change.counters:
        members = dict(item.get(name, {}).get("M", {}))
        members[member] = {"N": str(int(members.get(member, {}).get("N", "0")) + int(count))}
        item[name] = {"M": members}
    return item


def raised(entity: AnyEntity, before: Item, item: Item) -> Item:
    if not entity.version:
        return item
    return item | {entity.version: {"N": str(int(before.get(entity.version, {}).get("N", "0")) + 1)}}


@dataclass
class UpdateText:
    """The clauses of one UpdateItem while they are collected."""

    text: Expression = field(default_factory=Expression)
    conditions: list[str] = field(default_factory=list)
    set: list[str] = field(default_factory=list)
    remove: list[str] = field(default_factory=list)
    add: list[str] = field(default_factory=list)

    def assign(self, name: str, value: AttributeValue) -> None:
        self.set.append(f"{self.text.name(name)} = {self.text.value(value)}")

    def start_at(self, path: str, value: AttributeValue) -> str:
        return f"if_not_exists({path}, {self.text.value(value)})"

    def expression(self) -> str:
        clauses = (("SET", self.set), ("REMOVE", self.remove), ("ADD", self.add))
        return " ".join(f"{word} {', '.join(parts)}" for word, parts in clauses if parts)


@dataclass(frozen=True)
class Known:
    """What is known about the stored item before a write; None: it does not exist."""

    item: Item | None


def write_counters(update: UpdateText, change: Change, known: Known | None, after: Item) -> None:
    for name in dict.fromkeys(name for name, _, _ in change.counters):
        path = update.text.name(name)
        is_there = known is None or (known.item is not None and name in known.item)
        update.conditions.append(f"attribute_{'' if is_there else 'not_'}exists({path})")
        if not is_there:
            update.assign(name, after[name])
            continue
        for member, count in ((member, count) for map_name, member, count in change.counters if map_name == name):
            counter = f"{path}.{update.text.name(member)}"
            start = update.start_at(counter, {"N": "0"})
            update.set.append(f"{counter} = {start} + {update.text.value({'N': count})}")


def write_change(
    db: Connection, write: AnyWrite, update: UpdateText, change: Change, affected: list[DerivedKey], after: Item
) -> None:
    entity, text = write.entity, update.text
    for name, value in change.set.items():
        update.assign(name, value)
    update.remove += [text.name(name) for name in change.remove]
    update.add += [f"{text.name(name)} {text.value(value)}" for name, value in change.add.items()]
    if entity.version:
        version = text.name(entity.version)
        start = update.start_at(version, {"N": "0"})
        update.set.append(f"{version} = {start} + {text.value({'N': '1'})}")
    made = derived_keys(db, entity, after)
    for key in affected:
        key_now = made[key.name]
        if key_now is None:
            update.remove.append(text.name(key.name))
        else:
            update.assign(key.name, key_now)
    if not write.upserts():
        return
    for name, value in change.sources.items():
        if name not in entity.primary():
            update.assign(name, value)
    managed = {entity.version, *change.sources, *change.touched(), *(key.name for key in entity.keys)}
    for name, attribute in entity.attributes.items():
        default = filled(db, attribute)
        if default is not None and name not in managed:
            update.set.append(f"{text.name(name)} = {update.start_at(text.name(name), default)}")


def prepare_update(db: Connection, write: AnyWrite, owner: int, known: Known | None) -> Prepared:
    entity, move = write.entity, write.move
    change = checked_change(db, write)
    key = primary_key(entity, change.sources)
    touched = change.touched()
    affected = [
        made
        for made in entity.keys
        if made.name not in entity.primary() and (write.upserts() or touched.intersection(made.made_from))
    ]
    unique = {name for names in entity.unique if touched.intersection(names) for name in names}
    needed = {name for made in affected for name in made.made_from}
    needs_read = bool(unique or needed - {*change.sources, *change.set, *change.remove})
    if needs_read and known is None:
        known = Known(stored_item(db, entity, key, True))
        judge(db, write, known.item)
    update = UpdateText()
    if not write.upserts() or known is not None:
        is_there = not write.upserts() or (known is not None and known.item is not None)
        update.conditions.append(f"attribute_{'' if is_there else 'not_'}exists({update.text.name(entity.partition)})")
    if move and move.sources and entity.machine:
        states = ", ".join(update.text.value({"S": state}) for state in move.sources)
        update.conditions.append(f"{update.text.name(entity.machine.attribute)} IN ({states})")
    current = known.item if known else None
    if needs_read and current is not None:
        for name in sorted((needed | unique) - set(change.sources)):
            update.conditions.append(update.text.still_is(name, current.get(name)))
    update.conditions += stated(db, write, update.text)
    after = changed(current or {}, change)
    write_counters(update, change, known, after)
    write_change(db, write, update, change, affected, after)
    request = {"TableName": db.table_prefix + entity.table, "Key": key, "UpdateExpression": update.expression()}
    if update.conditions:
        request["ConditionExpression"] = " AND ".join(update.conditions)
    actions = [Action("Update", request | update.text.members(), owner)]
    if unique:
        actions += sentinels(db, owner, entity, current, after)
    stored = with_keys(db, entity, raised(entity, current, after)) if current is not None else None
    return Prepared(actions, current, stored)


def prepare_existing(db: Connection, write: AnyWrite, owner: int) -> Prepared:
    entity = write.entity
    key = primary_key(entity, key_sources(entity, write.key))
    rekeys = write.kind == "rekey"
    before: Item | None = None
    if rekeys or entity.unique:
        before = stored_item(db, entity, key, True)
        judge(db, write, before)
    text = Expression()
    conditions = [f"attribute_exists({text.name(entity.partition)})", *stated(db, write, text)]
    unchanged = [entity.version] if entity.version else list(before or {})
    for name in unchanged if rekeys else [name for names in entity.unique for name in names]:
        conditions.append(text.still_is(name, (before or {}).get(name)))
    request = {"TableName": db.table_prefix + entity.table, "Key": key}
    request["ConditionExpression"] = " AND ".join(conditions)
    remove = Action("Delete", request | text.members(), owner)
    if not rekeys or before is None:
        freed = sentinels(db, owner, entity, before, None)
        return Prepared([remove, *freed], before, before)
    moved = before | to_item(entity, write.set)
    moved = {name: value for name, value in moved.items() if name not in write.remove}
    after = with_keys(db, entity, raised(entity, before, moved))
    put = put_new(db, entity, after, owner)
    return Prepared([put, remove, *sentinels(db, owner, entity, before, after)], before, after)


def prepare(db: Connection, write: AnyWrite, owner: int, known: Known | None) -> Prepared:
    if write.kind == "update" or write.upserts():
        return prepare_update(db, write, owner, known)
    if write.kind != "create":
        return prepare_existing(db, write, owner)
    after = new_item(db, write.entity, write.item)
    put = put_new(db, write.entity, after, owner)
    return Prepared([put, *sentinels(db, owner, write.entity, None, after)], None, after)


def send_actions(db: Connection, actions: list[Action]) -> Item | None:
    """Sends one request as it is, several as a transaction."""
    if len(actions) > 1:
        old = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        db.client.transact_write_items(TransactItems=[{each.kind: each.request | old} for each in actions])
        return None
    action = actions[0]
    if action.kind == "Put":
        db.client.put_item(**action.request)
        return None
    if action.kind == "Update":
        answer = db.client.update_item(**action.request, ReturnValues="ALL_NEW")
    else:
        answer = db.client.delete_item(**action.request, ReturnValues="ALL_OLD")
    item: Item | None = answer.get("Attributes")
    return item


@dataclass
class Failure:
    index: int | None = None  # the action whose condition did not hold; None: another transaction was in the way
    item: Item | None = None
    knows_item: bool = False


def failure_of(error: Exception) -> Failure | None:
    """None: the failure is none that another attempt or a better message can mend."""
    response: Any = getattr(error, "response", None) or {}
    code = response.get("Error", {}).get("Code")
    if code == "ConditionalCheckFailedException":
        return Failure(0, response.get("Item"), "Item" in response)
    if code in ("TransactionConflictException", "TransactionInProgressException"):
        return Failure()
    reasons = response.get("CancellationReasons", []) if code == "TransactionCanceledException" else []
    for index, reason in enumerate(reasons):
        if reason.get("Code") == "ConditionalCheckFailed":
            return Failure(index, reason.get("Item"), True)
    return Failure() if any(reason.get("Code") == "TransactionConflict" for reason in reasons) else None


def reconsider(db: Connection, write: AnyWrite, made: Prepared, action: Action, failure: Failure) -> Known | None:
    """Raises when another attempt cannot help; otherwise says what was found."""
    if action.not_unique:
        raise EntityError("not_unique", action.not_unique)
    entity = write.entity
    if write.kind == "create":
        raise EntityError("exists", f"this {entity.name} exists already", failure.item)
    key = primary_key(entity, key_sources(entity, write.item if write.kind == "put" else write.key))
    if write.kind == "rekey":
        if action.kind == "Put" and stored_item(db, entity, key, True) == made.before:
            raise EntityError("exists", f"this {entity.name} exists already", failure.item)
        return None
    # Older versions of boto3 cannot ask for the item of a single request whose condition failed.
    found = failure.item if failure.knows_item else stored_item(db, entity, key, True)
    judge(db, write, found)
    return Known(found)


def commit(db: Connection, writes: Sequence[AnyWrite]) -> list[Item | None]:
    met: list[Known | None] = [None for _ in writes]
    for attempt in range(1, ATTEMPTS + 1):
        prepared = [prepare(db, write, i, met[i]) for i, write in enumerate(writes)]
        actions = [action for each in prepared for action in each.actions]
        try:
            answer = send_actions(db, actions)
            return [answer or each.after for each in prepared]
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            if failure.index is not None:
                action = actions[failure.index]
                owner = action.owner
                met[owner] = reconsider(db, writes[owner], prepared[owner], action, failure)
        time.sleep(random.random() * 0.005 * 2**attempt)
    raise EntityError("conflict", "the item was changed by others again and again: try later")


def send(db: Connection, write: Write[T]) -> T:
    """Sends one write; gives the item as it is stored (of a delete: as it was)."""
    item = commit(db, [write])[0]
    return from_item(write.entity, item or invalid("the endpoint gave no item back"))


def transact(db: Connection, writes: Sequence[AnyWrite]) -> None:
    """Several writes that happen together or not at all."""
    commit(db, writes)
