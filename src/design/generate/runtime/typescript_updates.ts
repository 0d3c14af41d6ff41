/** What an update, put or move changes, checked. */
interface Change {
  sources: Item;
  set: Item;
  add: Item;
  counters: [name: string, member: string, more: string][];
  remove: readonly string[];
}

function checkedChange(db: Connection, write: AnyWrite): Change {
  const { entity, kind, move } = write;
  const given = kind === "put" ? (write.item ?? {}) : (write.set ?? {});
  const sources = keySources(entity, kind === "put" ? given : (write.key ?? {}));
  const set = toItem(entity, Object.fromEntries(Object.entries(given).filter(([name]) => name !== entity.version)));
  if (kind === "put") for (const name of entity.keyFrom) delete set[name];
  if (move !== undefined && entity.machine !== undefined) {
    set[entity.machine.attribute] = { S: move.to };
    for (const stamp of move.stamps) set[stamp] ??= timeValue(at(entity.attributes, stamp), timeNow(db));
  }
  const add: Item = {};
  const counters: Change["counters"] = [];
  for (const [name, more] of Object.entries(write.add ?? {})) {
    if (more === undefined) continue;
    const value = toValue({ ...entity, attributes: { [name]: { type: at(entity.attributes, name)?.type ?? "N" } } }, name, more);
    if (value.M === undefined) add[name] = value;
    else for (const [member, count] of Object.entries(value.M)) counters.push([name, member, count.N ?? "0"]);
  }
  // A set without members is no attribute.
  const emptied = Object.entries(given).filter(([name, value]) => isEmptySet(value, at(entity.attributes, name)));
  const remove = [...(write.remove ?? []), ...(kind === "put" ? [] : emptied.map(([name]) => name))];
  return { sources, set, add, counters, remove: remove.filter((name) => at(set, name) === undefined) };
}

function changed(before: Item, change: Change): Item {
  const item = { ...before, ...change.sources, ...change.set };
  for (const name of change.remove) delete item[name];
  for (const [name, more] of Object.entries(change.add)) {
    const members = (kind: "SS" | "NS") => [...new Set([...(at(item, name)?.[kind] ?? []), ...(more[kind] ?? [])])];
    if (more.N !== undefined) item[name] = { N: sumOf(at(item, name)?.N ?? "0", more.N) };
    else if (more.SS !== undefined) item[name] = { SS: members("SS") };
    else if (more.NS !== undefined) item[name] = { NS: members("NS") };
  }
  for (const [name, member, more] of change.counters) {
    const map = at(item, name)?.M ?? {};
    item[name] = { M: { ...map, [member]: { N: sumOf(at(map, member)?.N ?? "0", more) } } };
  }
  return item;
}

function touchedBy(change: Change): Set<string> {
  const counters = change.counters.map(([name]) => name);
  return new Set([...Object.keys(change.set), ...Object.keys(change.add), ...change.remove, ...counters]);
}

function raised(entity: AnyEntity, before: Item, item: Item): Item {
  if (entity.version === undefined) return item;
  return { ...item, [entity.version]: { N: sumOf(at(before, entity.version)?.N ?? "0", "1") } };
}

/** The clauses of one UpdateItem while they are collected. */
class UpdateText extends Expression {
  readonly conditions: string[] = [];
  private readonly sets: string[] = [];
  private readonly removes: string[] = [];
  private readonly adds: string[] = [];

  set(name: string, value: AttributeValue): void {
    this.sets.push(`${this.name(name)} = ${this.value(value)}`);
  }
  setIfMissing(name: string, value: AttributeValue): void {
    this.sets.push(`${this.name(name)} = if_not_exists(${this.name(name)}, ${this.value(value)})`);
  }
  increase(path: string, more: string): void {
    this.sets.push(`${path} = if_not_exists(${path}, ${this.value({ N: "0" })}) + ${this.value({ N: more })}`);
  }
  remove(name: string): void {
    this.removes.push(this.name(name));
  }
  add(name: string, value: AttributeValue): void {
    this.adds.push(`${this.name(name)} ${this.value(value)}`);
  }

  expression(): string {
    const clauses: [string, string[]][] = [["SET", this.sets], ["REMOVE", this.removes], ["ADD", this.adds]];
    return clauses.filter(([, parts]) => parts.length > 0).map(([word, parts]) => `${word} ${parts.join(", ")}`).join(" ");
  }
}

/** The stored item before a write, if it is known; null: there is none. */
type Current = Item | null | undefined;

/** Counters in maps: without its map a path would be invalid, so the condition says which it is. */
function writeCounters(update: UpdateText, change: Change, current: Current, after: Item): void {
  for (const map of new Set(change.counters.map(([name]) => name))) {
    const isThere = current === undefined || at(current, map) !== undefined;
    update.conditions.push(`attribute_${isThere ? "" : "not_"}exists(${update.name(map)})`);
    if (!isThere) update.set(map, at(after, map) ?? { M: {} });
    for (const [name, member, more] of isThere ? change.counters : []) {
      if (name === map) update.increase(`${update.name(name)}.${update.name(member)}`, more);
    }
  }
}

