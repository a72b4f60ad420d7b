import { canonicalText, isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import { fileAccessRank, type Permissions } from "../../skill/permissions";
import { isPriceUnanswered, pricesOf } from "../../skill/price";
import type { Price, SkillDetail } from "../../skill/skill";

/** What a caller agrees to when invoking one version of a skill at one registry. */
export interface Terms {
  /** The registry's base URL, or `built-in`. */
  readonly registry: string;
  readonly skillSlug: string;
  readonly version: string;
  /** The digest of permissions, input schema and runtime (`termsDigest`). */
  readonly digest: string;
  /** Left out where the registry does not say. */
  readonly permissions?: Permissions;
  readonly runtime?: string;
  /** Those in force, else the billing model alone; empty where the registry did not provide any this time. */
  readonly prices: readonly Price[];
  readonly input: readonly InputMember[];
  /** Set where the registry failed to return the price: such terms are agreed to for one time only. */
  readonly isPriceUnanswered?: true;
}

/** A member of the input, for describing changes. `digest` is of its schema. */
export interface InputMember {
  readonly name: string;
  readonly required: boolean;
  readonly digest: string;
}

const maxMembers = 100;

/** Reads the terms of a skill. `digest` is as for `termsDigest`. */
export function termsOf(
  registry: string,
  skill: SkillDetail,
  digest: (text: string) => string,
): Terms {
  const { slug, version } = skill.summary;
  return {
    registry,
    skillSlug: slug,
    version,
    digest: termsDigest(skill, digest),
    ...(skill.permissions && { permissions: skill.permissions }),
    ...(skill.runtime && { runtime: skill.runtime.type }),
    prices: pricesOf(skill),
    input: inputMembers(skill.inputSchema, digest),
    ...(isPriceUnanswered(skill) && { isPriceUnanswered: true as const }),
  };
}

/** Describes a skill for a test run, which is not billed, so that no price needs consent. */
export function asFree(skill: SkillDetail): SkillDetail {
  const { unanswered = [], summary } = skill;
  const free = { billingModel: "free" };
  return {
    ...skill,
    summary: { ...summary, ...free },
    prices: [free],
    unanswered: unanswered.filter((part) => part !== "prices"),
  };
}

function inputMembers(
  schema: JsonValue | undefined,
  digest: (text: string) => string,
): InputMember[] {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  if (!isJsonObject(schema) || !isJsonObject(properties)) return [];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.keys(properties)
    .slice(0, maxMembers)
    .map((name) => ({
      name: name.slice(0, 100),
      required: required.includes(name),
      digest: digest(canonicalText(properties[name])).slice(0, 16),
    }));
}

/**
 * Digests what a caller agrees to besides the price: permissions, input schema and runtime. Two skills that
 * differ in none of them, whatever the order of members, have the same digest. Narrower than `contractHash`,
 * which depends on sources that may not respond. `digest` hashes a text, for instance with SHA-256.
 */
export function termsDigest(skill: SkillDetail, digest: (text: string) => string): string {
  const { permissions, inputSchema, runtime } = skill;
  return digest(canonicalText({ permissions, inputSchema, runtime }));
}

/** How many agreements are remembered; the oldest are forgotten, and users are asked again. */
export const maxAgreements = 300;

/** Finds the terms agreed to: for exactly this version, else for the version agreed to last. */
export function agreedTerms(agreements: readonly Terms[], now: Terms): Terms | undefined {
  const ofSkill = agreements.filter(
    ({ registry, skillSlug }) => registry === now.registry && skillSlug === now.skillSlug,
  );
  return ofSkill.findLast(({ version }) => version === now.version) ?? ofSkill.at(-1);
}

/** Adds an agreement, replacing an earlier one to the same version. The newest is last. */
export function withAgreement(agreements: readonly Terms[], now: Terms): readonly Terms[] {
  const others = agreements.filter(
    ({ registry, skillSlug, version }) =>
      registry !== now.registry || skillSlug !== now.skillSlug || version !== now.version,
  );
  return [...others, now].slice(-maxAgreements);
}

/** Reads remembered agreements. Damaged ones are left out, and users are asked again. */
export function readAgreements(value: unknown): readonly Terms[] {
  return Array.isArray(value) ? value.filter(isTerms) : [];
}

function isTerms(value: unknown): value is Terms {
  if (!isJsonObject(value)) return false;
  const texts = ["registry", "skillSlug", "version", "digest"];
  const { runtime, permissions, prices, input } = value;
  return (
    texts.every((name) => typeof value[name] === "string") &&
    (runtime === undefined || typeof runtime === "string") &&
    (permissions === undefined || (isJsonObject(permissions) && isPermissions(permissions))) &&
    Array.isArray(prices) &&
    prices.every(isPrice) &&
    Array.isArray(input) &&
    input.every(isMember)
  );
}

function isPermissions(value: JsonObject): boolean {
  const { filesystem, network, browser, secretCount, secretNames } = value;
  return (
    fileAccessRank(String(filesystem)) >= 0 &&
    typeof network === "boolean" &&
    typeof browser === "boolean" &&
    typeof secretCount === "number" &&
    Array.isArray(secretNames) &&
    secretNames.every((name) => typeof name === "string")
  );
}

function isPrice(value: unknown): value is Price {
  if (!isJsonObject(value)) return false;
  const { billingModel, unitAmountCents, currency } = value;
  return (
    typeof billingModel === "string" &&
    (unitAmountCents === undefined || typeof unitAmountCents === "number") &&
    (currency === undefined || typeof currency === "string")
  );
}

function isMember(value: unknown): value is InputMember {
  if (!isJsonObject(value)) return false;
  const { name, required, digest } = value;
  return typeof name === "string" && typeof required === "boolean" && typeof digest === "string";
}
