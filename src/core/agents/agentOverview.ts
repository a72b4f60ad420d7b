import type { InvocationRecord } from "../invocation/record/invocationRecord";
import { levelName } from "../skill/permissions";
import { timeFormats } from "../text/dates";
import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import { oneLine } from "../text/plainText";
import { type AgentAgreement, type AgentSettings, isExpired } from "./agentAgreements";
import { shortHash } from "./agentQuestions";

/** All that a person wants to know of agents. */
export interface AgentOverview {
  readonly settings: AgentSettings;
  /** Whether the user's settings have agents on. */
  readonly isEnabled: boolean;
  /** `YYYY-MM-DD` by UTC. */
  readonly today: string;
  /** What agents spent today, in hundredths of whatever currencies. */
  readonly centsToday: number;
  /** Invocations of agents, newest first. */
  readonly records: readonly InvocationRecord[];
  /** What was refused, newest first. */
  readonly refused: readonly {
    readonly at: number;
    readonly skill: string;
    readonly code: string;
    readonly caller: { readonly kind: string; readonly name?: string };
  }[];
}

const maxRows = 20;

/** Writes what agents may do, what they did and what they were refused, as lines of text. */
export function agentOverviewText(overview: AgentOverview, language: Language): string {
  const { t } = language;
  const { settings, isEnabled, today, centsToday, records, refused } = overview;
  const { limits, skills } = settings;
  const { moment } = timeFormats(language);
  const state = !isEnabled
    ? t("Agents are turned off in the settings.")
    : settings.stopped === true
      ? t("Agents are stopped.")
      : t("Agents may invoke the skills below, and no others.");
  const money = (cents: number) => moneyText(cents, undefined, language);
  return [
    t("What Agents May Do"),
    "",
    state,
    t("Limits: {calls} invocations a session, {cents} a day, {level} at most.", {
      calls: limits.callsPerSession,
      cents: money(limits.centsPerDay),
      level: levelName(limits.maxPermissionLevel, language),
    }),
    t("Spent today: {cents}.", { cents: money(centsToday) }),
    "",
    t("Allowed skills"),
    ...listed(
      skills.map((one) =>
        [
          `${one.skill}@${one.version}`,
          ...agreementFacts(one, today, language),
          shortHash(one.contractHash),
          one.registry,
        ].join(" · "),
      ),
      language,
    ),
    "",
    t("Last invocations by agents"),
    ...listed(
      records
        .slice(0, maxRows)
        .map(({ startedAt, skillSlug, status, caller, reason }) =>
          [moment(startedAt), skillSlug, status, caller?.name ?? caller?.kind ?? "", reason ?? ""]
            .filter((text) => text !== "")
            .join(" · "),
        ),
      language,
    ),
    "",
    t("Last refusals"),
    ...listed(
      refused
        .slice(0, maxRows)
        .map(({ at, skill, code, caller }) =>
          [moment(at), skill, code, caller.name ?? caller.kind].join(" · "),
        ),
      language,
    ),
    "",
  ].join("\n");
}

/** Lists how agents may invoke a skill, within which limits, and until when or why no longer. */
export function agreementFacts(
  { mode, centsPerDay, callsPerDay, ...agreement }: AgentAgreement,
  today: string,
  language: Language,
): readonly string[] {
  const { t } = language;
  const cents = moneyText(centsPerDay, undefined, language);
  return [
    mode === "ask" ? t("asks each time") : t("without asking, within limits"),
    t("{cents} a day, {calls} invocations a day", { cents, calls: callsPerDay }),
    agreement.suspended !== undefined
      ? t("suspended: its contract changed")
      : isExpired(agreement, today)
        ? t("expired")
        : t("until {day}", { day: agreement.until }),
  ];
}

function listed(lines: readonly string[], { t }: Language): readonly string[] {
  return lines.length === 0 ? [`  ${t("None")}`] : lines.map((line) => `  ${oneLine(line, 400)}`);
}
