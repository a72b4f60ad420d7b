import { randomUUID } from "node:crypto";
import type { ResolvedPayload } from "../core/environment/resolvedPayload";
import { isTooLate } from "../core/invocation/invocation";
import type { Stopped } from "../core/invocation/permission/question";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import { registryName } from "../core/registry/registryName";
import type { SkillDetail } from "../core/skill/skill";
import type { Asker } from "./asker";
import {
  type Again,
  type Agreement,
  type Attempt,
  type Call,
  type Ending,
  type EngineParts,
  type InvocationRequest,
  type InvokedRegistry,
  isRecent,
  isStopped,
  type SentPayload,
  stopped,
} from "./attempt";
import { checkAgentMayInvoke, checkAgentMayUseSkill } from "./gates/agentGate";
import {
  checkConsent,
  checkExpectedToRun,
  checkMaxPrice,
  checkReviews,
} from "./gates/consentGates";
import {
  checkCallable,
  checkDailyLimit,
  checkPayload,
  findSender,
  hasSameKey,
  readPerMinute,
  readSkill,
  recheckPayload,
} from "./gates/gates";
import { leaveQueue, releaseSlot, reserveSlot, SkillQueues } from "./gates/skillQueue";
import { type Started, startInvocation, undoStart } from "./gates/start";
import { sendInvocation } from "./sendInvocation";

/**
 * Runs the steps of every invocation, for all callers. Each step ends the invocation or returns undefined to continue.
 * Nothing is sent unless all pass.
 */
async function runAllSteps(call: Call, payload: SentPayload): Promise<Ending> {
  const attempt: Attempt = { ...call, allowsDuplicate: call.request.allowsDuplicate === true };
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
      const isSame = await hasSameKey(attempt, end.agreement);
      if (isSame && isRecent(end.agreement.readAt) && !attempt.signal.aborted) return end;
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
  const agreement = await agree(attempt);
  if (isStopped(agreement)) return agreement;
  const stop =
    (await checkAgentMayInvoke(attempt, agreement)) ?? (await reserveSlot(attempt, agreement)); // beside others
  if (stop !== undefined) return stop;
  const registry = await registryInUse(attempt);
  if (isStopped(registry)) return registry;
  // The values of an environment, above all its secrets, are sent only to its registry.
  const isForIt = (payload.registry ?? registryName(registry)) === registryName(registry);
  return isForIt
    ? startInvocation(attempt, agreement, payload, registry)
    : stopped("registryChanged");
}

/** Asks the questions about the skill. Invocations of a batch that arrive meanwhile share the answers. */
function agree(call: Call): Promise<Stopped | Agreement> {
  const { asking, batch = call } = call;
  asking.agreeing ??= askUntilFresh(batch).finally(() => {
    asking.agreeing = undefined;
  });
  return asking.agreeing;
}

/**
 * Asks the questions about the skill until the answers are recent. They expire five minutes after the skill was read,
 * since the registry may have changed it.
 */
async function askUntilFresh(call: Call): Promise<Stopped | Agreement> {
  const { asking } = call;
  while (asking.stop === undefined) {
    const { agreement } = asking;
    if (agreement !== undefined && isRecent(agreement.readAt)) return agreement;
    const made = await makeAgreement(call);
    if (isStopped(made)) asking.stop = made;
    else asking.agreement = made;
  }
  return asking.stop;
}

