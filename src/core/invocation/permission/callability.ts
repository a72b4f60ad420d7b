import { isBlockCode, spellCode } from "../../project/gateway/codes";
import { checkTitle, predictionText } from "../../project/gateway/projectChecks";
import { dateText } from "../../skill/description/numberLabels";
import { isSameVersion } from "../../skill/isNewerVersion";
import type { SkillDetail } from "../../skill/skill";
import { utcDay } from "../../text/dates";
import { type Language, localize } from "../../text/language";
import { oneLine, upperFirst } from "../../text/plainText";
import { errorCodeText } from "../errorCodes";
import { isWaiting } from "../outcome";
import type { InvocationRecord } from "../record/invocationRecord";
import type { Callability, CallabilityFacts, ProjectVerdict } from "./callabilityFacts";
import { type CachedPolicy, canInvoke, canInvokeAsListed, type ListedSkill } from "./canInvoke";

/**
 * Returns whether the skill can be invoked. Its verification decides first, then the key, then the last response to an
 * invocation or to a check of the key.
 */
export function describeCallability(
  skill: SkillDetail,
  facts: CallabilityFacts,
  language: Language,
): Callability {
  const advice = adviceFor(skill, facts, language);
  const warnings = [
    unknownProjectWarning(facts, language),
    notExecutedWarning(skill, facts, language),
  ];
  return { ...advice, warning: warnings.filter((text) => text !== "").join(" ") };
}

/** Warns that another version may run than the shown one: the unknown project of the key decides. */
function unknownProjectWarning({ isOfUnknownProject }: CallabilityFacts, { t }: Language): string {
  return isOfUnknownProject === true
    ? t(
        "This editor's Project Key belongs to a project that is not known here: it may run another version.",
      )
    : "";
}

/** Warns that an invocation may be billed but not executed. The public gateway executes only HTTP services. */
function notExecutedWarning(
  { summary, runtime }: SkillDetail,
  { invocations, isBuiltIn = false }: CallabilityFacts,
  { t }: Language,
): string {
  const type = runtime?.type ?? summary.runtimeType;
  if (isBuiltIn || (type !== "mcp" && type !== "local")) return "";
  const last = invocations.find(({ ran }) => ran === "yes" || ran === "acceptedOnly");
  if (last !== undefined) return "";
  return type === "mcp"
    ? t(
        "May be billed but not executed: some registries accept invocations of MCP servers without running them.",
      )
    : t(
        "May be billed but not executed: some registries accept invocations of local programs without running them.",
      );
}

function adviceFor(
  skill: SkillDetail,
  { hasKey, invocations, policy, isTestRun = false, now, ...facts }: CallabilityFacts,
  language: Language,
): Callability {
  const { t } = language;
  const project = facts.project && ofVersion(facts.project, skill);
  const verdict = canInvoke(skill);
  if (skill.isLocal) {
    const text = t("It is not published yet: registries invoke only approved versions.");
    return { ...verdictOfKind("no", language), text };
  }
  if (verdict.kind === "no") {
    return refusal(verdict.code, t("Source: registry status"), language);
  }
  if (skill.reviewState === "rejected" || skill.reviewState === "blocked") {
    const source = t("Source: registry review");
    return refusal("skill_not_allowed", source, language);
  }
  if (hasKey === false) {
    return {
      ...refusal("missing_api_key", t("Source: this machine"), language),
      // A key of another project may be kept, and is not used for this one.
      text:
        facts.project === undefined
          ? t("No Project Key is kept for this registry. Set one first.")
          : t("No Project Key is kept for this project. Set one first."),
      needsKey: true,
    };
  }
  const last = invocations.find(
    (invocation) => isConclusive(invocation, skill, now) && !isSuperseded(invocation, project),
  );
  const lastAt = last === undefined ? 0 : last.startedAt + last.durationMs;
  const isProjectNewest = project !== undefined && project.at > Math.max(lastAt, policy?.at ?? 0);
  if (isProjectNewest) {
    const { prediction, status } = project;
    const source = t("Source: the project, {date}.", { date: dateText(project.at, now, language) });
    if (prediction.kind === "blocked" && !isTestRun)
      return refusal(prediction.code, source, language);
    // The project's state is no evidence about a rejected key.
    const needsProof = last !== undefined || policy?.kind === "refused" || hasKey !== true;
    if (prediction.kind === "allowed" && !needsProof) {
      const kind = prediction.unknown.length === 0 ? "yes" : "probably";
      const text = predictionText(prediction, status, language);
      return { ...verdictOfKind(kind, language), text, source };
    }
  }
  const isNewer = policy !== undefined && policy.at > (last?.startedAt ?? 0);
  const byCheck = isNewer ? byCachedPolicy(skill, policy, last, now, language) : undefined;
  if (byCheck !== undefined) return byCheck;
  if (last !== undefined) {
    const statusConflict = conflictOf(last, now, language);
    return { ...byLastInvocation(last, now, language), statusConflict };
  }
  return { ...verdictOfKind("unknown", language), text: localize(verdict.why, language) };
}

