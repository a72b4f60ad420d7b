import { randomUUID } from "node:crypto";
import type { Invocation } from "../core/invocation/invocation";
import type { Stopped } from "../core/invocation/permission/question";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import { readContract } from "../core/review/contract";
import type { SkillDetail } from "../core/skill/skill";
import { pause } from "../registry/wait";
import type { Asker } from "./asker";
import {
  agentMayInvokeNow,
  agentOf,
  agentStillMay,
  agentsMayUseSkill,
  callPointOf,
} from "./gates/agentGate";
import { claimInvocation, endOf, type InvocationResult } from "./gates/claim";
import {
  affordable,
  agreedTo,
  askToExceed,
  callable,
  expectedToRun,
  payloadChecked,
  pricedCall,
  reviewed,
  senderFound,
  skillRead,
  stillValid,
  withinDailyLimit,
} from "./gates/gates";
import { leavePlace, Places, placed } from "./gates/places";
import type { SpendingToday } from "./gates/spendingLedger";
import {
  type Again,
  during,
  type Ending,
  type EngineParts,
  type InvokedRegistry,
  isFresh,
  type Passage,
  type SentPayload,
  stopped,
  type WantedInvocation,
} from "./passage";
import { sendInvocation } from "./sendInvocation";
import { sha256 } from "./sha256";

/**
 * The steps of every invocation, whoever wants it. Each ends it, or is undefined and leads to the next; nothing
 * leaves before all are passed.
 */
async function allSteps(one: Passage): Promise<Ending> {
  try {
    return (
      (await agentsMayUseSkill(one)) ?? // of what an agent wants
      (await payloadChecked(one)) ??
      (await cleared(one)) ?? //           by gates whose answers get old
      (await sent(one)) //                 recorded as running, sent once, and recorded as it ended
    );
  } finally {
    leavePlace(one);
  }
}

/**
 * Passes the gates until none had to wait longer than their answers count. A question, a lock or a slow disk may take
 * minutes: then all begin anew, without what was claimed and reserved.
 */
async function cleared(one: Passage): Promise<Stopped | undefined> {
  for (;;) {
    const end =
      (await allowed(one)) ??
      (await agentMayInvokeNow(one)) ??
      (await placed(one)) ?? //            among those of the skill that are under way
      (await claimed(one)) ?? //           once among all callers of this machine, and a place in the rate limit
      (await sameRegistry(one)) ?? //      that all answers were for
      (await agentMayInvokeNow(one)) ?? // unless another program sent the same until it was claimed
      (await reserved(one)); //            its price, under the daily limit
    const { aborted: isCanceled } = one.signal;
    if (end === undefined && isFresh(one) && !isCanceled) return undefined;
    await letGo(one);
    if (end !== undefined && end !== "again") return end;
    if (isCanceled) return stopped("canceled");
  }
}

/** Asks about the skill, once for all invocations of a series that come to it meanwhile. */
async function allowed(one: Passage): Promise<Stopped | undefined> {
  const { series = one } = one;
  series.asking ??= asked(series).finally(() => {
    series.asking = undefined;
  });
  const no = await series.asking;
  if (series !== one) Object.assign(one, answersOf(series));
  return no;
}

/**
 * What is asked about the skill. It counts for five minutes from when the skill was read: later the registry may have
 * changed what it was about.
 */
async function asked(one: Passage): Promise<Stopped | undefined> {
  while (one.over === undefined && !isFresh(one)) {
    one.over =
      (await skillRead(one)) ?? //         again, from the registry
      (await agentsMayUseSkill(one)) ??
      (await callable(one)) ??
      (await stillValid(one)) ?? //        the payload, by a schema that changed
      (await expectedToRun(one)) ??
      (await reviewed(one)) ?? //          by the team
      (await affordable(one)) ??
      (await agreedTo(one)) ??
      (await withinDailyLimit(one)) ??
      (await senderFound(one)); //         a Project Key, or somebody signed in
    one.isAllowed = true;
  }
  return one.over;
}

/** What was found about a skill, which counts for each invocation of a series. */
function answersOf(series: Passage): Partial<Passage> {
  const { skill, readAt, isAllowed, over, warning, sending, mayExceedDailyLimit } = series;
  return { skill, readAt, isAllowed, over, warning, sending, mayExceedDailyLimit };
}

/** Sends invocations for every caller of this program, and records them where those of all programs are. */
export class Engine<Registry extends InvokedRegistry = InvokedRegistry> {
  private readonly places = new Places();

  constructor(private readonly parts: EngineParts<Registry>) {}

