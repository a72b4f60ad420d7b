import type { AgentRefusal } from "../../agents/gates/agentRefusal";
import type { EarlierCall } from "../../agents/gates/earlierCall";
import type { FoundSecret } from "../../payload/findSecrets";
import { errorCount, type PayloadCheck } from "../../payload/payloadCheck";
import {
  failureNotice,
  type RegistryFailure,
  registryFailureText,
} from "../../registry/registryFailure";
import { standingLines } from "../../review/driftText";
import { type TeamStanding, teamStandingName } from "../../review/standing";
import type { SkillDetail } from "../../skill/skill";
import type { Language } from "../../text/language";
import type { DialogQuestion, Notice } from "../../text/notice";
import type { AgentCall, Caller } from "../record/invocationRecord";
import type { InvokeVerdict } from "./canInvoke";
import {
  alreadyRunningNotice,
  notCallableNotice,
  notCallableText,
  type RunRemedy,
  rateLimitedNotice,
  registryChangedNotice,
  schemaChangedNotice,
  termsUnknownNotice,
} from "./gateNotices";
import type { Terms } from "./terms";

/** A decision that is needed before an invocation is sent. Every asker must handle each kind. */
export type Question =
  /** The payload could not be checked, or only in part. */
  | { readonly kind: "unchecked"; readonly check: PayloadCheck }
  /** The payload seems to contain a credential. */
  | {
      readonly kind: "secrets";
      readonly check: PayloadCheck;
      readonly found: readonly FoundSecret[];
    }
  /**
   * The registry will probably reject the invocation with `code`. If `code` is empty, the registry will probably accept
   * the invocation without executing it. `remedy` may help; `next` is the following question about the skill.
   */
  | {
      readonly kind: "notExpectedToRun";
      readonly code: string;
      readonly text: DialogQuestion;
      readonly remedy?: RunRemedy | undefined;
      readonly next?: ConsentQuestion | undefined;
    }
  /** The team's reviews object. `text` includes the terms of the agreement. */
  | {
      readonly kind: "unreviewed";
      readonly objection: TeamStanding;
      readonly text: DialogQuestion;
      readonly terms: Terms;
    }
  /** Nobody agreed to these terms yet. */
  | { readonly kind: "terms"; readonly text: DialogQuestion; readonly terms: Terms }
  /** Today's cost would exceed the limit. */
  | { readonly kind: "dailyLimit"; readonly reason: string }
  /**
   * A limit is set, but today's cost is unknown or this invocation cannot be counted; or it is unknown whether a limit
   * is set. `reason` is the system's message, in English; empty if the record of today was lost.
   */
  | {
      readonly kind: "uncounted";
      readonly unknown: "spending" | "limit";
      readonly reason: string;
    }
  /** The same payload is being sent now. */
  | { readonly kind: "inProgress" }
  /** The rate limit requires a wait. */
  | { readonly kind: "rateLimit"; readonly seconds: number }
  /** An agent wants to invoke a skill, and the agreement requires that a person is asked each time. */
  | {
      readonly kind: "agentCall";
      readonly caller: Caller;
      readonly call: AgentCall;
      readonly skill: SkillDetail;
      readonly payload: string;
    };

/** A question about a skill's identity and permissions. */
export type ConsentQuestion = QuestionOf<"unreviewed" | "terms">;

/** A question of one kind. */
export type QuestionOf<Kind extends Question["kind"]> = Extract<Question, { readonly kind: Kind }>;

/** Joins a question with the one that follows, so that a person sees all obstacles at once. */
export function joinedQuestion({ text, next }: QuestionOf<"notExpectedToRun">): DialogQuestion {
  return next === undefined ? text : { ...text, detail: [...text.detail, "", ...next.text.detail] };
}

/**
 * Returns whether the registry is expected to reject the invocation. Scripts and agents send it anyway, since a
 * rejection is free and newer than the known facts. They do not send an invocation that would be accepted without being
 * executed, since it may be billed.
 */
export function isRejectionExpected({ code }: QuestionOf<"notExpectedToRun">): boolean {
  return code !== "";
}

/**
 * The answers to a question: continue, stop, or check again after a wait. For terms, `yes` is stored as an agreement,
 * and `once` counts for this invocation only. `all` also answers the next question and agrees to terms. `later` ends an
 * agent's call; its client calls again with the answer (MCP).
 */
