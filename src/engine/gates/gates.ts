import { isDeepStrictEqual } from "node:util";
import { credentialsIn } from "../../core/environment/resolvedPayload";
import { changeSinceAgreed } from "../../core/invocation/permission/agreement";
import { canInvoke } from "../../core/invocation/permission/canInvoke";
import { isAtStake } from "../../core/invocation/permission/consentQuestion";
import { maySend } from "../../core/invocation/permission/payloadQuestions";
import type { Stopped } from "../../core/invocation/permission/question";
import { asFree } from "../../core/invocation/permission/terms";
import { isAgent } from "../../core/invocation/record/invocationRecord";
import { boundSkill } from "../../core/payload/payloadBinding";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import { registryName } from "../../core/registry/registryName";
import { invocationPrice } from "../../core/skill/price";
import type { SkillDetail } from "../../core/skill/skill";
import {
  type Agreement,
  ask,
  askOnce,
  type Call,
  during,
  type InvocationRequest,
  type InvokedRegistry,
  isRecent,
  type Reading,
  stopped,
} from "../attempt";
import { type SpendingToday, spentBefore } from "../store/spentToday";
import { problemOf, type StoreProblem } from "../store/storeProblem";

/**
 * Passes if the payload is JSON that matches the schema and contains no credential, or if the caller sends it anyway.
 */
export async function checkPayload(call: Call): Promise<Stopped | undefined> {
  const { payload, parts, request, asking } = call;
  const { skill } = asking.reading;
  if (payload === undefined) return undefined;
  const check = await during(call, "payload", payload.check(skill));
  if (check === undefined) return stopped("canceled");
  asking.checkedFor = skill;
  const key = await during(
    call,
    "key",
    parts.findKey(request.registry).then((found) => ({ found })),
  );
  if (key === undefined) return stopped("canceled");
  const found = credentialsIn(payload, key.found === undefined ? [] : [key.found]);
  return (
    (await checkValidity(call, check)) ??
    (found.length === 0 ? undefined : ask(call, { kind: "secrets", check, found }))
  );
}

async function checkValidity(call: Call, check: PayloadCheck): Promise<Stopped | undefined> {
  switch (maySend(check, call.payload?.text ?? "")) {
    case "yes":
      return undefined;
    case "ask":
      return ask(call, { kind: "unchecked", check });
    case "no":
      return stopped({ kind: "invalid", check });
  }
}

/**
 * Reads the skill again from the registry, which takes one request, often with a 304 response. If that fails, a free
 * skill that only computes is sent with the known facts. Nothing of value depends on them, and the runtime may work
 * even if the catalog does not. All other skills, and every agent, stop until the terms can be read.
 */
export async function readSkill(call: Call): Promise<Stopped | Reading> {
  const { request, parts, asking } = call;
  const { agreedSkill, reading } = asking;
  const { slug, version } = request.skill.summary;
  const { readAt } = reading;
  if (readAt !== undefined && isRecent(readAt)) return { ...reading, readAt };
  const startedAt = performance.now();
  const read = await during(call, "skill", parts.readSkill(request.registry, slug, version));
  if (read === undefined) return stopped("canceled");
  const keep = (skill: SkillDetail): Reading => {
    asking.reading = { skill, readAt: startedAt };
    return { skill, readAt: startedAt };
  };
  if (agreedSkill !== undefined) {
    const now = read.ok ? { ok: true as const, value: priced(call, read.value) } : read;
    const message = changeSinceAgreed(priced(call, agreedSkill), now, parts.language);
    // A batch keeps the skill that was agreed to. It never continues with another version.
    if (message !== undefined) return stopped({ kind: "changed", message });
  }
  if (!read.ok) {
    const isSafe =
      read.failure.kind !== "notFound" &&
      !isAtStake(priced(call, reading.skill)) &&
      !isAgent(request.caller.kind);
    return isSafe ? keep(reading.skill) : stopped({ kind: "termsUnknown", failure: read.failure });
  }
  const bound = boundSkill(read, { slug, version }, parts.language);
  if (!bound.ok) return stopped({ kind: "otherVersion", failure: bound.failure });
  return keep(agreedSkill === undefined ? read.value : reading.skill);
}

/** Returns the skill with its price for this request; a test run is free. */
export function priced({ request }: Call, skill: SkillDetail): SkillDetail {
  return request.isTestRun ? asFree(skill) : skill;
}

/** Reads the caller's limit per minute again, since a project may have lowered it. */
export async function readPerMinute(
  call: Call,
): Promise<Stopped | { readonly limit: number | undefined }> {
  const reading = call.request.perMinute?.().then((limit) => ({ limit }));
  if (reading === undefined) return { limit: undefined };
  return (await during(call, "skill", reading)) ?? stopped("canceled");
}

