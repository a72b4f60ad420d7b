import { isDeepStrictEqual } from "node:util";
import { writtenRange } from "../../core/environment/placeholders";
import { meantSecrets } from "../../core/environment/resolvedPayload";
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
import {
  type CallabilityFacts,
  describeCallability,
} from "../../core/skill/description/callability";
import { invocationPrice, isPriceUnanswered } from "../../core/skill/price";
import type { SkillDetail } from "../../core/skill/skill";
import { settled } from "../../registry/wait";
import {
  type AllowedPassage,
  afterAnswer,
  ask,
  during,
  isRead,
  type Passage,
  type ReadPassage,
  stopped,
} from "../passage";
import { type SpendingToday, spentBefore } from "../store/spentToday";
import type { Agreement } from "../store/store";
import { problemOf, type StoreProblem } from "../store/storeProblem";

/** Passes if the payload is JSON that matches the schema and contains no credential, or the asker sends it anyway. */
export async function payloadChecked(one: Passage): Promise<Stopped | undefined> {
  const { payload, parts, wanted } = one;
  if (payload === undefined) return undefined;
  const check = await during(one, "payload", payload.check(one.skill));
  if (check === undefined) return stopped("canceled");
  one.checkedFor = one.skill;
  const key = await during(
    one,
    "key",
    parts.findKey(wanted.registry).then((found) => ({ found })),
  );
  if (key === undefined) return stopped("canceled");
  const { written } = payload;
  const known = key.found === undefined ? [] : [key.found];
  const found = findSecrets(payload.text, known, meantSecrets(written)).map((one) =>
    written === undefined ? one : { ...one, ...writtenRange(written.replaced, one) },
  );
  return (
    (await validEnough(one, check)) ??
    (found.length === 0 ? undefined : ask(one, { kind: "secrets", check, found }))
  );
}

async function validEnough(one: Passage, check: PayloadCheck): Promise<Stopped | undefined> {
  if (check.state === "valid") return undefined;
  const isSendable = check.state === "unchecked" && isJsonText(one.payload?.text ?? "");
  return isSendable ? ask(one, { kind: "unchecked", check }) : stopped({ kind: "invalid", check });
}

/**
 * Reads the skill again from the registry, with one round trip or a 304. If that fails, a free skill that only computes
 * is sent with the known facts: nothing of value depends on them, and the runtime may respond even if the list does
 * not. All other skills, and every agent, wait until the terms can be read.
 */
export async function skillRead(one: Passage): Promise<Stopped | ReadPassage> {
  const { wanted, parts, agreed } = one;
  const { slug, version } = wanted.skill.summary;
  if (isRead(one)) return one;
  const startedAt = performance.now();
  const read = await during(one, "skill", parts.readSkill(wanted.registry, slug, version));
  if (read === undefined) return stopped("canceled");
  if (agreed !== undefined) {
    const now = read.ok ? { ok: true as const, value: priced(one, read.value) } : read;
    const message = changeSinceAgreed(priced(one, agreed), now, parts.language);
    // A series keeps its agreed skill. No other version may replace it.
    if (message !== undefined) return stopped({ kind: "changed", message });
  }
  if (!read.ok) {
    const isSafe =
      read.failure.kind !== "notFound" &&
      !isAtStake(priced(one, one.skill)) &&
      !isAgent(wanted.caller.kind);
    if (!isSafe) return stopped({ kind: "termsUnknown", failure: read.failure });
    return Object.assign(one, { readAt: startedAt });
  }
  const bound = boundSkill(read, { slug, version }, parts.language);
  if (!bound.ok) return stopped({ kind: "otherVersion", failure: bound.failure });
  if (agreed === undefined) one.skill = read.value;
  return Object.assign(one, { readAt: startedAt });
}

/** Returns the skill with its price; a test run is free. */
function priced({ wanted }: Passage, skill: SkillDetail): SkillDetail {
  return wanted.isTestRun ? asFree(skill) : skill;
}

