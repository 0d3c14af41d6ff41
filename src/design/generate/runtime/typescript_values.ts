import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type AttributeValue,
  type QueryCommandInput,
  type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";

// ---- values: what attributes hold, and the keys that are made of them

/** An item as DynamoDB has it: { userId: { S: "ann" } }. */
export type Item = Record<string, AttributeValue>;

/** A number of up to 38 digits, as text: a JavaScript number keeps only 15 of them. */
export type Decimal = string;

/** Where the tables are. Every function takes it first. */
export interface Connection {
  client: DynamoDBClient;
  /** Put before the name of every table. */
  tablePrefix?: string;
  /** Milliseconds since 1970; the system's clock if absent. */
  now?: () => number;
  /** At least 0 and less than 1, for random shards and new ids; Math.random if absent. */
  random?: () => number;
}

/**
 * invalid: the request breaks the model, and nothing was sent. exists, missing: the item. not_unique: another item has the
 * unique value. conflict: the version, the state or a condition is not as expected.
 */
export type EntityErrorKind = "invalid" | "exists" | "missing" | "not_unique" | "conflict";

export class EntityError extends Error {
  constructor(
    readonly kind: EntityErrorKind,
    message: string,
    /** The stored item, if it is known. */
    readonly item?: Item,
  ) {
    super(message);
    this.name = "EntityError";
  }
}

export type Comparison =
  | "=" | "<>" | "<" | "<=" | ">" | ">=" | "between" | "begins_with" | "in" | "contains" | "exists" | "missing";
/** `now` is the time, so many seconds from now, written as the attribute writes times. */
export type Operand = AttributeValue | { now: number };
export interface Term {
  attribute: string;
  is: Comparison;
  values?: Operand[];
}
/** An or of ands. */
export type Terms = Term[][];

export interface Attribute {
  type: "S" | "N" | "B" | "BOOL" | "SS" | "NS" | "BS" | "counters" | "any";
  /** A number that is a JavaScript number, not a Decimal. */
  whole?: true;
  /** A create must give it. */
  required?: true;
  nullable?: true;
  values?: readonly string[];
  range?: readonly [number, number];
  forbidden?: string;
  norm?: readonly string[];
  unit?: "epoch_s" | "epoch_ms" | "date" | "iso_s" | "iso_ms" | "ulid" | "uuid";
  /** What is written if the caller gives nothing. */
  fill?: AttributeValue | { now: number } | { id: "ulid" | "uuid" };
  /** What a new item starts with. */
  start?: AttributeValue;
}

export type KeyPart = string | { of: string; digits?: number } | { shard: true };
/** A key attribute that is made from other attributes. */
export interface DerivedKey {
  name: string;
  type: "S" | "N" | "B";
  parts: readonly KeyPart[];
  /** Of a sparse index: the items that have the key. */
  when?: Terms;
  shards?: { count: number; by?: string };
  /** The attributes that decide what the key is. */
  from: readonly string[];
}

export interface Entity<T> {
  name: string;
  table: string;
  partition: string;
  sort?: string;
  /** The attributes that the primary key is made of. */
  keyFrom: readonly string[];
  attributes: Readonly<Record<string, Attribute>>;
  keys: readonly DerivedKey[];
  unique: readonly (readonly string[])[];
  version?: string;
  ttl?: string;
  machine?: { attribute: string; initial: readonly string[]; stamp?: string };
  /** Never set: it ties the description to its type. */
  readonly type?: T;
}
export type AnyEntity = Entity<unknown>;

export function invalid(message: string): never {
  throw new EntityError("invalid", message);
}

/** An entry that an object itself has: a name such as "constructor" is not one. */
export function at<T>(entries: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return entries && Object.hasOwn(entries, name) ? entries[name] : undefined;
}

export function timeNow(db: Connection): number {
  return db.now === undefined ? Date.now() : Math.floor(db.now());
}

