import { isJsonObject } from "../../json/jsonValue";
import { codes, type ProjectCheckName } from "../../project/gateway/codes";
import {
  type CheckedSkill,
  type PredictedResponse,
  predictResponse,
} from "../../project/gateway/projectChecks";
import { isApproved, type PolicyRow } from "../../project/project";
import type { RegistryFailure } from "../../registry/registryFailure";
import { activePrices } from "../../skill/price";
import type { Price, SkillDetail } from "../../skill/skill";
import { type LocalizableText, l10nText } from "../../text/language";
import type { PolicyVerdict } from "../invocation";

/** Whether a skill can be invoked. A `no` has the code that the registry would return. */
export type InvokeVerdict =
  | { readonly kind: "no"; readonly code: string; readonly text: LocalizableText }
  | { readonly kind: "unknown"; readonly why: LocalizableText };

/** Members of a project's policy that the public gateway omits from its list. */
type ListedPolicy = Partial<
  Pick<
    PolicyRow,
    | ("allowNetwork" | "allowBrowser" | "allowSecretAccess")
    | ("filesystemAccess" | "monthlyBudgetCents")
  >
>;

/** A registry's data about one skill for a Project Key. */
export interface ListedSkill extends PolicyVerdict, ListedPolicy {
  /** The version that the project installed. It can invoke no other. */
  readonly version?: string;
  /** The key's project. */
  readonly projectSlug?: string;
  /** Whether the installation allows invocations. A policy can still block them. */
  readonly callable?: boolean;
  /** Whether its policy still requires an approval. The public gateway's list lacks this. */
  readonly approvalRequired?: boolean;
  /** The project's spending on it in the current month; missing in the public gateway's list. */
  readonly spentThisMonthCents?: number;
}

/** The result of requesting the skills that a key may invoke. The request costs nothing. */
export type KeyReading =
  | {
      readonly kind: "accepted";
      /** The number of skills that are listed as callable. */
      readonly skills: number;
      /** The listed data, skill by skill. */
      readonly listed: readonly (readonly [slug: string, listed: ListedSkill])[];
      /** Whether an unlisted skill is certainly not installed. */
      readonly complete: boolean;
    }
  | { readonly kind: "refused" }
  /** The registry has no such route, or ignores the key there. */
  | { readonly kind: "unknown" }
  /** The registry did not respond. */
  | { readonly kind: "failed"; readonly failure: RegistryFailure };

/** Whether a skill can be invoked according to a list. */
export type ListingVerdict =
  | InvokeVerdict
  /** Nothing in the list blocks it. `unknown` names the checks that no list decides. */
  | {
      readonly kind: "notBlocked";
      readonly facts: LocalizableText;
      readonly unknown: readonly ProjectCheckName[];
    };

/**
 * Decides by the skill's own status whether an invocation can run. Everything that depends on a policy stays unknown.
 */
export function canInvoke(skill: SkillDetail): InvokeVerdict {
  const { verificationStatus = "" } = skill.summary;
  const blocked = blockedBy(predictFromList(skill, {}), {});
  if (blocked !== undefined) return blocked;
  return ["verified", "deprecated"].includes(verificationStatus)
    ? {
        kind: "unknown",
        why: l10nText("The project's policy decides when the invocation arrives."),
      }
    : {
        kind: "unknown",
        why: l10nText("Verification not provided by the registry."),
      };
}

/**
 * Decides by a registry's list for a Project Key. An unknown status blocks nothing, but makes the verdict `unknown`.
 */
