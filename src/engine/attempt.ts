import type { AgentAnswer, AgentVerdict } from "../core/agents/gates/agentGates";
import type { AgentRefusal } from "../core/agents/gates/agentRefusal";
import type { ResolvedPayload } from "../core/environment/resolvedPayload";
import type { InvocationOutcome } from "../core/invocation/invocation";
import { agreementMs } from "../core/invocation/permission/agreement";
import type { CallabilityFacts } from "../core/invocation/permission/callabilityFacts";
import type { Question, QuestionOf, Stop, Stopped } from "../core/invocation/permission/question";
import type { KeyProject } from "../core/invocation/permission/terms";
import type { RateScope } from "../core/invocation/rateLimit";
import type {
  AgentCall,
  Caller,
  EndedInvocation,
} from "../core/invocation/record/invocationRecord";
import type { DailyLimit } from "../core/invocation/spending";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { Result } from "../core/registry/registryFailure";
import { registryName } from "../core/registry/registryName";
import type { TeamStanding } from "../core/review/standing";
import type { SkillDetail } from "../core/skill/skill";
import type { Language } from "../core/text/language";
import type { RegistryClient } from "../registry/registryClient";
import { settled } from "../registry/wait";
import type { Asker, Step } from "./asker";
import type { Allowance, ProjectBudget, SkillQueues, Slot, Waiter } from "./gates/skillQueue";
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
  /** The name of this program in records: the editor with its profile, or the command line. */
  readonly profile: string;
  readonly store: Store;
  readonly dailyLimitCents: () => DailyLimit;
  /** The timeout of an invocation, in seconds. */
  readonly timeoutSeconds: () => number;
  /** Reads a version of a skill from the registry; an empty `version` means the current one. */
  readonly readSkill: (
    registry: Registry,
    slug: string,
    version: string,
  ) => Promise<Result<SkillDetail>>;
  /** Collects the known facts about whether an invocation of a skill would be executed. */
  readonly callabilityFacts: (slug: string) => Promise<CallabilityFacts>;
  /**
   * Returns the objection of the team's reviews to a skill, or undefined for none. If a person accepted the objection,
   * only agents still get it.
   */
  readonly objectionTo: (
    skill: SkillDetail,
    asked: { readonly isAgent: boolean },
  ) => Promise<TeamStanding | undefined>;
  /** Remembers that a person accepted an objection. */
  readonly acceptObjection: (skill: SkillDetail, objection: TeamStanding) => void;
  /** Finds the project of the Project Key in use; undefined if unknown. */
  readonly keyProject: (registry: Registry, slug: string) => Promise<KeyProject | undefined>;
  /** Returns the Project Key for a registry. Does not ask for a missing one. */
  readonly findKey: (registry: Registry) => Promise<string | undefined>;
  /** Reads the budget of the Project Key's project for a skill; undefined if unknown. Never rejects. */
  readonly budget: (registry: Registry, skillSlug: string) => Promise<ProjectBudget | undefined>;
  /** Finds the sender, and asks a person for missing credentials. Undefined without a sender. */
  readonly findSender: (
    wanted: InvocationRequest<Registry>,
    skillSlug: string,
  ) => Promise<Sending | undefined>;
  /** Returns the registry in use, perhaps with new settings. Undefined if another registry is in use now. */
  readonly stillInUse: (registry: Registry) => Promise<Registry | undefined>;
  /** Keeps a registry open while `work` uses it. */
  readonly using: <Value>(registry: Registry, work: () => Promise<Value>) => Promise<Value>;
}

/** The sender of an invocation, and the scope of the rate limit that counts it. */
export interface Sending {
  readonly sender: Sender;
  readonly scope: RateScope;
  /**
   * Returns whether the user of a test run is still signed in. Missing if a project sends, since no user is involved.
   */
  readonly isSignedIn?: () => Promise<boolean>;
  /** Called with the outcome. */
  readonly noteOutcome: (outcome: InvocationOutcome) => unknown;
}

/**
 * Returns the scope in which a registry counts an invocation. It contains only 32 bits of a digest of the project's key
 * or name, which do not identify it.
 */
export function rateScopeOf(
  registry: Pick<InvokedRegistry, "baseUrl" | "isBuiltIn">,
  project: string,
  skillSlug: string,
): RateScope {
  const name = registryName(registry);
  return { registry: name, project: sha256(`${name}\n${project}`).slice(0, 8), skillSlug };
}

