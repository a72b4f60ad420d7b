import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { Invocation } from "../../core/invocation/invocation";
import { canInvoke } from "../../core/invocation/permission/canInvoke";
import {
  type ConsentTarget,
  isAtStake,
  neededQuestion,
  needsConsent,
} from "../../core/invocation/permission/consentQuestion";
import {
  callabilityQuestion,
  notCallableNotice,
  schemaChangedNotice,
  termsUnknownNotice,
} from "../../core/invocation/permission/gateNotices";
import {
  agreedTerms,
  asFree,
  readAgreements,
  type Terms,
  termsOf,
  withAgreement,
} from "../../core/invocation/permission/terms";
import { registryName } from "../../core/invocation/record/invocationRecord";
import { otherVersionGiven } from "../../core/payload/payloadBinding";
import type { TeamStanding } from "../../core/review/driftText";
import {
  type Callability,
  type CallabilityFacts,
  describeCallability,
} from "../../core/skill/description/callability";
import { invocationPrice } from "../../core/skill/price";
import { inputSchemaOf, type SkillDetail } from "../../core/skill/skill";
import type { InvocationHistory } from "../../engine/invocationHistory";
import type { SpendingLedger } from "../../engine/spendingLedger";
import type { PayloadChecks } from "../author/payloadChecks";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { commandIds } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { askModal } from "../messages/askModal";
import { hostLanguage } from "../messages/hostLanguage";
import { showFailure, showNotice } from "../messages/showNotice";
import { readSettings } from "../settings";
import { askToSendUnchecked } from "./preparePayload";
import { withWaiting } from "./progress";

/** The checks before an invocation: whether it can run, whether the user agrees, and what it costs. */
export interface Gates {
  readonly consents: Consents;
  readonly ledger: SpendingLedger;
  readonly history: InvocationHistory;
  /** Collects the known facts about running a skill. Never rejects. */
  readonly callabilityFacts: (slug: string) => Promise<CallabilityFacts>;
  readonly details: Pick<SkillDetails, "refresh">;
  readonly checks: Pick<PayloadChecks, "checkText">;
  /** Returns the objection of the workspace's reviews. Undefined where there is none. Never rejects. */
  readonly objectionTo: (skill: SkillDetail) => Promise<TeamStanding | undefined>;
}

/** An invocation for the gates, and the effects of their notices. */
export interface JudgedInvocation {
  /** A test run needs no Project Key and is not billed, so neither is checked. */
  readonly isTestRun: boolean;
  /** The skill the payload was checked for, as it was known then. */
  readonly skill: SkillDetail;
  readonly invocation: Invocation;
  /** How many invocations of the skill the question is about; one where it is left out. */
  readonly count?: number;
  readonly showInput: () => unknown;
  readonly openSkill: () => unknown;
  readonly sendAgain: () => unknown;
  /** Starts the remedy for a skill that is not verified. */
  readonly askPublisher?: () => unknown;
}

/**
 * Resolves to the skill as the registry describes it now, where an invocation of it may be sent; else the
 * user has seen why, or declined. Users never agree to outdated data.
 */
export async function passGates(
  gates: Gates,
  registry: ConnectedRegistry,
  judged: JudgedInvocation,
): Promise<SkillDetail | undefined> {
  const skill = await currentSkill(gates, judged);
  if (skill === undefined) return undefined;
  const verdict = canInvoke(skill);
  if (verdict.kind === "no") {
    const { openSkill, askPublisher, invocation } = judged;
    const notice = notCallableNotice(invocation.skillSlug, verdict, hostLanguage());
    void showNotice(notice, { openSkill, ...(askPublisher && { askPublisher }) });
    return undefined;
  }
  const { isTestRun } = judged;
  const looking = gates.callabilityFacts(skill.summary.slug);
  const facts = await withWaiting(vscode.l10n.t("Loading past invocations"), looking);
  if (facts === undefined) return undefined;
  const advice = describeCallability(skill, isTestRun ? withoutKey(facts) : facts, hostLanguage());
  const maySend =
    (await stillFits(gates, judged, skill)) &&
    (await goesOn(judged, advice)) &&
    (await hasConsent(gates, registry, isTestRun ? asFree(skill) : skill, advice, isTestRun)) &&
    (isTestRun || (await staysUnderDailyLimit(gates.ledger, registry, skill, judged.count)));
  return maySend ? skill : undefined;
}

/**
 * Reads the skill from the registry, which costs one round trip, or a 304. Where that fails, a skill that was
 * free and only computed is sent with the known data: nothing of value depends on it, and the runtime may
 * respond where the list does not. Anything else waits until its terms can be read.
 */
async function currentSkill(
  { details }: Gates,
  { skill, invocation, sendAgain, isTestRun }: JudgedInvocation,
): Promise<SkillDetail | undefined> {
  const { skillSlug: slug, version } = invocation;
  const asked = details.refresh(slug, version === "" ? undefined : version);
  const read = await withWaiting(vscode.l10n.t("Loading {0}", slug), asked);
  if (read === undefined) return undefined;
  if (read.ok) {
    const binding = version === "" ? { slug } : { slug, version };
    const otherVersion = otherVersionGiven(binding, read.value, hostLanguage());
    if (otherVersion === undefined) return read.value;
    void showFailure(otherVersion);
    return undefined;
  }
  const isSafe = !isAtStake(isTestRun ? asFree(skill) : skill);
  if (read.failure.kind !== "notFound" && isSafe) return skill;
  void showNotice(termsUnknownNotice(slug, read.failure, hostLanguage()), { sendAgain });
  return undefined;
}

