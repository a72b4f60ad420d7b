import { stepsFor } from "../../registry/failureNotice";
import type { Language } from "../../text/language";
import type { NextStep } from "../../text/notice";
import type { InvocationOutcome } from "../invocation";
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
  const { translate } = language;
  switch (outcome.reason) {
    case "missingKey":
      return [setKey(language)];
    case "unauthorized":
      return [
        setKey(language),
        { action: "checkProjectKey", title: translate("Check Project Key") },
      ];
    case "validation":
      return [showInput(language), openSkill(language)];
    case "policy":
    case "payment":
      return gateSteps(outcome, language);
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
function gateSteps({ code }: Refused, language: Language): readonly NextStep[] {
  const openRegistry: NextStep = {
    action: "openRegistry",
    title: language.translate("Open Registry"),
  };
  const isKnown = errorCodeWords(code) !== undefined;
  return [openSkill(language), openRegistry, isKnown ? showOutput(language) : copyReport(language)];
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
