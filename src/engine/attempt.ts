import type { AgentAnswer, AgentVerdict } from "../core/agents/gates/agentGates";
import type { AgentRefusal } from "../core/agents/gates/agentRefusal";
import type { ResolvedPayload } from "../core/environment/resolvedPayload";
import type { InvocationOutcome } from "../core/invocation/invocation";
import { agreementMs } from "../core/invocation/permission/agreement";
import type {
  ConsentQuestion,
  Question,
  QuestionOf,
  Stop,
  Stopped,
} from "../core/invocation/permission/question";
import type { KeyProject } from "../core/invocation/permission/terms";
import type { RateScope } from "../core/invocation/rateLimit";
import {
  type AgentCall,
  type Caller,
  type EndedInvocation,
  registryName,
} from "../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { Result } from "../core/registry/registryFailure";
import type { TeamStanding } from "../core/review/standing";
import type { CallabilityFacts } from "../core/skill/description/callability";
import type { SkillDetail } from "../core/skill/skill";
import type { Language } from "../core/text/language";
import type { RegistryClient } from "../registry/registryClient";
import { settled } from "../registry/wait";
import type { Asker, Step } from "./asker";
import type { Allowance, ProjectBudget, SkillLimiters, Slot, Waiter } from "./gates/skillLimiter";
import type { InvocationTraces, Sender } from "./sendInvocation";
import { sha256 } from "./sha256";
import type { SpendingToday } from "./store/spentToday";
import type { AgentStartLimits, Store } from "./store/store";

/** The registry of an invocation. */
export interface InvokedRegistry {
  readonly baseUrl: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly isBuiltIn: boolean;
  readonly client: Pick<RegistryClient, "invoke" | "testRun">;
}

/** The dependencies that all invocations of this program share. */
export interface EngineParts<Registry extends InvokedRegistry = InvokedRegistry>
  extends InvocationTraces {
  readonly language: Language;
  /** The editor with its profile, or the command line, as records name it. */
  readonly profile: string;
  readonly store: Store;
  /** The limits that programs on several machines share; undefined for only the registry's own limits. */
  readonly sharedLimits?: SharedLimits;
  /** The daily limit in hundredths of the registry's currency; 0 for no limit. */
  readonly dailyLimitCents: () => number;
  /** The timeout of an invocation, in seconds. */
  readonly timeoutSeconds: () => number;
  /** Reads a version of a skill from the registry; the current one for an empty `version`. */
  readonly readSkill: (
    registry: Registry,
    slug: string,
    version: string,
  ) => Promise<Result<SkillDetail>>;
  /** Collects the known facts about whether a skill would run. */
  readonly callabilityFacts: (slug: string) => Promise<CallabilityFacts>;
  /**
   * Returns the objection of the team's reviews; undefined for none. For a person, also undefined after they accepted
   * it; their acceptance does not count for agents.
   */
  readonly objectionTo: (
    skill: SkillDetail,
    asked: { readonly isAgent: boolean },
  ) => Promise<TeamStanding | undefined>;
  /** Remembers that a person invokes a skill despite an objection. */
  readonly acceptObjection: (skill: SkillDetail, objection: TeamStanding) => void;
  /** Finds the project of the Project Key in use; undefined if unknown. */
  readonly keyProject?: (registry: Registry, slug: string) => Promise<KeyProject | undefined>;
  /** Returns the Project Key for a registry. Does not ask for a missing one. */
  readonly findKey: (registry: Registry) => Promise<string | undefined>;
  /** Reads the budget of the Project Key's project for a skill; undefined if unknown. Never rejects. */
  readonly budget?: (registry: Registry, skillSlug: string) => Promise<ProjectBudget | undefined>;
  /** Finds the sender. Asks for missing credentials. Undefined without a sender. */
  readonly findSender: (
    wanted: InvocationRequest<Registry>,
    skillSlug: string,
  ) => Promise<Sending | undefined>;
  /** Returns the registry in use if it is still the same, perhaps with other settings. */
  readonly stillInUse: (registry: Registry) => Promise<Registry | undefined>;
  /** Keeps a registry open while `work` uses it. */
  readonly using: <Value>(registry: Registry, work: () => Promise<Value>) => Promise<Value>;
}

/**
 * The rate limit and the budget that programs on several machines share. Each program asks these before its own store.
 * Never rejects.
 */
export interface SharedLimits {
  /** Takes a place and returns it, or `waitMs`, the time to wait instead. `cents` is the expected cost. */
  readonly acquire: (
    scope: RateScope,
    perMinute: number | undefined,
    cents: number | undefined,
  ) => Promise<{ readonly waitMs: number; readonly permit: string | undefined }>;
  readonly release: (scope: RateScope, permit: string | undefined) => Promise<void>;
  /** Records the outcome. Resolves to the milliseconds that the next invocation must wait. */
  readonly noteOutcome: (
    scope: RateScope,
    outcome: InvocationOutcome,
    permit: string | undefined,
  ) => Promise<number>;
}

