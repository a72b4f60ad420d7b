import { isJsonObject } from "../../text/json";
import type { PolicyVerdict } from "../invocation";

/** What a registry told of the skills of one project when a Project Key was checked; never the key. */
export interface ToldPolicies {
  /** The registry it holds for. */
  readonly origin: string;
  /** Tells the key it was asked with from others. */
  readonly fingerprint: string;
  /** When it was told, in milliseconds since 1970. */
  readonly at: number;
  /** By slug. */
  readonly skills: readonly (readonly [slug: string, policy: PolicyVerdict])[];
}

/** What was told of one skill, and when. */
export interface ToldPolicy {
  readonly policy: PolicyVerdict;
  readonly at: number;
}

const maxOrigins = 20;
const maxSkills = 500;
const holdsForMs = 30 * 86_400_000;

/** Adds what was just told; it replaces what the same registry told before. */
export function withTold(
  all: readonly ToldPolicies[],
  { skills, ...told }: ToldPolicies,
): readonly ToldPolicies[] {
  const others = withoutTold(all, told.origin);
  return [...others, { ...told, skills: skills.slice(0, maxSkills) }].slice(-maxOrigins);
}

/** Forgets what a registry told. */
export function withoutTold(all: readonly ToldPolicies[], origin: string): readonly ToldPolicies[] {
  return all.filter((known) => known.origin !== origin);
}

/** Finds what a registry told of a skill with this very key, if that is not older than a month. */
export function toldAbout(
  all: readonly ToldPolicies[],
  asked: Pick<ToldPolicies, "origin" | "fingerprint"> & { readonly slug: string },
  now: number,
): ToldPolicy | undefined {
  const { origin, fingerprint, slug } = asked;
  const told = all.find((known) => known.origin === origin && known.fingerprint === fingerprint);
  if (told === undefined || told.at > now || now - told.at > holdsForMs) return undefined;
  const [, policy] = told.skills.find(([known]) => known === slug) ?? [];
  return policy && { policy, at: told.at };
}

/** Reads what was kept; anything that is not in its shape is left out. */
export function readTold(kept: unknown): readonly ToldPolicies[] {
  return Array.isArray(kept) ? kept.filter(isTold) : [];
}

function isTold(value: unknown): value is ToldPolicies {
  if (!isJsonObject(value)) return false;
  const { origin, fingerprint, at, skills } = value;
  return (
    typeof origin === "string" &&
    typeof fingerprint === "string" &&
    typeof at === "number" &&
    Array.isArray(skills) &&
    skills.every(
      (skill) => Array.isArray(skill) && typeof skill[0] === "string" && isJsonObject(skill[1]),
    )
  );
}
