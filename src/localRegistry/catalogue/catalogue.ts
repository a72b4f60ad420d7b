import { burstLimited } from "../skills/burstLimited";
import { cronNext } from "../skills/cronNext";
import { csvProfile } from "../skills/csvProfile";
import { draftWriter } from "../skills/draftWriter";
import { flakyFetch } from "../skills/flakyFetch";
import { jsonDiff } from "../skills/jsonDiff";
import { jsonToCsv } from "../skills/jsonToCsv";
import { jwtInspect } from "../skills/jwtInspect";
import { markdownOutline } from "../skills/markdownOutline";
import { marketData } from "../skills/marketData";
import { redactPii } from "../skills/redactPii";
import { semverResolve } from "../skills/semverResolve";
import { slowReport } from "../skills/slowReport";
import { sqlFormat } from "../skills/sqlFormat";
import { textStats } from "../skills/textStats";
import { vaultRotate } from "../skills/vaultRotate";
import { type Publisher, publishers } from "./publishers";
import type { Release, Skill } from "./skill";

/** Every skill of the embedded registry. */
export const catalogue: readonly Skill[] = [
  burstLimited,
  cronNext,
  csvProfile,
  draftWriter,
  flakyFetch,
  jsonDiff,
  jsonToCsv,
  jwtInspect,
  markdownOutline,
  marketData,
  redactPii,
  semverResolve,
  slowReport,
  sqlFormat,
  textStats,
  vaultRotate,
];

/** Finds a skill by its slug. */
export function findSkill(slug: string): Skill | undefined {
  return catalogue.find((skill) => skill.slug === slug);
}

/** Finds a version of a skill; an empty version means the current one. */
export function findRelease(skill: Skill, version: string): Release | undefined {
  if (version === "") return skill.releases[0];
  return skill.releases.find((release) => release.version === version);
}

/** Finds who publishes a skill. Every skill's publisher is listed, or this is a bug. */
export function publisherOf(skill: Skill): Publisher {
  const found = publishers.find(({ slug }) => slug === skill.publisher);
  if (found === undefined) throw new Error(`${skill.slug} has no listed publisher`);
  return found;
}