export function canInvokeAsListed(skill: SkillDetail, listed: ListedSkill): ListingVerdict {
  const { installStatus, approvalState, version, callable } = listed;
  const answer = predictFromList(skill, listed);
  const blocked = blockedBy(answer, listed);
  if (blocked !== undefined) return blocked;
  const isInstalled = statusOf(installStatus) === "installed";
  const approved = isApproved(approvalState) === true;
  const unknownStatus = [
    isInstalled || installStatus === undefined ? undefined : installStatus,
    approved || approvalState === undefined ? undefined : approvalState,
  ].find((word) => word !== undefined);
  if (unknownStatus !== undefined) {
    const why = l10nText("The registry lists it as “{status}”, a status that is not known here.", {
      status: unknownStatus,
    });
    return { kind: "unknown", why };
  }
  if (callable === false) {
    return { kind: "no", code: "", text: l10nText("the registry lists it as not callable.") };
  }
  const facts =
    isInstalled && approved
      ? l10nText("Installed and approved")
      : isInstalled || version !== undefined
        ? l10nText("Installed")
        : l10nText("Listed as callable");
  const unknown = answer.kind === "allowed" ? answer.unknown.filter((name) => !isListed[name]) : [];
  return { kind: "notBlocked", facts, unknown };
}

/** Predicts the registry's response from a skill and the listed data about it. */
function predictFromList(skill: SkillDetail, listed: ListedSkill): PredictedResponse {
  const { summary, permissions } = skill;
  const { approvalState, version, spentThisMonthCents } = listed;
  const status = statusOf(listed.installStatus);
  const verificationStatus = listed.verificationStatus ?? summary.verificationStatus;
  const level = listed.permissionLevel ?? summary.permissionLevel;
  const price = decidingPrice(skill);
  const checked: CheckedSkill = {
    slug: summary.slug,
    ...(version !== undefined && { version }),
    ...(status !== undefined && { status }),
    ...(approvalState !== undefined && { approvalState }),
    ...(verificationStatus !== undefined && { verificationStatus }),
    ...(level !== undefined && { permissionLevel: level }),
    ...(permissions !== undefined && { permissions }),
    policy: listed,
    ...(price !== undefined && { price }),
  };
  const requested = summary.version === "" ? {} : { version: summary.version };
  const spent = spentThisMonthCents === undefined ? {} : { spentThisMonthCents };
  return predictResponse({ skill: checked, ...requested, ...spent, now: 0 });
}

/** Returns the install's status if it is a known word. Version 0.1.0 of the built-in registry returned `active`. */
function statusOf(word: string | undefined): string | undefined {
  if (word === "active") return "installed";
  return ["installed", "suspended", "removed"].find((known) => known === word);
}

/**
 * Returns the price with the most checks: a subscription, else a price that is not free, else a free one. Undefined if
 * no price is known.
 */
function decidingPrice({ prices, summary }: SkillDetail): Price | undefined {
  const { billingModel } = summary;
  const active = activePrices(prices);
  const all = active.length > 0 || billingModel === undefined ? active : [{ billingModel }];
  return (
    all.find((price) => price.billingModel === "subscription") ??
    all.find((price) => price.billingModel !== "free") ??
    all[0]
  );
}

function blockedBy(
  answer: PredictedResponse,
  { version }: ListedSkill,
): Extract<InvokeVerdict, { kind: "no" }> | undefined {
  if (answer.kind === "allowed") return undefined;
  const { code } = answer;
  const text =
    code === "skill_not_installed" && version !== undefined
      ? l10nText(
          "this project has version {installed} installed, and no other version can be invoked.",
          { installed: version },
        )
      : codes[code].text;
  return { kind: "no", code, text };
}

/**
 * Whether a list decides a check. The other checks need the whole policy; if that is missing, they are named as
 * unknown.
 */
const isListed: Readonly<Record<ProjectCheckName, boolean>> = {
  installed: true,
  active: true,
  allowed: true,
  verified: true,
  approved: true,
  policy: true,
  policyApproval: false,
  level: true,
  network: false,
  browser: false,
  filesystem: false,
  secrets: false,
  rate: false,
  budget: false,
  subscription: false,
};

