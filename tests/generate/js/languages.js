// Checks generated TypeScript with the compiler, then writes with it what entity_writer wrote.
//
//   node languages.js FOLDER ENDPOINT NOW < LINES
//
// FOLDER holds NAME.ts for each model, and the scenario. LINES are those of entity_writer; NOW is in milliseconds.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

const [folder, endpoint, now] = process.argv.slice(2);
const modules = path.join(path.dirname(fileURLToPath(import.meta.url)), "node_modules");

function compile() {
  symlinkSync(modules, path.join(folder, "node_modules"));
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const program = ts.createProgram(files.map((name) => path.join(folder, name)), {
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitReturns: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const emitted = program.emit();
  const problems = [...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, ts.createCompilerHost({})));
}

/** Values that JSON writes in base 64 as bytes. */
function decoded(value) {
  if (Array.isArray(value)) return value.map(decoded);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => {
    if (name === "B" && typeof each === "string") return [name, new Uint8Array(Buffer.from(each, "base64"))];
    if (name === "BS" && Array.isArray(each)) return [name, each.map((one) => new Uint8Array(Buffer.from(one, "base64")))];
    return [name, decoded(each)];
  }));
}

const load = (name) => import(pathToFileURL(path.join(folder, `${name}.js`)));
const client = new DynamoDBClient({ endpoint });
const connect = (name, language = "ts") => ({ client, tablePrefix: `${language}-${name}-`, now: () => Number(now) });

/** Creates the item with ElectroDB, which has names of its own for attributes that are no identifiers. */
async function createWithElectroDb(model, entity, item) {
  const code = (await load(`${model}_electrodb`)).entities[entity];
  if (code === undefined) return;
  const db = connect(model, "edb");
  const attributes = Object.values(code.make(db).model.schema.attributes);
  const given = {};
  for (const [field, value] of Object.entries(unmarshall(item))) {
    const { name, type } = attributes.find((attribute) => attribute.field === field);
    given[name] = type === "set" ? [...value] : value;
  }
  await code.create(db, given);
}

compile();
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { model, entity, item } = JSON.parse(line);
  const code = await load(model);
  const description = code.entities.find(({ name }) => name === entity);
  const given = code.fromItem(description, decoded(item));
  await code.send(connect(model), { kind: "create", entity: description, item: given });
  await createWithElectroDb(model, entity, decoded(item));
}
const scenario = await load("languages_scenario");
await scenario.play(connect("languages"));
await scenario.read(connect("languages"));
await scenario.playWithElectroDb(connect("languages", "edb"));
client.destroy();
