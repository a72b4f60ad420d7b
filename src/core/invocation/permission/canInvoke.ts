import { isJsonObject } from "../../json/jsonValue";
import { type BlockCode, codes } from "../../project/codes";
import { levelRank, permissionLevelOf } from "../../skill/permissions";
import { activePrices } from "../../skill/price";
import type { SkillDetail } from "../../skill/skill";
import { type LocalizableText, l10nText } from "../../text/language";
import { isApproved } from "../../workspace/project";
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
      readonly unknown: readonly LocalizableText[];
    };

/** Decides by the skill's own status whether an invocation can run; what depends on a policy stays unknown. */
export function canInvoke({ summary }: SkillDetail): InvokeVerdict {
  const { verificationStatus = "" } = summary;
  const blocked = byStatus(verificationStatus);
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

/** Decides by what a registry lists of a skill for a Project Key. An unknown word decides nothing. */
export function canInvokeAsListed(skill: SkillDetail, listed: ListedSkill): ListingVerdict {
  const { installStatus, approvalState, version, callable } = listed;
  const blocked =
    byStatus(listed.verificationStatus ?? skill.summary.verificationStatus ?? "") ??
    byInstall(skill, listed) ??
    byLevel(skill, listed);
  if (blocked !== undefined) return blocked;
  const isInstalled = isInstalledWord(installStatus);
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
  return { kind: "notBlocked", facts, unknown: notLookedAt(skill) };
}

function byStatus(status: string): InvokeVerdict | undefined {
  if (["draft", "submitted"].includes(status)) return no("skill_not_verified");
  return ["rejected", "suspended"].includes(status) ? no("skill_not_allowed") : undefined;
}

function byInstall(
  { summary }: SkillDetail,
  { installStatus, approvalState, version = "" }: ListedSkill,
): InvokeVerdict | undefined {
  if (installStatus === "suspended" || installStatus === "removed") return no("install_not_active");
  if (isApproved(approvalState) === false) return no("skill_not_approved");
  if (version === "" || summary.version === "" || version === summary.version) return undefined;
  const text = l10nText(
    "this project has version {installed} installed, and no other version can be invoked.",
    { installed: version },
  );
  return { kind: "no", code: "skill_not_installed", text };
}

function byLevel(
  { permissions }: SkillDetail,
  { permissionLevel, maxPermissionLevel }: ListedSkill,
): InvokeVerdict | undefined {
  const needed = levelRank(permissionLevel ?? (permissions && permissionLevelOf(permissions)));
  const allowed = levelRank(maxPermissionLevel);
  const isTooMuch = needed >= 0 && allowed >= 0 && needed > allowed;
  return isTooMuch ? no("permission_level_exceeded") : undefined;
}

// The built-in registry of version 0.1.0 returned `active`.
function isInstalledWord(status: string | undefined): boolean {
  return status === "installed" || status === "active";
}

/** What can still block an invocation of this skill and is not in any list. */
function notLookedAt({ permissions, prices, summary }: SkillDetail): LocalizableText[] {
  const active = activePrices(prices).map(({ billingModel }) => billingModel);
  const models = active.length > 0 ? active : [summary.billingModel];
  const isFree = models.every((model) => model === "free");
  const bySubscription = models.includes("subscription") || models.includes(undefined);
  return [
    ...(isFree ? [] : [l10nText("budget")]),
    ...(bySubscription ? [l10nText("subscription")] : []),
    ...(permissions?.network === false ? [] : [l10nText("network access")]),
    ...(permissions?.browser === false ? [] : [l10nText("browser access")]),
    ...(permissions?.filesystem === "none" ? [] : [l10nText("file access")]),
    ...(permissions?.secretCount === 0 ? [] : [l10nText("secrets")]),
    l10nText("rate limit"),
  ];
}

function no(code: BlockCode): InvokeVerdict {
  return { kind: "no", code, text: codes[code].text };
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
