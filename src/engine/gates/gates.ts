import { isDeepStrictEqual } from "node:util";
import { writtenRange } from "../../core/environment/placeholders";
import { secretRanges } from "../../core/environment/resolvedPayload";
import { isJsonText } from "../../core/invocation/invocationCopies";
import { changeSinceAgreed } from "../../core/invocation/permission/agreement";
import { canInvoke } from "../../core/invocation/permission/canInvoke";
import {
  consentQuestion,
  isAtStake,
  neededQuestion,
  needsConsent,
} from "../../core/invocation/permission/consentQuestion";
import { callabilityQuestion, runRemedy } from "../../core/invocation/permission/gateNotices";
import type {
  ConsentQuestion,
  QuestionOf,
  Stopped,
} from "../../core/invocation/permission/question";
import { asFree, termsOf } from "../../core/invocation/permission/terms";
import { isAgent, registryName } from "../../core/invocation/record/invocationRecord";
import { findSecrets } from "../../core/payload/findSecrets";
import { boundSkill } from "../../core/payload/payloadBinding";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import type { TeamStanding } from "../../core/review/standing";
import { describeCallability } from "../../core/skill/description/callability";
import type { CallabilityFacts } from "../../core/skill/description/callabilityFacts";
import { invocationPrice, isPriceUnanswered } from "../../core/skill/price";
import type { SkillDetail } from "../../core/skill/skill";
import { settled } from "../../registry/wait";
import {
  type AllowedAttempt,
  type Attempt,
  afterAnswer,
  ask,
  askOnce,
  during,
  isRead,
  type ReadAttempt,
  stopped,
} from "../attempt";
import { type SpendingToday, spentBefore } from "../store/spentToday";
import type { Agreement } from "../store/store";
import { problemOf, type StoreProblem } from "../store/storeProblem";

/**
 * Passes if the payload is JSON that matches the schema and contains no credential, or if the caller sends it anyway.
 */
export async function checkPayload(attempt: Attempt): Promise<Stopped | undefined> {
  const { payload, parts, request } = attempt;
  if (payload === undefined) return undefined;
  const check = await during(attempt, "payload", payload.check(attempt.skill));
  if (check === undefined) return stopped("canceled");
  attempt.checkedFor = attempt.skill;
  const key = await during(
    attempt,
    "key",
    parts.findKey(request.registry).then((found) => ({ found })),
  );
  if (key === undefined) return stopped("canceled");
  const { written } = payload;
  const known = key.found === undefined ? [] : [key.found];
  const found = findSecrets(payload.text, known, secretRanges(written)).map((secret) =>
    written === undefined ? secret : { ...secret, ...writtenRange(written.replaced, secret) },
  );
  return (
    (await checkValidity(attempt, check)) ??
    (found.length === 0 ? undefined : ask(attempt, { kind: "secrets", check, found }))
  );
}

async function checkValidity(attempt: Attempt, check: PayloadCheck): Promise<Stopped | undefined> {
  if (check.state === "valid") return undefined;
  const isSendable = check.state === "unchecked" && isJsonText(attempt.payload?.text ?? "");
  return isSendable
    ? ask(attempt, { kind: "unchecked", check })
    : stopped({ kind: "invalid", check });
}

/**
 * Reads the skill again from the registry, which takes one request, often with a 304 response. If that fails, a free
 * skill that only computes is sent with the known facts. Nothing of value depends on them, and the runtime may work
 * even if the catalog does not. All other skills, and every agent, stop until the terms can be read.
 */
export async function readSkill(attempt: Attempt): Promise<Stopped | ReadAttempt> {
  const { request, parts, agreedSkill } = attempt;
  const { slug, version } = request.skill.summary;
  if (isRead(attempt)) return attempt;
  const startedAt = performance.now();
  const read = await during(attempt, "skill", parts.readSkill(request.registry, slug, version));
  if (read === undefined) return stopped("canceled");
  if (agreedSkill !== undefined) {
    const now = read.ok ? { ok: true as const, value: priced(attempt, read.value) } : read;
    const message = changeSinceAgreed(priced(attempt, agreedSkill), now, parts.language);
    // A batch keeps the skill that was agreed to. It never continues with another version.
    if (message !== undefined) return stopped({ kind: "changed", message });
  }
  if (!read.ok) {
    const isSafe =
      read.failure.kind !== "notFound" &&
      !isAtStake(priced(attempt, attempt.skill)) &&
      !isAgent(request.caller.kind);
    if (!isSafe) return stopped({ kind: "termsUnknown", failure: read.failure });
    return Object.assign(attempt, { readAt: startedAt });
  }
  const bound = boundSkill(read, { slug, version }, parts.language);
  if (!bound.ok) return stopped({ kind: "otherVersion", failure: bound.failure });
  if (agreedSkill === undefined) attempt.skill = read.value;
  return Object.assign(attempt, { readAt: startedAt });
}

