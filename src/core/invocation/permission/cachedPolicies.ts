import { isJsonObject } from "../../json/jsonValue";
import type { ListedSkill } from "./canInvoke";
import type { KeyReading } from "./keyDiagnosis";

/** What a registry answered when a Project Key was checked; never the key. */
export interface CachedPolicies {
  /** The registry it holds for. */
  readonly origin: string;
  /** Tells the key it was asked with from others. */
  readonly fingerprint: string;
  /** When it was returned, in milliseconds since 1970. */
  readonly at: number;
  /** True where the registry did not accept the key; then nothing is listed. */
  readonly refused?: boolean;
  /** True where a skill that is not in `skills` is not installed. */
  readonly complete?: boolean;
  /** By slug. */
  readonly skills: readonly (readonly [slug: string, listed: ListedSkill])[];
}

/** What the last check of the Project Key says of one skill, and when it was. */
export type CachedPolicy = { readonly at: number } & (
  | { readonly kind: "listed"; readonly listed: ListedSkill }
  | { readonly kind: "notListed" }
  | { readonly kind: "refused" }
);

const maxOrigins = 20;
const maxSkills = 500;
const holdsForMs = 30 * 86_400_000;

/** Adds what a check was just answered, which replaces the same registry's earlier answer. */
export function withPolicies(
  all: readonly CachedPolicies[],
  asked: Pick<CachedPolicies, "origin" | "fingerprint" | "at">,
  reading: Extract<KeyReading, { kind: "accepted" | "refused" }>,
): readonly CachedPolicies[] {
  const answered =
    reading.kind === "refused"
      ? { ...asked, refused: true, skills: [] }
      : {
          ...asked,
          complete: reading.complete && reading.listed.length <= maxSkills,
          skills: reading.listed.slice(0, maxSkills),
        };
  return [...withoutPolicies(all, asked.origin), answered].slice(-maxOrigins);
}

/** Forgets what a registry returned. */
export function withoutPolicies(
  all: readonly CachedPolicies[],
  origin: string,
): readonly CachedPolicies[] {
  return all.filter((known) => known.origin !== origin);
}

/** Finds what a registry returned for a skill with this very key, if that is not older than a month. */
export function cachedPolicyFor(
  all: readonly CachedPolicies[],
  asked: Pick<CachedPolicies, "origin" | "fingerprint"> & { readonly slug: string },
  now: number,
): CachedPolicy | undefined {
  const { origin, fingerprint, slug } = asked;
  const answered = all.find(
    (known) => known.origin === origin && known.fingerprint === fingerprint,
  );
  if (answered === undefined || answered.at > now || now - answered.at > holdsForMs)
    return undefined;
  const { at } = answered;
  if (answered.refused === true) return { kind: "refused", at };
  const [, listed] = answered.skills.find(([known]) => known === slug) ?? [];
  if (listed !== undefined) return { kind: "listed", listed, at };
  return answered.complete === true ? { kind: "notListed", at } : undefined;
}

/** Reads what was kept; anything that is not in its shape is left out. */
export function readCachedPolicies(kept: unknown): readonly CachedPolicies[] {
  return Array.isArray(kept) ? kept.filter(isTold) : [];
}

function isTold(value: unknown): value is CachedPolicies {
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
