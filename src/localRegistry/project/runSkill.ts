import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import { evaluateSchema } from "../../core/schema/evaluate/evaluateSchema";
import type { InstancePath } from "../../core/schema/evaluate/evaluation";
import { describeFailure } from "../../core/schema/explain/describeFailure";
import { readSchema } from "../../core/schema/read/readSchema";
import { english } from "../../core/text/language";
import type { Manifest, Skill } from "../catalog/skill";
import { type RunContext, SkillFailure } from "../skills/skillRun";

/** What a run gave: an output, or the reason there is none in words for the caller. */
export type RunResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: string };

/**
 * Runs a version of a skill so that nothing it does on an odd input can stop the registry. The
 * gateway checks no input, so the skill does. Skills that run elsewhere are recorded and metered only.
 */
export async function runSkill(
  { run }: Skill,
  manifest: Manifest,
  input: JsonValue | undefined,
  context: Omit<RunContext, "version">,
): Promise<RunResult> {
  const { version, runtime } = manifest;
  if (run === undefined || runtime.type !== "http") {
    const message = "The invocation was recorded and metered; the skill runs elsewhere.";
    return { ok: true, output: { mode: "metered_contract", message } };
  }
  try {
    const problem = findProblem(manifest.inputSchema, input);
    if (problem !== undefined) return { ok: false, error: problem };
    const output = await run(input as never, { ...context, version });
    // An output nested too deeply to be written as JSON is found out here and not while answering.
    JSON.stringify(output);
    return { ok: true, output };
  } catch (error) {
    if (context.signal.aborted) return { ok: false, error: "The run was canceled." };
    if (error instanceof SkillFailure) return { ok: false, error: error.message };
    const isDeep = error instanceof RangeError;
    const cause = isDeep
      ? "The input is too large or nested too deeply."
      : "It stopped unexpectedly.";
    return { ok: false, error: cause };
  }
}

/** Describes the first thing an input does not keep of its schema; undefined where it fits. */
function findProblem(schema: JsonObject, input: JsonValue | undefined): string | undefined {
  if (input === undefined) return "The input is missing.";
  const read = readSchema(schema);
  if (read.kind !== "read") return "The input could not be checked.";
  // The patterns are those of the sample skills.
  const testOf = (pattern: string) => (text: string) => new RegExp(pattern, "u").test(text);
  const verdict = evaluateSchema({ root: read.root, all: read.all, testOf }, input);
  if (verdict.kind !== "decided") return "The input could not be checked.";
  const [failure] = verdict.findings.failures;
  if (verdict.fits) return undefined;
  if (failure === undefined) return "The input does not match the schema.";
  return `${pointerOf(failure.path)}: ${describeFailure(failure, english)}`;
}

function pointerOf(path: InstancePath | undefined): string {
  return path === undefined ? "input" : `${pointerOf(path.parent)}/${path.key}`;
}
