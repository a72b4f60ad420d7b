import { userInfo } from "node:os";
import * as vscode from "vscode";
import type { KeptAgentSettings } from "../../agents/keptAgentSettings";
import { changesSinceAllowed } from "../../agents/skillGate";
import {
  type AgentMode,
  agreementAbout,
  agreementFor,
  defaultCallsPerDay,
  isInForce,
  withAgreementAbout,
} from "../../core/agents/agentAgreements";
import { allowQuestion } from "../../core/agents/agentQuestions";
import { skillMistakes } from "../../core/findings/skillMistakes";
import type { CallabilityFacts } from "../../core/invocation/permission/callabilityFacts";
import { registryName } from "../../core/registry/registryName";
import { unknownContractText } from "../../core/review/driftText";
import { invocationPrice } from "../../core/skill/price";
import { addressText } from "../../core/skill/skillAddress";
import { utcDay } from "../../core/text/dates";
import { sha256 } from "../../engine/sha256";
import type { PayloadChecks } from "../author/payloadChecks";
import type { ConnectedRegistry } from "../connect/registryConnection";
import type { SkillDetails } from "../inspect/skillDetails";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import { hostLanguage } from "../ui/hostLanguage";
import { askModal, showStatus, warn } from "../ui/messages";
import { readShown } from "../ui/progress";
import { askForCents, changeAgreement, changeOrReport, endAgreement } from "./changeLimits";

/** The dependencies of allowing agents to invoke a skill. */
export interface AllowParts {
  readonly settings: KeptAgentSettings;
  readonly details: SkillDetails;
  readonly reviews: Pick<WorkspaceReviews, "reviewedContract">;
  readonly checks: Pick<PayloadChecks, "mistakes">;
  /** Collects the known facts about whether a skill would run. */
  readonly callabilityFacts: (slug: string) => Promise<CallabilityFacts>;
}

const defaultCents = 100;

/**
 * Changes the permissions of agents for an allowed skill. For any other skill, asks whether they may invoke it with its
 * current description, and stores the answer.
 */
export async function allowOrChange(
  slug: string,
  registry: ConnectedRegistry,
  parts: AllowParts,
): Promise<void> {
  const { settings } = parts;
  const agreement = agreementAbout(await settings.get(), registryName(registry), slug);
  const allow = () => allowAgents(slug, registry, parts);
  if (agreement === undefined || !isInForce(agreement, utcDay(Date.now()))) return allow();
  return changeAgreement(settings, agreement, allow);
}

async function allowAgents(
  slug: string,
  registry: ConnectedRegistry,
  { settings, details, reviews, checks, callabilityFacts }: AllowParts,
): Promise<void> {
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), () => details.refresh(slug));
  if (skill === undefined) return;
  const name = registryName(registry);
  const before = agreementAbout(await settings.get(), name, slug);
  const auto = vscode.l10n.t("Without Asking, within Limits");
  const ask = vscode.l10n.t("Ask Each Time");
  const forbid = vscode.l10n.t("No Longer Allow");
  const chosen = {
    registry: name,
    mode: "ask" as AgentMode,
    callsPerDay: before?.callsPerDay ?? defaultCallsPerDay,
    who: userInfo().username,
  };
  const reviewed = await reviews.reviewedContract(skill.summary);
  const terms = { ...chosen, centsPerDay: 0, now: Date.now() };
  const made = agreementFor(skill, terms, sha256, reviewed);
  const language = hostLanguage();
  if ("unknown" in made) {
    const address = addressText(slug, skill.summary.version);
    return void warn(unknownContractText(address, made.unknown, language));
  }
  const facts = await callabilityFacts(slug);
  const allowed = await settings.get();
  const { message, detail } = allowQuestion(skill, made, registry, allowed, facts, language);
  const changes = changesSinceAllowed(skill, before, language);
  const mistakes = await skillMistakes(skill, checks.mistakes, language);
  // Enter presses the first button, which asks a person about each invocation.
  const buttons = [ask, auto, ...(before === undefined ? [] : [forbid])];
  const answer = await askModal({ message, detail: [changes, mistakes, detail] }, ...buttons);
  if (answer === forbid) {
    return endAgreement(settings, { registry: name, skill: slug });
  }
  if (answer !== auto && answer !== ask) return;
  const centsPerDay =
    invocationPrice(skill).kind === "free"
      ? 0
      : await askForCents(slug, before?.centsPerDay ?? defaultCents);
  if (centsPerDay === undefined) return;
  const mode = answer === auto ? "auto" : "ask";
  const agreed = { ...made, mode, centsPerDay } as const;
  const isSaved = await changeOrReport(settings, (all) => withAgreementAbout(all, agreed));
  if (isSaved) showStatus("pass", vscode.l10n.t("Agents may invoke {0}.", slug));
}