  /** Sends a payload once, or says why not. Rejects only where what it is made with does. */
  invoke(
    wanted: WantedInvocation<Registry>,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Ending> {
    return allSteps(this.passage(wanted, payload, asker, signal));
  }

  /** Asks once about all invocations of a series, of which nothing is sent yet. */
  async open(
    wanted: WantedInvocation<Registry>,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<Series | Stopped> {
    const batch = randomUUID().slice(0, 8);
    const all = { ...this.passage(wanted, undefined, asker, signal), batch };
    return (await allowed(all)) ?? new Series(all);
  }

  /** Asks only about a payload, as before it is sent. Undefined where it may be. */
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
      // The steps hand a registry only back to the parts that it came from.
      parts: this.parts as unknown as EngineParts,
      wanted,
      asker,
      signal,
      payload,
      skill: wanted.skill,
      registry: wanted.registry,
      series: undefined,
      batch: undefined,
      asking: undefined,
      agreed: undefined,
      readAt: wanted.readAt,
      agreedBefore: undefined,
      isAllowed: false,
      over: undefined,
      checkedFor: undefined,
      warning: undefined,
      left: wanted.count ?? 1,
      mayExceedDailyLimit: false,
      twice: wanted.twice === true,
      sending: undefined,
      place: undefined,
      places: this.places,
      allowedCents: 0,
      claim: undefined,
      agentAnswer: undefined,
      recordId: "",
      expected: undefined,
    };
  }
}

/** Several invocations of one skill that were agreed to together. */
export class Series {
  readonly kind = "series";
  /** What was agreed to: all are judged by it. */
  readonly skill: SkillDetail;

  constructor(private readonly all: Passage) {
    this.skill = all.skill;
    all.agreed = all.skill;
  }

  /**
   * Sends a payload as `Engine.invoke` does, also beside others. Nothing is asked again about the skill until what was
   * agreed to is five minutes old; once it has changed, nothing more is sent.
   */
  async invoke(payload: SentPayload, signal: AbortSignal, asker = this.all.asker): Promise<Ending> {
    const { all } = this;
    const one = { ...all, series: all, asking: undefined, payload, signal, asker };
    const ending = await allSteps(one);
    if (ending.kind === "sent") all.left -= 1;
    return ending;
  }

  /** Sends the payload of a suite's case, which was checked. `source` identifies the case. */
  async invokeCase(
    { inputText: text }: Invocation,
    check: PayloadCheck,
    source: string,
    signal: AbortSignal,
  ): Promise<Ending> {
    return this.invoke({ text, source, check: async () => check }, signal);
  }
}

/** Timers may fire early, and the registry's clock is another one. */
const marginMs = 100;
/** How often is looked whether an invocation of another program with the same payload has ended. */
const lookAgainMs = 500;

/** Claims the invocation among all callers of this machine, and a place in the rate limit. */
async function claimed(one: Passage): Promise<Stopped | Again | undefined> {
  const { parts, wanted, asker, sending, signal } = one;
  if (sending === undefined) return stopped("noSender");
  const invocation = invocationOf(one);
  const inputText = one.payload?.sameness ?? invocation.inputText;
  const claiming = claimInvocation(
    parts,
    sending.scope,
    { ...invocation, inputText },
    {
      twice: one.twice,
      isRequired: wanted.agent !== undefined,
      perMinute: wanted.perMinute,
      awaitsSecondClick: wanted.caller.kind === "person",
      endsBefore: Date.now() + longestMs(parts),
    },
  );
  const claim = await during(one, "claim", claiming);
  if (claim === undefined) {
    void claiming.then((late) => (late.kind === "acquired" ? late.release("notSent") : undefined));
    return stopped("canceled");
  }
  switch (claim.kind) {
    case "acquired":
      one.claim = claim;
      return undefined;
    case "unclaimed":
      return stopped("notRecorded");
    case "inProgress": {
      const question = { kind: "inProgress" } as const;
      const answer = await asker.answers.inProgress(question);
      if (answer === "no") return stopped({ kind: "declined", question });
      if (answer === "yes") one.twice = true;
      else await pause(lookAgainMs, signal);
      return "again";
    }
    case "rateLimited": {
      const question = { kind: "rateLimit", seconds: Math.ceil(claim.waitMs / 1000) } as const;
      const answer = await asker.answers.rateLimit(question);
      if (answer === "no") return stopped({ kind: "declined", question });
      await pause(claim.waitMs + marginMs, signal);
      return "again";
    }
  }
}