/** Returns the skill with its price for this request; a test run is free. */
function priced({ request }: Attempt, skill: SkillDetail): SkillDetail {
  return request.isTestRun ? asFree(skill) : skill;
}

/** Reads the caller's limit per minute again, since a project may have lowered it. */
export async function readPerMinute(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const { perMinute } = attempt.request;
  if (perMinute === undefined) return undefined;
  const found = await during(
    attempt,
    "skill",
    perMinute().then((limit) => ({ limit })),
  );
  if (found === undefined) return stopped("canceled");
  attempt.perMinute = found.limit;
  return undefined;
}

/** Passes if the skill's own status allows invocations. */
export async function checkCallable(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const verdict = canInvoke(attempt.skill);
  return verdict.kind === "no" ? stopped({ kind: "notCallable", verdict }) : undefined;
}

/** Checks the payload again if the schema changed since its last check. */
export async function recheckPayload(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const { payload, checkedFor, skill } = attempt;
  if (payload === undefined || checkedFor === undefined) return undefined;
  if (isDeepStrictEqual(checkedFor.inputSchema, skill.inputSchema)) return undefined;
  const check = await during(attempt, "payload", payload.check(skill));
  if (check === undefined) return stopped("canceled");
  attempt.checkedFor = skill;
  return check.state === "invalid" ? stopped("noLongerValid") : checkValidity(attempt, check);
}

/**
 * Passes if no known fact would prevent the execution. Runs before the terms are asked about, since the facts change
 * how a person judges a price.
 */
export async function checkExpectedToRun(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const { parts, request, skill } = attempt;
  // The skill was read again, so an earlier answer no longer counts.
  attempt.acceptedQuestion = undefined;
  const facts = await during(attempt, "record", parts.callabilityFacts(skill.summary.slug));
  if (facts === undefined) return stopped("canceled");
  const known = request.isTestRun ? forTestRun(facts) : facts;
  const advice = describeCallability(skill, known, parts.language);
  attempt.warning = request.isTestRun ? "" : advice.warning;
  const { slug, version } = skill.summary;
  const text = callabilityQuestion(slug, advice, parts.language);
  if (text === undefined) return undefined;
  const remedy = runRemedy(advice, version, known.project, parts.language);
  // The next question is in the same dialog, so that a person sees all obstacles and decides once.
  const next = attempt.asker.isPerson ? await consentQuestionOf(attempt) : undefined;
  if (next?.kind === "stopped") return next;
  const question = { kind: "notExpectedToRun", code: advice.code, text, remedy, next } as const;
  const answer = await attempt.asker.answers.notExpectedToRun(question);
  if (answer === "all") attempt.acceptedQuestion = next;
  return afterAnswer(attempt, question, answer);
}

/** Returns the first question about reviews or terms that is still open. */
async function consentQuestionOf(
  attempt: ReadAttempt,
): Promise<ConsentQuestion | Stopped | undefined> {
  const objection = await reviewQuestion(attempt);
  if (objection !== undefined) return objection;
  const consent = await termsQuestion(attempt);
  return consent?.kind === "agreed" ? undefined : consent;
}

/** Returns the facts for a test run. Leaves out facts about the Project Key, because a test run does not use it. */
function forTestRun({ policy: _, invocations, ...facts }: CallabilityFacts): CallabilityFacts {
  return {
    ...facts,
    isTestRun: true,
    hasKey: undefined,
    invocations: invocations.filter(
      ({ reason }) => reason !== "unauthorized" && reason !== "missingKey",
    ),
  };
}

/**
 * Passes if the team's reviews have no objection, or the caller accepts it. Reviews can only add a question, even to
 * terms that were agreed to.
 */
