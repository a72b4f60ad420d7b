import { isDeepStrictEqual } from "node:util";
import { type Invocation, invokeBody } from "../../core/invocation/invocation";
import { runningFacts } from "../../core/invocation/outcome";
import type { Stopped } from "../../core/invocation/permission/question";
import { type InvocationRecord, recordFormat } from "../../core/invocation/record/invocationRecord";
import { KeyRedactor } from "../../core/registry/redactSecrets";
import { registryName } from "../../core/registry/registryName";
import { readContract } from "../../core/skill/compare/contract";
import { pause, runYielding } from "../../registry/wait";
import {
  type Again,
  type Agreement,
  type Attempt,
  type Call,
  during,
  type InvokedRegistry,
  isRecent,
  type Sending,
  type SentPayload,
  stopped,
} from "../attempt";
import { payloadIdOf } from "../sendInvocation";
import { sha256 } from "../sha256";
import { spendingToday } from "../store/spentToday";
import type { AgentStartLimits, StartRequest, StartResult } from "../store/store";
import type { StoreProblem } from "../store/storeProblem";
import { agentOf, callFactsOf, recheckAgentMayUseSkill } from "./agentGate";
import { askToExceed, askToGoUncounted, pricedCall } from "./gates";
import { leaveQueue } from "./skillQueue";

/** An invocation that passed all gates and is recorded as running. Next, it is sent, or its start is undone. */
export interface Started {
  readonly kind: "started";
  readonly record: InvocationRecord;
  readonly registry: InvokedRegistry;
  readonly agreement: Agreement;
  readonly sending: Sending;
  readonly invocation: Invocation;
  /** The payload as it is stored, with a key that it contains by mistake redacted. */
  readonly inputText: string;
}

/** Added to each wait, in milliseconds: timers may fire early, and the registry's clock may differ. */
const marginMs = 100;
/** How often to check whether another program's invocation with the same payload has ended, in milliseconds. */
const pollMs = 500;
/**
 * How long after an invocation's timeout its end may still be recorded, in milliseconds. If there is no end by then,
 * the program that sent it has died.
 */
const recordGraceMs = 10_000;

/** The result of starting an invocation in the store. */
type Claim = StartResult | { readonly kind: "unavailable"; readonly problem: StoreProblem };

/**
 * Claims the invocation among all programs of this machine, counts it in the rate limit, adds its expected price, and
 * records it as running. Does all of this, or nothing.
 */
export async function startInvocation(
  attempt: Attempt,
  agreement: Agreement,
  payload: SentPayload,
  registry: InvokedRegistry,
): Promise<Started | Stopped | Again> {
  const { sending, skill } = agreement;
  const agent = agentOf(attempt);
  const limits = limitsOf(attempt);
  if (agent !== undefined && limits === undefined) return "again";
  const refusal =
    attempt.spending && agent?.count(callFactsOf(attempt, agreement, attempt.spending));
  if (refusal !== undefined) return stopped({ kind: "agent", refusal });
  const { slug: skillSlug, version } = skill.summary;
  const invocation = { skillSlug, version, inputText: payload.text };
  const { sender } = sending;
  const secret = sender.kind === "projectKey" ? sender.key : sender.target.token.text;
  const redactor = new KeyRedactor(secret);
  const { written } = payload;
  for (const one of written?.secrets ?? []) redactor.learnSecret(one);
  const inputText = await runYielding(redactor.redactChunked(written?.text ?? payload.text));
  const start = startRequestOf(attempt, { payload, agreement, invocation, inputText, limits });
  const claiming = claim(attempt, sending, start);
  const found = { kind: "started", registry, agreement, sending, invocation, inputText } as const;
  try {
    return await afterClaim(attempt, claiming, { start, limits, found });
  } catch (error) {
    await undoStart(attempt, sending, await claiming);
    throw error;
  }
}

async function afterClaim(
  attempt: Attempt,
  claiming: Promise<Claim>,
  facts: {
    readonly start: Omit<StartRequest, "isKept">;
    readonly limits: AgentStartLimits | undefined;
    readonly found: Omit<Started, "record">;
  },
): Promise<Started | Stopped | Again> {
  const { parts } = attempt;
  const { start, limits, found } = facts;
  const { agreement } = found;
  const answer = await during(attempt, "claim", claiming);
  if (answer === undefined) {
    void claiming.then((late) => undoStart(attempt, found.sending, late));
    return stopped("canceled");
  }
  const isUncounted = answer.kind === "unavailable";
  if (isUncounted) {
    const no = await askToGoUncounted(attempt, agreement, answer.problem);
    if (no !== undefined) return no;
  }
  const { slot } = attempt;
  if (answer.kind === "full" || (isUncounted && slot?.queue.hasRoomUncounted(slot) === false)) {
    await slot?.queue.waitForRoom(attempt, slot);
    return "again";
  }
  leaveQueue(attempt);
  if (answer.kind === "started") {
    slot?.queue.begin(slot);
    const isStarted = { ...found, record: answer.record };
    const isFresh = isRecent(agreement.readAt);
    const end = isFresh ? await recheckAgent(attempt, agreement, limits) : "again";
    if (end === undefined) return isStarted;
    await undoStart(attempt, found.sending, isStarted);
    return end;
  }
  if (isUncounted) {
    slot?.queue.begin(slot);
    const record = parts.history.startUncounted(start, answer.problem);
    return { ...found, record };
  }
  return resolveObstacle(attempt, agreement, answer);
}

