import { isJsonObject, type JsonObject } from "../../json/jsonValue";
import type { Price } from "../../skill/skill";
import type { InputMember, Terms } from "./terms";

/** How many agreements are remembered; those longest ago are forgotten, and asked for again. */
export const maxAgreements = 300;

/** Finds what was agreed to: for this very version, else for the version agreed to last. */
export function agreedTerms(agreements: readonly Terms[], now: Terms): Terms | undefined {
  const ofSkill = agreements.filter(
    ({ registry, skillSlug }) => registry === now.registry && skillSlug === now.skillSlug,
  );
  return ofSkill.findLast(({ version }) => version === now.version) ?? ofSkill.at(-1);
}

/** Adds an agreement in place of an earlier one to the same version. The newest stands last. */
export function withAgreement(agreements: readonly Terms[], now: Terms): readonly Terms[] {
  const others = agreements.filter(
    ({ registry, skillSlug, version }) =>
      registry !== now.registry || skillSlug !== now.skillSlug || version !== now.version,
  );
  return [...others, now].slice(-maxAgreements);
}

/** Reads remembered agreements. Damaged ones are left out, and so asked for again. */
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
    ["none", "read", "write"].includes(String(filesystem)) &&
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