/** Finds how many are wanted in a minute: a project may have lowered its limit since. */
export async function paceFound(one: ReadPassage): Promise<Stopped | undefined> {
  const { perMinute } = one.wanted;
  if (perMinute === undefined) return undefined;
  const found = await during(
    one,
    "skill",
    perMinute().then((limit) => ({ limit })),
  );
  if (found === undefined) return stopped("canceled");
  one.perMinute = found.limit;
  return undefined;
}

/** Passes if the skill's own status allows invocations. */
export async function callable(one: ReadPassage): Promise<Stopped | undefined> {
  const verdict = canInvoke(one.skill);
  return verdict.kind === "no" ? stopped({ kind: "notCallable", verdict }) : undefined;
}

/** Checks the payload again if the schema changed since its last check. */
export async function stillValid(one: ReadPassage): Promise<Stopped | undefined> {
  const { payload, checkedFor, skill } = one;
  if (payload === undefined || checkedFor === undefined) return undefined;
  if (isDeepStrictEqual(checkedFor.inputSchema, skill.inputSchema)) return undefined;
  const check = await during(one, "payload", payload.check(skill));
  if (check === undefined) return stopped("canceled");
  one.checkedFor = skill;
  return check.state === "invalid" ? stopped("noLongerValid") : validEnough(one, check);
}

/**
 * Passes if no known fact prevents the skill from running. Comes first, since it changes how a person judges a price.
 */
export async function expectedToRun(one: ReadPassage): Promise<Stopped | undefined> {
  const { parts, wanted, skill } = one;
  // A new reading of the skill needs a new answer.
  one.agreedBefore = undefined;
  const facts = await during(one, "record", parts.callabilityFacts(skill.summary.slug));
  if (facts === undefined) return stopped("canceled");
  // A known rejection by the project is shown before sending. A test run may be for another project.
  const known = wanted.isTestRun ? withoutKey(facts) : { ...facts, predicts: true };
  const advice = describeCallability(skill, known, parts.language);
  one.warning = wanted.isTestRun ? "" : advice.warning;
  const { slug, version } = skill.summary;
  const text = callabilityQuestion(slug, advice, parts.language);
  if (text === undefined) return undefined;
  const remedy = runRemedy(advice, version, known.project, parts.language);
  // A person decides once, after seeing all obstacles.
  const next = one.asker.isPerson ? await consentQuestionOf(one) : undefined;
  if (next?.kind === "stopped") return next;
  const question = { kind: "notExpectedToRun", code: advice.code, text, remedy, next } as const;
  const answer = await one.asker.answers.notExpectedToRun(question);
  if (answer === "all") one.agreedBefore = next;
  return afterAnswer(one, question, answer);
}

/** Returns the first question about the skill by the facts known now. */
async function consentQuestionOf(one: ReadPassage): Promise<ConsentQuestion | Stopped | undefined> {
  const objection = await reviewQuestion(one);
  if (objection !== undefined) return objection;
  const consent = await termsQuestion(one);
  return consent?.kind === "agreed" ? undefined : consent;
}

/** Returns the facts without those of the Project Key, which do not concern a test run. */
function withoutKey({ policy: _, invocations, ...facts }: CallabilityFacts): CallabilityFacts {
  return {
    ...facts,
    hasKey: undefined,
    invocations: invocations.filter(
      ({ reason }) => reason !== "unauthorized" && reason !== "missingKey",
    ),
  };
}

/** Passes if the team's reviews do not object. They can only add a question, even after an earlier agreement. */
export async function reviewed(one: ReadPassage): Promise<Stopped | undefined> {
  const { parts, skill, asker } = one;
  const question = await reviewQuestion(one);
  if (question === undefined || question.kind === "stopped") return question;
  const isAnswered = isDeepStrictEqual(question, one.agreedBefore);
  const answer = isAnswered ? "all" : await asker.answers.unreviewed(question);
  if (answer === "all") one.agreedBefore = question;
  const no = afterAnswer(one, question, answer);
  if (no === undefined && asker.isPerson) parts.acceptObjection(skill, question.objection);
  return no;
}

