import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { type AgentSettings, agreementAbout } from "./agentAgreements";
import { agreementFacts } from "./agentOverview";
import { shortHash } from "./agentQuestions";

/** What a person lets agents do with a skill, as text for its page. */
export interface AgentNote {
  /** Whether agents may invoke it, and then how, within which limits, until when and by which contract. */
  readonly lines: readonly string[];
}

/**
 * Describes what a person lets agents do with a skill at a registry; undefined where nothing was agreed to. `today` is
 * `YYYY-MM-DD` by UTC.
 */
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
  const version = oneLine(agreement.version, 60);
  return {
    lines: [
      ...(settings.stopped === true ? [t("Agents are stopped.")] : []),
      t("Version {version}", { version }),
      ...agreementFacts(agreement, today, language),
      t("Contract: {hash}", { hash: shortHash(agreement.contractHash) }),
    ],
  };
}