/** The sender of an invocation, and the scope in which the registry counts it. */
export interface Sending {
  readonly sender: Sender;
  readonly scope: RateScope;
  /** Returns whether the user of a test run is still signed in to its project. Default: there is none. */
  readonly isSignedIn?: () => Promise<boolean>;
  /** Called with the result. */
  readonly noteOutcome: (outcome: InvocationOutcome) => unknown;
}

/**
 * Returns the scope in which a registry counts an invocation. Contains 32 bits of a digest of the key or of a project's
 * name.
 */
export function rateScopeOf(
  registry: Pick<InvokedRegistry, "baseUrl" | "isBuiltIn">,
  project: string,
  skillSlug: string,
): RateScope {
  const name = registryName(registry);
  return { registry: name, project: sha256(`${name}\n${project}`).slice(0, 8), skillSlug };
}

/** The skill that the caller wants to invoke, with the options. */
export interface InvocationRequest<Registry extends InvokedRegistry = InvokedRegistry> {
  /** The registry from which the skill was read. Invocations are sent only there. */
  readonly registry: Registry;
  /** The skill with its known facts. */
  readonly skill: SkillDetail;
  /**
   * When the skill was read for this invocation, by `performance.now()`. Left out for an earlier reading, so that it is
   * read again.
   */
  readonly readAt?: number;
  readonly isTestRun: boolean;
  readonly caller: Caller;
  /** The name of the environment that provides the values; left out for none. */
  readonly environment?: string | undefined;
  /** Asks a person about the terms even if they agreed before. */
  readonly asksTerms?: boolean;
  /** The number of invocations to agree to; one by default. */
  readonly count?: number;
  /** The maximum cost of one invocation, in hundredths of the currency; left out for no limit. */
  readonly maxCents?: number | undefined;
  /** The maximum cost of several invocations together; left out for no limit. */
  readonly allowance?: Allowance | undefined;
  /** Whether a person chose how many run at once, or their maximum cost. */
  readonly isNumberChosen?: boolean;
  /**
   * Finds the maximum number of invocations per minute, in addition to the registry's limit; undefined for no limit.
   * Asked whenever the skill is read. Never rejects.
   */
  readonly perMinute?: () => Promise<number | undefined>;
  /** Sends even while the same payload is being sent. */
  readonly allowsDuplicate?: boolean;
  /** Waits for the response after sending, even when canceled. */
  readonly isWaitedFor?: boolean;
  /** The agent's gates, where an agent is the caller. */
  readonly agent?: AgentGate;
}

/** The facts about the skill for an agent's gates. */
export interface AgentSkillFacts {
  /** The registry as records name it. */
  readonly registry: string;
  readonly skill: SkillDetail;
  /** Whether the skill was read for this invocation, recently enough for a decision. */
  readonly isRead: boolean;
  /**
   * A warning that it may be billed without being executed. Empty if nothing suggests that, undefined if nobody checked
   * yet.
   */
  readonly warning: string | undefined;
}

/** The facts about the skill and this one invocation for an agent's gates. */
export interface AgentCallFacts extends AgentSkillFacts {
  readonly spending: SpendingToday;
  readonly answer: AgentAnswer;
}

/** The additional gates of an agent's invocation. */
export interface AgentGate {
  /** The facts about the agent for the record. */
  readonly call: AgentCall;
  /** Decides by the known facts about the skill. Never rejects. */
  readonly mayUseSkill: (point: AgentSkillFacts) => Promise<AgentRefusal | undefined>;
  /** Decides about this invocation by the current files of the user. Never rejects. */
  readonly decide: (point: AgentCallFacts) => Promise<AgentVerdict | undefined>;
  /** Decides by the last reading, and counts the invocation in this session if all gates pass. */
  readonly count: (point: AgentCallFacts) => AgentRefusal | undefined;
  /**
   * Returns the limits that the store applies at the start, by the last reading; undefined if nobody agreed to the
   * skill.
   */
  readonly startLimits: (registry: string) => AgentStartLimits | undefined;
  /** Removes an invocation from the count because it was not sent. */
  readonly uncount: () => void;
}

/** The payload to send: exactly as written, except for placeholders of an environment. */
export interface SentPayload extends ResolvedPayload {
  /** Identifies the payload: the URI of its document. */
  readonly source: string;
  readonly check: (skill: SkillDetail) => Promise<PayloadCheck>;
  /** Payloads with the same value here count as the same; by default, the payload's own text. */
  readonly dedupeKey?: string;
}

/** The end of an invocation, as its caller receives it. */
export type EndingSummary = Stopped | (EndedInvocation & { readonly kind: "sent" });

/** The end of an invocation. */
export type Ending =
  | Stopped
  | (EndedInvocation & {
      readonly kind: "sent";
      /** The skill that was agreed to. */
      readonly skill: SkillDetail;
      readonly sender: Sender;
    });