export type AnswerTo<Kind extends Question["kind"]> = Kind extends "rateLimit"
  ? "later" | "no"
  : Kind extends "inProgress"
    ? "yes" | "later" | "no"
    : Kind extends "terms"
      ? "yes" | "once" | "no"
      : Kind extends "notExpectedToRun" | "unreviewed"
        ? "yes" | "all" | "no"
        : Kind extends "agentCall"
          ? "yes" | "no" | "noPerson" | "later"
          : "yes" | "no";

/** The reason for not sending. */
export type Stop =
  | { readonly kind: "declined"; readonly question: Question }
  | { readonly kind: "canceled" }
  /** Another registry is in use now. */
  | { readonly kind: "registryChanged" }
  /** The payload is invalid, or is an unchecked text that is not JSON. */
  | { readonly kind: "invalid"; readonly check: PayloadCheck }
  /** The skill could not be read again, so nobody can agree to it. */
  | { readonly kind: "termsUnknown"; readonly failure: RegistryFailure }
  /** The registry returned another version than the requested one. */
  | { readonly kind: "otherVersion"; readonly failure: RegistryFailure }
  /** The skill differs from the one that was agreed to for several invocations. */
  | { readonly kind: "changed"; readonly message: string }
  | {
      readonly kind: "notCallable";
      readonly verdict: Extract<InvokeVerdict, { readonly kind: "no" }>;
    }
  /** The input schema changed, and the payload no longer matches it. */
  | { readonly kind: "noLongerValid" }
  /** One invocation costs more than its limit, or its price is unknown. */
  | { readonly kind: "price"; readonly isKnown: boolean }
  /** There is neither a Project Key nor a signed-in user. */
  | { readonly kind: "noSender" }
  /** A gate of agents is closed. */
  | { readonly kind: "agent"; readonly refusal: AgentRefusal }
  /** An agent already made the same invocation. */
  | { readonly kind: "earlier"; readonly earlier: EarlierCall }
  /** Its record could not be written. Without a record it must not be sent. */
  | { readonly kind: "notRecorded" }
  /** The editor's window did not invoke for a command in its terminal. */
  | { readonly kind: "atWindow"; readonly why: "declined" | "quiet" | "noSender" };

/** Nothing was sent. */
export interface Stopped {
  readonly kind: "stopped";
  readonly stop: Stop;
}

/** Returns whether the payload itself is the reason for not sending, rather than its skill or circumstances. */
export function isAboutPayload(stop: Stop): boolean {
  return stop.kind === "declined"
    ? stop.question.kind === "unchecked" || stop.question.kind === "secrets"
    : stop.kind === "invalid" || stop.kind === "noLongerValid";
}

/** Returns whether nothing was sent because the skill probably cannot run. That affects no other skill. */
export function isNotExpectedToRun(stop: Stop): boolean {
  return stop.kind === "declined" && stop.question.kind === "notExpectedToRun";
}

/** The reason for not sending: a sentence, and further facts, one per line. */
export interface StopText {
  readonly message: string;
  readonly detail: readonly string[];
}

/** Explains why an invocation of `skill` was not sent, to a caller that was not asked. */
export function stopText(skill: string, stop: Stop, language: Language): StopText {
  const { t } = language;
  const text = (message: string, detail: readonly string[] = []) => ({ message, detail });
  switch (stop.kind) {
    case "declined":
      return declinedText(skill, stop.question, language);
    case "canceled":
      return text(t("{skill} was not invoked: it was canceled.", { skill }));
    case "registryChanged":
      return text(registryChangedNotice(skill, language).message);
    case "invalid":
      return text(t("{skill} was not invoked: its payload is not valid.", { skill }));
    case "termsUnknown":
      return text(termsUnknownNotice(skill, stop.failure, language).message);
    case "otherVersion":
      return text(registryFailureText(stop.failure, language));
    case "changed":
      return text(stop.message);
    case "atWindow":
      return text(atWindowText(stop.why, language));
    case "notCallable":
      return text(notCallableText(skill, stop.verdict, language));
    case "noLongerValid":
      return text(schemaChangedNotice(skill, language).message);
    case "price":
      return text(
        stop.isKnown
          ? t("{skill} was not invoked: one invocation costs more than the limit.", { skill })
          : t("{skill} was not invoked: its price is not known, and a limit is set.", { skill }),
      );
    case "noSender":
      return text(t("{skill} was not invoked: there is no Project Key for it.", { skill }));
    case "agent":
      return text(stop.refusal.message, stop.refusal.changes);
    case "earlier":
      return text(alreadyRunningNotice(skill, language).message);
    case "notRecorded":
      return text(t("{skill} was not invoked: it could not be recorded.", { skill }));
  }
}

