// ---- what the entities share

export interface Connection {
  client: DynamoDBClient;
  /** Put before the name of every table. */
  tablePrefix?: string;
  /** Milliseconds since 1970; the system's clock if absent. */
  now?: () => number;
  /** At least 0 and less than 1, for random shards and new ids; Math.random if absent. */
  random?: () => number;
}

function iso(db: Connection, seconds: number): string {
  return new Date((db.now ?? Date.now)() + seconds * 1000).toISOString();
}

/** The time, so many seconds from now, as attributes of this unit hold it. */
export function timeText(db: Connection, unit: "date" | "iso_s" | "iso_ms", seconds: number): string {
  const text = iso(db, seconds);
  return unit === "date" ? text.slice(0, 10) : unit === "iso_s" ? text.slice(0, 19) + "Z" : text;
}

export function timeNumber(db: Connection, unit: "epoch_s" | "epoch_ms", seconds: number): number {
  const milliseconds = Math.floor((db.now ?? Date.now)()) + seconds * 1000;
  return unit === "epoch_ms" ? milliseconds : Math.floor(milliseconds / 1000);
}

export function newId(db: Connection, kind: "ulid" | "uuid"): string {
  const random = db.random ?? Math.random;
  const digits = (count: number, alphabet: string) =>
    Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const hex = "0123456789abcdef";
  if (kind === "uuid") {
    return `${digits(8, hex)}-${digits(4, hex)}-4${digits(3, hex)}-${digits(1, "89ab")}${digits(3, hex)}-${digits(12, hex)}`;
  }
  const base32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let time = "";
  for (let rest = Math.floor((db.now ?? Date.now)()), i = 0; i < 10; ++i, rest = Math.floor(rest / 32)) {
    time = (base32[rest % 32] ?? "0") + time;
  }
  return time + digits(16, base32);
}

/** FNV-1a of the text, 64 bits, modulo the number of shards. Updates of a sharded key name the shard that this gives. */
export function shardOf(value: string | number | undefined, count: number): number {
  if (value === undefined) return 0;
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(String(value))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return Number(hash % BigInt(count));
}

/** The text of a key that no template can write; undefined: a source is missing, so the item has no such key. */
export function keyText(parts: readonly (string | { of: unknown; digits: number })[]): string | undefined {
  if (parts.some((part) => typeof part === "object" && (part.of === undefined || part.of === null))) return undefined;
  return parts.map((part) => (typeof part === "string" ? part : String(part.of).padStart(part.digits, "0"))).join("");
}

/** Questions are asked as they are given: normalise what people typed. */
export function normalized(norm: readonly string[], text: string): string {
  let normal = text;
  for (const step of norm) {
    if (step === "nfc") normal = normal.normalize("NFC");
    // One letter at a time, so that no letter becomes two and none depends on its neighbours.
    if (step === "lower") normal = Array.from(normal, (c) => Array.from(c.toLowerCase())[0]).join("");
    if (step === "trim") normal = normal.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  }
  return normal;
}

export function isAllowed(text: string | undefined, forbidden: string): boolean {
  return text === undefined || !Array.from(forbidden).some((c) => text.includes(c));
}

export function isWithin(value: number | undefined, least: number, most: number): boolean {
  return value === undefined || (value >= least && value <= most);
}

/** By numbers or by code points; NaN if the values cannot be compared, which no comparison holds for. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== "string" || typeof b !== "string") return NaN;
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < left.length && i < right.length; ++i) {
    const order = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** The keys of the items that keep the unique values of an item. */
export function sentinelTexts(entity: string, unique: readonly (readonly string[])[], item: Record<string, unknown>): string[] {
  const texts: string[] = [];
  for (const names of unique) {
    const values = names.map((name) => item[name]);
    if (!values.every((value) => typeof value === "string" || typeof value === "number")) continue;
    const safe = values.map((value) => String(value).replace(/%/g, "%25").replace(/#/g, "%23"));
    texts.push(`UNIQUE#${entity}#${names.join("+")}#${safe.join("#")}`);
  }
  return texts;
}
