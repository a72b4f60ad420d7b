import * as vscode from "vscode";
import { needsConsent } from "../../core/invocation/consent/consentQuestion";
import { termsOf } from "../../core/invocation/consent/terms";
import { callPrice } from "../../core/invocation/limits/callPrice";
import { canRun } from "../../core/invocation/permission/canRun";
import { notCallableNotice } from "../../core/invocation/permission/gateNotices";
import type { SkillDetail } from "../../core/skill/skill";
import { notificationText } from "../../core/text/plainText";
import type { InvocationHistory } from "../audit/invocationHistory";
import type { SpendingLedger } from "../audit/spendingLedger";
import { type ConnectedRegistry, registryName } from "../connect/registryConnection";
import { readSettings } from "../settings";
import { hostLanguage } from "../words/hostLanguage";
import { present } from "../words/present";
import { withWaiting } from "./callProgress";
import type { Consents } from "./consents";
import { sha256 } from "./sha256";

/** What is asked before a call: whether it can run, whether the user agrees, and what it costs. */
export interface CallGates {
  readonly consents: Consents;
  readonly ledger: SpendingLedger;
  readonly history: InvocationHistory;
  /** Reads a skill from the registry anew; the one given where that fails. */
  readonly readAgain: (skill: SkillDetail) => Promise<SkillDetail>;
}

/** Resolves to true where a call of `skill` may be sent; else the user was told why, or said no. */
export async function passGates(
  gates: CallGates,
  registry: ConnectedRegistry,
  skill: SkillDetail,
  openSkill: (slug: string) => Promise<void>,
): Promise<boolean> {
  const { slug } = skill.summary;
  // What was read a while ago may say no where the registry has changed its mind since.
  const stale = canRun(skill);
  const current =
    stale.kind === "no"
      ? await withWaiting(
          vscode.l10n.t("Asking the registry about {0}", slug),
          gates.readAgain(skill),
        )
      : skill;
  if (current === undefined) return false;
  const verdict = canRun(current);
  if (verdict.kind === "no") {
    const notice = notCallableNotice(slug, verdict.code, verdict.cure, hostLanguage());
    void present(notice, { openSkill: () => openSkill(slug) });
    return false;
  }
  if (!(await hasConsent(gates, registry, skill))) return false;
  return staysUnderCeiling(gates.ledger, registry, skill);
}

async function hasConsent(
  { consents, history }: CallGates,
  registry: ConnectedRegistry,
  skill: SkillDetail,
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
  const target = { origin, isBuiltIn };
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
