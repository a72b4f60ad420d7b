import { randomUUID } from "node:crypto";
import type { ResolvedPayload } from "../core/environment/resolvedPayload";
import { isTooLate } from "../core/invocation/invocation";
import type { Stopped } from "../core/invocation/permission/question";
import { registryName } from "../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { SkillDetail } from "../core/skill/skill";
import type { Asker } from "./asker";
import {
  type Again,
  type AllowedAttempt,
  type Attempt,
  type Ending,
  type EngineParts,
  type InvocationRequest,
  type InvokedRegistry,
  isAllowed,
  isFresh,
  isStopped,
  type ReadAttempt,
  type SentPayload,
  stopped,
} from "./attempt";
import { checkAgentMayInvoke, checkAgentMayUseSkill } from "./gates/agentGate";
import {
  checkCallable,
  checkConsent,
  checkDailyLimit,
  checkExpectedToRun,
  checkMaxPrice,
  checkPayload,
  checkReviews,
  findSender,
  hasSameKey,
  readPerMinute,
  readSkill,
  recheckPayload,
} from "./gates/gates";
import { leaveQueue, releaseSlot, reserveSlot, SkillLimiters } from "./gates/skillLimiter";
import { type Started, startInvocation, undoStart } from "./gates/start";
import { sendInvocation } from "./sendInvocation";

/**
 * Runs the steps of every invocation, for all callers. Each step ends the invocation or returns undefined to continue.
 * Nothing is sent unless all pass.
 */
async function runAllSteps(attempt: Attempt, payload: SentPayload): Promise<Ending> {
  try {
    const stop =
      (await checkAgentMayUseSkill(attempt)) ?? // of what an agent wants
      (await checkPayload(attempt));
    if (stop !== undefined) return stop;
    const ready = await startWhenAllowed(attempt, payload); // by gates whose answers get old, and recorded as running
    // The payload is sent once, and its end is recorded.
    return ready.kind === "stopped" ? ready : await send(attempt, payload, ready);
  } finally {
    releaseSlot(attempt);
    leaveQueue(attempt);
  }
}

/**
 * Runs all gates until their results are still valid at the end. A question or a slow disk may take minutes. Then the
 * claim and the reservations are released, and all gates run again.
 */
async function startWhenAllowed(
  attempt: Attempt,
  payload: SentPayload,
): Promise<Started | Stopped> {
  for (;;) {
    const end = await runGates(attempt, payload);
    if (end !== "again" && end.kind === "started") {
      if (
        isAllowed(attempt) &&
        (await hasSameKey(attempt)) &&
        isFresh(attempt) &&
        !attempt.signal.aborted
      ) {
        return end;
      }
      await undoStart(attempt, end.sending, end);
    } else {
      attempt.request.agent?.uncount();
      if (end !== "again") return end;
    }
    if (attempt.signal.aborted) return stopped("canceled");
  }
}

async function runGates(
  attempt: Attempt,
  payload: SentPayload,
): Promise<Started | Stopped | Again> {
  const ready = await askAboutSkill(attempt);
  if (isStopped(ready)) return ready;
  const stop = (await checkAgentMayInvoke(ready)) ?? (await reserveSlot(ready)); // beside others
  if (stop !== undefined) return stop;
  const registry = await registryInUse(attempt);
  if ("kind" in registry) return registry;
  // The values of an environment, above all its secrets, are sent only to its registry.
  const isForIt = (payload.registry ?? registryName(registry)) === registryName(registry);
  return isForIt ? startInvocation(ready, payload, registry) : stopped("registryChanged");
}

/** Asks the questions about the skill. Invocations of a batch that arrive meanwhile share the answers. */
async function askAboutSkill(attempt: Attempt): Promise<Stopped | AllowedAttempt> {
  const { shared = attempt } = attempt;
  shared.asking ??= askUntilFresh(shared).finally(() => {
    shared.asking = undefined;
  });
  const no = await shared.asking;
  if (shared !== attempt) Object.assign(attempt, sharedAnswers(shared));
  return no ?? (isAllowed(attempt) ? attempt : stopped("noSender"));
}

/**
 * Asks the questions about the skill until the answers are recent. They expire five minutes after the skill was read,
 * since the registry may have changed it.
 */
async function askUntilFresh(attempt: Attempt): Promise<Stopped | undefined> {
  while (attempt.stopReason === undefined && !isFresh(attempt)) {
    const read = await readSkill(attempt); // again, from the registry
    attempt.stopReason = isStopped(read) ? read : await runSkillGates(read);
    attempt.isAllowed = true;
  }
  return attempt.stopReason;
}

/** Runs the gates about a skill that was just read. */
async function runSkillGates(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const stop =
    (await readPerMinute(attempt)) ??
    (await checkAgentMayUseSkill(attempt)) ??
    (await checkCallable(attempt)) ??
    (await recheckPayload(attempt)) ?? //        the payload, by a schema that changed
    (await checkExpectedToRun(attempt)) ??
    (await checkReviews(attempt)) ?? //          by the team
    (await checkMaxPrice(attempt)) ??
    (await checkConsent(attempt)) ??
    (await checkDailyLimit(attempt));
  if (stop !== undefined) return stop;
  const sender = await findSender(attempt); // a Project Key, or somebody signed in
  return isStopped(sender) ? sender : undefined;
}

