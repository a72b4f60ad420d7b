import { isJsonObject } from "../../json/jsonValue";
import { permissionLevelOf } from "../../skill/permissions";
import { activePrices } from "../../skill/price";
import type { Price, SkillDetail } from "../../skill/skill";
import { type LocalizableText, l10nText } from "../../text/language";
import { isActive, isApproved } from "../../workspace/project";
import {
  type BlockCode,
  type CheckedSkill,
  type ProjectCheckName,
  predictResponse,
} from "../../workspace/projectChecks";
import { errorCodeTexts } from "../errorCodes";
import type { PolicyVerdict } from "../invocation";
import type { KeyReading } from "./keyDiagnosis";

/** Whether a skill can be invoked. A `no` has the code the registry would give. */
export type InvokeVerdict =
  | { readonly kind: "no"; readonly code: string; readonly text: LocalizableText }
  | { readonly kind: "unknown"; readonly why: LocalizableText };

/** What a registry lists of one skill for a Project Key. */
export interface ListedSkill extends PolicyVerdict {
  /** The version the project has installed; no other can be invoked. */
  readonly version?: string;
  /** The key's project. */
  readonly projectSlug?: string;
  /** About the installation alone: where it is true, a policy can still block. */
  readonly callable?: boolean;
}

/** Whether a skill can be invoked, judged by what is listed of it. */
export type ListingVerdict =
  | InvokeVerdict
  /** Nothing that is listed blocks it. `unknown` names what was not checked. */
  | {
      readonly kind: "notBlocked";
      readonly facts: LocalizableText;
      readonly unknown: readonly ProjectCheckName[];
    };

/** Decides by the skill's own status whether an invocation can run; what depends on a policy stays unknown. */
export function canInvoke({ summary }: SkillDetail): InvokeVerdict {
  const { slug, verificationStatus } = summary;
  const known = { slug, ...(verificationStatus !== undefined && { verificationStatus }) };
  const predicted = predictResponse({ skill: known, now: 0 });
  if (predicted.kind === "blocked") return no(predicted.code);
  return ["verified", "deprecated"].includes(verificationStatus ?? "")
    ? {
        kind: "unknown",
        why: l10nText("The project's policy decides when the invocation arrives."),
      }
    : {
        kind: "unknown",
        why: l10nText("Verification not provided by the registry."),
      };
}

/** Decides by what a registry lists of a skill for a Project Key. An unknown word decides nothing. */
export function canInvokeAsListed(skill: SkillDetail, listed: ListedSkill): ListingVerdict {
  const { installStatus, approvalState, version = "", callable } = listed;
  const { version: invoked } = skill.summary;
  const predicted = predictResponse({
    skill: asListed(skill, listed),
    ...(invoked !== "" && { version: invoked }),
    now: 0,
  });
  if (predicted.kind === "blocked") {
    return predicted.code === "skill_not_installed" ? otherVersion(version) : no(predicted.code);
  }
  const [active, approved] = [isActive(installStatus), isApproved(approvalState)];
  const status = [
    active === undefined ? installStatus : undefined,
    approved === undefined ? approvalState : undefined,
  ].find((word) => word !== undefined);
  if (status !== undefined) {
    const why = l10nText("The registry lists it as “{status}”, a status that is not known here.", {
      status,
    });
    return { kind: "unknown", why };
  }
  if (callable === false) {
    return { kind: "no", code: "", text: l10nText("the registry lists it as not callable.") };
  }
  const facts =
    active && approved
      ? l10nText("Installed and approved")
      : active || version !== ""
        ? l10nText("Installed")
        : l10nText("Listed as callable");
  return { kind: "notBlocked", facts, unknown: predicted.unknown };
}

/** What a list for a Project Key tells of a skill in the key's project, with what its page tells of it. */
function asListed(
  { summary, permissions, prices }: SkillDetail,
  listed: ListedSkill,
): CheckedSkill {
  const { installStatus, approvalState, version, maxPermissionLevel } = listed;
  const { verificationStatus = summary.verificationStatus } = listed;
  const permissionLevel = listed.permissionLevel ?? (permissions && permissionLevelOf(permissions));
  const billingModel = billingModelOf(activePrices(prices), summary.billingModel);
  return {
    slug: summary.slug,
    ...(version !== undefined && { version }),
    ...(installStatus !== undefined && { status: installStatus }),
    ...(approvalState !== undefined && { approvalState }),
    ...(verificationStatus !== undefined && { verificationStatus }),
    ...(permissionLevel !== undefined && { permissionLevel }),
    ...(maxPermissionLevel !== undefined && { policy: { maxPermissionLevel } }),
    ...(permissions !== undefined && { permissions }),
    ...(billingModel !== undefined && { price: { billingModel } }),
  };
}

/** Of several prices the one with the most to check. */
function billingModelOf(prices: readonly Price[], listed: string | undefined): string | undefined {
  const models = prices.length > 0 ? prices.map((price) => price.billingModel) : [listed];
  const isPaid = (model: string | undefined) => model !== "free";
  return models.find((model) => model === "subscription") ?? models.find(isPaid) ?? models[0];
}

function otherVersion(installed: string): InvokeVerdict {
  const text = l10nText(
    "this project has version {installed} installed, and no other version can be invoked.",
    { installed },
  );
  return { kind: "no", code: "skill_not_installed", text };
}

function no(code: BlockCode): InvokeVerdict {
  return { kind: "no", code, text: errorCodeTexts[code] };
}

/** A registry's response to a check of a Project Key; never the key. */
export interface CachedPolicies {
  /** The registry it is from. */
  readonly origin: string;
  /** Distinguishes the key it was requested with from other keys. */
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

/** What the last check of the Project Key returned for one skill, and when. */
export type CachedPolicy = { readonly at: number } & (
  | { readonly kind: "listed"; readonly listed: ListedSkill }
  | { readonly kind: "notListed" }
  | { readonly kind: "refused" }
);

const maxOrigins = 20;
const maxSkills = 500;
const holdsForMs = 30 * 86_400_000;

/** Adds the response to a check, which replaces the same registry's earlier one. */
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

/** Finds what a registry returned for a skill with exactly this key, if that is not older than a month. */
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

/** Reads stored policies; anything that is not in their shape is left out. */
export function readCachedPolicies(kept: unknown): readonly CachedPolicies[] {
  return Array.isArray(kept) ? kept.filter(isCachedPolicies) : [];
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