function atWindowText(
  why: Extract<Stop, { readonly kind: "atWindow" }>["why"],
  { t }: Language,
): string {
  switch (why) {
    case "declined":
      return t("Nothing was sent: it was declined in the window.");
    case "quiet":
      return t(
        "Nothing was sent: somebody declined in the window. It asks again after a minute without requests.",
      );
    case "noSender":
      return t("Nothing was sent: the window has no Project Key, or nobody is signed in there.");
  }
}

function declinedText(skill: string, question: Question, language: Language): StopText {
  const { t } = language;
  const text = (message: string, detail: readonly string[] = []) => ({ message, detail });
  switch (question.kind) {
    case "unchecked": {
      const { check } = question;
      return errorCount(check) > 0
        ? stopText(skill, { kind: "invalid", check }, language)
        : text(
            t("{skill} was not invoked: its payload could not be checked.", { skill }),
            check.reason === undefined ? [] : [check.reason],
          );
    }
    case "secrets": {
      const marked = question.check.problems.filter(({ code }) => code === "secret");
      return text(
        t("{skill} was not invoked: its payload appears to contain a credential.", { skill }),
        marked.map(({ message }) => message),
      );
    }
    case "notExpectedToRun":
      return text(
        t("{skill} was not invoked: it is not expected to run.", { skill }),
        question.text.detail,
      );
    case "unreviewed":
      return text(
        objectionText(question.objection, skill, language),
        standingLines(question.objection, language),
      );
    case "terms":
      return text(
        t("{skill} was not invoked: its terms have not been agreed to.", { skill }),
        question.text.detail,
      );
    case "dailyLimit":
      return text(
        t("{skill} was not invoked: it would exceed the daily spending limit.", { skill }),
        [question.reason],
      );
    case "uncounted":
      return text(
        question.unknown === "limit"
          ? t(
              "{skill} was not invoked: whether a daily limit is set on this machine is not known.",
              {
                skill,
              },
            )
          : t("{skill} was not invoked: a limit is set, and what was spent today is not known.", {
              skill,
            }),
        [question.reason || t("Part of the record of this machine was lost.")],
      );
    case "inProgress":
      return text(alreadyRunningNotice(skill, language).message);
    case "rateLimit":
      return text(rateLimitedNotice(skill, question.seconds, language).message);
    case "agentCall":
      return text(declinedCallText(skill, language));
  }
}

function objectionText(objection: TeamStanding, skill: string, { t }: Language): string {
  switch (teamStandingName(objection)) {
    case "unreviewed":
      return t("{skill} was not invoked: it is not reviewed in this repository.", { skill });
    case "drifted":
      return t("{skill} was not invoked: it differs from what this repository reviewed.", {
        skill,
      });
    default:
      return t("{skill} was not invoked: it could not be compared with its review.", { skill });
  }
}

/** Reports that a person declined an agent's invocation. */
export function declinedCallText(skill: string, { t }: Language): string {
  return t("{skill} was not invoked: it was declined.", { skill });
}

/**
 * Explains why an invocation of `skill` was not sent, to a person who was asked, with actions. Undefined after the
 * person's own decision.
 */
export function stopNotice(skill: string, stop: Stop, language: Language): Notice | undefined {
  switch (stop.kind) {
    case "declined":
      return declinedNotice(skill, stop.question, language);
    case "canceled":
    case "noSender":
      return undefined;
    case "registryChanged":
      return registryChangedNotice(skill, language);
    case "termsUnknown":
      return termsUnknownNotice(skill, stop.failure, language);
    case "otherVersion":
      return failureNotice(stop.failure, language);
    case "notCallable":
      return notCallableNotice(skill, stop.verdict, language);
    case "noLongerValid":
      return schemaChangedNotice(skill, language);
    default: {
      const { message } = stopText(skill, stop, language);
      return { severity: "warning", message, actions: [] };
    }
  }
}

/**
 * Reports an obstacle that stops an invocation whatever a person answers. Undefined for other obstacles, which the
 * question already named.
 */
function declinedNotice(skill: string, question: Question, language: Language): Notice | undefined {
  if (question.kind === "inProgress") return alreadyRunningNotice(skill, language);
  return question.kind === "rateLimit"
    ? rateLimitedNotice(skill, question.seconds, language)
    : undefined;
}
