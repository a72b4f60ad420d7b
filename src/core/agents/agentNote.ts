import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { type AgentSettings, agreementAbout, isInForce } from "./agentAgreements";
import { modeText, skillLimitsText, standingText } from "./agentOverview";
import { shortHash } from "./agentQuestions";

/** The agreement about a skill, as text for its page. */
export interface AgentNote {
  /** Labels and values of an agreement: its last day, its mode, its limits and its contract. */
  readonly rows: readonly (readonly [string, string])[];
  /** Whether the agreement is valid: neither suspended nor expired. */
  readonly isInForce: boolean;
}

/** Describes the agreement about a skill at a registry; undefined for none. `today` is `YYYY-MM-DD` by UTC. */
export function agentNote(
  settings: AgentSettings,
  registry: string,
  slug: string,
  today: string,
  language: Language,
): AgentNote | undefined {
  const agreement = agreementAbout(settings, registry, slug);
  if (agreement === undefined) return undefined;
  const { t } = language;
  const standing = standingText(agreement, today, language);
  return {
    rows: [
      [t("Version"), oneLine(agreement.version, 60)],
      [t("Allowed"), settings.stopped === true ? t("Agents are stopped.") : standing],
      [t("Mode"), modeText(agreement.mode, language)],
      [t("Limits"), skillLimitsText(agreement, language)],
      [t("Contract"), shortHash(agreement.contractHash)],
    ],
    isInForce: isInForce(agreement, today),
  };
}
