import type { JsonValue } from "../../core/text/json";
import { failed, type RunContext, type RunResult, type SkillRun } from "./skillRun";

/** Runs a skill so that nothing it does on an odd input can stop the registry. */
export async function runSkill(
  run: SkillRun,
  input: JsonValue | undefined,
  context: RunContext,
): Promise<RunResult> {
  try {
    const result = await run(input, context);
    // An output nested too deeply to be written as JSON is found out here and not while answering.
    JSON.stringify(result);
    return result;
  } catch (error) {
    if (context.signal.aborted) return failed("The run was cancelled.");
    if (error instanceof RangeError) return failed("The input is too large or nested too deeply.");
    return failed("The skill stopped unexpectedly on this input.");
  }
}