/** A request to invoke a skill, with its options. */
export interface InvocationRequest<Registry extends InvokedRegistry = InvokedRegistry> {
  /** The registry from which the skill was read. Invocations are sent only there. */
  readonly registry: Registry;
  /** The skill with its known facts. */
  readonly skill: SkillDetail;
  /** When the skill was read for this invocation, by `performance.now()`. If it is missing, the skill is read again. */
  readonly readAt?: number;
  readonly isTestRun: boolean;
  readonly caller: Caller;
  /** The name of the environment that provides the values; left out for none. */
  readonly environment?: string | undefined;
  /** Asks a person about the terms even if they agreed before. */
  readonly asksTerms?: boolean;
  /** The number of invocations that the agreement covers; one by default. */
  readonly count?: number;
  /** The maximum cost of one invocation, in hundredths of the currency; left out for no limit. */
  readonly maxCents?: number | undefined;
  /** The maximum cost of several invocations together; left out for no limit. */
  readonly allowance?: Allowance | undefined;
  /** Whether a person chose how many run at once, or their maximum cost. */
  readonly isNumberChosen?: boolean;
  /**
   * Finds the caller's own limit of invocations per minute, in addition to the registry's limit; undefined for no
   * limit. Called whenever the skill is read. Never rejects.
   */
  readonly perMinute?: () => Promise<number | undefined>;
  /** Whether to send even while an invocation with the same payload is in progress. */
  readonly allowsDuplicate?: boolean;
  /** Whether to wait for the response after sending, even if the invocation is canceled. */
  readonly isWaitedFor?: boolean;
  /** The gates of an agent's invocation; missing for every other caller. */
  readonly agent?: AgentGate;
}

/** The facts about the skill for an agent's gates. */
export interface AgentSkillFacts {
  /** The registry as records name it. */
  readonly registry: string;
  readonly skill: SkillDetail;
  /** Whether the skill was read recently enough for a decision. */
  readonly isRead: boolean;
  /**
   * A warning that the invocation may be billed without being executed. Empty if no fact suggests that; undefined if
   * the facts were not checked yet.
   */
  readonly warning: string | undefined;
}

/** The facts about the skill and this invocation for an agent's gates. */
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
  /** Decides about this invocation, by the user's current permissions for agents. Never rejects. */
  readonly decide: (point: AgentCallFacts) => Promise<AgentVerdict | undefined>;
  /** Decides by the permissions that were read last. If all gates pass, counts the invocation in this session. */
  readonly count: (point: AgentCallFacts) => AgentRefusal | undefined;
  /**
   * Returns the limits that the store checks when the invocation starts, by the permissions that were read last.
   * Undefined if nobody allowed the skill.
   */
  readonly startLimits: (registry: string) => AgentStartLimits | undefined;
  /** Reverts `count` for an invocation that was not sent. */
  readonly uncount: () => void;
}

/** The payload to send. It is sent as written, except that placeholders of an environment are replaced. */
export interface SentPayload extends ResolvedPayload {
  /** Identifies the payload: the URI of its document. */
  readonly source: string;
  readonly check: (skill: SkillDetail) => Promise<PayloadCheck>;
  /** Payloads with the same key count as duplicates. By default, the key is the payload's text. */
  readonly dedupeKey?: string;
}

/** The end of an invocation, as its caller receives it. */
export type EndingSummary = Stopped | (EndedInvocation & { readonly kind: "sent" });

/** The end of an invocation inside the engine, with its skill and sender. */
export type Ending =
  | Stopped
  | (EndedInvocation & {
      readonly kind: "sent";
      /** The skill as it was agreed to. */
      readonly skill: SkillDetail;
      readonly sender: Sender;
    });

/** One invocation that somebody wants, or the questions about all invocations of a batch. It never changes. */
export interface Call {
  readonly parts: EngineParts;
  readonly request: InvocationRequest;
  readonly asker: Asker;
  readonly signal: AbortSignal;
  readonly queues: SkillQueues;
  /** Undefined for the call of a batch, which only asks the questions. */
  readonly payload: SentPayload | undefined;
  /** The call that asks the questions about the skill once for all invocations of a batch; undefined without one. */
  readonly batch?: Call;
  readonly asking: Asking;
}

/** The questions about a skill and their answers. A call has its own; the invocations of a batch share one. */
interface Asking {
  /** The ID of the batch in records; undefined without one. */
  readonly batchId: string | undefined;
  /** The skill as it was read last. `readAt` is undefined until it is read for this call. */
  reading: Omit<Reading, "readAt"> & { readonly readAt: number | undefined };
  /** The newest agreement; undefined while none holds. */
  agreement: Agreement | undefined;
  /** Resolves when the open questions about the skill are answered. */
  agreeing?: Promise<Stopped | Agreement> | undefined;
  /** Why nothing more is sent; undefined while it may be. */
  stop: Stopped | undefined;
  /** The skill that the person agreed to for the whole batch. */
  agreedSkill?: SkillDetail;
  /** The skill whose input schema last checked the payload. */
  checkedFor?: SkillDetail;
  /** The number of invocations of the batch that are not sent yet. */
  remaining: number;
  mayExceedDailyLimit: boolean;
  /** Whether to send although today's spending is unknown, or this invocation cannot be counted. */
  mayGoUncounted: boolean;
  /** The answers to come to questions that the invocations of a batch ask once (`askOnce`). */
  readonly openAnswers: Map<YesOrNoQuestion["kind"], Promise<"yes" | "no">>;
}

