import { isDeepStrictEqual } from "node:util";
import { describeCallability } from "../../core/invocation/permission/callability";
import type { CallabilityFacts } from "../../core/invocation/permission/callabilityFacts";
import {
  consentQuestion,
  neededQuestion,
  needsConsent,
} from "../../core/invocation/permission/consentQuestion";
import { callabilityQuestion, runRemedy } from "../../core/invocation/permission/gateNotices";
import type {
  ConsentQuestion,
  QuestionOf,
  Stopped,
} from "../../core/invocation/permission/question";
import { termsOf } from "../../core/invocation/permission/terms";
import { isAgent } from "../../core/invocation/record/invocationRecord";
import { registryName } from "../../core/registry/registryName";
import type { TeamStanding } from "../../core/review/standing";
import { invocationPrice, isPriceUnanswered } from "../../core/skill/price";
import { settled } from "../../registry/wait";
import { afterAnswer, type Call, during, type Reading, stopped } from "../attempt";
import type { Agreement as AgreedTerms } from "../store/store";
import { priced } from "./gates";

/** A skill that is expected to run, or that a person invokes anyway. */
interface Expected extends Reading {
  /** See `AgentSkillFacts`. */
  readonly warning: string;
  /** A question that the person already accepted in the dialog of an earlier question. */
  readonly accepted: ConsentQuestion | undefined;
}

/** A skill to which the team's reviews do not object, or that a person invokes anyway. */
interface Reviewed extends Expected {
  readonly isReviewed: true;
}

/**
 * Passes if no known fact would prevent the execution. Runs before the terms are asked about, since the facts change
 * how a person judges a price.
 */
export async function checkExpectedToRun(
  call: Call,
  reading: Reading,
): Promise<Stopped | Expected> {
  const { parts, request, asker } = call;
  const { slug, version } = reading.skill.summary;
  const facts = await during(call, "record", parts.callabilityFacts(slug));
  if (facts === undefined) return stopped("canceled");
  const known = request.isTestRun ? forTestRun(facts) : facts;
  const advice = describeCallability(reading.skill, known, parts.language);
  const warning = request.isTestRun ? "" : advice.warning;
  const expected = { ...reading, warning, accepted: undefined };
  const text = callabilityQuestion(slug, advice, parts.language);
  if (text === undefined) return expected;
  const remedy = runRemedy(advice, version, known.project, parts.language);
  // The next question is in the same dialog, so that a person sees all obstacles and decides once.
  const next = asker.isPerson ? await consentQuestionOf(call, expected) : undefined;
  if (next?.kind === "stopped") return next;
  const question = { kind: "notExpectedToRun", code: advice.code, text, remedy, next } as const;
  const answer = await asker.answers.notExpectedToRun(question);
  const accepted = answer === "all" ? next : undefined;
  return afterAnswer(call, question, answer) ?? { ...expected, accepted };
}

/** Returns the first question about reviews or terms that is still open. */
async function consentQuestionOf(
  call: Call,
  expected: Expected,
): Promise<ConsentQuestion | Stopped | undefined> {
  const objection = await reviewQuestion(call, expected);
  if (objection !== undefined) return objection;
  const consent = await termsQuestion(call, expected);
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
export async function checkReviews(call: Call, expected: Expected): Promise<Stopped | Reviewed> {
  const { parts, asker } = call;
  const question = await reviewQuestion(call, expected);
  if (question === undefined) return { ...expected, isReviewed: true };
  if (question.kind === "stopped") return question;
  const isAnswered = isDeepStrictEqual(question, expected.accepted);
  const answer = isAnswered ? "all" : await asker.answers.unreviewed(question);
  const accepted = answer === "all" ? question : expected.accepted;
  const no = afterAnswer(call, question, answer);
  if (no !== undefined) return no;
  if (asker.isPerson) parts.acceptObjection(expected.skill, question.objection);
  return { ...expected, accepted, isReviewed: true };
}

async function reviewQuestion(
  call: Call,
  expected: Expected,
): Promise<QuestionOf<"unreviewed"> | Stopped | undefined> {
  const { parts, request } = call;
  const reading = parts
    .objectionTo(expected.skill, { isAgent: isAgent(request.caller.kind) })
    .then((found) => ({ found }));
  const objection = await during(call, "reviews", reading);
  if (objection === undefined) return stopped("canceled");
  if (objection.found === undefined) return undefined;
  const consent = await readConsent(call, expected, objection.found);
  if (consent === undefined) return stopped("canceled");
  const { now, before, target } = consent;
  const text = consentQuestion(now, before, target, parts.language);
  return { kind: "unreviewed", objection: objection.found, text, terms: now };
}

/** Passes if the price of one invocation is at most the requested maximum. */
export function checkMaxPrice({ request }: Call, { skill }: Reading): Stopped | undefined {
  const { maxCents } = request;
  const price = invocationPrice(skill);
  if (maxCents === undefined || request.isTestRun || price.kind === "free") return undefined;
  if (price.kind === "amount" && price.cents <= maxCents) return undefined;
  return stopped({ kind: "price", isKnown: price.kind === "amount" });
}

/** Passes if a person agreed to the skill's permissions and price before, or the caller agrees now. */
export async function checkConsent(call: Call, reviewed: Reviewed): Promise<Stopped | undefined> {
  const { parts, asker } = call;
  const question = await termsQuestion(call, reviewed);
  if (question === undefined || question.kind === "stopped") return question;
  if (question.kind === "agreed") {
    if (question.before !== undefined) asker.agreedBefore(question.before);
    return undefined;
  }
  const isAnswered = isDeepStrictEqual(question.terms, reviewed.accepted?.terms);
  const answer = isAnswered ? "yes" : await asker.answers.terms(question);
  if (answer === "yes" && !isPriceUnanswered(question.terms)) {
    // If the store cannot keep the answer, the next invocation asks again. Canceling does not wait for a busy store.
    const kept = parts.store.agree(question.terms).catch(() => undefined);
    await settled(kept, call.signal);
  }
  return afterAnswer(call, question, answer);
}

/**
 * Returns the question about the terms. Returns undefined if none is needed, and `agreed` if a person agreed before.
 */
async function termsQuestion(
  call: Call,
  expected: Expected,
): Promise<
  | QuestionOf<"terms">
  | { readonly kind: "agreed"; readonly before: AgreedTerms | undefined }
  | Stopped
  | undefined
> {
  const { parts, request, asker } = call;
  const skill = priced(call, expected.skill);
  if (!needsConsent(skill, request.registry.isBuiltIn)) return undefined;
  const consent = await readConsent(call, expected, undefined);
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
async function readConsent(
  call: Call,
  { skill, warning }: Expected,
  objection: TeamStanding | undefined,
) {
  const { parts, request } = call;
  const { registry, isTestRun } = request;
  const asked = termsOf(registryName(registry), priced(call, skill));
  const { registry: name, skillSlug } = asked;
  const reading = Promise.all([
    parts.store.agreed(asked).catch(() => undefined),
    // Only used to name a permission level in the question.
    parts.history.list({ registry: name, skills: [skillSlug], limit: recentCalls }).catch(() => []),
    isTestRun ? undefined : parts.keyProject(request.registry, skillSlug),
    isTestRun ? undefined : parts.findKey(request.registry),
  ]);
  const read = await during(call, "record", reading);
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
