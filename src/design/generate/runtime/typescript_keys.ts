// ---- keys

function plainText(value: AttributeValue | undefined): string | undefined {
  return value?.S ?? value?.N ?? (value?.BOOL === undefined ? undefined : String(value.BOOL));
}

/** One value in the text of a key. */
export function keyPart(entity: AnyEntity, name: string, value: unknown, digits = 0): string {
  return partText(entity, name, askedValue(entity, name, value), digits);
}

export function partText(entity: AnyEntity, name: string, value: AttributeValue, digits = 0): string {
  const text = plainText(value);
  if (text === undefined) invalid(`${name} is of a type that keys cannot hold`);
  if (text === "") invalid(`${name} is empty, and keys cannot be`);
  if (digits > 0 && !/^[0-9]+$/.test(text)) invalid(`${name} = ${text} is not a whole number that is not negative`);
  if (digits > 0 && text.length > digits) invalid(`${name} = ${text} has more than ${digits} digits`);
  const bad = Array.from(at(entity.attributes, name)?.forbidden ?? "").find((c) => text.includes(c));
  if (bad !== undefined) invalid(`${name} = ${JSON.stringify(text)} contains '${bad}', which separates the parts of a key`);
  return text.padStart(digits, "0");
}

export function keyValue(type: "S" | "N" | "B", text: string): AttributeValue {
  if (type === "S") return { S: text };
  return type === "N" ? { N: numberText(text) ?? text } : { B: new TextEncoder().encode(text) };
}

