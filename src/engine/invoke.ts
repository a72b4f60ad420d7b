import { randomUUID } from "node:crypto";
import type { ResolvedPayload } from "../core/environment/resolvedPayload";
import { isTooLate } from "../core/invocation/invocation";
import type { Stopped } from "../core/invocation/permission/question";
import { registryName } from "../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { SkillDetail } from "../core/skill/skill";
import type { Asker } from "./asker";
import { agentMayInvokeNow, agentsMayUseSkill } from "./gates/agentGate";
import {
  affordable,
  agreedTo,
  callable,
  expectedToRun,
  hasSameKey,
  paceFound,
  payloadChecked,
  reviewed,
  senderFound,
  skillRead,
  stillValid,
  withinDailyLimit,
} from "./gates/gates";
import { leavePlace, leaveTurn, Places, placed } from "./gates/places";
import { letGo, type Started, started } from "./gates/start";
import {
  type Again,
  type AllowedPassage,
  type Ending,
  type EngineParts,
  type InvokedRegistry,
  isAllowed,
  isFresh,
  isStopped,
  type Passage,
  type ReadPassage,
  type SentPayload,
  stopped,
  type WantedInvocation,
} from "./passage";
import { sendInvocation } from "./sendInvocation";

/**
 * The steps of every invocation, for all callers. A step ends the invocation, or returns undefined to continue. Nothing
 * is sent before all have passed.
 */
async function allSteps(passage: Passage, payload: SentPayload): Promise<Ending> {
  try {
    const stop =
      (await agentsMayUseSkill(passage)) ?? // of what an agent wants
      (await payloadChecked(passage));
    if (stop !== undefined) return stop;
    const ready = await cleared(passage, payload); // by gates whose answers get old, and recorded as running
    // Sent once. The end is recorded.
    return ready.kind === "stopped" ? ready : await sent(passage, payload, ready);
  } finally {
    leavePlace(passage);
    leaveTurn(passage);
  }
}

/**
 * Runs all gates until no wait lasted longer than their answers are valid. A question or a slow disk may take minutes.
 * Then all gates run again, after the claim and the reservations were released.
 */
async function cleared(passage: Passage, payload: SentPayload): Promise<Started | Stopped> {
  for (;;) {
    const end = await passed(passage, payload);
    if (end !== "again" && end.kind === "started") {
      if (
        isAllowed(passage) &&
        (await hasSameKey(passage)) &&
        isFresh(passage) &&
        !passage.signal.aborted
      ) {
        return end;
      }
      await letGo(passage, end.sending, end);
    } else {
      passage.wanted.agent?.uncount();
      if (end !== "again") return end;
    }
    if (passage.signal.aborted) return stopped("canceled");
  }
}

async function passed(passage: Passage, payload: SentPayload): Promise<Started | Stopped | Again> {
  const ready = await allowed(passage);
  if (isStopped(ready)) return ready;
  const stop = (await agentMayInvokeNow(ready)) ?? (await placed(ready)); // beside others
  if (stop !== undefined) return stop;
  const registry = await registryInUse(passage);
  if ("kind" in registry) return registry;
  // Values of an environment, above all secrets, go only to its registry.
  const isForIt = (payload.registry ?? registryName(registry)) === registryName(registry);
  return isForIt ? started(ready, payload, registry) : stopped("registryChanged");
}

/** Asks about the skill. Invocations of a series that arrive meanwhile share the answer. */
async function allowed(passage: Passage): Promise<Stopped | AllowedPassage> {
  const { series = passage } = passage;
  series.asking ??= asked(series).finally(() => {
    series.asking = undefined;
  });
  const no = await series.asking;
  if (series !== passage) Object.assign(passage, answersOf(series));
  return no ?? (isAllowed(passage) ? passage : stopped("noSender"));
}

/**
 * Asks about the skill. The answers are valid for five minutes after it was read; later the registry may have changed
 * it.
 */
async function asked(passage: Passage): Promise<Stopped | undefined> {
  while (passage.over === undefined && !isFresh(passage)) {
    const read = await skillRead(passage); // again, from the registry
    passage.over = isStopped(read) ? read : await askedAbout(read);
    passage.isAllowed = true;
  }
  return passage.over;
}

/** Runs the gates about a skill that was read. */
async function askedAbout(passage: ReadPassage): Promise<Stopped | undefined> {
  const stop =
    (await paceFound(passage)) ??
    (await agentsMayUseSkill(passage)) ??
    (await callable(passage)) ??
    (await stillValid(passage)) ?? //        the payload, by a schema that changed
    (await expectedToRun(passage)) ??
    (await reviewed(passage)) ?? //          by the team
    (await affordable(passage)) ??
    (await agreedTo(passage)) ??
    (await withinDailyLimit(passage));
  if (stop !== undefined) return stop;
  const sender = await senderFound(passage); // a Project Key, or somebody signed in
  return isStopped(sender) ? sender : undefined;
}

