// ---- writes

/** A move of a state machine: its sources are the condition, its stamps are set to now. */
export interface Move {
  name: string;
  from: readonly string[];
  to: string;
  stamps: readonly string[];
}

/** A write that has not been sent: `send` sends one, `transact` several that happen together or not at all. */
export interface Write<T> {
  kind: "create" | "put" | "update" | "upsert" | "delete" | "rekey";
  entity: Entity<T>;
  /** Of a create or put: the attributes. */
  item?: object;
  /** Of all others: the attributes that the key is made of. */
  key?: object;
  set?: object;
  add?: object;
  remove?: readonly string[];
  move?: Move;
  guard?: Terms;
  expectedVersion?: number;
}
export type AnyWrite = Write<unknown>;

const ATTEMPTS = 5;

/** Whether the item is made if it does not exist. */
function upserts(write: AnyWrite): boolean {
  return write.kind === "put" || write.kind === "upsert";
}

/** Names and values of an expression. */
class Expression {
  readonly names: Record<string, string> = {};
  readonly values: Item = {};

  name(attribute: string): string {
    const known = Object.entries(this.names).find(([, name]) => name === attribute);
    if (known !== undefined) return known[0];
    const placeholder = `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value: AttributeValue): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  stillIs(attribute: string, value: AttributeValue | undefined): string {
    if (value === undefined) return `attribute_not_exists(${this.name(attribute)})`;
    return `${this.name(attribute)} = ${this.value(value)}`;
  }

  condition(entity: AnyEntity, terms: Terms, now: number): string {
    const one = (term: Term): string => {
      const name = this.name(term.attribute);
      if (term.is === "exists") return `attribute_exists(${name})`;
      if (term.is === "missing") return `attribute_not_exists(${name})`;
      const values = (term.values ?? []).map((operand) => this.value(operandValue(entity, term, operand, now)));
      if (term.is === "between") return `${name} BETWEEN ${values.join(" AND ")}`;
      if (term.is === "in") return `${name} IN (${values.join(", ")})`;
      if (term.is === "begins_with" || term.is === "contains") return `${term.is}(${name}, ${values.join()})`;
      return `${name} ${term.is} ${values.join()}`;
    };
    const alternatives = terms.map((all) => `(${all.map(one).join(" AND ")})`);
    return alternatives.length === 1 ? alternatives.join() : `(${alternatives.join(" OR ")})`;
  }

  members() {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    };
  }
}

interface Action {
  request: TransactWriteItem;
  /** Which of the writes it belongs to. */
  owner: number;
  /** Of a sentinel: what it means that another item has the value. */
  notUnique?: string;
}

interface Prepared {
  actions: Action[];
  /** The item as the write found it, and as it leaves it, where that is known. */
  before?: Item;
  after?: Item;
}

function tableName(db: Connection, entity: AnyEntity): string {
  return (db.tablePrefix ?? "") + entity.table;
}

function newId(db: Connection, kind: "ulid" | "uuid"): string {
  const random = db.random ?? Math.random;
  const digits = (count: number, alphabet: string) =>
    Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const hex = "0123456789abcdef";
  if (kind === "uuid") {
    return `${digits(8, hex)}-${digits(4, hex)}-4${digits(3, hex)}-${digits(1, "89ab")}${digits(3, hex)}-${digits(12, hex)}`;
  }
  const base32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let time = "";
  for (let rest = timeNow(db), i = 0; i < 10; ++i, rest = Math.floor(rest / 32)) time = (base32[rest % 32] ?? "0") + time;
  return time + digits(16, base32);
}

function filled(db: Connection, attribute: Attribute): AttributeValue | undefined {
  const { fill } = attribute;
  if (fill === undefined) return undefined;
  if ("now" in fill) return timeValue(attribute, timeNow(db) + fill.now * 1000);
  return "id" in fill ? { S: newId(db, fill.id) } : fill;
}

function isManaged(entity: AnyEntity, name: string): boolean {
  return name === entity.version || entity.keys.some((key) => key.name === name);
}

/** A whole new item: given attributes, the first state, defaults, version and keys. */
function newItem(db: Connection, entity: AnyEntity, given: object): Item {
  const { version, machine } = entity;
  const item = toItem(entity, Object.fromEntries(Object.entries(given).filter(([name]) => name !== version)));
  if (machine !== undefined) {
    const state = at(item, machine.attribute)?.S ?? (machine.initial.length === 1 ? machine.initial[0] : undefined);
    if (state === undefined) return invalid(`${entity.name} starts as ${machine.initial.join(" or ")}: say which`);
    if (!machine.initial.includes(state)) {
      return invalid(`${entity.name} cannot start as ${state}: it starts as ${machine.initial.join(" or ")}`);
    }
    item[machine.attribute] = { S: state };
    if (machine.stamp !== undefined) item[machine.stamp] ??= timeValue(at(entity.attributes, machine.stamp), timeNow(db));
  }
  for (const [name, attribute] of Object.entries(entity.attributes)) {
    if (at(item, name) !== undefined || name === version) continue;
    const value = filled(db, attribute) ?? attribute.start;
    if (value !== undefined) item[name] = value;
    else if (attribute.required) invalid(`${entity.name} needs \`${name}\``);
  }
  if (version !== undefined) item[version] = { N: "1" };
  primaryKey(entity, item);
  return withKeys(db, entity, item);
}