async function reviewQuestion(
  one: Passage,
): Promise<QuestionOf<"unreviewed"> | Stopped | undefined> {
  const { parts, skill } = one;
  const reading = parts
    .objectionTo(skill, { isAgent: isAgent(one.wanted.caller.kind) })
    .then((found) => ({ found }));
  const objection = await during(one, "reviews", reading);
  if (objection === undefined) return stopped("canceled");
  if (objection.found === undefined) return undefined;
  const consent = await consentTo(one, objection.found);
  if (consent === undefined) return stopped("canceled");
  const { now, before, target } = consent;
  const text = consentQuestion(now, before, target, parts.language);
  return { kind: "unreviewed", objection: objection.found, text, terms: now };
}

/** Passes if one invocation costs no more than its limit. */
export async function affordable({ wanted, skill }: ReadPassage): Promise<Stopped | undefined> {
  const { maxCents } = wanted;
  const price = invocationPrice(skill);
  if (maxCents === undefined || wanted.isTestRun || price.kind === "free") return undefined;
  if (price.kind === "amount" && price.cents <= maxCents) return undefined;
  return stopped({ kind: "price", isKnown: price.kind === "amount" });
}

/** Passes if the skill's permissions and price were agreed to: earlier by a person, or now by the asker. */
export async function agreedTo(one: ReadPassage): Promise<Stopped | undefined> {
  const { parts, asker } = one;
  const question = await termsQuestion(one);
  if (question === undefined || question.kind === "stopped") return question;
  if (question.kind === "agreed") {
    if (question.before !== undefined) asker.agreedBefore(question.before);
    return undefined;
  }
  const isAnswered = isDeepStrictEqual(question.terms, one.agreedBefore?.terms);
  const answer = isAnswered ? "yes" : await asker.answers.terms(question);
  if (answer === "yes" && !isPriceUnanswered(question.terms)) {
    // If the store cannot keep the answer, the next invocation asks again. A busy store delays no cancellation.
    const kept = parts.store.agree(question.terms).catch(() => undefined);
    await settled(kept, one.signal);
  }
  return afterAnswer(one, question, answer);
}

/** Returns the question about the terms; undefined if none is needed, `agreed` if a person agreed before. */
async function termsQuestion(
  one: Passage,
): Promise<
  | QuestionOf<"terms">
  | { readonly kind: "agreed"; readonly before: Agreement | undefined }
  | Stopped
  | undefined
> {
  const { parts, wanted, asker } = one;
  const skill = priced(one, one.skill);
  if (!needsConsent(skill, wanted.registry.isBuiltIn)) return undefined;
  const consent = await consentTo(one, undefined);
  if (consent === undefined) return stopped("canceled");
  const { now, before, target } = consent;
  const counted = asker.isPerson && wanted.asksTerms !== true ? before : undefined;
  const text = neededQuestion(skill, { now, before: counted }, target, parts.language);
  return text === undefined ? { kind: "agreed", before } : { kind: "terms", text, terms: now };
}

/** The number of a skill's last invocations that are searched for one that a named policy blocked. */
const recentCalls = 100;

/** Returns the current and the agreed terms, and the payload's destination. Undefined once canceled. */
async function consentTo(one: Passage, objection: TeamStanding | undefined) {
  const { parts, wanted, warning = "" } = one;
  const { registry, isTestRun } = wanted;
  const asked = termsOf(registryName(registry), priced(one, one.skill));
  const { registry: name, skillSlug } = asked;
  const reading = Promise.all([
    parts.store.agreed(asked).catch(() => undefined),
    // They only tell which level the question names.
    parts.history.list({ registry: name, skills: [skillSlug], limit: recentCalls }).catch(() => []),
    isTestRun ? undefined : parts.keyProject?.(wanted.registry, skillSlug),
  ]);
  const read = await during(one, "record", reading);
  if (read === undefined) return undefined;
  const [before, records, keyProject] = read;
  const lastKnown = records.find(({ policy }) => typeof policy?.maxPermissionLevel === "string");
  const maxPermissionLevel = lastKnown?.policy?.maxPermissionLevel;
  // A test run is free, so it neither needs nor changes the agreed price.
  const terms = { ...asked, ...(keyProject?.id !== undefined && { project: keyProject.id }) };
  const now = isTestRun && before !== undefined ? { ...terms, prices: before.prices } : terms;
  const target = {
    origin: registry.origin,
    isBuiltIn: registry.isBuiltIn,
    isTestRun,
    warning,
    objection,
    ...(maxPermissionLevel !== undefined && { maxPermissionLevel }),
    ...(keyProject !== undefined && { keyProject: keyProject.text }),
    environment: wanted.environment,
  };
  return { now, before, target };
}