/** Rechecks the payload where the schema is no longer the one it was checked against. */
async function stillFits(
  { checks }: Gates,
  { skill: before, invocation, showInput }: JudgedInvocation,
  skill: SkillDetail,
): Promise<boolean> {
  if (isDeepStrictEqual(before.inputSchema, skill.inputSchema)) return true;
  const never = new AbortController().signal;
  const checking = checks.checkText(inputSchemaOf(skill), invocation.inputText, never);
  const check = await withWaiting(vscode.l10n.t("Checking the payload"), checking);
  if (check === undefined || check.state === "valid") return check !== undefined;
  if (check.state === "unchecked") return askToSendUnchecked(check);
  void showNotice(schemaChangedNotice(invocation.skillSlug, hostLanguage()), { showInput });
  return false;
}

/**
 * Asks before everything else where the invocation is known not to run: a user who knows that judges a price
 * differently.
 */
async function goesOn(
  { invocation, openSkill }: JudgedInvocation,
  advice: Callability,
): Promise<boolean> {
  const question = callabilityQuestion(invocation.skillSlug, advice, hostLanguage());
  if (question === undefined) return true;
  const { message, detail, agree } = question;
  const open = vscode.l10n.t("Open Skill");
  const answer = await askModal(
    { severity: "warning", message, detail: [detail], maxLineLength: 500 },
    agree,
    open,
  );
  if (answer === open) void openSkill();
  return answer === agree;
}

async function hasConsent(
  { consents, history, objectionTo }: Gates,
  registry: ConnectedRegistry,
  skill: SkillDetail,
  { warning }: Callability,
  isTestRun: boolean,
): Promise<boolean> {
  const { isBuiltIn, origin } = registry;
  const comparing = objectionTo(skill).then((objection) => ({ objection }));
  const compared = await withWaiting(vscode.l10n.t("Reading the reviews"), comparing);
  if (compared === undefined) return false;
  const { objection } = compared;
  if (objection === undefined && !needsConsent(skill, isBuiltIn)) return true;
  const terms = termsOf(registryName(registry), skill);
  const records = await withWaiting(vscode.l10n.t("Loading past invocations"), history.list());
  if (records === undefined) return false;
  const lastKnown = records.find(
    (record) =>
      record.registry === terms.registry &&
      record.skillSlug === terms.skillSlug &&
      typeof record.policy?.maxPermissionLevel === "string",
  );
  const maxPermissionLevel = lastKnown?.policy?.maxPermissionLevel;
  const target = { origin, isBuiltIn, isTestRun, warning: isTestRun ? "" : warning, objection };
  return consents.obtain(
    skill,
    terms,
    maxPermissionLevel === undefined ? target : { ...target, maxPermissionLevel },
  );
}

/** The facts besides the Project Key: neither a missing key nor the registry's response to it concerns a test run. */
function withoutKey({ policy: _, invocations, ...facts }: CallabilityFacts): CallabilityFacts {
  return {
    ...facts,
    hasKey: undefined,
    invocations: invocations.filter(({ status }) => status !== "refused"),
  };
}

async function staysUnderDailyLimit(
  ledger: SpendingLedger,
  registry: ConnectedRegistry,
  skill: SkillDetail,
  count = 1,
): Promise<boolean> {
  const price = invocationPrice(skill);
  const invocation = {
    registry: registryName(registry),
    skillSlug: skill.summary.slug,
    price: price.kind === "amount" ? { ...price, cents: price.cents * count } : price,
  };
  const question = await ledger.question(
    invocation,
    readSettings().dailyLimitCents,
    hostLanguage(),
  );
  if (question === undefined) return true;
  const invokeAnyway = vscode.l10n.t("Invoke Anyway");
  const message = vscode.l10n.t("Exceed your daily spending limit?");
  const answer = await askModal(
    { severity: "warning", message, detail: [question], maxLineLength: 500 },
    invokeAnyway,
  );
  return answer === invokeAnyway;
}

const memoryName = "agreements";

/** Remembers the terms the user agreed to, and asks where those of an invocation are new or have changed. */
export class Consents {
  constructor(private readonly memory: vscode.Memento) {}

  /** Resolves to true where the user agrees, or agreed before to the same terms and no review objects. */
  async obtain(skill: SkillDetail, asked: Terms, target: ConsentTarget): Promise<boolean> {
    const before = agreedTerms(this.agreements(), asked);
    // The agreed price neither matters to a test run nor is changed by it.
    const isPriceKept = target.isTestRun && before !== undefined;
    const terms = isPriceKept ? { ...asked, prices: before.prices } : asked;
    const question = neededQuestion(skill, { now: terms, before }, target, hostLanguage());
    if (question === undefined) return true;
    const { message, detail, agree } = question;
    const review = vscode.l10n.t("Review This Skill…");
    const answer = await askModal(
      { severity: "warning", message, detail: [detail] },
      agree,
      ...(target.objection === undefined ? [] : [review]),
    );
    if (answer === review) {
      void vscode.commands.executeCommand(commandIds.reviewSkill, terms.skillSlug);
    }
    if (answer !== agree) return false;
    if (terms.isPriceUnanswered === true) return true;
    // If it cannot be stored, the user is asked again next time; this invocation can go on.
    this.memory
      .update(memoryName, withAgreement(this.agreements(), terms))
      .then(undefined, () => undefined);
    return true;
  }

  private agreements(): readonly Terms[] {
    return readAgreements(this.memory.get(memoryName));
  }
}
