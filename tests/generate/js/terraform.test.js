// Generated Terraform, read by HashiCorp's own HCL parser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "@cdktf/hcl2json";
import { modelFile, modelNames, stator } from "./stator.js";

async function tablesOf(name, ...options) {
  const hcl = stator("generate", "terraform", modelFile(name), ...options);
  const parsed = await parse("main.tf", hcl);
  const tables = Object.values(parsed.resource.aws_dynamodb_table).map((blocks) => blocks[0]);
  return { hcl, parsed, tables: Object.fromEntries(tables.map((table) => [table.name, table])) };
}

for (const name of modelNames) {
  test(`${name}: is valid HCL, and every attribute is a key of something`, async () => {
    const { tables } = await tablesOf(name);
    for (const table of Object.values(tables)) {
      const keys = new Set([table.hash_key, table.range_key].filter(Boolean));
      for (const index of [...(table.global_secondary_index ?? []), ...(table.local_secondary_index ?? [])]) {
        for (const key of [index.hash_key, index.range_key].filter(Boolean)) keys.add(key);
        for (const element of index.key_schema ?? []) keys.add(element.attribute_name);
      }
      assert.deepEqual(new Set(table.attribute.map((attribute) => attribute.name)), keys);
    }
  });
}

test("the reconciliation index comes out as its document writes it", async () => {
  const { tables } = await tablesOf("reconciler");
  assert.deepEqual(tables.calls.global_secondary_index, [
    {
      name: "ReconciliationIndex",
      hash_key: "GSI_Recon_PK",
      range_key: "GSI_Recon_SK",
      write_capacity: 5,
      read_capacity: 5,
      projection_type: "INCLUDE",
      non_key_attributes: ["TenantId", "CallId", "AudioReceived"],
    },
  ]);
  assert.equal(tables.calls.billing_mode, "PROVISIONED");
  const types = Object.fromEntries(tables.calls.attribute.map(({ name, type }) => [name, type]));
  assert.deepEqual(types, { CallId: "S", GSI_Recon_PK: "S", GSI_Recon_SK: "S" });
});

test("settings of environments become conditions on a variable", async () => {
  const { parsed, tables } = await tablesOf("everything");
  assert.ok(parsed.variable.environment);
  const jobs = tables["data-download-jobs"];
  assert.equal(jobs.point_in_time_recovery[0].enabled, '${var.environment == "prod"}');
  assert.equal(jobs.deletion_protection_enabled, '${var.environment == "prod"}');
  assert.deepEqual(jobs.ttl, [{ attribute_name: "TTL", enabled: true }]);
  assert.equal(jobs.stream_view_type, "NEW_AND_OLD_IMAGES");
  const matches = tables["tournament.matches"];
  assert.equal(matches.deletion_protection_enabled, '${contains(["prod", "test"], var.environment)}');
  assert.match(matches.point_in_time_recovery[0].recovery_period_in_days, /"prod" = 35, "test" = 7/);
  assert.deepEqual(tables.plain.point_in_time_recovery, [{ enabled: true, recovery_period_in_days: 20 }]);
});

test("one environment leaves no variable", async () => {
  const { parsed, tables } = await tablesOf("everything", "--env", "dev");
  assert.equal(parsed.variable, undefined);
  assert.equal(tables["data-download-jobs"].point_in_time_recovery, undefined);
  assert.equal(tables["data-download-jobs"].deletion_protection_enabled, undefined);
});

test("keys of several attributes are key_schema blocks in their order", async () => {
  const { tables } = await tablesOf("everything");
  const [index] = tables["tournament.matches"].global_secondary_index;
  assert.equal(index.hash_key, undefined);
  assert.deepEqual(index.key_schema, [
    { attribute_name: "tournament", key_type: "HASH" },
    { attribute_name: "region", key_type: "HASH" },
    { attribute_name: "round", key_type: "RANGE" },
    { attribute_name: "bracket", key_type: "RANGE" },
  ]);
});
