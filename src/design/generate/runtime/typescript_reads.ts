// ---- reads

export interface PageOptions {
  /** Items of the page; the pattern's own number if absent. */
  limit?: number;
  /** Where an earlier page ended. */
  cursor?: string;
}

export interface Page<T> {
  items: T[];
  /** Where the next page starts; absent: this is the last one. */
  cursor?: string;
}

/** What a pattern asks. Its requests, one for each shard and value, are merged by the sort key. */
export interface Read<T> {
  table: string;
  /** Without a key condition: a scan. */
  requests: Omit<QueryCommandInput, "TableName">[];
  /** The entities of the table, and those whose items are wanted. */
  entities: readonly AnyEntity[];
  wanted: readonly AnyEntity[];
  /** Key attributes that order the items, then all others that say where an item is. */
  order: readonly string[];
  position: readonly string[];
  descending: boolean;
  /** Ranges of which the key condition may read a little too much. */
  bounds?: Terms;
  size: number;
  /** An index of keys: the items are fetched afterwards. */
  thenGet?: { entity: AnyEntity } & GetOptions;
  from: (entity: AnyEntity, item: Item) => T;
}

/** One of the requests, and what of its answer has not been taken yet. */
interface Part {
  request: Omit<QueryCommandInput, "TableName">;
  items: Item[];
  next?: Item;
  /** Behind the last item that was taken. */
  position?: Item;
  done: boolean;
}

function picked(item: Item, names: readonly string[]): Item {
  const out: Item = {};
  for (const name of names) {
    const value = at(item, name);
    if (value !== undefined) out[name] = value;
  }
  return out;
}

function isWanted<T>(db: Connection, read: Read<T>, item: Item): boolean {
  const entity = entityOf(read.entities, read.table, item);
  if (entity === undefined || !read.wanted.includes(entity)) return false;
  const bounds = (read.bounds ?? [[]]).map((all) => all.filter((term) => at(item, term.attribute) !== undefined));
  return holds(entity, bounds, item, timeNow(db));
}

async function fetchPart<T>(db: Connection, read: Read<T>, part: Part, wanted: number): Promise<void> {
  while (part.items.length === 0 && !part.done) {
    const input: QueryCommandInput = {
      ...part.request,
      TableName: (db.tablePrefix ?? "") + read.table,
      // With a filter, steps are larger: otherwise a rare match would take a request per item.
      Limit: Math.min(1000, Math.max(wanted, part.request.FilterExpression === undefined ? 1 : 100)),
      ...(part.next && { ExclusiveStartKey: part.next }),
    };
    const isScan = part.request.KeyConditionExpression === undefined;
    const answer = isScan ? await db.client.send(new ScanCommand(input)) : await db.client.send(new QueryCommand(input));
    part.items = (answer.Items ?? []).filter((item) => isWanted(db, read, item));
    part.done = answer.LastEvaluatedKey === undefined;
    if (answer.LastEvaluatedKey === undefined) delete part.next;
    else part.next = answer.LastEvaluatedKey;
    if (part.items.length === 0 && part.next) part.position = part.next;
  }
}

function compareItems(order: readonly string[], a: Item, b: Item): number {
  for (const name of order) {
    const [left, right] = [at(a, name), at(b, name)];
    const difference = left && right ? (compareValues(left, right) ?? 0) : 0;
    if (difference !== 0) return difference;
  }
  return 0;
}

function takeForemost<T>(read: Read<T>, parts: Part[]): Item | undefined {
  let best: Part | undefined;
  for (const part of parts) {
    const [item, leader] = [part.items[0], best?.items[0]];
    if (item === undefined) continue;
    const order = leader === undefined ? -1 : compareItems(read.order, item, leader);
    if (leader === undefined || (read.descending ? order > 0 : order < 0)) best = part;
  }
  const item = best?.items.shift();
  if (best !== undefined && item !== undefined) {
    best.position = best.items.length === 0 && best.next ? best.next : picked(item, read.position);
  }
  return item;
}

type StoredPosition = "end" | "start" | Record<string, { S?: string; N?: string; B?: number[] }>;

function cursorText(parts: Part[]): string | undefined {
  if (parts.every((part) => part.done && part.items.length === 0)) return undefined;
  const positions = parts.map((part): StoredPosition => {
    if (part.done && part.items.length === 0) return "end";
    if (part.position === undefined) return "start";
    const plain = Object.entries(part.position).map(([name, { S, N, B }]) => [name, B ? { B: [...B] } : { S, N }]);
    return Object.fromEntries(plain) as StoredPosition;
  });
  return encodeURIComponent(JSON.stringify(positions));
}

function resume(parts: Part[], cursor: string): void {
  let positions: StoredPosition[];
  try {
    positions = JSON.parse(decodeURIComponent(cursor)) as StoredPosition[];
  } catch {
    return invalid("the cursor is not one of these pages: start again without one");
  }
  if (!Array.isArray(positions) || positions.length !== parts.length) {
    return invalid("the cursor does not belong to this question: start again without one");
  }
  parts.forEach((part, i) => {
    const position = positions[i];
    part.done = position === "end";
    if (typeof position !== "object") return;
    const entries = Object.entries(position).map(([name, { S, N, B }]): [string, AttributeValue] => {
      if (B) return [name, { B: new Uint8Array(B) }];
      return S === undefined ? [name, { N: N ?? "0" }] : [name, { S }];
    });
    part.next = part.position = Object.fromEntries(entries);
  });
}

