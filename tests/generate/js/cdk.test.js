// Generated CDK code, checked by the TypeScript compiler against the real aws-cdk-lib, then run.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import * as expected from "./expected.js";
import { modelFile, modelNames, stator } from "./stator.js";

const here = path.dirname(fileURLToPath(import.meta.url));
let folder;

// Beside node_modules, so that imports are found.
before(() => {
  folder = mkdtempSync(path.join(here, "node_modules", ".generated-"));
  writeFileSync(path.join(folder, "package.json"), '{"type": "module"}');
  for (const name of modelNames) {
    writeFileSync(path.join(folder, `${name}.ts`), stator("generate", "cdk", modelFile(name)));
  }
  writeFileSync(path.join(folder, "dev.ts"), stator("generate", "cdk", modelFile("everything"), "--env", "dev"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the code type-checks strictly", () => {
  const files = [...modelNames, "dev"].map((name) => path.join(folder, `${name}.ts`));
  const program = ts.createProgram(files, {
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const emitted = program.emit();
  const problems = [...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  assert.equal(ts.formatDiagnostics(problems, ts.createCompilerHost({})), "");
});

async function synthesize(name, props) {
  const { App, Stack } = (await import("aws-cdk-lib")).default;
  const { Template } = (await import("aws-cdk-lib/assertions")).default;
  const { Tables } = await import(pathToFileURL(path.join(folder, `${name}.js`)));
  const stack = new Stack(new App(), "Stack");
  new Tables(stack, "Tables", props);
  const resources = Object.values(Template.fromStack(stack).toJSON().Resources);
  return Object.fromEntries(resources.map(({ Properties }) => [Properties.TableName, Properties]));
}

// aws-cdk-lib itself needs Node 20.
const runs = Number(process.versions.node.split(".")[0]) >= 20;

test("the construct makes the tables of the model", { skip: !runs }, async () => {
  const tables = await synthesize("everything", { environment: "prod" });
  for (const table of [expected.jobs, expected.matches, expected.plain]) {
    assert.deepEqual(expected.sorted(expected.shape(tables[table.TableName])), expected.sorted(table));
  }
  const jobs = tables["data-download-jobs"];
  assert.equal(jobs.BillingMode, "PAY_PER_REQUEST");
  assert.deepEqual(jobs.TimeToLiveSpecification, { AttributeName: "TTL", Enabled: true });
  assert.deepEqual(jobs.StreamSpecification, { StreamViewType: "NEW_AND_OLD_IMAGES" });
  assert.equal(jobs.DeletionProtectionEnabled, true);
  assert.deepEqual(jobs.PointInTimeRecoverySpecification, { PointInTimeRecoveryEnabled: true });
  assert.equal(tables["tournament.matches"].TableClass, "STANDARD_INFREQUENT_ACCESS");
});

test("recovery and protection follow the environment", { skip: !runs }, async () => {
  const tables = await synthesize("everything", { environment: "test" });
  assert.deepEqual(tables["data-download-jobs"].PointInTimeRecoverySpecification, { PointInTimeRecoveryEnabled: false });
  assert.deepEqual(tables["tournament.matches"].PointInTimeRecoverySpecification, {
    PointInTimeRecoveryEnabled: true,
    RecoveryPeriodInDays: 7,
  });
  assert.equal(tables["data-download-jobs"].DeletionProtectionEnabled, false);
});