/** The state of one attempt to invoke: the request, and what the steps found. A step that did not run found nothing. */
export interface Attempt {
  readonly parts: EngineParts;
  readonly request: InvocationRequest;
  readonly asker: Asker;
  readonly signal: AbortSignal;
  readonly limiters: SkillLimiters;
  /** Undefined while many invocations are only agreed to. */
  readonly payload: SentPayload | undefined;
  /** The series that it belongs to, whose questions about the skill are asked once for all. */
  readonly shared?: Attempt;
  /** The name of the series in its records. */
  readonly batchId?: string;
  /** The questions about the skill that are open now. */
  asking?: Promise<Stopped | undefined> | undefined;
  /** The skill by the last reading. */
  skill: SkillDetail;
  /** The skill that a series was agreed to for. */
  agreedSkill?: SkillDetail;
  /** When the skill was read, by `performance.now()`; undefined for a reading before this attempt. */
  readAt: number | undefined;
  /** A question whose answer already includes the next question. */
  acceptedQuestion?: ConsentQuestion | undefined;
  /** Whether all questions about the skill are answered. */
  isAllowed: boolean;
  /** Why a series sends nothing more; undefined while it may. */
  stopReason?: Stopped | undefined;
  /** The skill whose schema last checked the payload. */
  checkedFor?: SkillDetail;
  /** As of an `AgentSkillFacts`. */
  warning?: string | undefined;
  /** The last known maximum number of invocations per minute; undefined for no limit. */
  perMinute?: number | undefined;
  /** The number of remaining invocations. */
  remaining: number;
  mayExceedDailyLimit: boolean;
  /** Whether to send although today's spending is unknown or cannot be counted. */
  mayGoUncounted: boolean;
  /** Whether to send even while the same payload is being sent. */
  allowsDuplicate: boolean;
  /** A person's answer about an agent's invocation. */
  agentAnswer?: AgentAnswer;
  sending?: Sending | undefined;
  /** The Project Key in use when the sender was found; undefined for none. */
  senderKey?: string | undefined;
  /** Its place among the skill's invocations in progress; undefined for a person's invocation and a test run. */
  slot?: Slot | undefined;
  /** Its turn after it found no room. */
  waiter?: Waiter | undefined;
  /** The spending before it, by the last reading of an agent's gates. */
  spending?: SpendingToday | undefined;
}

/** An attempt whose skill was read for the gates. */
export type ReadAttempt = Attempt & { readonly readAt: number };

/** An attempt with all questions answered and a known sender. */
export type AllowedAttempt = ReadAttempt & { readonly sending: Sending };

/** Returns whether the skill was read recently enough for a decision. */
export function isRead(attempt: Attempt): attempt is ReadAttempt {
  return isRecent(attempt.readAt);
}

/** Returns whether all questions about the skill are answered. */
export function isAllowed(attempt: Attempt): attempt is AllowedAttempt {
  return attempt.isAllowed && attempt.readAt !== undefined && attempt.sending !== undefined;
}

/** Returns whether a step ended the invocation. */
export function isStopped(end: Stopped | Attempt): end is Stopped {
  return "kind" in end;
}

/** A question, or a wait for other invocations, may have outdated the gates' results. All gates run again. */
export type Again = "again";

/** Ends an invocation that was not sent. */
export function stopped(why: Stop | PlainStop): Stopped {
  return { kind: "stopped", stop: typeof why === "string" ? { kind: why } : why };
}

/** A reason without further facts. */
type PlainStop = "canceled" | "registryChanged" | "noLongerValid" | "noSender" | "notRecorded";

/** Waits for a step. Resolves to undefined as soon as the caller cancels. */
export async function during<Value>(
  { asker, signal }: Attempt,
  step: Step,
  work: Promise<Value>,
): Promise<Value | undefined> {
  asker.waiting(step, work);
  await settled(work, signal);
  return signal.aborted ? undefined : work;
}

type YesOrNoQuestion = QuestionOf<"unchecked" | "secrets" | "dailyLimit" | "uncounted">;

/** Asks a yes-or-no question. Undefined if the invocation continues. */
export async function ask(
  attempt: Attempt,
  question: YesOrNoQuestion,
): Promise<Stopped | undefined> {
  const answerTo = attempt.asker.answers[question.kind] as (
    asked: YesOrNoQuestion,
  ) => "yes" | "no" | Promise<"yes" | "no">;
  return afterAnswer(attempt, question, await answerTo(question));
}

/** Ends an invocation after a no or a cancellation. Undefined if it continues. */
export function afterAnswer(
  { signal }: Attempt,
  question: Question,
  answer: "yes" | "once" | "all" | "no",
): Stopped | undefined {
  if (answer === "no") return stopped({ kind: "declined", question });
  return signal.aborted ? stopped("canceled") : undefined;
}

/** Returns whether all questions about the skill are answered, recently enough to send. */
export function isFresh({ isAllowed, readAt }: Attempt): boolean {
  return isAllowed && isRecent(readAt);
}

/** Returns whether a reading at `time`, by `performance.now()`, is recent enough to agree to. */
export function isRecent(time: number | undefined): boolean {
  return time !== undefined && performance.now() - time < agreementMs;
}
