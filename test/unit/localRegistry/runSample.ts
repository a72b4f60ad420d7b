import type { JsonValue } from "../../../src/core/text/json";
import { findRelease, findSkill } from "../../../src/localRegistry/catalogue/catalogue";
import { runSkill } from "../../../src/localRegistry/runtime/runSkill";
import type { RunContext, RunResult } from "../../../src/localRegistry/runtime/skillRun";

/** The world of a test run: the clock stands still and waiting takes no time. */
export const stillWorld: RunContext = {
  signal: new AbortController().signal,
  now: () => Date.parse("2026-11-20T10:00:00Z"),
  wait: () => Promise.resolve(),
};

/** Runs a version of a sample skill as the registry does. An empty version is the current one. */
export function runSample(
  slug: string,
  input: JsonValue | undefined,
  version = "",
): Promise<RunResult> {
  const skill = findSkill(slug);
  const run = skill && findRelease(skill, version)?.run;
  if (run === undefined) throw new Error(`${slug} ${version} does not run`);
  return runSkill(run, input, stillWorld);
}