/** One page, with the items of all requests in one order. */
export async function readPage<T>(db: Connection, read: Read<T>, options: PageOptions = {}): Promise<Page<T>> {
  const size = options.limit ?? read.size;
  const parts = read.requests.map((request): Part => ({ request, items: [], done: false }));
  if (options.cursor !== undefined) resume(parts, options.cursor);
  const found: Item[] = [];
  while (found.length < size) {
    const active = parts.filter((part) => !part.done);
    const rest = size - found.length;
    const step = active.length > 1 ? Math.min(rest, Math.max(10, Math.ceil((rest * 1.5) / active.length))) : rest;
    await Promise.all(active.filter((part) => part.items.length === 0).map((part) => fetchPart(db, read, part, step)));
    const item = takeForemost(read, parts);
    if (item === undefined) break;
    found.push(item);
  }
  const cursor = cursorText(parts);
  const items = read.thenGet ? await fetchBehind(db, read.thenGet, found) : found;
  return { items: items.map((item) => convert(read, item)), ...(cursor !== undefined && { cursor }) };
}

function convert<T>(read: Read<T>, item: Item): T {
  const entity = entityOf(read.entities, read.table, item) ?? read.wanted[0];
  return entity === undefined ? invalid("an item of no entity") : read.from(entity, item);
}

async function fetchBehind(db: Connection, then: { entity: AnyEntity } & GetOptions, found: Item[]): Promise<Item[]> {
  const { entity } = then;
  const names = entity.sort === undefined ? [entity.partition] : [entity.partition, entity.sort];
  const items = await batchGet(db, entity, found.map((item) => picked(item, names)), then.strong ?? false);
  return items.filter((item) => isVisible(db, entity, item, then));
}

/** Every page. */
export async function readAll<T>(db: Connection, read: Read<T>): Promise<T[]> {
  const items: T[] = [];
  const options: PageOptions = { limit: 1000 };
  for (;;) {
    const page = await readPage(db, read, options);
    items.push(...page.items);
    if (page.cursor === undefined) return items;
    options.cursor = page.cursor;
  }
}

/** The one item there can be. */
export async function readUnique<T>(db: Connection, read: Read<T>): Promise<T | undefined> {
  const { items } = await readPage(db, read, { limit: 2 });
  if (items.length > 1) throw new EntityError("conflict", "two items have what only one should have");
  return items[0];
}

async function batchGet(db: Connection, entity: AnyEntity, keys: Item[], strong: boolean): Promise<Item[]> {
  const table = (db.tablePrefix ?? "") + entity.table;
  const byKey = new Map(keys.map((key) => [JSON.stringify(Object.entries(key)), key]));
  const wanted = [...byKey.values()];
  const found: Item[] = [];
  while (wanted.length > 0) {
    const request = { RequestItems: { [table]: { Keys: wanted.splice(0, 100), ConsistentRead: strong } } };
    const answer = await db.client.send(new BatchGetItemCommand(request));
    found.push(...(answer.Responses?.[table] ?? []));
    wanted.push(...(answer.UnprocessedKeys?.[table]?.Keys ?? []));
  }
  const at = (key: Item) => found.find((item) => compareItems(Object.keys(key), item, key) === 0);
  return [...byKey.values()].map(at).filter((item) => item !== undefined);
}

export interface GetOptions {
  strong?: boolean;
  /** Also items whose time to live is over. */
  seeExpired?: boolean;
}

function isVisible(db: Connection, entity: AnyEntity, item: Item, options: GetOptions): boolean {
  const ttl = entity.ttl === undefined ? undefined : at(item, entity.ttl)?.N;
  return options.seeExpired === true || ttl === undefined || Number(ttl) > Math.floor(timeNow(db) / 1000);
}

export async function storedItem(db: Connection, entity: AnyEntity, key: Item, strong: boolean): Promise<Item | undefined> {
  const TableName = (db.tablePrefix ?? "") + entity.table;
  const answer = await db.client.send(new GetItemCommand({ TableName, Key: key, ConsistentRead: strong }));
  return answer.Item;
}

/** One item by the attributes that its key is made of. */
export async function getItem<T>(
  db: Connection,
  entity: Entity<T>,
  key: object,
  options: GetOptions = {},
): Promise<T | undefined> {
  const item = await storedItem(db, entity, primaryKey(entity, keySources(entity, key)), options.strong ?? false);
  return item !== undefined && isVisible(db, entity, item, options) ? fromItem<T>(entity, item) : undefined;
}

/** Several items by their keys, in the order of the keys; those that do not exist are left out. */
export async function getItems<T>(
  db: Connection,
  entity: Entity<T>,
  keys: readonly object[],
  options: GetOptions = {},
): Promise<T[]> {
  const made = keys.map((key) => primaryKey(entity, keySources(entity, key)));
  const items = await batchGet(db, entity, made, options.strong ?? false);
  return items.filter((item) => isVisible(db, entity, item, options)).map((item) => fromItem<T>(entity, item));
}

/** The upper end of a range, which DynamoDB wants at least as high as the lower one. */
export function atLeast(low: string, high: string): string {
  return (compareValues({ S: low }, { S: high }) ?? 0) > 0 ? low : high;
}