export async function checkReviews(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const { parts, skill, asker } = attempt;
  const question = await reviewQuestion(attempt);
  if (question === undefined || question.kind === "stopped") return question;
  const isAnswered = isDeepStrictEqual(question, attempt.acceptedQuestion);
  const answer = isAnswered ? "all" : await asker.answers.unreviewed(question);
  if (answer === "all") attempt.acceptedQuestion = question;
  const no = afterAnswer(attempt, question, answer);
  if (no === undefined && asker.isPerson) parts.acceptObjection(skill, question.objection);
  return no;
}

async function reviewQuestion(
  attempt: Attempt,
): Promise<QuestionOf<"unreviewed"> | Stopped | undefined> {
  const { parts, skill } = attempt;
  const reading = parts
    .objectionTo(skill, { isAgent: isAgent(attempt.request.caller.kind) })
    .then((found) => ({ found }));
  const objection = await during(attempt, "reviews", reading);
  if (objection === undefined) return stopped("canceled");
  if (objection.found === undefined) return undefined;
  const consent = await readConsent(attempt, objection.found);
  if (consent === undefined) return stopped("canceled");
  const { now, before, target } = consent;
  const text = consentQuestion(now, before, target, parts.language);
  return { kind: "unreviewed", objection: objection.found, text, terms: now };
}

/** Passes if the price of one invocation is at most the requested maximum. */
export async function checkMaxPrice({ request, skill }: ReadAttempt): Promise<Stopped | undefined> {
  const { maxCents } = request;
  const price = invocationPrice(skill);
  if (maxCents === undefined || request.isTestRun || price.kind === "free") return undefined;
  if (price.kind === "amount" && price.cents <= maxCents) return undefined;
  return stopped({ kind: "price", isKnown: price.kind === "amount" });
}

/** Passes if a person agreed to the skill's permissions and price before, or the caller agrees now. */
export async function checkConsent(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const { parts, asker } = attempt;
  const question = await termsQuestion(attempt);
  if (question === undefined || question.kind === "stopped") return question;
  if (question.kind === "agreed") {
    if (question.before !== undefined) asker.agreedBefore(question.before);
    return undefined;
  }
  const isAnswered = isDeepStrictEqual(question.terms, attempt.acceptedQuestion?.terms);
  const answer = isAnswered ? "yes" : await asker.answers.terms(question);
  if (answer === "yes" && !isPriceUnanswered(question.terms)) {
    // If the store cannot keep the answer, the next invocation asks again. Canceling does not wait for a busy store.
    const kept = parts.store.agree(question.terms).catch(() => undefined);
    await settled(kept, attempt.signal);
  }
  return afterAnswer(attempt, question, answer);
}

/**
 * Returns the question about the terms. Returns undefined if none is needed, and `agreed` if a person agreed before.
 */
async function termsQuestion(
  attempt: Attempt,
): Promise<
  | QuestionOf<"terms">
  | { readonly kind: "agreed"; readonly before: Agreement | undefined }
  | Stopped
  | undefined
> {
  const { parts, request, asker } = attempt;
  const skill = priced(attempt, attempt.skill);
  if (!needsConsent(skill, request.registry.isBuiltIn)) return undefined;
  const consent = await readConsent(attempt, undefined);
  if (consent === undefined) return stopped("canceled");
  const { now, before, target } = consent;
  const counted = asker.isPerson && request.asksTerms !== true ? before : undefined;
  const text = neededQuestion(skill, { now, before: counted }, target, parts.language);
  return text === undefined ? { kind: "agreed", before } : { kind: "terms", text, terms: now };
}

/** How many past invocations are searched for a policy with a maximum permission level. */
const recentCalls = 100;

/**
 * Returns the current terms, the terms that a person agreed to, and the destination of the payload. Undefined once
 * canceled.
 */
