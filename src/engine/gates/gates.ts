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
export async function payloadChecked(passage: Passage): Promise<Stopped | undefined> {
  const { payload, parts, wanted } = passage;
  if (payload === undefined) return undefined;
  const check = await during(passage, "payload", payload.check(passage.skill));
  if (check === undefined) return stopped("canceled");
  passage.checkedFor = passage.skill;
  const key = await during(
    passage,
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
    (await validEnough(passage, check)) ??
    (found.length === 0 ? undefined : ask(passage, { kind: "secrets", check, found }))
  );
}

async function validEnough(passage: Passage, check: PayloadCheck): Promise<Stopped | undefined> {
  if (check.state === "valid") return undefined;
  const isSendable = check.state === "unchecked" && isJsonText(passage.payload?.text ?? "");
  return isSendable
    ? ask(passage, { kind: "unchecked", check })
    : stopped({ kind: "invalid", check });
}

/**
 * Reads the skill again from the registry, with one round trip or a 304. If that fails, a free skill that only computes
 * is sent with the known facts: nothing of value depends on them, and the runtime may respond even if the list does
 * not. All other skills, and every agent, wait until the terms can be read.
 */
export async function skillRead(passage: Passage): Promise<Stopped | ReadPassage> {
  const { wanted, parts, agreed } = passage;
  const { slug, version } = wanted.skill.summary;
  if (isRead(passage)) return passage;
  const startedAt = performance.now();
  const read = await during(passage, "skill", parts.readSkill(wanted.registry, slug, version));
  if (read === undefined) return stopped("canceled");
  if (agreed !== undefined) {
    const now = read.ok ? { ok: true as const, value: priced(passage, read.value) } : read;
    const message = changeSinceAgreed(priced(passage, agreed), now, parts.language);
    // A series keeps its agreed skill. No other version may replace it.
    if (message !== undefined) return stopped({ kind: "changed", message });
  }
  if (!read.ok) {
    const isSafe =
      read.failure.kind !== "notFound" &&
      !isAtStake(priced(passage, passage.skill)) &&
      !isAgent(wanted.caller.kind);
    if (!isSafe) return stopped({ kind: "termsUnknown", failure: read.failure });
    return Object.assign(passage, { readAt: startedAt });
  }
  const bound = boundSkill(read, { slug, version }, parts.language);
  if (!bound.ok) return stopped({ kind: "otherVersion", failure: bound.failure });
  if (agreed === undefined) passage.skill = read.value;
  return Object.assign(passage, { readAt: startedAt });
}

/** Returns the skill with its price; a test run is free. */
function priced({ wanted }: Passage, skill: SkillDetail): SkillDetail {
  return wanted.isTestRun ? asFree(skill) : skill;
}

/** Finds how many are wanted in a minute: a project may have lowered its limit since. */
export async function paceFound(passage: ReadPassage): Promise<Stopped | undefined> {
  const { perMinute } = passage.wanted;
  if (perMinute === undefined) return undefined;
  const found = await during(
    passage,
    "skill",
    perMinute().then((limit) => ({ limit })),
  );
  if (found === undefined) return stopped("canceled");
  passage.perMinute = found.limit;
  return undefined;
}

/** Passes if the skill's own status allows invocations. */
export async function callable(passage: ReadPassage): Promise<Stopped | undefined> {
  const verdict = canInvoke(passage.skill);
  return verdict.kind === "no" ? stopped({ kind: "notCallable", verdict }) : undefined;
}

/** Checks the payload again if the schema changed since its last check. */
export async function stillValid(passage: ReadPassage): Promise<Stopped | undefined> {
  const { payload, checkedFor, skill } = passage;
  if (payload === undefined || checkedFor === undefined) return undefined;
  if (isDeepStrictEqual(checkedFor.inputSchema, skill.inputSchema)) return undefined;
  const check = await during(passage, "payload", payload.check(skill));
  if (check === undefined) return stopped("canceled");
  passage.checkedFor = skill;
  return check.state === "invalid" ? stopped("noLongerValid") : validEnough(passage, check);
}

/**
 * Passes if no known fact prevents the skill from running. Comes first, since it changes how a person judges a price.
 */
