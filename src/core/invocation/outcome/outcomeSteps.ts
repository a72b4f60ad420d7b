import { stepsFor } from "../../registry/failureNotice";
import type { Language } from "../../text/language";
import type { NextStep } from "../../text/notice";
import type { InvocationOutcome } from "../invocation";
import { spellCode } from "./errorCodes";
import { errorCodeWords } from "./errorCodeWords";

type Refused = Extract<InvocationOutcome, { kind: "refused" }>;

/** Lists what can be done about a call that ended this way, the likeliest cure first. */
export function outcomeSteps(outcome: InvocationOutcome, language: Language): readonly NextStep[] {
  const { translate } = language;
  switch (outcome.kind) {
    case "success":
      return [];
    case "skillError":
      return [showOutput(language), showInput(language)];
    case "notSent":
      return [
        { action: "sendAgain", title: translate("Try Again") },
        ...stepsFor(outcome.failure, language),
      ];
    case "outcomeUnknown":
      return [
        { action: "showRecord", title: translate("Show Record") },
        { action: "sendAgain", title: translate("Run Again Anyway") },
      ];
    case "refused":
      return refusalSteps(outcome, language);
  }
}

function refusalSteps(outcome: Refused, language: Language): readonly NextStep[] {
  const { code } = outcome;
  const isUnknown = code !== undefined && errorCodeWords(code) === undefined;
  const steps = reasonSteps(outcome, language);
  return isUnknown ? [...steps.slice(0, 2), copyReport(language)] : steps;
}

function reasonSteps({ reason, code }: Refused, language: Language): readonly NextStep[] {
  const { translate } = language;
  switch (reason) {
    case "missingKey":
      return [setKey(language)];
    case "unauthorized":
      return [
        setKey(language),
        { action: "checkProjectKey", title: translate("Check Project Key") },
      ];
    case "validation":
      return spellCode(code ?? "") === "missing_skill_slug"
        ? [copyReport(language), openSkill(language)]
        : [showInput(language), openSkill(language)];
    case "policy":
    case "payment":
      return gateSteps(code, language);
    case "rateLimit":
      return [
        { action: "sendWhenAllowed", title: translate("Wait and Send") },
        openSkill(language),
      ];
    case "notFound":
      return [openSkill(language)];
    case "tooLarge":
      return [showInput(language)];
    case "redirected":
      return [{ action: "connect", title: translate("Connect to Registry…") }];
    case "registryError":
      return [
        showOutput(language),
        { action: "sendAgain", title: translate("Run Again Anyway") },
        copyReport(language),
      ];
  }
}

/** What a project's owner has to change is changed at the registry; what a skill is, on its page. */
function gateSteps(code: string | undefined, language: Language): readonly NextStep[] {
  const openRegistry: NextStep = {
    action: "openRegistry",
    title: language.translate("Open Registry"),
  };
  const places = [openSkill(language), openRegistry];
  const isCuredThere = errorCodeWords(code) !== undefined && !isAboutSkill(code);
  return [...(isCuredThere ? places.reverse() : places), showOutput(language)];
}

/** What no setting of the project's cures, or another skill cures as well. */
function isAboutSkill(code = ""): boolean {
  return [
    "skill_not_verified",
    "skill_not_approved",
    "permission_level_exceeded",
    "prelaunch_payment_gate",
  ].includes(spellCode(code));
}

function openSkill({ translate }: Language): NextStep {
  return { action: "openSkill", title: translate("Open Skill") };
}

function showOutput({ translate }: Language): NextStep {
  return { action: "showOutput", title: translate("Show Output") };
}

function showInput({ translate }: Language): NextStep {
  return { action: "showInput", title: translate("Show Input") };
}

function setKey({ translate }: Language): NextStep {
  return { action: "setProjectKey", title: translate("Set Project Key…") };
}

function copyReport({ translate }: Language): NextStep {
  return { action: "copyReport", title: translate("Copy Report") };
}