/** Returns the answers about a skill that apply to each invocation of a batch. */
function sharedAnswers(shared: Attempt): Partial<Attempt> {
  const { skill, readAt, isAllowed, stopReason, warning, sending, senderKey } = shared;
  const { perMinute, mayExceedDailyLimit, mayGoUncounted } = shared;
  return {
    ...{ skill, readAt, isAllowed, stopReason, warning, sending, senderKey },
    ...{ perMinute, mayExceedDailyLimit, mayGoUncounted },
  };
}

/** Sends the invocations of every caller of this program, and records them in the store of this machine. */
export class Engine<Registry extends InvokedRegistry = InvokedRegistry> {
  private readonly limiters = new SkillLimiters();

  constructor(private readonly parts: EngineParts<Registry>) {}

  /** Sends a payload once, or returns why not. Rejects only if a dependency does. */
  invoke(
    request: InvocationRequest<Registry>,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Ending> {
    return runAllSteps(this.attempt(request, payload, asker, signal), payload);
  }

  /** Asks once about all invocations of a batch, before any of them is sent. */
  async openBatch(
    request: InvocationRequest<Registry>,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Batch | Stopped> {
    const batchId = randomUUID().slice(0, 8);
    const shared = { ...this.attempt(request, undefined, asker, signal), batchId };
    const ready = await askAboutSkill(shared);
    return isStopped(ready) ? ready : new Batch(ready);
  }

  /** Only checks the payload. Resolves to undefined if it may be sent. */
  check(
    request: InvocationRequest<Registry>,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Stopped | undefined> {
    return checkPayload(this.attempt(request, payload, asker, signal));
  }

  private attempt(
    request: InvocationRequest<Registry>,
    payload: SentPayload | undefined,
    asker: Asker,
    signal: AbortSignal,
  ): Attempt {
    return {
      // The steps pass a registry only to the parts that provided it, so the type parameter is not needed.
      parts: this.parts as unknown as EngineParts,
      ...{ request, asker, signal, payload, limiters: this.limiters },
      skill: request.skill,
      readAt: request.readAt,
      openAnswers: new Map(),
      isAllowed: false,
      remaining: request.count ?? 1,
      mayExceedDailyLimit: false,
      mayGoUncounted: false,
      allowsDuplicate: request.allowsDuplicate === true,
    };
  }
}

/** Several invocations of one skill under one agreement. */
export class Batch {
  readonly kind = "batch";
  /** The skill as it was agreed to, for all invocations of the batch. */
  readonly skill: SkillDetail;

  constructor(private readonly shared: Attempt) {
    this.skill = shared.skill;
    shared.agreedSkill = shared.skill;
  }

  /**
   * Sends a payload as `Engine.invoke` does, even several at once. Asks about the skill again after five minutes. If
   * the skill has changed, the batch stops sending.
   */
  async invoke(
    payload: SentPayload,
    signal: AbortSignal,
    asker = this.shared.asker,
  ): Promise<Ending> {
    const { shared } = this;
    const attempt = { ...shared, shared, asking: undefined, payload, signal, asker };
    const ending = await runAllSteps(attempt, payload);
    if (ending.kind === "sent" && !isTooLate(ending.outcome)) shared.remaining -= 1;
    return ending;
  }

  /** Sends the checked payload of a suite's case. `source` identifies the case. */
  async invokeCase(
    payload: ResolvedPayload,
    check: PayloadCheck,
    source: string,
    signal: AbortSignal,
  ): Promise<Ending> {
    const send = () => this.invoke({ ...payload, source, check: async () => check }, signal);
    const ending = await send();
    // The agreement may expire between recording and sending. That says nothing about the case, so it is sent again.
    return ending.kind === "sent" && isTooLate(ending.outcome) ? send() : ending;
  }
}

/** Returns the registry, unless another one is in use now. Settings may have changed during the questions. */
async function registryInUse(attempt: Attempt): Promise<InvokedRegistry | Stopped> {
  const registry = await attempt.parts.stillInUse(attempt.request.registry);
  return registry ?? stopped("registryChanged");
}

/** Sends a payload once, and records its end. */
async function send(attempt: Attempt, payload: SentPayload, ready: Started): Promise<Ending> {
  const { parts, request, asker, signal, skill } = attempt;
  const { registry, sending } = ready;
  const { caller } = request;
  let mayBeSent = false;
  const sendable = {
    ...ready,
    payload: payload.source,
    maySend: () => {
      mayBeSent = isFresh(attempt);
      return mayBeSent;
    },
    // The second click of a person's double click must still find the claim.
    awaitsSecondClick: caller.kind === "person",
    started: asker.started,
    ended: asker.ended,
  };
  try {
    const cancel = request.isWaitedFor === true ? new AbortController().signal : signal;
    // `waiting` is called before the invocation starts.
    const work = Promise.resolve().then(() =>
      parts.using(registry, () => sendInvocation(sendable, parts, cancel)),
    );
    asker.waiting("send", work);
    const { outcome, record, waitSeconds } = await work;
    if (outcome.kind === "notSent") request.agent?.uncount();
    sending.noteOutcome(outcome);
    releaseSlot(attempt, outcome);
    return { kind: "sent", skill, sender: sending.sender, outcome, record, waitSeconds };
  } catch (error) {
    // The caller's `started` handler failed, so nothing was sent.
    if (mayBeSent) releaseSlot(attempt, "unknown");
    else await undoStart(attempt, sending, ready);
    throw error;
  }
}