/** Undoes the start of an invocation that is not sent. Never rejects. */
export async function undoStart(
  { parts, request }: Call,
  sending: Sending,
  claimed: Claim | Started,
): Promise<void> {
  request.agent?.uncount();
  if (claimed.kind !== "started") return;
  await parts.history.undo(claimed.record.id, sending.scope);
}

/** The facts from which an invocation starts. */
interface Starting {
  readonly payload: SentPayload;
  readonly agreement: Agreement;
  readonly invocation: Invocation;
  readonly inputText: string;
  readonly limits: AgentStartLimits | undefined;
}

function startRequestOf(
  attempt: Attempt,
  { payload, agreement, invocation, inputText, limits }: Starting,
): Omit<StartRequest, "isKept"> {
  const { parts, request, asking } = attempt;
  const { skill } = agreement;
  const { scope, sender } = agreement.sending;
  const { skillSlug, version } = invocation;
  const contract = readContract(skill, sha256);
  // A contract has no hash if the registry hides a part of it. The agent's gates have compared the visible part.
  const contractHash = contract.ok ? contract.hash : request.agent?.call.agreement;
  const same = [scope.registry, skillSlug, version, payload.dedupeKey ?? payload.text];
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
      caller: request.caller,
      profile: parts.profile,
      ...(asking.batchId !== undefined && { batch: asking.batchId }),
      ...request.agent?.call,
      ...(contractHash !== undefined && { contractHash }),
      payloadId: payloadIdOf(payload.source),
      ...(payload.environment !== undefined && { environment: payload.environment }),
      requestSha256: sha256(invokeBody(invocation)),
    },
    texts: { inputText },
    maxDurationMs: parts.timeoutSeconds() * 1000 + recordGraceMs,
    claim: {
      key: sha256(same.join("\0")).slice(0, 40),
      isDuplicateAllowed: attempt.allowsDuplicate,
    },
    scope,
    perMinute: agreement.perMinute,
    price: request.isTestRun ? undefined : pricedCall(attempt, agreement, 1),
    concurrency: attempt.slot?.concurrency,
    dailyLimitCents: asking.mayExceedDailyLimit ? 0 : parts.dailyLimitCents(),
    isUncountedAllowed: asking.mayGoUncounted,
    agent: limits,
  };
}

async function claim(
  { parts }: Call,
  { scope }: Sending,
  start: Omit<StartRequest, "isKept">,
): Promise<Claim> {
  const keepTexts = parts.keeping.mayKeep(scope.registry) === true;
  return parts.history.start(start, keepTexts);
}

/** Asks about the obstacle, or waits until it is gone. Afterwards, all gates run again. */
async function resolveObstacle(
  attempt: Attempt,
  agreement: Agreement,
  answer: Exclude<Claim, { readonly kind: "started" | "unavailable" | "full" }>,
): Promise<Stopped | Again> {
  const { asker, signal, parts } = attempt;
  switch (answer.kind) {
    case "inProgress": {
      const question = { kind: "inProgress" } as const;
      const said = await asker.answers.inProgress(question);
      if (said === "no") return stopped({ kind: "declined", question });
      if (said === "yes") attempt.allowsDuplicate = true;
      else await pause(pollMs, signal);
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
      const today = spendingToday(answer, pricedCall(attempt, agreement, 1));
      const reason = today.question(parts.dailyLimitCents(), parts.language);
      return (reason === undefined ? undefined : await askToExceed(attempt, reason)) ?? "again";
    }
    case "uncounted":
      return (await askToGoUncounted(attempt, agreement, undefined)) ?? "again";
    case "earlier":
      return "again";
  }
}

/**
 * Checks again whether an agent may invoke. While the start waited for the store, a person may have stopped agents or
 * lowered their limits.
 */
async function recheckAgent(
  call: Call,
  agreement: Agreement,
  limits: AgentStartLimits | undefined,
): Promise<Stopped | Again | undefined> {
  const no = await recheckAgentMayUseSkill(call, agreement);
  return no ?? (isDeepStrictEqual(limits, limitsOf(call)) ? undefined : "again");
}

function limitsOf(call: Call): AgentStartLimits | undefined {
  return agentOf(call)?.startLimits(registryName(call.request.registry));
}
