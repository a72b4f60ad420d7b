import { isJsonObject, type JsonObject } from "../../json/jsonValue";
import type { Declaration } from "../../skill/compare/contract";
import { declarationOf } from "../../skill/compare/contract";
import { type Change, difference } from "../../skill/difference";
import { isSameVersion } from "../../skill/isNewerVersion";
import { fileAccessRank } from "../../skill/permissions";
import type { SkillDetail, SkillPart } from "../../skill/skill";

/** The terms of an agreement about one version of a skill at one registry: everything that it declares. */
export interface Terms extends Declaration {
  /** The registry's base URL, or `built-in`. */
  readonly registry: string;
  readonly skillSlug: string;
  readonly version: string;
  /** Identifies the project of the key in use; left out if unknown. */
  readonly project?: string;
  /** Parts that the registry failed to return; left out for none. Terms without the price are agreed to only once. */
  readonly unanswered?: readonly SkillPart[];
}

/** The project of a Project Key. */
export interface KeyProject {
  /** Its name for people, with its organization. */
  readonly text: string;
  /** Its ID among all projects of its registry; left out if only its slug is known. */
  readonly id?: string;
}

/** Returns whether terms were agreed to for another project's key. An unknown project counts as the same. */
export function isOtherProject(before: Terms, now: Terms): boolean {
  return (
    before.project !== undefined && now.project !== undefined && before.project !== now.project
  );
}

/** Returns the terms of a skill. */
export function termsOf(registry: string, skill: SkillDetail): Terms {
  const { slug, version } = skill.summary;
  const unanswered = (skill.unanswered ?? []).filter((part) => declaredParts.includes(part));
  return {
    registry,
    skillSlug: slug,
    version,
    ...declarationOf(skill),
    ...(unanswered.length > 0 && { unanswered }),
  };
}

const declaredParts: readonly SkillPart[] = ["prices", "publisher"];

/**
 * Lists the changes since the agreement `before`, and the parts that cannot be compared. A part whose source did not
 * respond is no change; a part that the registry now omits may be one.
 */
export function termsChanges(before: Terms, now: Terms): readonly Change[] {
  const unanswered: readonly string[] = [before, now].flatMap((terms) => terms.unanswered ?? []);
  return difference(before, now).filter(
    ({ kind, part }) => kind !== "unknown" || !unanswered.includes(part),
  );
}

/** Returns a skill as a free one, for a test run. Test runs are not billed, so no price needs consent. */
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

/** Finds the agreed terms: for exactly this version, else for the last agreed version. */
export function agreedTerms(agreements: readonly Terms[], now: Terms): Terms | undefined {
  const ofSkill = agreements.filter(
    ({ registry, skillSlug }) => registry === now.registry && skillSlug === now.skillSlug,
  );
  return ofSkill.findLast(({ version }) => isSameVersion(version, now.version)) ?? ofSkill.at(-1);
}

/**
 * Returns the agreement to store. If the registry failed to return the publisher this time, keeps the publisher of an
 * earlier agreement to the same version.
 */
export function agreementToKeep<Agreed extends Terms>(
  agreements: readonly Terms[],
  now: Agreed,
): Agreed {
  const before = agreements.find(({ version }) => isSameVersion(version, now.version));
  const { unanswered, ...answered } = now;
  const isKept =
    unanswered?.includes("publisher") === true && typeof before?.publisher === "string";
  return isKept ? ({ ...answered, publisher: before.publisher } as Agreed) : now;
}

/** Parses stored agreements. Omits damaged ones, so that users are asked again. */
export function readAgreements(value: unknown): readonly Terms[] {
  return Array.isArray(value) ? value.filter(isTerms) : [];
}

function isTerms(value: unknown): value is Terms {
  if (!isJsonObject(value)) return false;
  const texts = ["registry", "skillSlug", "version"];
  const { runtime, permissions, prices, publisher, entry, project, unanswered = [] } = value;
  return (
    texts.every((name) => typeof value[name] === "string") &&
    ["inputSchema", "outputSchema"].every((name) => value[name] !== undefined) &&
    isNullOr(runtime, isRuntime) &&
    isNullOr(permissions, isPermissions) &&
    (publisher === null || typeof publisher === "string") &&
    [entry, project].every((text) => text === undefined || typeof text === "string") &&
    isTexts(unanswered) &&
    Array.isArray(prices) &&
    prices.every((price) => isJsonObject(price) && isPrice(price))
  );
}

function isNullOr(value: unknown, isRead: (value: JsonObject) => boolean): boolean {
  return value === null || (isJsonObject(value) && isRead(value));
}

function isRuntime({ type, host }: JsonObject): boolean {
  return typeof type === "string" && (host === null || typeof host === "string");
}

function isPermissions(value: JsonObject): boolean {
  const { filesystem, network, browser, secretCount, secretNames, others = [] } = value;
  return (
    fileAccessRank(String(filesystem)) >= 0 &&
    typeof network === "boolean" &&
    typeof browser === "boolean" &&
    typeof secretCount === "number" &&
    [secretNames, others].every(isTexts)
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isPrice({ billingModel, unitAmountCents, currency }: JsonObject): boolean {
  return (
    typeof billingModel === "string" &&
    (unitAmountCents === undefined || typeof unitAmountCents === "number") &&
    (currency === undefined || typeof currency === "string")
  );
}
