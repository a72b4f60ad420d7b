import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { isAtStake, needsConsent } from "../../core/invocation/consent/consentQuestion";
import { termsOf } from "../../core/invocation/consent/terms";
import type { Invocation } from "../../core/invocation/invocation";
import { callPrice } from "../../core/invocation/limits/callPrice";
import { canRun } from "../../core/invocation/permission/canRun";
import {
  notCallableNotice,
  runQuestion,
  schemaChangedNotice,
  termsUnknownNotice,
} from "../../core/invocation/permission/gateNotices";
import { type RunAdvice, type RunFacts, runAdvice } from "../../core/skill/description/runAdvice";
import type { SkillDetail } from "../../core/skill/skill";
import { notificationText } from "../../core/text/plainText";
import type { InvocationHistory } from "../audit/invocationHistory";
import type { SpendingLedger } from "../audit/spendingLedger";
import { otherVersionGiven } from "../author/otherVersionGiven";
import type { PayloadChecks } from "../author/payloadChecks";
import { type ConnectedRegistry, registryName } from "../connect/registryConnection";
import type { SkillDetails } from "../inspect/skillDetails";
import { readSettings } from "../settings";
import { hostLanguage } from "../words/hostLanguage";
import { present, presentFailure } from "../words/present";
import { withWaiting } from "./callProgress";
import type { Consents } from "./consents";
import { askToSendUnchecked } from "./preparePayload";
import { sha256 } from "./sha256";

/** What is asked before an invocation: whether it can run, whether the user agrees, and what it costs. */
export interface CallGates {
  readonly consents: Consents;
  readonly ledger: SpendingLedger;
  readonly history: InvocationHistory;
  /** Finds out what is known of running a skill. Never rejects. */
  readonly runFacts: (slug: string) => Promise<RunFacts>;
  readonly details: Pick<SkillDetails, "refresh">;
  readonly checks: Pick<PayloadChecks, "checkText">;
}

/** What the gates judge, and what their notices can do. */
export interface JudgedCall {
  /** The skill the payload was checked for, as it was known then. */
  readonly skill: SkillDetail;
  readonly call: Invocation;
  readonly showInput: () => unknown;
  readonly openSkill: () => unknown;
  readonly sendAgain: () => unknown;
}

/**
 * Resolves to the skill as the registry describes it now, where an invocation of it may be sent; else
 * the user was told why, or said no. What was read earlier is never what somebody agrees to.
 */
export async function passGates(
  gates: CallGates,
  registry: ConnectedRegistry,
  judged: JudgedCall,
): Promise<SkillDetail | undefined> {
  const skill = await currentSkill(gates, judged);
  if (skill === undefined) return undefined;
  const verdict = canRun(skill);
  if (verdict.kind === "no") {
    const { openSkill, call } = judged;
    const notice = notCallableNotice(call.skillSlug, verdict.code, verdict.cure, hostLanguage());
    void present(notice, { openSkill });
    return undefined;
  }
  const looking = gates.runFacts(skill.summary.slug);
  const facts = await withWaiting(vscode.l10n.t("Reading the record"), looking);
  if (facts === undefined) return undefined;
  const advice = runAdvice(skill, facts, hostLanguage());
  const maySend =
    (await stillFits(gates, judged, skill)) &&
    (await goesOn(judged, advice)) &&
    (await hasConsent(gates, registry, skill, advice)) &&
    (await staysUnderCeiling(gates.ledger, registry, skill));
  return maySend ? skill : undefined;
}

/**
 * Reads the skill from the registry, which costs one round trip, or a 304 of it. Where that fails, a
 * skill that was free and computed alone is sent by what was known: nothing of value depends on it, and
 * the runtime may answer where the list does not. Anything else waits until its terms can be read.
 */
async function currentSkill(
  { details }: CallGates,
  { skill, call, sendAgain }: JudgedCall,
): Promise<SkillDetail | undefined> {
  const { skillSlug: slug, version } = call;
  const asked = details.refresh(slug, version === "" ? undefined : version);
  const read = await withWaiting(vscode.l10n.t("Asking the registry about {0}", slug), asked);
  if (read === undefined) return undefined;
  if (read.ok) {
    const binding = version === "" ? { slug } : { slug, version };
    const otherVersion = otherVersionGiven(binding, read.value);
    if (otherVersion === undefined) return read.value;
    void presentFailure(otherVersion);
    return undefined;
  }
  if (read.failure.kind !== "notFound" && !isAtStake(skill)) return skill;
  void present(termsUnknownNotice(slug, read.failure, hostLanguage()), { sendAgain });
  return undefined;
}

/** Checks the payload anew where the schema is no longer the one it was checked against. */
async function stillFits(
  { checks }: CallGates,
  { skill: before, call, showInput }: JudgedCall,
  skill: SkillDetail,
): Promise<boolean> {
  if (isDeepStrictEqual(before.inputSchema, skill.inputSchema)) return true;
  const never = new AbortController().signal;
  const checking = checks.checkText(skill, call.inputText, never);
  const check = await withWaiting(vscode.l10n.t("Checking the input"), checking);
  if (check === undefined || check.state === "valid") return check !== undefined;
  if (check.state === "unchecked") return askToSendUnchecked(check);
  void present(schemaChangedNotice(call.skillSlug, hostLanguage()), { showInput });
  return false;
}

/** Asks first where the invocation is known not to run: with that in mind, a price is judged otherwise. */
async function goesOn({ call, openSkill }: JudgedCall, advice: RunAdvice): Promise<boolean> {
  const question = runQuestion(call.skillSlug, advice, hostLanguage());
  if (question === undefined) return true;
  const { message, detail, agree } = question;
  const open = vscode.l10n.t("Open Skill");
  const answer = await vscode.window.showWarningMessage(
    notificationText(message, 200),
    { modal: true, detail: detail.map((line) => notificationText(line, 500)).join("\n") },
    agree,
    open,
  );
  if (answer === open) void openSkill();
  return answer === agree;
}

async function hasConsent(
  { consents, history }: CallGates,
  registry: ConnectedRegistry,
  skill: SkillDetail,
  { warning }: RunAdvice,
): Promise<boolean> {
  const { isBuiltIn, origin } = registry;
  if (!needsConsent(skill, isBuiltIn)) return true;
  const terms = termsOf(registryName(registry), skill, sha256);
  const records = await withWaiting(vscode.l10n.t("Reading the record"), history.list());
  if (records === undefined) return false;
  const told = records.find(
    (record) =>
      record.registry === terms.registry &&
      record.skillSlug === terms.skillSlug &&
      typeof record.policy?.maxPermissionLevel === "string",
  );
  const maxPermissionLevel = told?.policy?.maxPermissionLevel;
  const target = { origin, isBuiltIn, warning };
  return consents.obtain(
    terms,
    maxPermissionLevel === undefined ? target : { ...target, maxPermissionLevel },
  );
}

async function staysUnderCeiling(
  ledger: SpendingLedger,
  registry: ConnectedRegistry,
  skill: SkillDetail,
): Promise<boolean> {
  const call = {
    registry: registryName(registry),
    skillSlug: skill.summary.slug,
    price: callPrice(skill),
  };
  const question = await ledger.question(call, readSettings().dailyCeilingCents);
  if (question === undefined) return true;
  const callAnyway = vscode.l10n.t("Call Anyway");
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t("Call it over your daily ceiling?"),
    { modal: true, detail: notificationText(question) },
    callAnyway,
  );
  return answer === callAnyway;
}