/**
 * Returns a project's verdict on the shown version. A project runs only its installed version, and rejects any other as
 * not installed.
 */
function ofVersion(project: ProjectVerdict, { summary }: SkillDetail): ProjectVerdict {
  const { version = "" } = project;
  const isOther =
    version !== "" && summary.version !== "" && !isSameVersion(version, summary.version);
  return isOther
    ? { ...project, prediction: { kind: "blocked", code: "skill_not_installed" } }
    : project;
}

const rateWindowMs = 60_000;

/** Returns whether an invocation predicts the next one: it reached the registry, and its response is still valid. */
function isConclusive(invocation: InvocationRecord, skill: SkillDetail, now: number): boolean {
  const { status, reason, startedAt, durationMs } = invocation;
  if (reason === "rateLimit" && startedAt + durationMs + rateWindowMs < now) return false;
  const isOther = !isSameVersion(invocation.version, skill.summary.version);
  if (isOther && invocation.version !== "") return false;
  return wasAccepted(invocation) || status === "blocked" || isKeyRefused(invocation);
}

/** Returns whether a rejection is outdated: the project was read later, and no longer has the cause. */
function isSuperseded(
  { status, code = "", startedAt, durationMs }: InvocationRecord,
  project: CallabilityFacts["project"],
): boolean {
  const isOfProject = status === "blocked" && isBlockCode(spellCode(code));
  if (!isOfProject || project === undefined || project.at <= startedAt + durationMs) return false;
  const { prediction } = project;
  return prediction.kind === "allowed" || prediction.code !== spellCode(code);
}

/** Returns whether the registry rejected the key, with or without a code for that. */
function isKeyRefused({ reason }: InvocationRecord): boolean {
  return reason === "unauthorized";
}

/** Returns whether the registry accepted an invocation, so that the skill was installed then. */
function wasAccepted({ ran }: InvocationRecord): boolean {
  return ran === "yes" || ran === "acceptedOnly";
}

function byLastInvocation(
  invocation: InvocationRecord,
  now: number,
  language: Language,
): Callability {
  const { t } = language;
  const date = dateText(invocation.startedAt, now, language);
  if (isKeyRefused(invocation)) {
    const source = t("Response to your last invocation, {date}.", { date });
    const refused = keyRefusal(source, language);
    // A key that lacks a scope is still a key that the registry accepts.
    const { code = "" } = invocation;
    const isOfScope = spellCode(code) !== refused.code && errorCodeText(code) !== undefined;
    return isOfScope ? { ...refusal(code, source, language), needsKey: true } : refused;
  }
  if (invocation.status === "blocked") {
    const source = t("Response to your last invocation, {date}. It may have changed since.", {
      date,
    });
    // Without a code, the cause may have been the rate limit, which no longer applies.
    if (invocation.code === undefined) {
      const text = t("The registry rejected your last invocation without a reason, {date}.", {
        date,
      });
      return { ...verdictOfKind("unknown", language), text, source };
    }
    return refusal(invocation.code, source, language);
  }
  const source = t("Source: your invocations");
  if (isWaiting(invocation)) {
    const text = t("The registry accepted your last invocation and had no result yet, {date}.", {
      date,
    });
    return { ...verdictOfKind("unknown", language), text, source };
  }
  if (invocation.ran === "acceptedOnly") {
    const isFree = invocation.amountCents === 0;
    const text = isFree
      ? t("Your last invocation was accepted but not executed, {date}.", { date })
      : t("Your last invocation was accepted and billed but not executed, {date}.", { date });
    return { ...verdictOfKind("no", language), text, source };
  }
  const text =
    invocation.status === "error"
      ? t("Your last invocation ran and failed, {date}.", { date })
      : t("Your last invocation succeeded, {date}.", { date });
  return { ...verdictOfKind("yes", language), text, source };
}

/**
 * Describes that the registry rejected an invocation because of the skill's status, so it applies another status than
 * it lists. Empty for any other ending.
 */