/** Passes if all remaining invocations fit under the daily limit. */
export async function withinDailyLimit(one: ReadPassage): Promise<Stopped | undefined> {
  const { parts, wanted, left } = one;
  one.mayExceedDailyLimit = false;
  if (wanted.isTestRun) return undefined;
  let before: SpendingToday;
  try {
    before = await spentBefore(parts.store, pricedCall(one, left));
  } catch (error) {
    return goUncounted(one, problemOf(error));
  }
  const reason = before.question(parts.dailyLimitCents(), parts.language);
  return reason === undefined ? undefined : askToExceed(one, reason);
}

/**
 * Asks whether to continue although a limit is set and today's spending is unknown or cannot be counted (`problem`). An
 * agent's invocation ends here.
 */
export async function goUncounted(
  one: Passage,
  problem: StoreProblem | undefined,
): Promise<Stopped | undefined> {
  const { parts, wanted } = one;
  if (wanted.agent !== undefined) return stopped("notRecorded");
  const isFree = wanted.isTestRun || invocationPrice(one.skill).kind === "free";
  const hasLimit =
    (parts.dailyLimitCents() > 0 && !isFree) ||
    (problem !== undefined && one.perMinute !== undefined);
  if (!hasLimit || one.mayGoUncounted) return undefined;
  const no = await ask(one, { kind: "uncounted", reason: problem?.message ?? "" });
  one.mayGoUncounted = no === undefined;
  if (one.series !== undefined) one.series.mayGoUncounted = one.mayGoUncounted;
  return no;
}

/** Asks whether today's cost may exceed the limit. The answer applies to all remaining invocations. */
export async function askToExceed(one: Passage, reason: string): Promise<Stopped | undefined> {
  const no = await ask(one, { kind: "dailyLimit", reason });
  one.mayExceedDailyLimit = no === undefined;
  if (one.series !== undefined) one.series.mayExceedDailyLimit = one.mayExceedDailyLimit;
  return no;
}

/** Returns the price of `count` invocations for counting. */
export function pricedCall({ wanted, skill }: Passage, count: number) {
  const price = invocationPrice(skill);
  return {
    registry: registryName(wanted.registry),
    skillSlug: skill.summary.slug,
    price: price.kind === "amount" ? { ...price, cents: price.cents * count } : price,
    isAgents: isAgent(wanted.caller.kind),
  };
}

/** Passes if there is a Project Key or a signed-in user. */
export async function senderFound(one: ReadPassage): Promise<Stopped | AllowedPassage> {
  const { parts, wanted } = one;
  const { slug: skillSlug } = one.skill.summary;
  const sending = await parts.findSender(wanted, skillSlug);
  if (sending === undefined) return stopped("noSender");
  return Object.assign(one, { sending, keyOfSender: await parts.findKey(wanted.registry) });
}

/**
 * Returns whether the Project Key is still the one that was found for the sender, and the user of a test run still
 * signed in. A person may have removed the key, signed out, or switched to another account or project. Then everything
 * is asked again, since the questions name the key's project.
 */
export async function hasSameKey(one: AllowedPassage): Promise<boolean> {
  const { parts, wanted, sending, series = one } = one;
  const reading = Promise.all([parts.findKey(wanted.registry), sending.isSignedIn?.() ?? true]);
  const [key, isSignedIn] = (await during(one, "key", reading)) ?? [];
  const isSame = key === one.keyOfSender && isSignedIn === true;
  if (!isSame && series.keyOfSender === one.keyOfSender) series.isAllowed = false;
  if (!isSame) one.isAllowed = false;
  return isSame;
}
