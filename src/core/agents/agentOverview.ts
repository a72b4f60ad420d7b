import type { InvocationRecord } from "../invocation/record/invocationRecord";
import { levelName } from "../skill/permissions";
import { timeFormats } from "../text/dates";
import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import { oneLine } from "../text/plainText";
import { type AgentAgreement, type AgentSettings, isExpired } from "./agentAgreements";
import type { AgentRefusalCode } from "./agentGates";
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

/** As many as are read; the record has the rest. */
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
          [moment(at), skill, refusedText(code, language), caller.name ?? caller.kind].join(" · "),
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

/** Says why an agent was refused; the code itself where a newer version wrote it. */
function refusedText(code: string, { t }: Language): string {
  const texts: Readonly<Record<AgentRefusalCode | "replayed", string>> = {
    agentsOff: t("agents were turned off or stopped"),
    badArguments: t("the call could not be understood"),
    notAllowed: t("agents may not invoke it"),
    agreementExpired: t("what was allowed has expired"),
    contractMissing: t("the registry did not return all of its contract"),
    contractChanged: t("its contract is another one than was agreed to"),
    registryUnreachable: t("the registry could not be reached"),
    notCallable: t("the Project Key cannot invoke it"),
    reviewObjects: t("the team's reviews object"),
    workspaceNarrows: t("the folder's policy does not allow it"),
    levelExceeded: t("its permission level is too high"),
    payloadInvalid: t("the payload was not valid"),
    payloadUnchecked: t("the payload could not be checked"),
    payloadHasSecret: t("the payload appeared to have a credential"),
    numberLosesDigits: t("a number lost digits"),
    outcomeUnknownBefore: t("the outcome of the same one is unknown"),
    callLimit: t("the limit of invocations was reached"),
    spendingLimit: t("it costs more than agents may spend"),
    priceUnknown: t("its price is not known"),
    rateLimited: t("the rate limit was reached"),
    declined: t("a person said no"),
    noPerson: t("nobody could be asked"),
    missingProjectKey: t("there was no Project Key"),
    recordFailed: t("it could not be recorded"),
    canceled: t("it was canceled"),
    replayed: t("answered from the record, nothing was sent"),
  };
  return Object.hasOwn(texts, code) ? texts[code as keyof typeof texts] : code;
}

function listed(lines: readonly string[], { t }: Language): readonly string[] {
  return lines.length === 0 ? [`  ${t("None")}`] : lines.map((line) => `  ${oneLine(line, 400)}`);
}
