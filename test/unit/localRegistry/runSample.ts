import type { JsonValue } from "../../../src/core/json/jsonValue";
import { findRelease, findSkill } from "../../../src/localRegistry/catalog/catalog";
import { type RunResult, runSkill } from "../../../src/localRegistry/routes/runtimeRoutes";

/** The environment of a test run: the clock does not move, and waiting takes no time. */
const stillWorld = {
  signal: new AbortController().signal,
  now: () => Date.parse("2026-11-20T10:00:00Z"),
  wait: () => Promise.resolve(),
};

/** Runs a version of a sample skill like the registry. Default: the current version. */
export function runSample(
  slug: string,
  input: JsonValue | undefined,
  version?: string,
): Promise<RunResult> {
  const skill = findSkill(slug);
  const release = version === undefined ? skill?.releases[0] : skill && findRelease(skill, version);
  if (skill === undefined || release === undefined) throw new Error(`no ${slug} ${version}`);
  return runSkill(skill, release.manifest, input, stillWorld);
}