export function timeValue(attribute: Attribute | undefined, milliseconds: number): AttributeValue {
  const iso = new Date(milliseconds).toISOString();
  switch (attribute?.unit) {
    case "epoch_ms":
      return { N: String(milliseconds) };
    case "date":
      return { S: iso.slice(0, 10) };
    case "iso_s":
      return { S: iso.slice(0, 19) + "Z" };
    case "iso_ms":
      return { S: iso };
    default:
      return { N: String(Math.floor(milliseconds / 1000)) };
  }
}

/** The digits of a number without an exponent and without zeros that say nothing. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
  if (typeof value !== "number" && typeof value !== "string" && typeof value !== "bigint") return undefined;
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/.exec(String(value));
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  if (whole + fraction === "") return undefined;
  const significant = (whole + fraction).replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  if (digits === "") return "0";
  if (digits.length > 38) return undefined;
  const exponent = Number(power) - fraction.length + significant.length - digits.length;
  const point = digits.length + exponent;
  const minus = sign === "-" ? "-" : "";
  if (exponent >= 0) return minus + digits + "0".repeat(exponent);
  if (point > 0) return `${minus}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${minus}0.${"0".repeat(-point)}${digits}`;
}

function fractionDigits(text: string): number {
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point - 1;
}

function scaled(text: string, places: number): bigint {
  return BigInt(text.replace(".", "") + "0".repeat(places - fractionDigits(text)));
}

export function compareNumbers(a: string, b: string): number {
  const places = Math.max(fractionDigits(a), fractionDigits(b));
  const difference = scaled(a, places) - scaled(b, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function sumOf(a: string, b: string): string {
  const places = Math.max(fractionDigits(a), fractionDigits(b));
  return numberText(`${scaled(a, places) + scaled(b, places)}e-${places}`) ?? "0";
}

/** By code points, which is the order of the bytes in UTF-8; undefined if the values cannot be compared. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.N !== undefined && b.N !== undefined) return compareNumbers(a.N, b.N);
  const left = a.S !== undefined && b.S !== undefined ? Array.from(a.S, (c) => c.codePointAt(0) ?? 0) : a.B;
  const right = a.S !== undefined && b.S !== undefined ? Array.from(b.S, (c) => c.codePointAt(0) ?? 0) : b.B;
  if (left === undefined || right === undefined) return undefined;
  for (let i = 0; i < left.length && i < right.length; ++i) {
    const order = (left[i] ?? 0) - (right[i] ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

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

function marshalled(attribute: Attribute, value: unknown): AttributeValue | undefined {
  if (value === null) return attribute.nullable ? { NULL: true } : undefined;
  const numbers = (values: Iterable<unknown>) => Array.from(values, (each) => numberText(each) ?? "NaN");
  switch (attribute.type) {
    case "S":
      return typeof value === "string" ? { S: normalized(attribute.norm ?? [], value) } : undefined;
    case "N": {
      const text = numberText(value);
      return text === undefined ? undefined : { N: text };
    }
    case "B":
      return value instanceof Uint8Array ? { B: value } : undefined;
    case "BOOL":
      return typeof value === "boolean" ? { BOOL: value } : undefined;
    case "SS":
      return value instanceof Set ? { SS: [...value] as string[] } : undefined;
    case "NS":
      return value instanceof Set ? { NS: numbers(value) } : undefined;
    case "BS":
      return Array.isArray(value) ? { BS: value as Uint8Array[] } : undefined;
    case "counters": {
      const entries = Object.entries(value as Record<string, unknown>);
      return { M: Object.fromEntries(entries.map(([name, count]) => [name, { N: numberText(count) ?? "NaN" }])) };
    }
    default:
      return value as AttributeValue;
  }
}

/** What is wrong with the value; empty: nothing. */
function problemOf(attribute: Attribute, value: AttributeValue): string {
  if (value.N !== undefined) {
    const number = Number(value.N);
    if (attribute.range && (number < attribute.range[0] || number > attribute.range[1])) {
      return `is ${value.N}, outside ${attribute.range[0]}..${attribute.range[1]}`;
    }
    if (attribute.unit === "epoch_s" && number >= 1e11) return `is ${value.N}: milliseconds, where the model has seconds`;
    if (attribute.unit === "epoch_ms" && number >= 1e8 && number < 1e11) {
      return `is ${value.N}: seconds, where the model has milliseconds`;
    }
    if (attribute.unit === "epoch_ms" && number < 0) return `is ${value.N}: a time before 1970`;
  }
  if (value.S !== undefined) {
    if (attribute.values && !attribute.values.includes(value.S)) {
      return `is \`${value.S}\`, which is none of ${attribute.values.join(", ")}`;
    }
    const text = value.S;
    const bad = Array.from(attribute.forbidden ?? "").find((c) => text.includes(c));
    if (bad !== undefined) return `contains '${bad}', which the model forbids: it separates the parts of a key`;
  }
  return "";
}