/** FNV-1a of the text, 64 bits, modulo the number of shards. */
export function shardOf(value: AttributeValue | undefined, count: number): number {
  const text = value?.S ?? value?.N;
  if (text === undefined) return 0;
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return Number(hash % BigInt(count));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Texts that the key's template can make; the shard is the first group. */
function keyPattern(entity: AnyEntity, key: DerivedKey): RegExp {
  const parts = key.parts.map((part) => {
    if (typeof part === "string") return escaped(part);
    if ("shard" in part) return "([0-9]+)";
    if (part.digits) return `[0-9]{${part.digits}}`;
    const attribute = at(entity.attributes, part.of);
    if (attribute?.values) return `(?:${attribute.values.map(escaped).join("|")})`;
    return attribute?.forbidden ? `[^${escaped(attribute.forbidden)}]+` : "[^]+";
  });
  return new RegExp(`^${parts.join("")}$`);
}

function chosenShard(db: Connection, entity: AnyEntity, key: DerivedKey, item: Item): number {
  if (key.shards === undefined) return 0;
  const { count, by } = key.shards;
  if (by !== undefined) return shardOf(at(item, by), count);
  const kept = keyPattern(entity, key).exec(at(item, key.name)?.S ?? "")?.[1];
  if (kept !== undefined && Number(kept) < count) return Number(kept);
  return Math.floor((db.random ?? Math.random)() * count);
}

function derivedText(entity: AnyEntity, key: DerivedKey, item: Item, shard: number): string | undefined {
  let text = "";
  for (const part of key.parts) {
    if (typeof part === "string") {
      text += part;
    } else if ("shard" in part) {
      text += String(shard);
    } else {
      const value = at(item, part.of);
      if (value === undefined || value.NULL) return undefined;
      text += partText(entity, part.of, value, part.digits);
    }
  }
  return text;
}

function operandValue(entity: AnyEntity, term: Term, operand: Operand, now: number): AttributeValue {
  if (!("now" in operand)) return operand;
  return timeValue(at(entity.attributes, term.attribute), now + operand.now * 1000);
}

function isEqual(a: AttributeValue, b: AttributeValue): boolean {
  return compareValues(a, b) === 0 || (a.BOOL !== undefined && a.BOOL === b.BOOL);
}

function termHolds(entity: AnyEntity, term: Term, item: Item, now: number): boolean {
  const value = at(item, term.attribute);
  if (term.is === "exists") return value !== undefined;
  if (term.is === "missing") return value === undefined;
  if (value === undefined) return term.is === "<>";
  const operands = (term.values ?? []).map((operand) => operandValue(entity, term, operand, now));
  const [first, second] = operands;
  if (first === undefined) return false;
  const order = compareValues(value, first);
  switch (term.is) {
    case "=":
      return isEqual(value, first);
    case "<>":
      return !isEqual(value, first);
    case "in":
      return operands.some((operand) => isEqual(value, operand));
    case "begins_with":
      return value.S !== undefined && first.S !== undefined && value.S.startsWith(first.S);
    case "contains":
      return (value.S ?? value.SS ?? value.NS)?.includes(first.S ?? first.N ?? "") ?? false;
    case "between":
      return order !== undefined && order >= 0 && second !== undefined && (compareValues(value, second) ?? 1) <= 0;
    default:
      if (order === undefined) return false;
      return term.is === "<" ? order < 0 : term.is === "<=" ? order <= 0 : term.is === ">" ? order > 0 : order >= 0;
  }
}

export function holds(entity: AnyEntity, terms: Terms, item: Item, now: number): boolean {
  return terms.some((all) => all.every((term) => termHolds(entity, term, item, now)));
}

/** Every key that the model makes, as the item must have it; undefined: the item must not have it. */
export function derivedKeys(db: Connection, entity: AnyEntity, item: Item): Record<string, AttributeValue | undefined> {
  const made: Record<string, AttributeValue | undefined> = {};
  for (const key of entity.keys) {
    const stands = key.when === undefined || holds(entity, key.when, item, timeNow(db));
    const text = stands ? derivedText(entity, key, item, chosenShard(db, entity, key, item)) : undefined;
    made[key.name] = text === undefined ? undefined : keyValue(key.type, text);
  }
  return made;
}

/** The primary key of the item that these attributes name. */
export function primaryKey(entity: AnyEntity, known: Item): Item {
  const key: Item = {};
  for (const name of entity.sort === undefined ? [entity.partition] : [entity.partition, entity.sort]) {
    const derived = entity.keys.find((candidate) => candidate.name === name);
    const text = derived && derivedText(entity, derived, known, 0);
    const value = derived === undefined ? at(known, name) : text === undefined ? undefined : keyValue(derived.type, text);
    key[name] = value ?? invalid(`the key of ${entity.name} needs ${entity.keyFrom.join(", ")}`);
  }
  return key;
}

/** The attributes of `given` that the primary key is made of; the rest is ignored, so that an item may serve as a key. */
export function keySources(entity: AnyEntity, given: object): Item {
  const all = given as Record<string, unknown>;
  return toItem(entity, Object.fromEntries(entity.keyFrom.map((name) => [name, at(all, name)])));
}

/** How certain it is that the item is of this entity; undefined: it is not. */
function certainty(entity: AnyEntity, item: Item): number | undefined {
  let sum = 0;
  for (const name of entity.sort === undefined ? [entity.partition] : [entity.partition, entity.sort]) {
    const key = entity.keys.find((candidate) => candidate.name === name);
    const value = at(item, name);
    if (value === undefined) return undefined;
    if (key === undefined || key.type !== "S") continue;
    if (value.S === undefined || !keyPattern(entity, key).test(value.S)) return undefined;
    sum += 1 + key.parts.reduce((length, part) => length + (typeof part === "string" ? part.length : 0), 0);
  }
  return sum;
}

/** The entity of an item of a table that several share; undefined: none of these. */
export function entityOf(entities: readonly AnyEntity[], table: string, item: Item): AnyEntity | undefined {
  let best: AnyEntity | undefined;
  let bestScore = -1;
  for (const entity of entities) {
    if (entity.table !== table || at(item, entity.partition)?.S?.startsWith("UNIQUE#")) continue;
    const sure = certainty(entity, item);
    if (sure === undefined) continue;
    const present = Object.keys(entity.attributes).filter((name) => at(item, name) !== undefined).length;
    const score = sure * 1000 + present;
    if (score > bestScore) [best, bestScore] = [entity, score];
  }
  return best;
}