/** Returns the findings about a skill, which apply to each invocation of a series. */
function answersOf(series: Passage): Partial<Passage> {
  const { skill, readAt, isAllowed, over, warning, sending, keyOfSender } = series;
  const { perMinute, mayExceedDailyLimit, mayGoUncounted } = series;
  return {
    ...{ skill, readAt, isAllowed, over, warning, sending, keyOfSender },
    ...{ perMinute, mayExceedDailyLimit, mayGoUncounted },
  };
}

/** Sends the invocations of every caller of this program, and records them in the store of this machine. */
export class Engine<Registry extends InvokedRegistry = InvokedRegistry> {
  private readonly places = new Places();

  constructor(private readonly parts: EngineParts<Registry>) {}

  /** Sends a payload once, or returns why not. Rejects only if a dependency does. */
  invoke(
    wanted: WantedInvocation<Registry>,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Ending> {
    return allSteps(this.passage(wanted, payload, asker, signal), payload);
  }

  /** Asks once about all invocations of a series, before any is sent. */
  async open(
    wanted: WantedInvocation<Registry>,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Series | Stopped> {
    const batch = randomUUID().slice(0, 8);
    const all = { ...this.passage(wanted, undefined, asker, signal), batch };
    const ready = await allowed(all);
    return isStopped(ready) ? ready : new Series(ready);
  }

  /** Runs only the payload's checks. Undefined if it may be sent. */
  check(
    wanted: WantedInvocation<Registry>,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Stopped | undefined> {
    return payloadChecked(this.passage(wanted, payload, asker, signal));
  }

  private passage(
    wanted: WantedInvocation<Registry>,
    payload: SentPayload | undefined,
    asker: Asker,
    signal: AbortSignal,
  ): Passage {
    return {
      // The steps pass a registry only to the parts that provided it.
      parts: this.parts as unknown as EngineParts,
      ...{ wanted, asker, signal, payload, places: this.places },
      skill: wanted.skill,
      readAt: wanted.readAt,
      isAllowed: false,
      left: wanted.count ?? 1,
      mayExceedDailyLimit: false,
      mayGoUncounted: false,
      twice: wanted.twice === true,
    };
  }
}

/** Several invocations of one skill under one agreement. */
export class Series {
  readonly kind = "series";
  /** The agreed skill, for all invocations of the series. */
  readonly skill: SkillDetail;

  constructor(private readonly all: Passage) {
    this.skill = all.skill;
    all.agreed = all.skill;
  }

  /**
   * Sends a payload as `Engine.invoke` does, even several at once. Asks about the skill again after five minutes. If it
   * has changed, nothing more is sent.
   */
  async invoke(payload: SentPayload, signal: AbortSignal, asker = this.all.asker): Promise<Ending> {
    const { all } = this;
    const one = { ...all, series: all, asking: undefined, payload, signal, asker };
    const ending = await allSteps(one, payload);
    if (ending.kind === "sent" && !isTooLate(ending.outcome)) all.left -= 1;
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
    // Every five minutes this happens to whatever is about to leave. It does not decide the case.
    return ending.kind === "sent" && isTooLate(ending.outcome) ? send() : ending;
  }
}

/** Returns the registry if the answers were given for it. Settings may have changed during the questions. */
async function registryInUse(passage: Passage): Promise<InvokedRegistry | Stopped> {
  const registry = await passage.parts.stillInUse(passage.wanted.registry);
  return registry ?? stopped("registryChanged");
}

/** Sends a payload once, and records its end. */
async function sent(passage: Passage, payload: SentPayload, ready: Started): Promise<Ending> {
  const { parts, wanted, asker, signal, skill } = passage;
  const { registry, sending } = ready;
  const { caller } = wanted;
  let mayBeSent = false;
  const sendable = {
    ...ready,
    payload: payload.source,
    sharedLimits: parts.sharedLimits,
    mayLeave: () => {
      mayBeSent = isFresh(passage);
      return mayBeSent;
    },
    // A person's double click must still find the claim.
    awaitsSecondClick: caller.kind === "person",
    started: asker.started,
    ended: asker.ended,
  };
  try {
    const cancel = wanted.isWaitedFor === true ? new AbortController().signal : signal;
    // Waiting callers are notified before the invocation starts.
    const work = Promise.resolve().then(() =>
      parts.using(registry, () => sendInvocation(sendable, parts, cancel)),
    );
    asker.waiting("send", work);
    const { outcome, record, waitSeconds } = await work;
    if (outcome.kind === "notSent") wanted.agent?.uncount();
    sending.noteOutcome(outcome);
    leavePlace(passage, outcome);
    return { kind: "sent", skill, sender: sending.sender, outcome, record, waitSeconds };
  } catch (error) {
    // The caller's `started` handler failed, so nothing was sent.
    if (mayBeSent) leavePlace(passage, "unknown");
    else await letGo(passage, sending, ready);
    throw error;
  }
}
