import type { RemedyName } from "../../project/gateway/codes";
import { spellCode } from "../../project/gateway/codes";
import { remedyOf } from "../../project/gateway/remedies";
import {
  actionsFor,
  type RegistryFailure,
  registryFailureText,
} from "../../registry/registryFailure";
import { isSameVersion } from "../../skill/isNewerVersion";
import { type Language, localize } from "../../text/language";
import type { DialogQuestion, Notice } from "../../text/notice";
import { reasonOfCode } from "../errorCodes";
import { waitText } from "../rateLimit";
import type { Callability, ProjectVerdict } from "./callabilityFacts";
import type { InvokeVerdict } from "./canInvoke";

type Blocked = Extract<InvokeVerdict, { kind: "no" }>;

/** Reports that the rate limit holds an invocation. */
export function rateLimitedNotice(skill: string, seconds: number, language: Language): Notice {
  const { t } = language;
  return {
    severity: "warning",
    message: t(
      "{skill} was not invoked yet: the rate limit is reached. It can be invoked again in {wait}; retrying sooner also counts against the limit.",
      { skill, wait: waitText(seconds, language) },
    ),
    actions: [
      { action: "sendWhenAllowed", title: t("Wait and Send") },
      { action: "drop", title: t("Discard") },
    ],
  };
}

/** Reports that a skill cannot be invoked. `code` is the one that the registry would return. */
export function notCallableText(
  skill: string,
  { code, text }: Blocked,
  language: Language,
): string {
  const { t } = language;
  return `${t("{skill} was not invoked:", { skill })} ${localize(text, language)} (${code})`;
}

/** Reports that a skill cannot be invoked, with an action. */
export function notCallableNotice(skill: string, verdict: Blocked, language: Language): Notice {
  const openSkill = { action: "openSkill", title: language.t("Open Skill") } as const;
  const remedy = remedyOf(verdict.code, language);
  // Nothing was sent, so only the skill's own status can be the reason.
  const isAboutSkill = remedy?.action === "askPublisher";
  return {
    severity: "warning",
    message: notCallableText(skill, verdict, language),
    actions: isAboutSkill ? [remedy, openSkill] : [openSkill],
  };
}

/**
 * Builds the question whether to invoke despite known obstacles, since the project may have changed after it was read.
 * Undefined without known obstacles, for an unknown code, and for a missing key or the rate limit, which the invocation
 * itself checks.
 */
export function callabilityQuestion(
  skill: string,
  { kind, code, text, source, needsKey }: Callability,
  { t }: Language,
): DialogQuestion | undefined {
  if (kind !== "no" || needsKey) return undefined;
  // An unknown code is no evidence about the next invocation.
  const reason = code === "" ? undefined : reasonOfCode(code);
  if (reason === "rateLimit" || (code !== "" && reason === undefined)) return undefined;
  return {
    message: t("{skill} is not expected to run. Invoke it anyway?", { skill }),
    detail: [text, source].filter((line) => line !== ""),
    agree: t("Invoke Anyway"),
  };
}

/** The remedy if an invocation probably cannot run: another version, or a change of the project. */
export type RunRemedy =
  | { readonly kind: "useVersion"; readonly title: string; readonly version: string }
  | {
      readonly kind: "remedy";
      readonly title: string;
      readonly remedy: RemedyName;
      readonly code: string;
    };

/**
 * Finds the remedy if an invocation of a version (empty for the registry's choice) probably cannot run. `project` is
 * the verdict of its project. Undefined for none.
 */
export function runRemedy(
  { code }: Pick<Callability, "code">,
  version: string,
  project: Pick<ProjectVerdict, "version"> | undefined,
  language: Language,
): RunRemedy | undefined {
  const { version: installed = "" } = project ?? {};
  const isOther = version !== "" && installed !== "" && !isSameVersion(version, installed);
  if (spellCode(code) === "skill_not_installed" && isOther) {
    const title = language.t("Update Payload to {version}", { version: installed });
    return { kind: "useVersion", title, version: installed };
  }
  const found = remedyOf(code, language);
  return found && { kind: "remedy", title: found.title, remedy: found.action, code };
}

/** Reports that a skill's price and permissions could not be read, so that nobody can agree to them. */
export function termsUnknownNotice(
  skill: string,
  failure: RegistryFailure,
  language: Language,
): Notice {
  const { t } = language;
  return {
    severity: "error",
    message: `${termsUnknownText(skill, language)} ${registryFailureText(failure, language)}`,
    actions: [{ action: "sendAgain", title: t("Try Again") }, ...actionsFor(failure, language)],
  };
}

/** Reports that a skill's price and permissions could not be read now. */
export function termsUnknownText(skill: string, { t }: Language): string {
  return t("{skill} was not invoked: its current price and permissions could not be read.", {
    skill,
  });
}

/** Reports that a skill's schema changed, so that a formerly valid payload is invalid. */
export function schemaChangedNotice(skill: string, { t }: Language): Notice {
  return {
    severity: "error",
    message: t(
      "{skill} was not invoked: its input schema has changed, and the payload no longer matches it.",
      { skill },
    ),
    actions: [{ action: "showInput", title: t("Show Payload") }],
  };
}

/** Reports that the same invocation is in progress in another window. */
export function alreadyRunningNotice(skill: string, { t }: Language): Notice {
  return {
    severity: "information",
    message: t(
      "{skill} is already being invoked with this payload, here or in another window. It was not invoked twice.",
      { skill },
    ),
    actions: [{ action: "sendAgain", title: t("Invoke Again") }],
  };
}

/** Reports that the registry or the environment in use changed between the question and the invocation. */
export function registryChangedNotice(skill: string, { t }: Language): Notice {
  return {
    severity: "warning",
    message: t(
      "{skill} was not invoked: another registry or environment was chosen meanwhile. Check it, then invoke again.",
      { skill },
    ),
    actions: [{ action: "connect", title: t("Connect to Registry…") }],
  };
}
