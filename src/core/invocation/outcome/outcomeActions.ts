import { actionsFor } from "../../registry/registryFailure";
import type { Language } from "../../text/language";
import type { NoticeAction } from "../../text/notice";
import type { InvocationOutcome } from "../invocation";
import { errorCodeText, isProjectGone, spellCode } from "./errorCodes";

type Refused = Extract<InvocationOutcome, { kind: "refused" }>;

/** Lists what can be done about an invocation that ended this way, the likeliest cure first. */
export function outcomeActions(
  outcome: InvocationOutcome,
  language: Language,
): readonly NoticeAction[] {
  const { t } = language;
  switch (outcome.kind) {
    case "success":
      return outcome.acceptedNotRun ? [showOutput(language), openSkill(language)] : [];
    case "skillError":
      return [showOutput(language), showInput(language)];
    case "notSent":
      return [
        { action: "sendAgain", title: t("Try Again") },
        ...actionsFor(outcome.failure, language),
      ];
    case "outcomeUnknown":
      return [
        { action: "showRecord", title: t("Show Record") },
        { action: "sendAgain", title: t("Run Again Anyway") },
      ];
    case "refused":
      return refusalActions(outcome, language);
  }
}

function refusalActions(outcome: Refused, language: Language): readonly NoticeAction[] {
  const { code } = outcome;
  const isKnown = errorCodeText(code) !== undefined || isProjectGone(code);
  const isUnknown = code !== undefined && !isKnown;
  const actions = reasonActions(outcome, language);
  return isUnknown ? [...actions.slice(0, 2), copyReport(language)] : actions;
}

function reasonActions({ reason, code }: Refused, language: Language): readonly NoticeAction[] {
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
    case "registryError":
      return [
        showOutput(language),
        { action: "sendAgain", title: t("Run Again Anyway") },
        copyReport(language),
      ];
  }
}

/**
 * What a signed-in member of the project can change here comes first; the rest of what its owner has to
 * change is changed at the registry, and what a skill is, on its page.
 */
function gateActions(code: string | undefined, language: Language): readonly NoticeAction[] {
  const openRegistry: NoticeAction = {
    action: "openRegistry",
    title: language.t("Open Registry"),
  };
  const places = [openSkill(language), openRegistry];
  const isCuredThere = errorCodeText(code) !== undefined && !isAboutSkill(code);
  const all = [...(isCuredThere ? places.reverse() : places), showOutput(language)];
  const change = projectChange(code, language);
  return change === undefined ? all : [change, ...all.slice(0, 2)];
}

/** The change of the project that lets the invocation be answered, where there is one to make here. */
function projectChange(code = "", { t }: Language): NoticeAction | undefined {
  switch (spellCode(code)) {
    case "skill_not_installed":
    // With an install the registry writes a policy where none exists.
    case "policy_missing":
      return { action: "installSkill", title: t("Install…") };
    case "install_not_active":
      return { action: "restoreSkill", title: t("Restore…") };
    case "skill_not_approved":
    case "policy_approval_required":
      return { action: "approveSkill", title: t("Approve…") };
    default:
      return undefined;
  }
}

/** What no setting of the project's cures, or another skill cures as well. */
function isAboutSkill(code = ""): boolean {
  return [
    "skill_not_verified",
    "skill_not_allowed",
    "permission_level_exceeded",
    "prelaunch_payment_gate",
  ].includes(spellCode(code));
}

function openSkill({ t }: Language): NoticeAction {
  return { action: "openSkill", title: t("Open Skill") };
}

function showOutput({ t }: Language): NoticeAction {
  return { action: "showOutput", title: t("Show Output") };
}

function showInput({ t }: Language): NoticeAction {
  return { action: "showInput", title: t("Show Payload") };
}

function setKey({ t }: Language): NoticeAction {
  return { action: "setProjectKey", title: t("Set Project Key…") };
}

function copyReport({ t }: Language): NoticeAction {
  return { action: "copyReport", title: t("Copy Report") };
}