function withKeys(db: Connection, entity: AnyEntity, item: Item): Item {
  const out = { ...item };
  for (const [name, value] of Object.entries(derivedKeys(db, entity, item))) {
    if (value === undefined) delete out[name];
    else out[name] = value;
  }
  return out;
}

/** Undefined: the item lacks one of the attributes, so there is nothing to keep unique. */
function sentinelText(entity: AnyEntity, names: readonly string[], item: Item): string | undefined {
  const values = names.map((name) => at(item, name)?.S ?? at(item, name)?.N);
  if (values.some((value) => value === undefined)) return undefined;
  const safe = values.map((value) => (value ?? "").replace(/%/g, "%25").replace(/#/g, "%23"));
  return `UNIQUE#${entity.name}#${names.join("+")}#${safe.join("#")}`;
}

/** The writes that keep the unique values of an item that changes from `before` to `after`. */
function sentinels(db: Connection, owner: number, entity: AnyEntity, before?: Item, after?: Item): Action[] {
  const actions: Action[] = [];
  const TableName = tableName(db, entity);
  const keyOf = (text: string): Item => ({
    [entity.partition]: { S: text },
    ...(entity.sort !== undefined && { [entity.sort]: { S: text } }),
  });
  for (const names of entity.unique) {
    const old = before && sentinelText(entity, names, before);
    const made = after && sentinelText(entity, names, after);
    if (old === made) continue;
    if (old !== undefined) actions.push({ owner, request: { Delete: { TableName, Key: keyOf(old) } } });
    if (made === undefined) continue;
    const ttl = entity.ttl === undefined ? undefined : at(after, entity.ttl);
    const put = putNew(db, entity, { ...keyOf(made), ...(ttl && entity.ttl && { [entity.ttl]: ttl }) });
    actions.push({ owner, request: put, notUnique: `another ${entity.name} has this ${names.join(" and ")}` });
  }
  return actions;
}

function putNew(db: Connection, entity: AnyEntity, item: Item): TransactWriteItem {
  const text = new Expression();
  const condition = `attribute_not_exists(${text.name(entity.partition)})`;
  return { Put: { TableName: tableName(db, entity), Item: item, ConditionExpression: condition, ...text.members() } };
}

/** The conditions that the caller and the pattern state. */
function stated(db: Connection, write: AnyWrite, text: Expression): string[] {
  const { entity, expectedVersion, guard } = write;
  const conditions: string[] = [];
  if (expectedVersion !== undefined && entity.version !== undefined) {
    const version = text.name(entity.version);
    const equals = `${version} = ${text.value({ N: String(expectedVersion) })}`;
    // An item that was written without a version has version 0.
    conditions.push(expectedVersion === 0 ? `(attribute_not_exists(${version}) OR ${equals})` : equals);
  }
  if (guard !== undefined) {
    const holdsNow = text.condition(entity, guard, timeNow(db));
    const free = `attribute_not_exists(${text.name(entity.partition)})`;
    conditions.push(upserts(write) ? `(${free} OR ${holdsNow})` : holdsNow);
  }
  return conditions;
}

/** Why the write cannot succeed, given the stored item; returns if it is worth another try. */
function judge(db: Connection, write: AnyWrite, item: Item | undefined): void {
  const { entity, move, guard, expectedVersion, kind } = write;
  if (kind === "create") throw new EntityError("exists", `this ${entity.name} exists already`, item);
  if (item === undefined) {
    if (upserts(write)) return;
    throw new EntityError("missing", `there is no such ${entity.name}`);
  }
  const state = entity.machine === undefined ? undefined : at(item, entity.machine.attribute)?.S;
  if (move !== undefined && move.from.length > 0 && !move.from.includes(state ?? "")) {
    const now = state ?? "without a state";
    throw new EntityError("conflict", `${entity.name} is ${now}; ${move.name} starts from ${move.from.join(" or ")}`, item);
  }
  const version = entity.version === undefined ? "0" : (at(item, entity.version)?.N ?? "0");
  if (expectedVersion !== undefined && version !== String(expectedVersion)) {
    throw new EntityError("conflict", `${entity.name} has version ${version}, expected ${expectedVersion}`, item);
  }
  if (guard !== undefined && !holds(entity, guard, item, timeNow(db))) {
    throw new EntityError("conflict", `${entity.name}: the condition of this write does not hold`, item);
  }
}
