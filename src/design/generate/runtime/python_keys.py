# ---- keys


def plain_text(value: AttributeValue) -> str | None:
    if "BOOL" in value:
        return "true" if value["BOOL"] else "false"
    text = value.get("S", value.get("N"))
    return text if isinstance(text, str) else None


def part_text(entity: AnyEntity, name: str, value: AttributeValue, digits: int = 0) -> str:
    text = plain_text(value)
    if text is None:
        invalid(f"{name} is of a type that keys cannot hold")
    if text == "":
        invalid(f"{name} is empty, and keys cannot be")
    if digits and not re.fullmatch("[0-9]+", text):
        invalid(f"{name} = {text} is not a whole number that is not negative")
    if digits and len(text) > digits:
        invalid(f"{name} = {text} has more than {digits} digits")
    attribute = entity.attributes.get(name)
    for letter in attribute.forbidden if attribute else "":
        if letter in text:
            invalid(f"{name} = {text!r} contains '{letter}', which separates the parts of a key")
    return text.rjust(digits, "0")


def key_part(entity: AnyEntity, name: str, value: Any, digits: int = 0) -> str:
    """One value in the text of a key."""
    return part_text(entity, name, asked_value(entity, name, value), digits)


def key_value(kind: Literal["S", "N", "B"], text: str) -> AttributeValue:
    if kind == "B":
        return {"B": text.encode()}
    return {"S": text} if kind == "S" else {"N": number_text(text) or text}


def shard_of(value: AttributeValue | None, count: int) -> int:
    """FNV-1a of the text, 64 bits, modulo the number of shards."""
    text = (value or {}).get("S", (value or {}).get("N"))
    if text is None:
        return 0
    digest = 0xCBF29CE484222325
    for byte in str(text).encode():
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return digest % count


def key_pattern(entity: AnyEntity, key: DerivedKey) -> re.Pattern[str]:
    """Texts that the key's template can make; the shard is the first group."""

    def one(part: str | Part | Shard) -> str:
        if isinstance(part, str):
            return re.escape(part)
        if isinstance(part, Shard):
            return "([0-9]+)"
        if part.digits:
            return f"[0-9]{{{part.digits}}}"
        attribute = entity.attributes.get(part.of)
        if attribute and attribute.values:
            return f"(?:{'|'.join(map(re.escape, attribute.values))})"
        return f"[^{re.escape(attribute.forbidden)}]+" if attribute and attribute.forbidden else "(?:.|\n)+"

    return re.compile("".join(map(one, key.parts)))


def chosen_shard(db: Connection, entity: AnyEntity, key: DerivedKey, item: Item) -> int:
    if not key.shards:
        return 0
    if key.shard_by:
        return shard_of(item.get(key.shard_by), key.shards)
    kept = key_pattern(entity, key).fullmatch(item.get(key.name, {}).get("S", ""))
    if kept and kept.groups() and int(kept[1]) < key.shards:
        return int(kept[1])
    return int(db.random() * key.shards)


def derived_text(entity: AnyEntity, key: DerivedKey, item: Item, shard: int) -> str | None:
    text = ""
    for part in key.parts:
        if isinstance(part, str):
            text += part
        elif isinstance(part, Shard):
            text += str(shard)
        elif part.of not in item or "NULL" in item[part.of]:
            return None
        else:
            text += part_text(entity, part.of, item[part.of], part.digits)
    return text


def operand_value(entity: AnyEntity, term: Term, operand: Operand, now: int) -> AttributeValue:
    if isinstance(operand, Now):
        return time_value(entity.attributes.get(term.attribute), now + operand.offset * 1000)
    return operand


def is_equal(a: AttributeValue, b: AttributeValue) -> bool:
    return compare_values(a, b) == 0 or ("BOOL" in a and a == b)


def term_holds(entity: AnyEntity, term: Term, item: Item, now: int) -> bool:
    value = item.get(term.attribute)
    if term.comparison in ("exists", "missing"):
        return (value is not None) == (term.comparison == "exists")
    if value is None:
        return term.comparison == "<>"
    operands = [operand_value(entity, term, operand, now) for operand in term.values]
    if term.comparison in ("=", "in"):
        return any(is_equal(value, operand) for operand in operands)
    if term.comparison == "<>":
        return not is_equal(value, operands[0])
    if term.comparison == "begins_with":
        return "S" in value and "S" in operands[0] and bool(value["S"].startswith(operands[0]["S"]))
    if term.comparison == "contains":
        whole = value.get("S", value.get("SS", value.get("NS", "")))
        return operands[0].get("S", operands[0].get("N")) in whole
    order = compare_values(value, operands[0])
    if order is None:
        return False
    if term.comparison == "between":
        end = compare_values(value, operands[1])
        return order >= 0 and end is not None and end <= 0
    return {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[term.comparison]


def holds(entity: AnyEntity, terms: Terms, item: Item, now: int) -> bool:
    return any(all(term_holds(entity, term, item, now) for term in every) for every in terms)


def derived_keys(db: Connection, entity: AnyEntity, item: Item) -> dict[str, AttributeValue | None]:
    """Every key that the model makes, as the item must have it; None: the item must not have it."""
    made: dict[str, AttributeValue | None] = {}
    for key in entity.keys:
        stands = key.when is None or holds(entity, key.when, item, db.now())
        text = derived_text(entity, key, item, chosen_shard(db, entity, key, item)) if stands else None
        made[key.name] = None if text is None else key_value(key.type, text)
    return made


def primary_key(entity: AnyEntity, known: Item) -> Item:
    """The primary key of the item that these attributes name."""
    key: Item = {}
    for name in entity.primary():
        derived = next((each for each in entity.keys if each.name == name), None)
        value = known.get(name)
        if derived:
            text = derived_text(entity, derived, known, 0)
            value = None if text is None else key_value(derived.type, text)
        key[name] = value or invalid(f"the key of {entity.name} needs {', '.join(entity.key_from)}")
    return key


def key_sources(entity: AnyEntity, key: Any) -> Item:
    """The attributes that the primary key is made of; an item may serve as a key."""
    return to_item(entity, given_by(entity, key, entity.key_from))


def certainty(entity: AnyEntity, item: Item) -> int | None:
    """How certain it is that the item is of this entity; None: it is not."""
    total = 0
    for name in entity.primary():
        key = next((each for each in entity.keys if each.name == name), None)
        if name not in item:
            return None
        if key is None or key.type != "S":
            continue
        if "S" not in item[name] or not key_pattern(entity, key).fullmatch(item[name]["S"]):
            return None
        total += 1 + sum(len(part) for part in key.parts if isinstance(part, str))
    return total


def entity_of(entities: Sequence[AnyEntity], table: str, item: Item) -> AnyEntity | None:
    """The entity of an item of a table that several share; None: none of these."""
    best: AnyEntity | None = None
    best_score = (-1, -1)
    for entity in entities:
        if entity.table != table or str(item.get(entity.partition, {}).get("S", "")).startswith("UNIQUE#"):
            continue
        sure = certainty(entity, item)
        score = (-1 if sure is None else sure, sum(name in item for name in entity.attributes))
        if sure is not None and score > best_score:
            best, best_score = entity, score
    return best
