import { stepsFor } from "../registry/failureNotice";
import { failureWords } from "../registry/failureWords";
import type { NextStep, Notice } from "../text/notice";
import { errorCodeWords } from "./errorCodeWords";
import type { InvocationOutcome, RefusalReason } from "./invocation";

type Refused = Extract<InvocationOutcome, { kind: "refused" }>;

const openSkill: NextStep = { action: "openSkill", title: "Open Skill" };
const showOutput: NextStep = { action: "showOutput", title: "Show Output" };
const setKey: NextStep = { action: "setProjectKey", title: "Set Project Key…" };
const showInput: NextStep = { action: "showInput", title: "Show Input" };
const openRegistry: NextStep = { action: "openRegistry", title: "Open Registry" };
const copyReport: NextStep = { action: "copyReport", title: "Copy Report" };

/**
 * Tells the user what became of a call of `skill`, with the next step for each case. Undefined for
 * a success, which the output shows by itself, and for a cancellation before anything was sent.
 */
export function outcomeNotice(skill: string, outcome: InvocationOutcome): Notice | undefined {
  switch (outcome.kind) {
    case "success":
      return undefined;
    case "skillError":
      return {
        severity: "error",
        message: `${skill} ran and failed${said(outcome.message)}`,
        steps: [showOutput, showInput],
      };
    case "notSent":
      if (outcome.failure.kind === "cancelled") return undefined;
      return {
        severity: "error",
        message: `${skill} was not called. ${failureWords(outcome.failure)}`,
        steps: [{ action: "sendAgain", title: "Try Again" }, ...stepsFor(outcome.failure)],
      };
    case "outcomeUnknown":
      return {
        severity: "warning",
        message: `It is not known whether ${skill} ran. ${failureWords(outcome.failure)} The call was sent and may be billed; it is not sent again by itself.`,
        steps: [
          { action: "showRecord", title: "Show Record" },
          { action: "sendAgain", title: "Run Again Anyway" },
        ],
      };
    case "refused":
      return refusalNotice(skill, outcome);
  }
}

function refusalNotice(skill: string, outcome: Refused): Notice {
  const notRun = `${skill} was not run`;
  switch (outcome.reason) {
    case "missingKey":
      return {
        severity: "error",
        message: `${notRun}: ${codeWords(outcome) ?? "the registry asks for a Project Key."}`,
        steps: [setKey],
      };
    case "unauthorized":
      return {
        severity: "error",
        message: `${notRun}: the registry did not accept the Project Key${said(outcome.message)}`,
        steps: [setKey, { action: "checkProjectKey", title: "Check Project Key" }],
      };
    case "validation":
      return {
        severity: "error",
        message: `${notRun}: the registry found fault with the input${said(inputWords(outcome))}`,
        steps: [showInput, openSkill],
      };
    case "policy":
    case "payment":
      return {
        severity: "warning",
        message: `${notRun}: ${gateWords(outcome)}`,
        steps: gateSteps(outcome),
      };
    case "rateLimit":
      return {
        severity: "warning",
        message: `${notRun}: ${gateWords(outcome)} ${waitWords(outcome.retryAfterSeconds)}`,
        steps: [{ action: "sendWhenAllowed", title: "Wait and Send" }, openSkill],
      };
    case "notFound":
      return {
        severity: "error",
        message: `${notRun}: the registry has no such skill or version${said(outcome.message)}`,
        steps: [openSkill],
      };
    case "tooLarge":
      return {
        severity: "error",
        message: `${notRun}: the input is too large for the registry${said(outcome.message)}`,
        steps: [showInput],
      };
    case "redirected":
      return {
        severity: "error",
        message: `${notRun}${said(outcome.message)} The Project Key was not sent there.`,
        steps: [{ action: "connect", title: "Connect to Registry…" }],
      };
    case "registryError":
      return {
        severity: "error",
        message: `The registry failed while handling ${skill} (HTTP ${outcome.status})${said(outcome.message)} It is not known whether the skill ran.`,
        steps: [showOutput, { action: "sendAgain", title: "Run Again Anyway" }, copyReport],
      };
  }
}

/** What a project's owner has to change is changed at the registry; what a skill is, on its page. */
function gateSteps({ code }: Refused): readonly NextStep[] {
  const isKnown = errorCodeWords(code) !== undefined;
  return [openSkill, openRegistry, isKnown ? showOutput : copyReport];
}

function codeWords({ code }: Refused): string | undefined {
  return errorCodeWords(code);
}

function gateWords(outcome: Refused): string {
  const known = codeWords(outcome);
  if (known !== undefined) return known;
  const code = outcome.code === undefined ? "" : ` Code: ${outcome.code}.`;
  const id = outcome.invocationId === undefined ? "" : ` Invocation ID: ${outcome.invocationId}.`;
  return `${unknownGateWords[outcome.reason] ?? "the registry blocked it"}${said(outcome.message)}${code}${id}`;
}

const unknownGateWords: Partial<Readonly<Record<RefusalReason, string>>> = {
  policy: "a policy of the project does not allow it",
  payment: "its payment is not set up",
  rateLimit: "it was called too often",
};

function waitWords(seconds: number | undefined): string {
  if (seconds === undefined) return "Try again later; a call that comes too early counts as well.";
  return `It can be called again in ${seconds} ${seconds === 1 ? "second" : "seconds"}; a call that comes earlier counts as well.`;
}

function inputWords(outcome: Refused): string | undefined {
  const first = outcome.inputProblems?.[0];
  if (first === undefined) return outcome.message;
  return first.pointer === "" ? first.message : `${first.message} (at ${first.pointer})`;
}

function said(message: string | undefined): string {
  return message === undefined || message === "" ? "." : `: ${sentence(message)}`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