/** A registry's response to a check of a Project Key. Never contains the key. */
export interface CachedPolicies {
  readonly origin: string;
  /** Identifies the key of the request without revealing it. */
  readonly fingerprint: string;
  /** The time of the response, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the registry rejected the key. Then nothing is listed. */
  readonly refused?: boolean;
  /** Whether a skill that `skills` lacks is certainly not installed. */
  readonly complete?: boolean;
  /** By slug. */
  readonly skills: readonly (readonly [slug: string, listed: ListedSkill])[];
}

/** The response for one skill at the last check of the Project Key, and its time. */
export type CachedPolicy = { readonly at: number } & (
  | { readonly kind: "listed"; readonly listed: ListedSkill }
  /** `isEmptyList`: the registry lists no skill at all for the key. */
  | { readonly kind: "notListed"; readonly isEmptyList?: boolean }
  | { readonly kind: "refused" }
);

/**
 * The maximum number of registries, far more than one person has keys for. They are stored in one value that each
 * window reads.
 */
const maxOrigins = 20;
/** The maximum number of skills, as many as a registry returns. With more, the list counts as incomplete. */
const maxSkills = 500;
const maxAgeMs = 30 * 86_400_000;

/** Stores the response to a check. Replaces the same registry's earlier one. */
export function withPolicies(
  all: readonly CachedPolicies[],
  request: Pick<CachedPolicies, "origin" | "fingerprint" | "at">,
  reading: Extract<KeyReading, { kind: "accepted" | "refused" }>,
): readonly CachedPolicies[] {
  const answered =
    reading.kind === "refused"
      ? { ...request, refused: true, skills: [] }
      : {
          ...request,
          complete: reading.complete && reading.listed.length <= maxSkills,
          skills: reading.listed.slice(0, maxSkills),
        };
  return [...withoutPolicies(all, request.origin), answered].slice(-maxOrigins);
}

/** Removes a registry's response. */
export function withoutPolicies(
  all: readonly CachedPolicies[],
  origin: string,
): readonly CachedPolicies[] {
  return all.filter((cached) => cached.origin !== origin);
}

/** Finds a registry's response for a skill with exactly this key, if it is not older than a month. */
export function cachedPolicyFor(
  all: readonly CachedPolicies[],
  request: Pick<CachedPolicies, "origin" | "fingerprint"> & { readonly slug: string },
  now: number,
): CachedPolicy | undefined {
  const { origin, fingerprint, slug } = request;
  const answered = all.find(
    (cached) => cached.origin === origin && cached.fingerprint === fingerprint,
  );
  if (answered === undefined || answered.at > now || now - answered.at > maxAgeMs) return undefined;
  const { at, complete = false } = answered;
  return answered.refused === true
    ? { kind: "refused", at }
    : policyAmong({ listed: answered.skills, complete }, slug, at);
}

/** Returns what a registry's list for a key says about one skill; undefined if it says nothing. */
export function policyIn(reading: KeyReading, slug: string, at: number): CachedPolicy | undefined {
  switch (reading.kind) {
    case "refused":
      return { kind: "refused", at };
    case "accepted":
      return policyAmong(reading, slug, at);
    default:
      return undefined;
  }
}

function policyAmong(
  { listed: all, complete }: Pick<Extract<KeyReading, { kind: "accepted" }>, "listed" | "complete">,
  slug: string,
  at: number,
): CachedPolicy | undefined {
  const [, listed] = all.find(([known]) => known === slug) ?? [];
  if (listed !== undefined) return { kind: "listed", listed, at };
  return complete
    ? { kind: "notListed", at, ...(all.length === 0 && { isEmptyList: true }) }
    : undefined;
}

/** Parses stored policies. Leaves out invalid entries. */
export function readCachedPolicies(data: unknown): readonly CachedPolicies[] {
  return Array.isArray(data) ? data.filter(isCachedPolicies) : [];
}

function isCachedPolicies(value: unknown): value is CachedPolicies {
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