/** A skill as it was read from the registry. */
export interface Reading {
  readonly skill: SkillDetail;
  /** When the reading started, by `performance.now()`. */
  readonly readAt: number;
}

/**
 * The answers to all questions about a skill, as it was read once. Each reading makes another value, so that no answer
 * of another invocation changes the one by which an invocation starts.
 */
export interface Agreement extends Reading {
  /** See `AgentSkillFacts`. */
  readonly warning: string;
  /** The caller's own limit per minute; undefined for no limit. */
  readonly perMinute: number | undefined;
  readonly sending: Sending;
  /** The Project Key in use when the sender was found; undefined for none. */
  readonly senderKey: string | undefined;
}

/** A call that runs through the gates, with the state that no other call shares. */
export interface Attempt extends Call {
  /** Whether to send even while an invocation with the same payload is in progress. */
  allowsDuplicate: boolean;
  /** A person's answer about an agent's invocation. */
  agentAnswer?: AgentAnswer;
  /**
   * The slot among the skill's invocations in progress; undefined for a person's invocation and a test run, which need
   * none.
   */
  slot?: Slot | undefined;
  /** The entry in the queue for a slot; undefined while the invocation does not wait for one. */
  waiter?: Waiter | undefined;
  /** The spending before this invocation, as an agent's gates read it last. */
  spending?: SpendingToday | undefined;
}

/** Returns whether a step ended the invocation. */
export function isStopped(end: Stopped | object): end is Stopped {
  return "kind" in end && end.kind === "stopped";
}

/** The gates must run again, because a question or a wait may have made their results outdated. */
export type Again = "again";

/** Ends an invocation that was not sent. */
export function stopped(why: Stop | PlainStop): Stopped {
  return { kind: "stopped", stop: typeof why === "string" ? { kind: why } : why };
}

/** A reason without details. */
type PlainStop = "canceled" | "registryChanged" | "noLongerValid" | "noSender" | "notRecorded";

/** Reports that `step` runs, and waits for it. Resolves to undefined as soon as the caller cancels. */
export async function during<Value>(
  { asker, signal }: Call,
  step: Step,
  work: Promise<Value>,
): Promise<Value | undefined> {
  asker.waiting(step, work);
  await settled(work, signal);
  return signal.aborted ? undefined : work;
}

type YesOrNoQuestion = QuestionOf<"unchecked" | "secrets" | "dailyLimit" | "uncounted">;

/** Asks a yes-or-no question. Resolves to undefined if the invocation continues. */
export async function ask(call: Call, question: YesOrNoQuestion): Promise<Stopped | undefined> {
  return afterAnswer(call, question, await answerTo(call, question));
}

async function answerTo({ asker }: Call, question: YesOrNoQuestion): Promise<"yes" | "no"> {
  const answer = asker.answers[question.kind] as (
    asked: YesOrNoQuestion,
  ) => "yes" | "no" | Promise<"yes" | "no">;
  return answer(question);
}

/**
 * Asks a question that concerns all remaining invocations of a batch. Invocations that ask it meanwhile share the
 * answer, and a no ends the batch.
 */
export async function askOnce(call: Call, question: YesOrNoQuestion): Promise<Stopped | undefined> {
  const { asking } = call;
  const { openAnswers } = asking;
  const { kind } = question;
  if (asking.stop !== undefined) return asking.stop;
  const asked =
    openAnswers.get(kind) ?? answerTo(call, question).finally(() => openAnswers.delete(kind));
  openAnswers.set(kind, asked);
  const no = afterAnswer(call, question, await asked);
  if (no?.stop.kind === "declined") asking.stop = no;
  return no;
}

/** Ends the invocation if the answer is no or the caller canceled. Returns undefined if it continues. */
export function afterAnswer(
  { signal }: Call,
  question: Question,
  answer: "yes" | "once" | "all" | "no",
): Stopped | undefined {
  if (answer === "no") return stopped({ kind: "declined", question });
  return signal.aborted ? stopped("canceled") : undefined;
}

/** Returns whether a skill that was read at `time`, by `performance.now()`, may still be agreed to. */
export function isRecent(time: number | undefined): boolean {
  return time !== undefined && performance.now() - time < agreementMs;
}
