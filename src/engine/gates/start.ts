import { isDeepStrictEqual } from "node:util";
import { type Invocation, invokeBody } from "../../core/invocation/invocation";
import { runningFacts } from "../../core/invocation/outcome";
import type { Stopped } from "../../core/invocation/permission/question";
import {
  type InvocationRecord,
  recordFormat,
  registryName,
} from "../../core/invocation/record/invocationRecord";
import { KeyRedactor } from "../../core/registry/redactSecrets";
import { readContract } from "../../core/review/contract";
import { pause, runYielding } from "../../registry/wait";
import {
  type Again,
  type AllowedPassage,
  during,
  type InvokedRegistry,
  isFresh,
  type Passage,
  type Sending,
  type SentPayload,
  stopped,
} from "../passage";
import { payloadIdOf } from "../sendInvocation";
import { sha256 } from "../sha256";
import { spendingToday } from "../store/spentToday";
import type { AgentStart, StartAnswer, WantedStart } from "../store/store";
import type { StoreProblem } from "../store/storeProblem";
import { agentOf, agentStillMay, callPointOf } from "./agentGate";
import { askToExceed, goUncounted, pricedCall } from "./gates";
import { leaveTurn } from "./places";

/** An invocation that passed all gates and is recorded as running. It is sent next, or undone. */
export interface Started {
  readonly kind: "started";
  readonly record: InvocationRecord;
  readonly registry: InvokedRegistry;
  readonly sending: Sending;
  readonly invocation: Invocation;
  /** The payload for files, without a key that it contains by mistake. */
  readonly inputText: string;
  /** Its place in the limits shared by several machines. */
  readonly sharedPlace: string | undefined;
}

/** Added to each wait in milliseconds, since timers may fire early and the registry has its own clock. */
const marginMs = 100;
/** How often to check whether another program's invocation with the same payload has ended, in milliseconds. */
const lookAgainMs = 500;
/**
 * A registry answers or times out within its limit. A record without an end this much later belongs to a dead program.
 */
const slackMs = 10_000;

/** The answers of the store and the shared rate limit, before any question about them. */
type Claim =
  | Exclude<StartAnswer, { readonly kind: "started" }>
  | { readonly kind: "unavailable"; readonly problem: StoreProblem }
  | {
      readonly kind: "started";
      readonly record: InvocationRecord;
      readonly sharedPlace: string | undefined;
    };

/**
 * Claims the invocation among all programs of this machine, takes its place in the rate limit, counts its price, and
 * records it as running. All of this happens, or nothing.
 */
export async function started(
  passage: AllowedPassage,
  payload: SentPayload,
  registry: InvokedRegistry,
): Promise<Started | Stopped | Again> {
  const { sending } = passage;
  const agent = agentOf(passage);
  const limits = limitsOf(passage);
  if (agent !== undefined && limits === undefined) return "again";
  const refusal = passage.spent && agent?.count(callPointOf(passage, passage.spent));
  if (refusal !== undefined) return stopped({ kind: "agent", refusal });
  const { slug: skillSlug, version } = passage.skill.summary;
  const invocation = { skillSlug, version, inputText: payload.text };
  const { sender } = sending;
  const secret = sender.kind === "projectKey" ? sender.key : sender.target.token.text;
  const redactor = new KeyRedactor(secret);
  const { written } = payload;
  for (const one of written?.secrets ?? []) redactor.learnSecret(one);
  const inputText = await runYielding(redactor.redactChunked(written?.text ?? payload.text));
  const start = startOf(passage, { payload, sending, invocation, inputText, limits });
  const claiming = claim(passage, sending, start);
  const found = { kind: "started", registry, sending, invocation, inputText } as const;
  try {
    return await afterClaim(passage, claiming, { start, limits, found });
  } catch (error) {
    await letGo(passage, sending, await claiming);
    throw error;
  }
}

async function afterClaim(
  passage: Passage,
  claiming: Promise<Claim>,
  wanted: {
    readonly start: Omit<WantedStart, "isKept">;
    readonly limits: AgentStart | undefined;
    readonly found: Omit<Started, "record" | "sharedPlace">;
  },
): Promise<Started | Stopped | Again> {
  const { parts } = passage;
  const { start, limits, found } = wanted;
  const answer = await during(passage, "claim", claiming);
  if (answer === undefined) {
    void claiming.then((late) => letGo(passage, found.sending, late));
    return stopped("canceled");
  }
  const isUncounted = answer.kind === "unavailable";
  if (isUncounted) {
    const no = await goUncounted(passage, answer.problem);
    if (no !== undefined) return no;
  }
  const { place } = passage;
  if (answer.kind === "full" || (isUncounted && place?.of.hasRoomUncounted(place) === false)) {
    await place?.of.waitForRoom(passage, place);
    return "again";
  }
  leaveTurn(passage);
  if (answer.kind === "started") {
    place?.of.begin(place);
    const isStarted = { ...found, record: answer.record, sharedPlace: answer.sharedPlace };
    const end = isFresh(passage) ? await sinceStarted(passage, limits) : "again";
    if (end === undefined) return isStarted;
    await letGo(passage, found.sending, isStarted);
    return end;
  }
  if (isUncounted) {
    place?.of.begin(place);
    const record = parts.history.startUncounted(start, answer.problem);
    return { ...found, record, sharedPlace: undefined };
  }
  return held(passage, answer);
}

