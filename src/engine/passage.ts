import type { AgentAnswer, AgentRefusal, AgentVerdict } from "../core/agents/agentGates";
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
import type { Allowance, Place, Places, ProjectBudget, Turn } from "./gates/places";
import type { InvocationTraces, Sender } from "./sendInvocation";
import { sha256 } from "./sha256";
import type { SpendingToday } from "./store/spentToday";
import type { AgentStart, Store } from "./store/store";

/** The registry of an invocation. */
export interface InvokedRegistry {
  readonly baseUrl: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly isBuiltIn: boolean;
  readonly client: Pick<RegistryClient, "invoke" | "testRun">;
}

/** What all invocations of this program are made with. */
export interface EngineParts<Registry extends InvokedRegistry = InvokedRegistry>
  extends InvocationTraces {
  readonly language: Language;
  /** The editor and its profile, or the command line, as records name it. */
  readonly profile: string;
  readonly store: Store;
  /** What programs of several machines share; undefined for nothing but the registry's own limits. */
  readonly sharedLimits?: SharedLimits;
  /** What may be spent a day, in hundredths of the registry's currency; 0 is no limit. */
  readonly dailyLimitCents: () => number;
  /** How long the registry may take to answer an invocation, in seconds. */
  readonly timeoutSeconds: () => number;
  /** Reads a version of a skill from the registry now; the current one where `version` is empty. */
  readonly readSkill: (
    registry: Registry,
    slug: string,
    version: string,
  ) => Promise<Result<SkillDetail>>;
  /** Collects what is known about running a skill. */
  readonly callabilityFacts: (slug: string) => Promise<CallabilityFacts>;
  /**
   * Returns the objection of the team's reviews. Undefined where there is none, and for a person where they accepted
   * it; that counts for no agent.
   */
  readonly objectionTo: (
    skill: SkillDetail,
    asked: { readonly isAgent: boolean },
  ) => Promise<TeamStanding | undefined>;
  /** Notes that a person invokes a skill despite an objection. */
  readonly acceptObjection: (skill: SkillDetail, objection: TeamStanding) => void;
  /** Finds the project of the Project Key in use; undefined where it is not known. */
  readonly keyProject?: (registry: Registry, slug: string) => Promise<KeyProject | undefined>;
  /** Returns the Project Key for a registry without asking for a missing one. */
  readonly findKey: (registry: Registry) => Promise<string | undefined>;
  /** Reads the budget of the Project Key's project for a skill; undefined where that is not known. Never rejects. */
  readonly budget?: (registry: Registry, skillSlug: string) => Promise<ProjectBudget | undefined>;
  /** Finds who sends; asks for what is missing. Undefined where there is nobody. */
  readonly findSender: (
    wanted: WantedInvocation<Registry>,
    skillSlug: string,
  ) => Promise<Sending | undefined>;
  /** Returns the registry in use, where it is still the same one, perhaps with other settings. */
  readonly stillInUse: (registry: Registry) => Promise<Registry | undefined>;
  /** Keeps a registry open while it is used. */
  readonly using: <Value>(registry: Registry, work: () => Promise<Value>) => Promise<Value>;
}

/**
 * The rate and the budget that programs of several machines share, each of which asks before its own store. Never
 * rejects.
 */
export interface SharedLimits {
  /**
   * Takes a place, which is given back or ended by what it returns; `waitMs` says how long to wait instead. `cents` is
   * what the invocation is expected to cost.
   */
  readonly claim: (
    scope: RateScope,
    perMinute: number | undefined,
    cents: number | undefined,
  ) => Promise<{ readonly waitMs: number; readonly place: string | undefined }>;
  readonly giveBack: (scope: RateScope, place: string | undefined) => Promise<void>;
  /** Notes the outcome. Resolves to how many milliseconds the next one must be held. */
  readonly noteOutcome: (
    scope: RateScope,
    outcome: InvocationOutcome,
    place: string | undefined,
  ) => Promise<number>;
}

/** Who sends an invocation, and what the registry counts it by. */
export interface Sending {
  readonly sender: Sender;
  readonly scope: RateScope;
  /** Called with the result. */
  readonly noteOutcome: (outcome: InvocationOutcome) => unknown;
}

/** The scope a registry counts an invocation by. Contains 32 bits of a digest of the key or of a project's name. */
export function rateScopeOf(
  registry: Pick<InvokedRegistry, "baseUrl" | "isBuiltIn">,
  project: string,
  skillSlug: string,
): RateScope {
  const name = registryName(registry);
  return { registry: name, project: sha256(`${name}\n${project}`).slice(0, 8), skillSlug };
}