async function readConsent(attempt: Attempt, objection: TeamStanding | undefined) {
  const { parts, request, warning = "" } = attempt;
  const { registry, isTestRun } = request;
  const asked = termsOf(registryName(registry), priced(attempt, attempt.skill));
  const { registry: name, skillSlug } = asked;
  const reading = Promise.all([
    parts.store.agreed(asked).catch(() => undefined),
    // Only used to name a permission level in the question.
    parts.history.list({ registry: name, skills: [skillSlug], limit: recentCalls }).catch(() => []),
    isTestRun ? undefined : parts.keyProject(request.registry, skillSlug),
    isTestRun ? undefined : parts.findKey(request.registry),
  ]);
  const read = await during(attempt, "record", reading);
  if (read === undefined) return undefined;
  const [before, records, keyProject, key] = read;
  const lastKnown = records.find(({ policy }) => typeof policy?.maxPermissionLevel === "string");
  const maxPermissionLevel = lastKnown?.policy?.maxPermissionLevel;
  // A test run is free. It neither needs an agreed price nor changes it.
  const terms = { ...asked, ...(keyProject?.id !== undefined && { project: keyProject.id }) };
  const now = isTestRun && before !== undefined ? { ...terms, prices: before.prices } : terms;
  const target = {
    origin: registry.origin,
    isBuiltIn: registry.isBuiltIn,
    isTestRun,
    hasKey: key !== undefined,
    warning,
    objection,
    ...(maxPermissionLevel !== undefined && { maxPermissionLevel }),
    ...(keyProject !== undefined && { keyProject: keyProject.text }),
    environment: request.environment,
  };
  return { now, before, target };
}

/**
 * Passes if the cost of all remaining invocations fits into the daily limit, or if the caller agrees to exceed the
 * limit.
 */
export async function checkDailyLimit(attempt: ReadAttempt): Promise<Stopped | undefined> {
  const { parts, request, remaining } = attempt;
  attempt.mayExceedDailyLimit = false;
  if (request.isTestRun) return undefined;
  let before: SpendingToday;
  try {
    before = await spentBefore(parts.store, pricedCall(attempt, remaining));
  } catch (error) {
    return askToGoUncounted(attempt, problemOf(error));
  }
  const reason = before.question(parts.dailyLimitCents(), parts.language);
  return reason === undefined ? undefined : askToExceed(attempt, reason);
}

/**
 * Asks whether to continue although a limit is or may be set and today's spending is unknown. `problem` is set if this
 * invocation cannot be counted either. An agent's invocation ends without a question.
 */
export async function askToGoUncounted(
  attempt: Attempt,
  problem: StoreProblem | undefined,
): Promise<Stopped | undefined> {
  const { parts, request, shared = attempt } = attempt;
  if (request.agent !== undefined) return stopped("notRecorded");
  const isFree = request.isTestRun || invocationPrice(attempt.skill).kind === "free";
  const daily = isFree ? 0 : parts.dailyLimitCents();
  const hasRate = problem !== undefined && attempt.perMinute !== undefined;
  if ((daily === 0 && !hasRate) || shared.mayGoUncounted) return undefined;
  const unknown = daily === "unknown" && !hasRate ? "limit" : "spending";
  const no = await askOnce(attempt, { kind: "uncounted", unknown, reason: problem?.message ?? "" });
  shared.mayGoUncounted = no === undefined;
  return no;
}

/** Asks whether today's spending may exceed the limit. The answer applies to all remaining invocations. */
export async function askToExceed(attempt: Attempt, reason: string): Promise<Stopped | undefined> {
  const { shared = attempt } = attempt;
  if (shared.mayExceedDailyLimit) return undefined;
  const no = await askOnce(attempt, { kind: "dailyLimit", reason });
  shared.mayExceedDailyLimit = no === undefined;
  return no;
}

/** Returns the skill and the price of `count` invocations, as the store counts them. */
export function pricedCall({ request, skill }: Attempt, count: number) {
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
export async function findSender(attempt: ReadAttempt): Promise<Stopped | AllowedAttempt> {
  const { parts, request } = attempt;
  const { slug: skillSlug } = attempt.skill.summary;
  const sending = await parts.findSender(request, skillSlug);
  if (sending === undefined) return stopped("noSender");
  return Object.assign(attempt, { sending, senderKey: await parts.findKey(request.registry) });
}

/**
 * Returns whether the Project Key is unchanged and the user of a test run still signed in. Otherwise all questions are
 * asked again, since they name the key's project. A person may have removed the key, signed out, or switched to another
 * account or project.
 */
export async function hasSameKey(attempt: AllowedAttempt): Promise<boolean> {
  const { parts, request, sending, shared = attempt } = attempt;
  const reading = Promise.all([parts.findKey(request.registry), sending.isSignedIn?.() ?? true]);
  const [key, isSignedIn] = (await during(attempt, "key", reading)) ?? [];
  const isSame = key === attempt.senderKey && isSignedIn === true;
  if (!isSame && shared.senderKey === attempt.senderKey) shared.isAllowed = false;
  if (!isSame) attempt.isAllowed = false;
  return isSame;
}
