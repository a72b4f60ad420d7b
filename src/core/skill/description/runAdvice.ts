import { errorCodeWords } from "../../invocation/outcome/errorCodeWords";
import { canRun } from "../../invocation/permission/canRun";
import type { ToldPolicy } from "../../invocation/permission/toldPolicies";
import type { InvocationRecord } from "../../invocation/record/invocationRecord";
import type { Language } from "../../text/language";
import { localize } from "../../text/localizableText";
import type { SkillDetail } from "../skill";
import { dateWords } from "./numberWords";

/** Whether a call would be answered by the skill, in words, before any call is made. */
export interface RunAdvice {
  readonly kind: "yes" | "no" | "unknown";
  readonly word: string;
  /** The code the registry would give for a no; empty otherwise. */
  readonly code: string;
  /** Why, and what cures it. */
  readonly text: string;
  /** Who says so; empty where it is not known. */
  readonly source: string;
  /** True where a Project Key would cure it. */
  readonly needsKey: boolean;
}

/** What is known besides the skill itself. Never holds a Project Key. */
export interface RunFacts {
  /** Whether a Project Key is kept for the registry; undefined where that could not be found out. */
  readonly hasKey: boolean | undefined;
  /** Past calls of the skill at this registry, newest first. */
  readonly calls: readonly InvocationRecord[];
  /** What the registry told of the skill in this project, where it was asked with the key in use. */
  readonly told?: ToldPolicy;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * Says whether the skill can be run: by its state, then the key, then by what was heard last, an
 * answer to a call or to a check of the key.
 */
export function runAdvice(
  skill: SkillDetail,
  { hasKey, calls, told, now }: RunFacts,
  language: Language,
): RunAdvice {
  const { t } = language;
  const verdict = canRun(skill);
  if (verdict.kind === "no") {
    return refusal(verdict.code, t("By its state in the registry."), language);
  }
  if (skill.reviewState === "rejected" || skill.reviewState === "blocked") {
    const source = t("By its review in the registry.");
    return refusal("skill_not_approved", source, language);
  }
  if (hasKey === false) {
    return {
      ...refusal("missing_api_key", t("Looked up here."), language),
      text: t("No Project Key is kept for this registry. Set one first."),
      needsKey: true,
    };
  }
  const last = calls.find((call) => tells(call, skill, now));
  const isNewer = told !== undefined && told.at > (last?.startedAt ?? 0);
  const byCheck = isNewer ? byToldPolicy(skill, told, last, now, language) : undefined;
  if (byCheck !== undefined) return byCheck;
  if (last !== undefined) return byLastCall(last, now, language);
  if (verdict.kind === "yes") {
    const text = t("Nothing known speaks against it.");
    return { ...answer("yes", language), text };
  }
  return { ...answer("unknown", language), text: localize(verdict.why, language) };
}

const rateWindowMs = 60_000;

/** A call tells something about the next one where it reached the registry and the answer still holds. */
function tells(call: InvocationRecord, skill: SkillDetail, now: number): boolean {
  const { status, code, startedAt, durationMs } = call;
  const isRate = code?.startsWith("rate_limit") === true;
  if (isRate && startedAt + durationMs + rateWindowMs < now) return false;
  if (call.version !== skill.summary.version && call.version !== "") return false;
  return status === "success" || status === "error" || status === "blocked" || isKeyRefused(call);
}

function isKeyRefused({ status, code }: InvocationRecord): boolean {
  return status === "refused" && code === "invalid_api_key";
}

function byLastCall(call: InvocationRecord, now: number, language: Language): RunAdvice {
  const { t } = language;
  const date = dateWords(call.startedAt, now, language);
  if (isKeyRefused(call)) {
    const text = t("The registry did not take the Project Key. Set another one.");
    const source = t("The answer to your last call, {date}.", { date });
    return { ...refusal("invalid_api_key", source, language), text, needsKey: true };
  }
  if (call.status === "blocked") {
    const source = t("The answer to your last call, {date}. It may have changed since.", {
      date,
    });
    return refusal(call.code ?? "", source, language);
  }
  const source = t("From your own record of calls.");
  const text =
    call.status === "error"
      ? t("Your last call reached the skill, which failed, {date}.", { date })
      : call.acceptedNotRun === true
        ? t("Your last call was taken and metered, but not run, {date}.", { date })
        : t("Your last call was answered, {date}.", { date });
  return { ...answer("yes", language), text, source };
}

/** What a check of the key tells; a block for a reason it does not see would still hold. */
const seenByCheck = [
  "skill_not_installed",
  "install_not_active",
  "skill_not_verified",
  "policy_approval_required",
  "permission_level_exceeded",
];

/** Undefined where the last call tells more. */
function byToldPolicy(
  skill: SkillDetail,
  { policy, at }: ToldPolicy,
  last: InvocationRecord | undefined,
  now: number,
  language: Language,
): RunAdvice | undefined {
  const { t } = language;
  const date = dateWords(at, now, language);
  const source = t("As told when the Project Key was checked, {date}.", { date });
  const verdict = canRun(skill, policy);
  if (verdict.kind === "no") return refusal(verdict.code, source, language);
  const isOvertaken =
    last === undefined || isKeyRefused(last) || seenByCheck.includes(last.code ?? "");
  if (!isOvertaken) return undefined;
  const text = t(
    "The registry lists it as callable for your project. A policy may still block a call.",
  );
  return { ...answer("yes", language), text, source };
}

function refusal(code: string, source: string, language: Language): RunAdvice {
  const { t } = language;
  const known = errorCodeWords(code);
  const words =
    known === undefined
      ? t("The registry refuses it, and this version does not know why.")
      : localize(known, language);
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return { ...answer("no", language), code: code.slice(0, 100), text, source };
}

function answer(kind: RunAdvice["kind"], { t }: Language): RunAdvice {
  const words = { yes: t("Yes"), no: t("No"), unknown: t("Not known") };
  return { kind, word: words[kind], code: "", text: "", source: "", needsKey: false };
}