function conflictOf(
  { status, code = "", startedAt }: InvocationRecord,
  now: number,
  language: Language,
) {
  const isOfStatus = ["skill_not_verified", "skill_not_allowed"].includes(spellCode(code));
  if (status !== "blocked" || !isOfStatus) return "";
  return language.t(
    "The registry rejected your last invocation because of the status ({code}), {date}.",
    {
      code,
      date: dateText(startedAt, now, language),
    },
  );
}

/** The codes that a check of the key can detect. Other reasons may still block an invocation. */
const codesOfKeyCheck = [
  "skill_not_installed",
  "install_not_active",
  "skill_not_allowed",
  "skill_not_verified",
  "skill_not_approved",
  "permission_level_exceeded",
];

/** Derives the answer from the last check of the key. Undefined if the last invocation says more. */
function byCachedPolicy(
  skill: SkillDetail,
  policy: CachedPolicy,
  last: InvocationRecord | undefined,
  now: number,
  language: Language,
): Callability | undefined {
  const { t } = language;
  const date = dateText(policy.at, now, language);
  const source = t("Source: the Project Key, {date}.", { date });
  if (policy.kind === "refused") return keyRefusal(source, language);
  if (policy.kind === "notListed") {
    // Some registries always return an empty list.
    if (policy.isEmptyList === true && last !== undefined && wasAccepted(last)) return undefined;
    return {
      ...refusal("skill_not_installed", source, language),
      text: t("The registry does not list it for this project. Install it in the project first."),
    };
  }
  const verdict = canInvokeAsListed(skill, listedBy(now, policy));
  if (verdict.kind === "no") return refusal(verdict.code, source, language, verdict.text);
  const isDecidedByCheck =
    last === undefined ||
    isKeyRefused(last) ||
    codesOfKeyCheck.includes(spellCode(last.code ?? ""));
  if (!isDecidedByCheck) return undefined;
  if (verdict.kind === "unknown") {
    const text = localize(verdict.why, language);
    return { ...verdictOfKind("unknown", language), text, source };
  }
  // The extension itself waits for the rate limit before it sends an invocation.
  const isAllowed = verdict.unknown.every((name) => name === "rate");
  if (isAllowed && listsAll(policy.listed)) {
    const text = t("Nothing blocks an invocation.");
    return { ...verdictOfKind("yes", language), text, source };
  }
  const parts = verdict.unknown.map((name) => checkTitle(name, language)).join(", ");
  const known = localize(verdict.facts, language);
  const text = t("{known}. Nothing in the list blocks it. Unknown: {parts}.", { known, parts });
  return { ...verdictOfKind("probably", language), text, source };
}

/**
 * Returns the listed facts that are still valid. Others use the project too, so the spending of an earlier day is
 * dropped.
 */
function listedBy(now: number, { at, listed }: Extract<CachedPolicy, { kind: "listed" }>) {
  const { spentThisMonthCents: _, ...lasting } = listed;
  return utcDay(now) === utcDay(at) ? listed : lasting;
}

/**
 * Returns whether a list states the install, its approval, the verification and the policy's level. Those that it lacks
 * are unknown.
 */
function listsAll(listed: ListedSkill): boolean {
  const { installStatus, approvalState, verificationStatus, maxPermissionLevel } = listed;
  return [installStatus, approvalState, verificationStatus, maxPermissionLevel].every(
    (word) => word !== undefined,
  );
}

function keyRefusal(source: string, language: Language): Callability {
  const text = language.t("The registry did not accept the Project Key. Set another one.");
  return { ...refusal("invalid_api_key", source, language), text, needsKey: true };
}

function refusal(
  code: string,
  source: string,
  language: Language,
  explanation = errorCodeText(code),
): Callability {
  const { t } = language;
  const text =
    explanation === undefined
      ? t("The registry rejects it for a reason that is not known here: {code}.", {
          code: oneLine(code, 100),
        })
      : upperFirst(localize(explanation, language));
  return { ...verdictOfKind("no", language), code: code.slice(0, 100), text, source };
}

function verdictOfKind(kind: Callability["kind"], { t }: Language): Callability {
  const words = {
    yes: t("Yes"),
    no: t("No"),
    probably: t("Probably"),
    unknown: t("Not known"),
  };
  return {
    kind,
    word: words[kind],
    code: "",
    text: "",
    source: "",
    needsKey: false,
    warning: "",
    statusConflict: "",
  };
}
