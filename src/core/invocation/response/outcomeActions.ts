import { spellCode } from "../../project/gateway/codes";
import { remedyOf } from "../../project/gateway/remedies";
import { actionsFor } from "../../registry/registryFailure";
import type { Language } from "../../text/language";
import type { NoticeAction } from "../../text/notice";
import { errorCodeText, isProjectGone, reasonOfCode } from "../errorCodes";
import type { InvocationOutcome } from "../invocation";

type Refused = Extract<InvocationOutcome, { kind: "refused" }>;

/** Lists the actions after an outcome, the most helpful first. */
export function outcomeActions(
  outcome: InvocationOutcome,
  language: Language,
): readonly NoticeAction[] {
  const { t } = language;
  switch (outcome.kind) {
    case "success":
      if (!outcome.acceptedNotRun) return [];
      return outcome.runStatus === undefined
        ? [showOutput(language), openSkill(language)]
        : [showRecord(language), openRegistry(language)];
    case "skillError":
      return [showOutput(language), showInput(language)];
    case "notSent":
      return [
        { action: "sendAgain", title: t("Try Again") },
        ...actionsFor(outcome.failure, language),
      ];
    case "outcomeUnknown":
      return [showRecord(language), { action: "sendAgain", title: t("Run Again Anyway") }];
    case "refused":
      return refusalActions(outcome, language);
  }
}

/** Lists the actions after a success with a note, for example that another version ran. */
export function noteActions(language: Language): readonly NoticeAction[] {
  return [showOutput(language), openSkill(language)];
}

function refusalActions(outcome: Refused, language: Language): readonly NoticeAction[] {
  const { code } = outcome;
  const isKnown = errorCodeText(code) !== undefined || isProjectGone(code);
  const isUnknown = code !== undefined && !isKnown;
  const actions = reasonActions(outcome, language);
  return isUnknown ? [...actions.slice(0, 2), copyReport(language)] : actions;
}

function reasonActions(
  { reason, code, status }: Refused,
  language: Language,
): readonly NoticeAction[] {
  const { t } = language;
  switch (reason) {
    case "missingKey":
      return [setKey(language)];
    case "unauthorized":
      return [setKey(language), { action: "checkProjectKey", title: t("Check Project Key") }];
    case "validation":
      return spellCode(code ?? "") === "missing_skill_slug"
        ? [copyReport(language), openSkill(language)]
        : [showInput(language), openSkill(language)];
    case "policy":
    case "payment":
      return gateActions(code, language);
    case "rateLimit":
      return [{ action: "sendWhenAllowed", title: t("Wait and Send") }, openSkill(language)];
    case "signedOut":
      return [{ action: "signIn", title: t("Sign In…") }];
    case "wrongRole":
    case "notOffered":
      return [{ action: "invoke", title: t("Invoke with a Project Key") }];
    case "notFound":
      return isProjectGone(code)
        ? [{ action: "chooseProject", title: t("Choose Project…") }]
        : [openSkill(language)];
    case "tooLarge":
      return [showInput(language)];
    case "redirected":
      return [{ action: "connect", title: t("Connect to Registry…") }];
    case "notRegistry":
      return [
        { action: "sendAgain", title: t("Try Again") },
        ...actionsFor({ kind: "notRegistry", status }, language),
      ];
    case "notPerformed":
      return [{ action: "sendAgain", title: t("Try Again") }, showOutput(language)];
    case "registryError":
      return [
        showOutput(language),
        { action: "sendAgain", title: t("Run Again Anyway") },
        copyReport(language),
      ];
  }
}

/**
 * Lists the actions after the project's policy or payment blocked an invocation. A change of the project comes first if
 * a signed-in member can make it here; only an owner can make other changes, at the registry. The skill's page
 * describes problems of the skill itself.
 */
function gateActions(code = "", language: Language): readonly NoticeAction[] {
  const { t } = language;
  const askOwner: NoticeAction = { action: "askOwner", title: t("Copy Request to Owner") };
  const remedy = remedyOf(code, language);
  if (reasonOfCode(code) === "payment" && !isAboutSkill(code)) {
    return remedy === undefined
      ? [openRegistry(language), askOwner, openSkill(language)]
      : [remedy, askOwner, openRegistry(language)];
  }
  const tryAgain: NoticeAction = { action: "sendAgain", title: t("Try Again") };
  const isUnderReview = spellCode(code) === "skill_not_verified";
  if (isUnderReview && remedy !== undefined) return [remedy, tryAgain, openSkill(language)];
  const all = [openSkill(language), openRegistry(language), showOutput(language)];
  return remedy === undefined ? all : [remedy, ...all.slice(0, 2)];
}

/** Returns whether no change of the project helps, because nobody can pay for the skill yet. */
function isAboutSkill(code: string): boolean {
  return spellCode(code) === "prelaunch_payment_gate";
}

function openSkill({ t }: Language): NoticeAction {
  return { action: "openSkill", title: t("Open Skill") };
}

function openRegistry({ t }: Language): NoticeAction {
  return { action: "openRegistry", title: t("Open Registry") };
}

function showRecord({ t }: Language): NoticeAction {
  return { action: "showRecord", title: t("Show Record") };
}

function showOutput({ t }: Language): NoticeAction {
  return { action: "showOutput", title: t("Show Output") };
}

function showInput({ t }: Language): NoticeAction {
  return { action: "showInput", title: t("Show Payload") };
}

/** Returns the action that sets the Project Key. */
export function setKey({ t }: Language): NoticeAction {
  return { action: "setProjectKey", title: t("Set Project Key…") };
}

function copyReport({ t }: Language): NoticeAction {
  return { action: "copyReport", title: t("Copy Report") };
}
