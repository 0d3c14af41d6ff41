// Generated CloudFormation, read by a YAML parser that knows its short functions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "yaml";
import * as expected from "./expected.js";
import { modelFile, modelNames, stator } from "./stator.js";

// !If [a, b, c] → {"Fn::If": [a, b, c]}, as CloudFormation itself reads it.
const tags = ["If", "Equals", "Or", "Not"].map((name) => ({
  tag: `!${name}`,
  collection: "seq",
  resolve: (seq) => ({ [`Fn::${name}`]: seq.toJSON() }),
}));
tags.push({ tag: "!Ref", resolve: (text) => ({ Ref: text }) });

function template(name, ...options) {
  const document = parseDocument(stator("generate", "cloudformation", modelFile(name), ...options), {
    customTags: tags,
    strict: true,
  });
  assert.deepEqual(document.errors, []);
  assert.deepEqual(document.warnings, []);
  // Twice: a function inside a function is resolved from the inside.
  return JSON.parse(JSON.stringify(document.toJS()));
}

/** The template in one environment: conditions and functions are worked out. */
export function evaluate(value, { parameters, conditions }) {
  const again = (part) => evaluate(part, { parameters, conditions });
  if (Array.isArray(value)) return value.map(again);
  if (typeof value !== "object" || value === null) return value;
  if ("Ref" in value) return parameters[value.Ref];
  if ("Fn::Equals" in value) return again(value["Fn::Equals"][0]) === again(value["Fn::Equals"][1]);
  if ("Fn::Or" in value) return value["Fn::Or"].some(again);
  if ("Fn::Not" in value) return !again(value["Fn::Not"][0]);
  if ("Fn::If" in value) {
    const [name, yes, no] = value["Fn::If"];
    assert.ok(name in conditions, `condition ${name} is declared`);
    return again(again(conditions[name]) ? yes : no);
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, again(part)]));
}

function tablesIn(environment) {
  const whole = template("everything");
  assert.ok(whole.Parameters.Environment.AllowedValues.includes(environment));
  const context = { parameters: { Environment: environment }, conditions: whole.Conditions };
  const resources = Object.values(evaluate(whole.Resources, context));
  return Object.fromEntries(resources.map(({ Properties }) => [Properties.TableName, Properties]));
}

for (const name of modelNames) {
  test(`${name}: is a template of tables with names that CloudFormation allows`, () => {
    const whole = template(name);
    assert.equal(whole.AWSTemplateFormatVersion, "2010-09-09");
    for (const [id, resource] of Object.entries(whole.Resources)) {
      assert.match(id, /^[A-Za-z0-9]+$/);
      assert.equal(resource.Type, "AWS::DynamoDB::Table");
      assert.ok(resource.Properties.KeySchema.length >= 1);
    }
    for (const id of Object.keys(whole.Conditions ?? {})) assert.match(id, /^[A-Za-z0-9]+$/);
  });
}

test("tables have the shape of the model", () => {
  const tables = tablesIn("prod");
  for (const table of [expected.jobs, expected.matches, expected.plain]) {
    assert.deepEqual(expected.shape(tables[table.TableName]), table);
  }
  assert.equal(tables["data-download-jobs"].BillingMode, "PAY_PER_REQUEST");
  assert.equal(tables.plain.BillingMode, "PROVISIONED");
  assert.equal(tables["tournament.matches"].TableClass, "STANDARD_INFREQUENT_ACCESS");
  assert.deepEqual(tables["data-download-jobs"].TimeToLiveSpecification, { AttributeName: "TTL", Enabled: true });
});

test("recovery and protection follow the environment", () => {
  const recovery = (name, environment) => tablesIn(environment)[name].PointInTimeRecoverySpecification;
  const on = { PointInTimeRecoveryEnabled: true };
  const off = { PointInTimeRecoveryEnabled: false };
  assert.deepEqual(recovery("data-download-jobs", "prod"), on);
  assert.deepEqual(recovery("data-download-jobs", "dev"), off);
  assert.deepEqual(recovery("tournament.matches", "test"), { ...on, RecoveryPeriodInDays: 7 });
  assert.deepEqual(recovery("tournament.matches", "prod"), on);
  assert.deepEqual(recovery("tournament.matches", "dev"), off);
  assert.deepEqual(recovery("plain", "dev"), { ...on, RecoveryPeriodInDays: 20 });
  const protection = (environment) => tablesIn(environment)["tournament.matches"].DeletionProtectionEnabled;
  assert.deepEqual(["dev", "test", "prod"].map(protection), [false, true, true]);
});