function writeChange(db: Connection, write: AnyWrite, update: UpdateText, change: Change): void {
  const { entity } = write;
  for (const [name, value] of Object.entries(change.set)) update.set(name, value);
  for (const name of change.remove) update.remove(name);
  for (const [name, value] of Object.entries(change.add)) update.add(name, value);
  if (entity.version !== undefined) update.increase(update.name(entity.version), "1");
  if (!upserts(write)) return;
  for (const [name, value] of Object.entries(change.sources)) {
    if (name !== entity.partition && name !== entity.sort) update.set(name, value);
  }
  const touched = touchedBy(change);
  for (const [name, attribute] of Object.entries(entity.attributes)) {
    const value = filled(db, attribute);
    if (value === undefined || touched.has(name) || at(change.sources, name) || isManaged(entity, name)) continue;
    update.setIfMissing(name, value);
  }
}

function writeKeys(db: Connection, entity: AnyEntity, update: UpdateText, affected: readonly DerivedKey[], after: Item): void {
  const made = derivedKeys(db, entity, after);
  for (const { name } of affected) {
    const value = at(made, name);
    if (value === undefined) update.remove(name);
    else update.set(name, value);
  }
}

/** A derived key can be written without reading the item when the request names all of its sources. */
async function prepareUpdate(db: Connection, write: AnyWrite, owner: number, found: Current): Promise<Prepared> {
  const { entity, move } = write;
  const change = checkedChange(db, write);
  const key = primaryKey(entity, change.sources);
  const touched = touchedBy(change);
  const isBase = (name: string) => name === entity.partition || name === entity.sort;
  const affected = entity.keys.filter(
    (made) => !isBase(made.name) && (upserts(write) || made.from.some((name) => touched.has(name))),
  );
  const unique = entity.unique.filter((names) => names.some((name) => touched.has(name))).flat();
  const needed = affected.flatMap((made) => [...made.from]);
  const given = new Set([...Object.keys(change.sources), ...Object.keys(change.set), ...change.remove]);
  const needsRead = unique.length > 0 || !needed.every((name) => given.has(name));
  let current = found;
  if (needsRead && current === undefined) {
    current = (await storedItem(db, entity, key, true)) ?? null;
    judge(db, write, current ?? undefined);
  }

  const update = new UpdateText();
  if (!upserts(write) || current !== undefined) {
    const exists = !upserts(write) || current !== null ? "attribute_exists" : "attribute_not_exists";
    update.conditions.push(`${exists}(${update.name(entity.partition)})`);
  }
  if (move !== undefined && move.from.length > 0 && entity.machine !== undefined) {
    const states = move.from.map((state) => update.value({ S: state }));
    update.conditions.push(`${update.name(entity.machine.attribute)} IN (${states.join(", ")})`);
  }
  if (needsRead && current) {
    const guarded = [...new Set([...needed, ...unique])].filter((name) => !Object.hasOwn(change.sources, name));
    for (const name of guarded.sort()) update.conditions.push(update.stillIs(name, at(current, name)));
  }
  update.conditions.push(...stated(db, write, update));
  const after = changed(current ?? {}, change);
  writeCounters(update, change, current, after);
  writeChange(db, write, update, change);
  writeKeys(db, entity, update, affected, after);

  const request: TransactWriteItem = {
    Update: {
      TableName: tableName(db, entity),
      Key: key,
      UpdateExpression: update.expression(),
      ...(update.conditions.length > 0 && { ConditionExpression: update.conditions.join(" AND ") }),
      ...update.members(),
    },
  };
  const actions: Action[] = [{ owner, request }];
  if (unique.length > 0) actions.push(...sentinels(db, owner, entity, current ?? undefined, after));
  const stored = current ? withKeys(db, entity, raised(entity, current, after)) : undefined;
  return { actions, ...(current && { before: current }), ...(stored && { after: stored }) };
}

async function prepareExisting(db: Connection, write: AnyWrite, owner: number): Promise<Prepared> {
  const { entity, kind } = write;
  const key = primaryKey(entity, keySources(entity, write.key ?? {}));
  const reads = kind === "rekey" || entity.unique.length > 0;
  const before = reads ? await storedItem(db, entity, key, true) : undefined;
  if (reads) judge(db, write, before);
  const text = new Expression();
  const conditions = [`attribute_exists(${text.name(entity.partition)})`, ...stated(db, write, text)];
  const unchanged = entity.version === undefined ? Object.keys(before ?? {}) : [entity.version];
  for (const name of kind === "rekey" ? unchanged : entity.unique.flat()) conditions.push(text.stillIs(name, at(before, name)));
  const TableName = tableName(db, entity);
  const ConditionExpression = conditions.join(" AND ");
  const remove: Action = { owner, request: { Delete: { TableName, Key: key, ConditionExpression, ...text.members() } } };
  if (kind === "delete" || before === undefined) {
    const freed = before === undefined ? [] : sentinels(db, owner, entity, before);
    return { actions: [remove, ...freed], ...(before && { before, after: before }) };
  }
  const moved = { ...before, ...toItem(entity, write.set ?? {}) };
  for (const name of write.remove ?? []) delete moved[name];
  const after = withKeys(db, entity, raised(entity, before, moved));
  const put: Action = { owner, request: putNew(db, entity, after) };
  return { actions: [put, remove, ...sentinels(db, owner, entity, before, after)], before, after };
}