/** Passes if the skill's own status allows invocations. */
export function checkCallable({ skill }: Reading): Stopped | undefined {
  const verdict = canInvoke(skill);
  return verdict.kind === "no" ? stopped({ kind: "notCallable", verdict }) : undefined;
}

/** Checks the payload again if the schema changed since its last check. */
export async function recheckPayload(call: Call, { skill }: Reading): Promise<Stopped | undefined> {
  const { payload, asking } = call;
  const { checkedFor } = asking;
  if (payload === undefined || checkedFor === undefined) return undefined;
  if (isDeepStrictEqual(checkedFor.inputSchema, skill.inputSchema)) return undefined;
  const check = await during(call, "payload", payload.check(skill));
  if (check === undefined) return stopped("canceled");
  asking.checkedFor = skill;
  return check.state === "invalid" ? stopped("noLongerValid") : checkValidity(call, check);
}

/**
 * Passes if the cost of all remaining invocations fits into the daily limit, or if the caller agrees to exceed the
 * limit.
 */
export async function checkDailyLimit(
  call: Call,
  facts: Pick<Agreement, "skill" | "perMinute">,
): Promise<Stopped | undefined> {
  const { parts, request, asking } = call;
  asking.mayExceedDailyLimit = false;
  if (request.isTestRun) return undefined;
  let before: SpendingToday;
  try {
    before = await spentBefore(parts.store, pricedCall(call, facts, asking.remaining));
  } catch (error) {
    return askToGoUncounted(call, facts, problemOf(error));
  }
  const reason = before.question(parts.dailyLimitCents(), parts.language);
  return reason === undefined ? undefined : askToExceed(call, reason);
}

/**
 * Asks whether to continue although a limit is or may be set and today's spending is unknown. `problem` is set if this
 * invocation cannot be counted either. An agent's invocation ends without a question.
 */
export async function askToGoUncounted(
  call: Call,
  { skill, perMinute }: Pick<Agreement, "skill" | "perMinute">,
  problem: StoreProblem | undefined,
): Promise<Stopped | undefined> {
  const { parts, request, asking } = call;
  if (request.agent !== undefined) return stopped("notRecorded");
  const isFree = request.isTestRun || invocationPrice(skill).kind === "free";
  const daily = isFree ? 0 : parts.dailyLimitCents();
  const hasRate = problem !== undefined && perMinute !== undefined;
  if ((daily === 0 && !hasRate) || asking.mayGoUncounted) return undefined;
  const unknown = daily === "unknown" && !hasRate ? "limit" : "spending";
  const no = await askOnce(call, { kind: "uncounted", unknown, reason: problem?.message ?? "" });
  asking.mayGoUncounted = no === undefined;
  return no;
}

/** Asks whether today's spending may exceed the limit. The answer applies to all remaining invocations. */
export async function askToExceed(call: Call, reason: string): Promise<Stopped | undefined> {
  const { asking } = call;
  if (asking.mayExceedDailyLimit) return undefined;
  const no = await askOnce(call, { kind: "dailyLimit", reason });
  asking.mayExceedDailyLimit = no === undefined;
  return no;
}

/** Returns the skill and the price of `count` invocations, as the store counts them. */
export function pricedCall(
  {
    request,
  }: { readonly request: Pick<InvocationRequest<InvokedRegistry>, "registry" | "caller"> },
  { skill }: Pick<Reading, "skill">,
  count: number,
) {
  const price = invocationPrice(skill);
  return {
    registry: registryName(request.registry),
    skillSlug: skill.summary.slug,
    price: price.kind === "amount" ? { ...price, cents: price.cents * count } : price,
    count,
    isAgents: isAgent(request.caller.kind),
  };
}

/** Passes if a project or a signed-in user can send the invocation. */
export async function findSender({
  parts,
  request,
}: Call): Promise<Stopped | Pick<Agreement, "sending" | "senderKey">> {
  const sending = await parts.findSender(request, request.skill.summary.slug);
  if (sending === undefined) return stopped("noSender");
  return { sending, senderKey: await parts.findKey(request.registry) };
}

/**
 * Returns whether the Project Key is unchanged and the user of a test run still signed in. Otherwise all questions are
 * asked again, since they name the key's project. A person may have removed the key, signed out, or switched to another
 * account or project.
 */
export async function hasSameKey(call: Call, agreement: Agreement): Promise<boolean> {
  const { parts, request, asking } = call;
  const { sending, senderKey } = agreement;
  const reading = Promise.all([parts.findKey(request.registry), sending.isSignedIn?.() ?? true]);
  const [key, isSignedIn] = (await during(call, "key", reading)) ?? [];
  const isSame = key === senderKey && isSignedIn === true;
  // Another invocation of the batch may have asked again meanwhile.
  if (!isSame && asking.agreement === agreement) asking.agreement = undefined;
  return isSame;
}
