import { isSameVersion } from "../../skill/isNewerVersion";
import type { SkillSummary } from "../../skill/skill";
import { addressText } from "../../skill/skillAddress";
import { type Language, localize } from "../../text/language";
import type { Notice, NoticeAction } from "../../text/notice";
import type { InstalledSkill, PolicyRow, ProjectSummary } from "../project";
import {
  type BlockCode,
  type CodeWithRemedy,
  codeRow,
  isBlockCode,
  type RemedyName,
  spellCode,
} from "./codes";
import { blockReason, blockText, type PredictedResponse } from "./projectChecks";

/** Returns the action with which a project's members can remove the cause of a code; undefined if none helps. */
export function remedyOf(
  code: string,
  language: Language,
): (NoticeAction & { readonly action: RemedyName }) | undefined {
  const remedy = codeRow(spellCode(code))?.remedy ?? undefined;
  return remedy && { action: remedy.action, title: localize(remedy.title, language) };
}

/**
 * Returns a copy of the policy that no longer blocks the skill with this code, and that allows nothing else. Undefined
 * if no known change achieves that.
 */
export function unblockingPolicy(
  policy: PolicyRow,
  skill: InstalledSkill,
  code: string,
): PolicyRow | undefined {
  const lift = Object.entries(policyFixes).find(([known]) => known === spellCode(code))?.[1];
  return lift?.(policy, skill);
}

const policyFixes: Readonly<
  Record<
    CodeWithRemedy<"allowInPolicy">,
    (
      policy: PolicyRow,
      skill: Pick<InstalledSkill, "permissionLevel" | "permissions">,
    ) => PolicyRow | undefined
  >
> = {
  permission_level_exceeded: (policy, { permissionLevel: maxPermissionLevel }) =>
    maxPermissionLevel === undefined ? undefined : { ...policy, maxPermissionLevel },
  network_not_allowed: (policy) => ({ ...policy, allowNetwork: true }),
  browser_not_allowed: (policy) => ({ ...policy, allowBrowser: true }),
  filesystem_not_allowed: (policy, { permissions }) =>
    permissions && { ...policy, filesystemAccess: permissions.filesystem },
  secrets_not_allowed: (policy) => ({ ...policy, allowSecretAccess: true }),
};

/** The next step of a blocked invocation after its project was read again. */
type NextStep =
  /** The cause of the block remains, or is unknown. */
  | { readonly kind: "waits" }
  | { readonly kind: "goesOn" }
  /** The cause is gone, but something else blocks the invocation. */
  | { readonly kind: "blockedBy"; readonly code: BlockCode };

/**
 * Decides the next step of an invocation that was blocked with `code`, by the project's current state. An invocation
 * waits if its code cannot be predicted.
 */
export function nextStep(code: string, answer: PredictedResponse | undefined): NextStep {
  if (answer === undefined || !isBlockCode(spellCode(code))) return { kind: "waits" };
  if (answer.kind === "allowed") return { kind: "goesOn" };
  return answer.code === spellCode(code)
    ? { kind: "waits" }
    : { kind: "blockedBy", code: answer.code };
}

/** Identifies a blocked invocation. */
export interface BlockedBinding {
  /** The registry, as the record of invocations names it. */
  readonly registry: string;
  readonly slug: string;
  /** Empty for the registry's choice of version. */
  readonly version: string;
  readonly code: string;
}

/** Invocations that wait for a change of their project: the last one per registry, skill and version. */
export class WaitingInvocations<Blocked extends BlockedBinding> {
  private readonly waiting = new Map<string, Blocked>();

  add(blocked: Blocked): void {
    this.waiting.set(nameOf(blocked), blocked);
  }

  remove(blocked: BlockedBinding): void {
    this.waiting.delete(nameOf(blocked));
  }

  /**
   * Removes and returns the invocations at a registry that need not wait any longer. `answerTo` predicts the response
   * to an invocation in the current state of its project.
   */
  settle(
    registry: string,
    answerTo: (blocked: Blocked) => PredictedResponse | undefined,
  ): readonly {
    readonly blocked: Blocked;
    readonly next: Exclude<NextStep, { kind: "waits" }>;
  }[] {
    return [...this.waiting.values()].flatMap((blocked) => {
      if (blocked.registry !== registry) return [];
      const next = nextStep(blocked.code, answerTo(blocked));
      if (next.kind === "waits") return [];
      this.remove(blocked);
      return [{ blocked, next }];
    });
  }
}

function nameOf({ registry, slug, version }: BlockedBinding): string {
  return JSON.stringify([registry, slug, version]);
}

/** Reports that one cause was removed but another blocks an invocation. `status` is the install's, empty for none. */
export function stillBlockedNotice(
  skill: string,
  code: BlockCode,
  status: string,
  language: Language,
): Notice {
  const { t } = language;
  const reason = localize(blockReason(code, status), language);
  const remedy = remedyOf(code, language);
  return {
    severity: "warning",
    message: t("{skill} is still blocked: {reason}", { skill, reason }),
    actions: [
      ...(remedy === undefined ? [] : [remedy]),
      { action: "showWhy", title: t("Show Why") },
    ],
  };
}

/** Writes a message that asks an owner to unblock a skill. */
export function ownerRequest(
  { slug, version, status }: Pick<InstalledSkill, "slug" | "version" | "status">,
  { name, slug: project }: ProjectSummary,
  { origin, code }: { readonly origin: string; readonly code: string },
  language: Language,
): string {
  const why = isBlockCode(code) ? blockText(code, status, language) : "";
  const text = language.t(
    "Please allow {skill} in the project {project} ({slug}) at {origin}: its invocations are rejected with {code}.",
    {
      skill: addressText(slug, version),
      project: name,
      slug: project,
      origin,
      code,
    },
  );
  return `${text} ${why}`.trim();
}

/** Writes a message that asks the publisher to have a skill verified. */
export function publisherRequest(
  { slug, version }: Pick<InstalledSkill, "slug" | "version">,
  origin: string,
  { t }: Language,
): string {
  return t(
    "Please have {skill} verified at {origin}, or tell us when its review ends: until then its invocations are rejected with skill_not_verified.",
    { skill: addressText(slug, version), origin },
  );
}

/**
 * Returns the installed version if it differs from `version`, since the project would reject any other one. Undefined
 * if either is unknown or nothing is installed.
 */
export function installedVersion(
  install: InstalledSkill | undefined,
  version: string,
): string | undefined {
  if (install?.status !== "installed" || version === "" || install.version === "") return undefined;
  return isSameVersion(install.version, version) ? undefined : install.version;
}

/**
 * Returns the registry's current version, to invoke it instead of `version`, which is not verified. Undefined if the
 * current version is not verified either, or is the same.
 */
export function verifiedVersion(
  { version: offered, verificationStatus }: Pick<SkillSummary, "version" | "verificationStatus">,
  version: string,
): string | undefined {
  const isOther = version !== "" && offered !== "" && !isSameVersion(offered, version);
  return isOther && verificationStatus === "verified" ? offered : undefined;
}