async function prepare(db: Connection, write: AnyWrite, owner: number, found: Current): Promise<Prepared> {
  const { entity, kind } = write;
  if (kind === "update" || upserts(write)) return prepareUpdate(db, write, owner, found);
  if (kind !== "create") return prepareExisting(db, write, owner);
  const after = newItem(db, entity, write.item ?? {});
  const put: Action = { owner, request: putNew(db, entity, after) };
  return { actions: [put, ...sentinels(db, owner, entity, undefined, after)], after };
}

/** Sends one request as it is, several as a transaction. */
async function sendActions(db: Connection, actions: Action[]): Promise<Item | undefined> {
  const [first] = actions;
  if (first === undefined) return undefined;
  if (actions.length > 1) {
    await db.client.send(new TransactWriteItemsCommand({ TransactItems: actions.map((action) => action.request) }));
    return undefined;
  }
  const { Put, Update, Delete } = first.request;
  if (Put) return void (await db.client.send(new PutItemCommand(Put)));
  if (Update) return (await db.client.send(new UpdateItemCommand({ ...Update, ReturnValues: "ALL_NEW" }))).Attributes;
  if (Delete) return (await db.client.send(new DeleteItemCommand({ ...Delete, ReturnValues: "ALL_OLD" }))).Attributes;
  return undefined;
}

interface Failure {
  /** The action whose condition did not hold; absent: another transaction was in the way. */
  index?: number;
  item?: Item;
}

/** Undefined: the failure is none that another attempt or a better message can mend. */
function failureOf(error: unknown): Failure | undefined {
  const { name, Item: item, CancellationReasons: reasons } = error as {
    name?: string;
    Item?: Item;
    CancellationReasons?: { Code?: string; Item?: Item }[];
  };
  if (name === "ConditionalCheckFailedException") return { index: 0, ...(item && { item }) };
  if (name === "TransactionConflictException" || name === "TransactionInProgressException") return {};
  if (name !== "TransactionCanceledException" || reasons === undefined) return undefined;
  const index = reasons.findIndex((reason) => reason.Code === "ConditionalCheckFailed");
  if (index < 0) return reasons.some((reason) => reason.Code === "TransactionConflict") ? {} : undefined;
  const stored = reasons[index]?.Item;
  return { index, ...(stored && { item: stored }) };
}

/** Throws when another attempt cannot help; otherwise says what was found. */
async function reconsider(db: Connection, write: AnyWrite, made: Prepared, action: Action, failure: Failure) {
  if (action.notUnique !== undefined) throw new EntityError("not_unique", action.notUnique);
  if (write.kind === "rekey") {
    const now = await storedItem(db, write.entity, primaryKey(write.entity, keySources(write.entity, write.key ?? {})), true);
    const same = now !== undefined && made.before !== undefined && JSON.stringify(now) === JSON.stringify(made.before);
    if (same && action.request.Put) throw new EntityError("exists", `this ${write.entity.name} exists already`, failure.item);
    return undefined;
  }
  judge(db, write, failure.item);
  return failure.item ?? null;
}

async function commit(db: Connection, writes: readonly AnyWrite[]): Promise<(Item | undefined)[]> {
  const met: Current[] = writes.map(() => undefined);
  for (let attempt = 1; ; ++attempt) {
    const prepared: Prepared[] = [];
    for (const [i, write] of writes.entries()) prepared.push(await prepare(db, write, i, met[i]));
    const actions = prepared.flatMap((each) => each.actions);
    try {
      const answer = await sendActions(db, actions);
      return prepared.map((each) => answer ?? each.after);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      const action = failure.index === undefined ? undefined : actions[failure.index];
      const [write, made] = [writes[action?.owner ?? 0], prepared[action?.owner ?? 0]];
      if (action && write && made) met[action.owner] = await reconsider(db, write, made, action, failure);
      if (attempt === ATTEMPTS) {
        throw new EntityError("conflict", "the item was changed by others again and again: try later", failure.item);
      }
      await new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 2 ** attempt * 5));
    }
  }
}

/** Sends one write; gives the item as it is stored (of a delete: as it was). */
export async function send<T>(db: Connection, write: Write<T>): Promise<T> {
  const [item] = await commit(db, [write]);
  return fromItem<T>(write.entity, item ?? invalid("the endpoint gave no item back"));
}

/** Several writes that happen together or not at all. */
export async function transact(db: Connection, writes: readonly AnyWrite[]): Promise<void> {
  await commit(db, writes);
}