/** The value as it is stored; refuses what breaks the model. */
export function toValue(entity: AnyEntity, name: string, value: unknown): AttributeValue {
  const attribute = at(entity.attributes, name) ?? invalid(`entity \`${entity.name}\` has no attribute \`${name}\``);
  const made = marshalled(attribute, value);
  if (made === undefined) invalid(`${entity.name}.${name} is ${String(value)}, which is not of type ${attribute.type}`);
  const problem = problemOf(attribute, made);
  if (problem !== "") invalid(`${entity.name}.${name} ${problem}`);
  return made;
}

/** The value as a question asks for it: normalised, and otherwise as it is. */
export function askedValue(entity: AnyEntity, name: string, value: unknown): AttributeValue {
  const attribute = at(entity.attributes, name) ?? { type: typeof value === "string" ? "S" : "any" };
  return marshalled(attribute, value) ?? invalid(`${name} = ${String(value)} is not of type ${attribute.type}`);
}

function isEmptySet(value: unknown, attribute: Attribute | undefined): boolean {
  if (value instanceof Set) return value.size === 0;
  return attribute?.type === "BS" && Array.isArray(value) && value.length === 0;
}

/** The attributes that the caller gives. What is undefined, and a set without members, is absent. */
export function toItem(entity: AnyEntity, given: object): Item {
  const item: Item = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || isEmptySet(value, at(entity.attributes, name))) continue;
    item[name] = toValue(entity, name, value);
  }
  return item;
}

function fromValue(entity: AnyEntity, name: string, attribute: Attribute, value: AttributeValue): unknown {
  if (value.NULL) return null;
  const stored = ((): unknown => {
    switch (attribute.type) {
      case "N":
        return attribute.whole && value.N !== undefined ? Number(value.N) : value.N;
      case "SS":
        return value.SS && new Set(value.SS);
      case "NS":
        return value.NS && new Set(value.NS);
      case "counters":
        return value.M && Object.fromEntries(Object.entries(value.M).map(([key, count]) => [key, Number(count.N)]));
      case "any":
        return value;
      default:
        return value[attribute.type];
    }
  })();
  return stored ?? invalid(`${entity.name}.${name} holds another type than the model says: ${JSON.stringify(value)}`);
}

/** The stored item as its type. With `only`, what an index projects. */
export function fromItem<T>(entity: Entity<unknown>, item: Item, only?: readonly string[]): T {
  const out: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(entity.attributes)) {
    if (only !== undefined && !only.includes(name)) continue;
    const value = at(item, name);
    if (value !== undefined) out[name] = fromValue(entity, name, attribute, value);
    else if (attribute.type === "SS" || attribute.type === "NS") out[name] = new Set();
    else if (attribute.type === "BS") out[name] = [];
    else if (attribute.required) invalid(`a stored ${entity.name} lacks \`${name}\``);
  }
  return out as T;
}