export async function expectedToRun(passage: ReadPassage): Promise<Stopped | undefined> {
  const { parts, wanted, skill } = passage;
  // A new reading of the skill needs a new answer.
  passage.agreedBefore = undefined;
  const facts = await during(passage, "record", parts.callabilityFacts(skill.summary.slug));
  if (facts === undefined) return stopped("canceled");
  // A known rejection by the project is shown before sending. A test run may be for another project.
  const known = wanted.isTestRun ? withoutKey(facts) : { ...facts, predicts: true };
  const advice = describeCallability(skill, known, parts.language);
  passage.warning = wanted.isTestRun ? "" : advice.warning;
  const { slug, version } = skill.summary;
  const text = callabilityQuestion(slug, advice, parts.language);
  if (text === undefined) return undefined;
  const remedy = runRemedy(advice, version, known.project, parts.language);
  // A person decides once, after seeing all obstacles.
  const next = passage.asker.isPerson ? await consentQuestionOf(passage) : undefined;
  if (next?.kind === "stopped") return next;
  const question = { kind: "notExpectedToRun", code: advice.code, text, remedy, next } as const;
  const answer = await passage.asker.answers.notExpectedToRun(question);
  if (answer === "all") passage.agreedBefore = next;
  return afterAnswer(passage, question, answer);
}