/** Which skill somebody wants to invoke, and how. */
export interface WantedInvocation<Registry extends InvokedRegistry = InvokedRegistry> {
  /** The registry the skill was read from, and the only one it is sent to. */
  readonly registry: Registry;
  /** The skill as it is known. */
  readonly skill: SkillDetail;
  /**
   * When it was read from the registry for this purpose, by `performance.now()`; left out where that was earlier, so
   * that it is read again.
   */
  readonly readAt?: number;
  readonly isTestRun: boolean;
  readonly caller: Caller;
  /** The name of the environment whose values its payloads have; left out for none. */
  readonly environment?: string | undefined;
  /** Asks a person about the terms also where they agreed to them before. */
  readonly asksTerms?: boolean;
  /** How many invocations are agreed to; one where it is left out. */
  readonly count?: number;
  /** What one invocation may cost at most, in hundredths of the currency; left out for no limit. */
  readonly maxCents?: number | undefined;
  /** What several invocations may cost together; left out for no limit. */
  readonly allowance?: Allowance | undefined;
  /** Whether a person chose how many are under way beside each other, or what they may cost. */
  readonly isNumberChosen?: boolean;
  /** How many invocations of a minute are wanted at most, besides the registry's limit; undefined for no limit. */
  readonly perMinute?: number | undefined;
  /** Sent even while the same payload is being sent. */
  readonly twice?: boolean;
  /** Once sent, its answer is waited for, also where it is canceled. */
  readonly isWaitedFor?: boolean;
  /** Its own gates, where an agent wants it. */
  readonly agent?: AgentGate;
}

/** What an agent's gates go by: the skill. */
export interface AgentPoint {
  /** The registry as records name it. */
  readonly registry: string;
  readonly skill: SkillDetail;
  /** Whether the skill was read from the registry for this invocation, recently enough to decide by. */
  readonly isRead: boolean;
  /**
   * A warning that it may be billed without being executed; empty where that is not to be expected, undefined where
   * nobody looked yet.
   */
  readonly warning: string | undefined;
}

/** What an agent's gates go by: the skill, and this one invocation. */
export interface AgentCallPoint extends AgentPoint {
  /** What was spent before it. */
  readonly spending: SpendingToday;
  readonly answer: AgentAnswer;
}

/** What an agent's invocation is decided by, beside what is asked of everybody's. */
export interface AgentGate {
  /** What is recorded of it. */
  readonly call: AgentCall;
  /** Decides by what is known of the skill. Never rejects. */
  readonly mayUseSkill: (point: AgentPoint) => Promise<AgentRefusal | undefined>;
  /** Decides about this invocation, by what the user's files say now. Never rejects. */
  readonly decide: (point: AgentCallPoint) => Promise<AgentVerdict | undefined>;
  /** Decides by what was last read, and counts the invocation of this session where all is open. */
  readonly count: (point: AgentCallPoint) => AgentRefusal | undefined;
  /** Returns what the store holds it to as it starts, by what was last read; undefined where nobody agreed to it. */
  readonly startLimits: (registry: string) => AgentStart | undefined;
  /** It was not sent after all. */
  readonly uncount: () => void;
}

/** What is sent: exactly as it was typed, but for placeholders of an environment. */
export interface SentPayload extends ResolvedPayload {
  /** Distinguishes it from other payloads: the URI of its document. */
  readonly source: string;
  /** Checks it as a payload for a skill. */
  readonly check: (skill: SkillDetail) => Promise<PayloadCheck>;
  /** What it is the same as another by; its text where it is left out. */
  readonly sameness?: string;
}

/** How an invocation ended, as whoever wanted it is told. */
export type ToldEnding = Stopped | (EndedInvocation & { readonly kind: "sent" });

/** How an invocation ended. */
export type Ending =
  | Stopped
  | (EndedInvocation & {
      readonly kind: "sent";
      /** The skill as it was agreed to. */
      readonly skill: SkillDetail;
      readonly sender: Sender;
    });

