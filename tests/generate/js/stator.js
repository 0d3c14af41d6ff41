// Runs the program under test: STATOR names it, MODELS the folder of model files.
import { execFileSync } from "node:child_process";
import path from "node:path";

const program = process.env.STATOR;
const models = process.env.MODELS;

/** The standard output of `stator …arguments`; fails if the program does. */
export function stator(...args) {
  return execFileSync(program, args, { encoding: "utf8", timeout: 20_000 });
}

export function modelFile(name) {
  return path.join(models, `${name}.yaml`);
}

export const modelNames = ["calls", "reconciler", "everything", "hostile"];