/** The settings may have changed during the questions: the answers were for this registry. */
async function sameRegistry(one: Passage): Promise<Stopped | undefined> {
  const registry = await one.parts.stillInUse(one.wanted.registry);
  if (registry === undefined) return stopped("registryChanged");
  one.registry = registry;
  return undefined;
}

/** Counts the price before anything is sent, so that of two callers at the limit one has to ask. */
async function reserved(one: Passage): Promise<Stopped | Again | undefined> {
  const { parts, wanted } = one;
  const id = parts.history.newId(Date.now());
  one.recordId = id;
  if (wanted.isTestRun) return undefined;
  const agent = agentOf(one);
  const seen: { spending?: SpendingToday } = {};
  const reserving = await parts.ledger.reserve(id, pricedCall(one, 1), (spending) => {
    one.expected = spending.expected;
    if (!isFresh(one)) return { kind: "again" } as const;
    const limit = one.mayExceedDailyLimit ? 0 : parts.dailyLimitCents();
    const reason = spending.question(limit, parts.language);
    if (reason !== undefined) return { kind: "limit", reason } as const;
    const refusal = agent?.count(callPointOf(one, spending));
    if (refusal !== undefined) return { kind: "agent", refusal } as const;
    seen.spending = spending;
    return undefined;
  });
  switch (reserving?.kind) {
    case "again":
      return "again";
    case "limit":
      return (await askToExceed(one, reserving.reason)) ?? "again";
    case "agent":
      return stopped(reserving);
    case undefined:
      return seen.spending && agentStillMay(one, seen.spending);
  }
}

/** Gives back what an invocation that is not sent, or not yet, claimed and reserved. */
async function letGo(one: Passage): Promise<void> {
  const { parts, wanted, claim, recordId } = one;
  one.claim = undefined;
  one.recordId = "";
  wanted.agent?.uncount();
  if (recordId !== "") await parts.ledger.release(recordId);
  await claim?.release("notSent");
}

/** The registry responds or times out within the limit; if a record has no end this much later, its program died. */
const slackMs = 10_000;

function longestMs({ timeoutSeconds }: EngineParts): number {
  return timeoutSeconds() * 1000 + slackMs;
}

/** Records it as running, sends it once, and records how it ended. */
async function sent(one: Passage): Promise<Ending> {
  const { parts, wanted, registry, asker, signal, payload, skill, sending, claim } = one;
  if (payload === undefined || sending === undefined || claim === undefined) {
    throw new Error("A step before sending was left out.");
  }
  const contract = readContract(skill, sha256);
  // Where a part of the contract is not shown, an agent's gates have compared the rest with what was agreed to.
  const contractHash = contract.ok ? contract.hash : wanted.agent?.call.agreement;
  const ready = {
    id: one.recordId,
    registry,
    invocation: invocationOf(one),
    sender: sending.sender,
    scope: sending.scope,
    longestMs: longestMs(parts),
    ...(contractHash !== undefined && { contractHash }),
    payload: payload.source,
    caller: wanted.caller,
    profile: parts.profile,
    expected: one.expected,
    batch: one.batch,
    ...(wanted.agent !== undefined && { agentCall: wanted.agent.call }),
    sentAt: claim.sentAt,
    mayLeave: () => isFresh(one),
    started: asker.started,
    ended: asker.ended,
  };
  // Whatever is done with the record as it starts comes before the payload leaves.
  let end: InvocationResult = "notSent";
  try {
    const cancel = wanted.isWaitedFor === true ? new AbortController().signal : signal;
    const work = parts.using(registry, () => sendInvocation(ready, parts, cancel));
    asker.waiting("send", work);
    const result = await work;
    if (result === "notRecorded") {
      await parts.ledger.release(one.recordId);
      wanted.agent?.uncount();
      return stopped("notRecorded");
    }
    const { outcome, record, waitSeconds } = result;
    if (outcome.kind === "notSent") wanted.agent?.uncount();
    end = endOf(outcome);
    sending.noteOutcome(outcome);
    leavePlace(one, outcome);
    return { kind: "sent", skill, sender: ready.sender, outcome, record, waitSeconds };
  } catch (error) {
    await parts.ledger.release(one.recordId);
    wanted.agent?.uncount();
    throw error;
  } finally {
    const released = claim.release(end);
    // A script may send the same again at once.
    if (wanted.caller.kind !== "person") await released;
  }
}

function invocationOf({ skill, payload }: Passage): Invocation {
  const { slug: skillSlug, version } = skill.summary;
  return { skillSlug, version, inputText: payload?.text ?? "" };
}