/** Reads the skill, and runs the gates about it. A gate takes what the gates before it return. */
async function makeAgreement(call: Call): Promise<Stopped | Agreement> {
  const reading = await readSkill(call); // again, from the registry
  if (isStopped(reading)) return reading;
  const perMinute = await readPerMinute(call);
  if (isStopped(perMinute)) return perMinute;
  const stop =
    (await checkAgentMayUseSkill(call)) ??
    checkCallable(reading) ??
    (await recheckPayload(call, reading)); // by a schema that changed
  if (stop !== undefined) return stop;
  const expected = await checkExpectedToRun(call, reading);
  if (isStopped(expected)) return expected;
  const reviewed = await checkReviews(call, expected); // by the team
  if (isStopped(reviewed)) return reviewed;
  const { skill, readAt, warning } = reviewed;
  const agreed = { skill, readAt, warning, perMinute: perMinute.limit };
  const no =
    checkMaxPrice(call, reviewed) ??
    (await checkConsent(call, reviewed)) ??
    (await checkDailyLimit(call, agreed));
  if (no !== undefined) return no;
  const sender = await findSender(call); // a Project Key, or somebody signed in
  return isStopped(sender) ? sender : { ...agreed, ...sender };
}

/** Sends the invocations of every caller of this program, and records them in the store of this machine. */
export class Engine<Registry extends InvokedRegistry = InvokedRegistry> {
  private readonly queues = new SkillQueues();

  constructor(private readonly parts: EngineParts<Registry>) {}

  /** Sends a payload once, or returns why not. Rejects only if a dependency does. */
  invoke(
    request: InvocationRequest<Registry>,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Ending> {
    return runAllSteps(this.call(request, payload, asker, signal), payload);
  }

  /** Asks once about all invocations of a batch, before any of them is sent. */
  async openBatch(
    request: InvocationRequest<Registry>,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Batch | Stopped> {
    const batchId = randomUUID().slice(0, 8);
    const call = this.call(request, undefined, asker, signal, batchId);
    const agreement = await agree(call);
    return isStopped(agreement) ? agreement : new Batch(call, agreement);
  }

  /** Only checks the payload. Resolves to undefined if it may be sent. */
  check(
    request: InvocationRequest<Registry>,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Stopped | undefined> {
    return checkPayload(this.call(request, payload, asker, signal));
  }

  private call(
    request: InvocationRequest<Registry>,
    payload: SentPayload | undefined,
    asker: Asker,
    signal: AbortSignal,
    batchId?: string,
  ): Call {
    return {
      // The steps pass a registry only to the parts that provided it, so the type parameter is not needed.
      parts: this.parts as unknown as EngineParts,
      ...{ request, asker, signal, payload, queues: this.queues },
      asking: {
        batchId,
        reading: { skill: request.skill, readAt: request.readAt },
        agreement: undefined,
        stop: undefined,
        remaining: request.count ?? 1,
        mayExceedDailyLimit: false,
        mayGoUncounted: false,
        openAnswers: new Map(),
      },
    };
  }
}

/** Several invocations of one skill under one agreement. */
export class Batch {
  readonly kind = "batch";
  /** The skill as it was agreed to, for all invocations of the batch. */
  readonly skill: SkillDetail;

  constructor(
    private readonly call: Call,
    { skill }: Agreement,
  ) {
    this.skill = skill;
    call.asking.agreedSkill = skill;
  }

  /**
   * Sends a payload as `Engine.invoke` does, even several at once. Asks about the skill again after five minutes. If
   * the skill has changed, the batch stops sending.
   */
  async invoke(
    payload: SentPayload,
    signal: AbortSignal,
    asker = this.call.asker,
  ): Promise<Ending> {
    const { call } = this;
    const ending = await runAllSteps({ ...call, batch: call, payload, signal, asker }, payload);
    if (ending.kind === "sent" && !isTooLate(ending.outcome)) call.asking.remaining -= 1;
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
async function registryInUse({ parts, request }: Call): Promise<InvokedRegistry | Stopped> {
  const registry = await parts.stillInUse(request.registry);
  return registry ?? stopped("registryChanged");
}

/** Sends a payload once, and records its end. */
async function send(attempt: Attempt, payload: SentPayload, ready: Started): Promise<Ending> {
  const { parts, request, asker, signal } = attempt;
  const { registry, sending, agreement } = ready;
  const { skill } = agreement;
  const { caller } = request;
  let mayBeSent = false;
  const sendable = {
    ...ready,
    payload: payload.source,
    maySend: () => {
      mayBeSent = isRecent(agreement.readAt);
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