/** An invocation on its way: what was wanted, and what the steps behind it found. */
export interface Passage {
  /** The series it is one of, which is asked about the skill once for all; undefined for one of its own. */
  readonly series: Passage | undefined;
  /** Names the series in its records; undefined for one of its own. */
  readonly batch: string | undefined;
  /** What is being asked about the skill at this moment. */
  asking: Promise<Stopped | undefined> | undefined;
  readonly parts: EngineParts;
  readonly wanted: WantedInvocation;
  readonly asker: Asker;
  readonly signal: AbortSignal;
  /** Undefined as long as many are only agreed to. */
  readonly payload: SentPayload | undefined;
  /** As it was read last. */
  skill: SkillDetail;
  registry: InvokedRegistry;
  /** The skill that several invocations were agreed to for, once they were. */
  agreed: SkillDetail | undefined;
  /** When it was read, by `performance.now()`; undefined where that was before this was wanted. */
  readAt: number | undefined;
  /** What was agreed to together with an earlier question, so that it is not asked once more. */
  agreedBefore: ConsentQuestion | undefined;
  /** Whether all was asked about the skill. */
  isAllowed: boolean;
  /** Why nothing more is sent of several invocations; undefined where more may be. */
  over: Stopped | undefined;
  /** The skill whose schema the payload was checked against. */
  checkedFor: SkillDetail | undefined;
  /**
   * A warning that it may be billed without being executed; empty where that is not to be expected, undefined where
   * nobody looked yet.
   */
  warning: string | undefined;
  /** How many are left to send. */
  left: number;
  mayExceedDailyLimit: boolean;
  /** Whether it is sent although what was spent today is not known, or cannot be counted. */
  mayGoUncounted: boolean;
  /** Whether it is sent even while the same payload is being sent. */
  twice: boolean;
  /** What a person answered about an agent's invocation. */
  agentAnswer: AgentAnswer;
  sending: Sending | undefined;
  /** Its place among those of the skill that are under way; undefined for a person's, and a test run. */
  place: Place | undefined;
  /** Its turn, where it found no room. */
  turn: Turn | undefined;
  readonly places: Places;
  /** What was spent before it, as an agent's gates last saw it. */
  spent: SpendingToday | undefined;
}

/** An invocation whose skill was read for it, which the gates about the skill go by. */
export type ReadPassage = Passage & { readonly readAt: number };

/** An invocation about which all was asked, so that it is known who sends it. */
export type AllowedPassage = ReadPassage & { readonly sending: Sending };

/** Returns whether the skill was read recently enough to decide by. */
export function isRead(one: Passage): one is ReadPassage {
  return isRecent(one.readAt);
}

/** Returns whether all that is asked about the skill was asked once. */
export function isAllowed(one: Passage): one is AllowedPassage {
  return one.isAllowed && one.readAt !== undefined && one.sending !== undefined;
}

/** Returns whether a step ended the invocation. */
export function isStopped(end: Stopped | Passage): end is Stopped {
  return "kind" in end;
}

/** A question, or a wait for others, may have outdated what the gates found: all are passed again. */
export type Again = "again";

/** Ends an invocation that was not sent. */
export function stopped(why: Stop | PlainStop): Stopped {
  return { kind: "stopped", stop: typeof why === "string" ? { kind: why } : why };
}

/** A reason that has no further facts. */
type PlainStop = "canceled" | "registryChanged" | "noLongerValid" | "noSender" | "notRecorded";

/** Waits for a step; undefined as soon as whoever wants the invocation cancels it. */
export async function during<Value>(
  { asker, signal }: Passage,
  step: Step,
  work: Promise<Value>,
): Promise<Value | undefined> {
  asker.waiting(step, work);
  await settled(work, signal);
  return signal.aborted ? undefined : work;
}

type YesOrNoQuestion = QuestionOf<"unchecked" | "secrets" | "dailyLimit" | "uncounted">;

/** Asks a question whose answer is yes or no. Undefined where the invocation goes on. */
export async function ask(one: Passage, question: YesOrNoQuestion): Promise<Stopped | undefined> {
  const answerTo = one.asker.answers[question.kind] as (
    asked: YesOrNoQuestion,
  ) => "yes" | "no" | Promise<"yes" | "no">;
  return afterAnswer(one, question, await answerTo(question));
}

/** Ends an invocation whose question was answered no, or that was canceled meanwhile. Undefined where it goes on. */
export function afterAnswer(
  { signal }: Passage,
  question: Question,
  answer: "yes" | "once" | "all" | "no",
): Stopped | undefined {
  if (answer === "no") return stopped({ kind: "declined", question });
  return signal.aborted ? stopped("canceled") : undefined;
}

/** Returns whether all was asked about the skill, and is recent enough to send by. */
export function isFresh({ isAllowed, readAt }: Passage): boolean {
  return isAllowed && isRecent(readAt);
}

/** Returns whether what was read at `time`, by `performance.now()`, can still be agreed to. */
export function isRecent(time: number | undefined): boolean {
  return time !== undefined && performance.now() - time < agreementMs;
}