/** Undoes the start of an invocation that is not sent. Never rejects. */
export async function letGo(
  { parts, wanted }: Passage,
  sending: Sending,
  claimed: Claim | Started,
): Promise<void> {
  wanted.agent?.uncount();
  if (claimed.kind !== "started") return;
  await parts.sharedLimits?.giveBack(sending.scope, claimed.sharedPlace);
  await parts.history.undo(claimed.record.id, sending.scope);
}

/** The facts for starting an invocation. */
interface Starting {
  readonly payload: SentPayload;
  readonly sending: Sending;
  readonly invocation: Invocation;
  readonly inputText: string;
  readonly limits: AgentStart | undefined;
}

function startOf(
  passage: Passage,
  { payload, sending, invocation, inputText, limits }: Starting,
): Omit<WantedStart, "isKept"> {
  const { parts, wanted, skill } = passage;
  const { scope, sender } = sending;
  const { skillSlug, version } = invocation;
  const contract = readContract(skill, sha256);
  // If a part of the contract is hidden, the agent's gates have compared the rest with the agreed contract.
  const contractHash = contract.ok ? contract.hash : wanted.agent?.call.agreement;
  const same = [scope.registry, skillSlug, version, payload.sameness ?? payload.text];
  return {
    facts: {
      format: recordFormat,
      registry: scope.registry,
      skillSlug,
      version,
      ...(sender.kind === "testRun" && {
        kind: "testRun" as const,
        projectSlug: sender.target.project,
      }),
      ...runningFacts,
      durationMs: 0,
      caller: wanted.caller,
      profile: parts.profile,
      ...(passage.batch !== undefined && { batch: passage.batch }),
      ...wanted.agent?.call,
      ...(contractHash !== undefined && { contractHash }),
      payloadId: payloadIdOf(payload.source),
      ...(payload.environment !== undefined && { environment: payload.environment }),
      requestSha256: sha256(invokeBody(invocation)),
    },
    texts: { inputText },
    longestMs: parts.timeoutSeconds() * 1000 + slackMs,
    claim: { key: sha256(same.join("\0")).slice(0, 40), isTwice: passage.twice },
    scope,
    perMinute: passage.perMinute,
    price: wanted.isTestRun ? undefined : pricedCall(passage, 1),
    room: passage.place?.room,
    dailyLimitCents: passage.mayExceedDailyLimit ? 0 : parts.dailyLimitCents(),
    isUncountedAllowed: passage.mayGoUncounted,
    agent: limits,
  };
}

async function claim(
  { parts, perMinute, place }: Passage,
  { scope }: Sending,
  start: Omit<WantedStart, "isKept">,
): Promise<Claim> {
  const shared = await parts.sharedLimits?.claim(scope, perMinute, place?.expectedCents);
  if (shared !== undefined && shared.waitMs > 0) {
    return { kind: "rateLimited", waitMs: shared.waitMs };
  }
  const keepTexts = parts.keeping.mayKeep(scope.registry) === true;
  const answer = await parts.history.start(start, keepTexts);
  if (answer.kind === "started") return { ...answer, sharedPlace: shared?.place };
  await parts.sharedLimits?.giveBack(scope, shared?.place);
  return answer;
}

/** Asks about the obstacle, or waits until it is gone. All gates run again afterwards. */
async function held(
  passage: Passage,
  answer: Exclude<Claim, { readonly kind: "started" | "unavailable" | "full" }>,
): Promise<Stopped | Again> {
  const { asker, signal, parts } = passage;
  switch (answer.kind) {
    case "inProgress": {
      const question = { kind: "inProgress" } as const;
      const said = await asker.answers.inProgress(question);
      if (said === "no") return stopped({ kind: "declined", question });
      if (said === "yes") passage.twice = true;
      else await pause(lookAgainMs, signal);
      return "again";
    }
    case "rateLimited": {
      const question = { kind: "rateLimit", seconds: Math.ceil(answer.waitMs / 1000) } as const;
      const said = await asker.answers.rateLimit(question);
      if (said === "no") return stopped({ kind: "declined", question });
      await pause(answer.waitMs + marginMs, signal);
      return "again";
    }
    case "overLimit": {
      const today = spendingToday(answer, pricedCall(passage, 1));
      const reason = today.question(parts.dailyLimitCents(), parts.language);
      return (reason === undefined ? undefined : await askToExceed(passage, reason)) ?? "again";
    }
    case "uncounted":
      return (await goUncounted(passage, undefined)) ?? "again";
    case "earlier":
      return "again";
  }
}

/** Decides again, since agents may have been stopped, or their limits lowered, while the start waited for the store. */
async function sinceStarted(
  passage: Passage,
  limits: AgentStart | undefined,
): Promise<Stopped | Again | undefined> {
  const no = await agentStillMay(passage);
  return no ?? (isDeepStrictEqual(limits, limitsOf(passage)) ? undefined : "again");
}

function limitsOf(passage: Passage): AgentStart | undefined {
  return agentOf(passage)?.startLimits(registryName(passage.wanted.registry));
}