/** Returns the first question about the skill by the facts known now. */
async function consentQuestionOf(
  passage: ReadPassage,
): Promise<ConsentQuestion | Stopped | undefined> {
  const objection = await reviewQuestion(passage);
  if (objection !== undefined) return objection;
  const consent = await termsQuestion(passage);
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
export async function reviewed(passage: ReadPassage): Promise<Stopped | undefined> {
  const { parts, skill, asker } = passage;
  const question = await reviewQuestion(passage);
  if (question === undefined || question.kind === "stopped") return question;
  const isAnswered = isDeepStrictEqual(question, passage.agreedBefore);
  const answer = isAnswered ? "all" : await asker.answers.unreviewed(question);
  if (answer === "all") passage.agreedBefore = question;
  const no = afterAnswer(passage, question, answer);
  if (no === undefined && asker.isPerson) parts.acceptObjection(skill, question.objection);
  return no;
}

async function reviewQuestion(
  passage: Passage,
): Promise<QuestionOf<"unreviewed"> | Stopped | undefined> {
  const { parts, skill } = passage;
  const reading = parts
    .objectionTo(skill, { isAgent: isAgent(passage.wanted.caller.kind) })
    .then((found) => ({ found }));
  const objection = await during(passage, "reviews", reading);
  if (objection === undefined) return stopped("canceled");
  if (objection.found === undefined) return undefined;
  const consent = await consentTo(passage, objection.found);
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
export async function agreedTo(passage: ReadPassage): Promise<Stopped | undefined> {
  const { parts, asker } = passage;
  const question = await termsQuestion(passage);
  if (question === undefined || question.kind === "stopped") return question;
  if (question.kind === "agreed") {
    if (question.before !== undefined) asker.agreedBefore(question.before);
    return undefined;
  }
  const isAnswered = isDeepStrictEqual(question.terms, passage.agreedBefore?.terms);
  const answer = isAnswered ? "yes" : await asker.answers.terms(question);
  if (answer === "yes" && !isPriceUnanswered(question.terms)) {
    // If the store cannot keep the answer, the next invocation asks again. A busy store delays no cancellation.
    const kept = parts.store.agree(question.terms).catch(() => undefined);
    await settled(kept, passage.signal);
  }
  return afterAnswer(passage, question, answer);
}

/** Returns the question about the terms; undefined if none is needed, `agreed` if a person agreed before. */
async function termsQuestion(
  passage: Passage,
): Promise<
  | QuestionOf<"terms">
  | { readonly kind: "agreed"; readonly before: Agreement | undefined }
  | Stopped
  | undefined
> {
  const { parts, wanted, asker } = passage;
  const skill = priced(passage, passage.skill);
  if (!needsConsent(skill, wanted.registry.isBuiltIn)) return undefined;
  const consent = await consentTo(passage, undefined);
  if (consent === undefined) return stopped("canceled");
  const { now, before, target } = consent;
  const counted = asker.isPerson && wanted.asksTerms !== true ? before : undefined;
  const text = neededQuestion(skill, { now, before: counted }, target, parts.language);
  return text === undefined ? { kind: "agreed", before } : { kind: "terms", text, terms: now };
}

/** The number of a skill's last invocations that are searched for one that a named policy blocked. */
const recentCalls = 100;

/** Returns the current and the agreed terms, and the payload's destination. Undefined once canceled. */
async function consentTo(passage: Passage, objection: TeamStanding | undefined) {
  const { parts, wanted, warning = "" } = passage;
  const { registry, isTestRun } = wanted;
  const asked = termsOf(registryName(registry), priced(passage, passage.skill));
  const { registry: name, skillSlug } = asked;
  const reading = Promise.all([
    parts.store.agreed(asked).catch(() => undefined),
    // They only tell which level the question names.
    parts.history.list({ registry: name, skills: [skillSlug], limit: recentCalls }).catch(() => []),
    isTestRun ? undefined : parts.keyProject?.(wanted.registry, skillSlug),
  ]);
  const read = await during(passage, "record", reading);
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
export async function withinDailyLimit(passage: ReadPassage): Promise<Stopped | undefined> {
  const { parts, wanted, left } = passage;
  passage.mayExceedDailyLimit = false;
  if (wanted.isTestRun) return undefined;
  let before: SpendingToday;
  try {
    before = await spentBefore(parts.store, pricedCall(passage, left));
  } catch (error) {
    return goUncounted(passage, problemOf(error));
  }
  const reason = before.question(parts.dailyLimitCents(), parts.language);
  return reason === undefined ? undefined : askToExceed(passage, reason);
}

/**
 * Asks whether to continue although a limit is set and today's spending is unknown or cannot be counted (`problem`). An
 * agent's invocation ends here.
 */
export async function goUncounted(
  passage: Passage,
  problem: StoreProblem | undefined,
): Promise<Stopped | undefined> {
  const { parts, wanted } = passage;
  if (wanted.agent !== undefined) return stopped("notRecorded");
  const isFree = wanted.isTestRun || invocationPrice(passage.skill).kind === "free";
  const hasLimit =
    (parts.dailyLimitCents() > 0 && !isFree) ||
    (problem !== undefined && passage.perMinute !== undefined);
  if (!hasLimit || passage.mayGoUncounted) return undefined;
  const no = await ask(passage, { kind: "uncounted", reason: problem?.message ?? "" });
  passage.mayGoUncounted = no === undefined;
  if (passage.series !== undefined) passage.series.mayGoUncounted = passage.mayGoUncounted;
  return no;
}

/** Asks whether today's cost may exceed the limit. The answer applies to all remaining invocations. */
export async function askToExceed(passage: Passage, reason: string): Promise<Stopped | undefined> {
  const no = await ask(passage, { kind: "dailyLimit", reason });
  passage.mayExceedDailyLimit = no === undefined;
  if (passage.series !== undefined)
    passage.series.mayExceedDailyLimit = passage.mayExceedDailyLimit;
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
export async function senderFound(passage: ReadPassage): Promise<Stopped | AllowedPassage> {
  const { parts, wanted } = passage;
  const { slug: skillSlug } = passage.skill.summary;
  const sending = await parts.findSender(wanted, skillSlug);
  if (sending === undefined) return stopped("noSender");
  return Object.assign(passage, { sending, keyOfSender: await parts.findKey(wanted.registry) });
}

/**
 * Returns whether the Project Key is still the one that was found for the sender, and the user of a test run still
 * signed in. A person may have removed the key, signed out, or switched to another account or project. Then everything
 * is asked again, since the questions name the key's project.
 */
export async function hasSameKey(passage: AllowedPassage): Promise<boolean> {
  const { parts, wanted, sending, series = passage } = passage;
  const reading = Promise.all([parts.findKey(wanted.registry), sending.isSignedIn?.() ?? true]);
  const [key, isSignedIn] = (await during(passage, "key", reading)) ?? [];
  const isSame = key === passage.keyOfSender && isSignedIn === true;
  if (!isSame && series.keyOfSender === passage.keyOfSender) series.isAllowed = false;
  if (!isSame) passage.isAllowed = false;
  return isSame;
}
