import type { RefusedCall } from "../audit/auditEvent";
import { callerText, endingText } from "../invocation/record/invocationLabels";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { AgentSpending } from "../invocation/spending";
import { type SchemaMistake, schemaMistakesText } from "../schema/explain/schemaMistakes";
import { levelName } from "../skill/permissions";
import { dayText, localMinute, timeFormats } from "../text/dates";
import type { Language } from "../text/language";
import { lowerFirst, oneLine } from "../text/plainText";
import {
  type AgentAgreement,
  type AgentLimits,
  type AgentMode,
  type AgentSettings,
  isExpired,
} from "./agentAgreements";
import type { AgentRefusalCode } from "./gates/agentRefusal";
import { hasTooManyTools, noToolText } from "./typedTools";

/** The facts for an overview of agents. */
export interface AgentOverview {
  readonly settings: AgentSettings;
  /** The registry in use, as agreements name it; empty for none. */
  readonly registry: string;
  /** `YYYY-MM-DD` by UTC. */
  readonly today: string;
  /** Returns the spending of agents today, on a skill of a registry and in total. */
  readonly spentOn: (registry: string, skill: string) => AgentSpending;
  /** Invocations of agents, newest first. */
  readonly records: readonly InvocationRecord[];
  /** Refusals, newest first. */
  readonly refused: readonly RefusedCall[];
  /** Likely mistakes in the input schemas of allowed skills. */
  readonly mistakes: ReadonlyMap<AgentAgreement, readonly SchemaMistake[]>;
}

/** The action of a row. */
export type AgentAction =
  | { readonly kind: "stop" | "setLimits" }
  | { readonly kind: "change"; readonly agreement: AgentAgreement }
  /** Allows a skill; without one, asks for it. */
  | { readonly kind: "allow"; readonly slug?: string }
  | { readonly kind: "openSkill"; readonly slug: string }
  | { readonly kind: "openInvocation"; readonly id: string }
  | { readonly kind: "none" };

/** One row of the overview. */
export interface AgentRow {
  /** The row's heading; empty for none. */
  readonly group: string;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly action: AgentAction;
}

/** The maximum number of rows of one kind; the record has the rest. */
const maxRows = 20;

/** Lists the permissions, calls and refusals of agents, each with its action. `moment` formats times. */
export function agentOverview(
  overview: AgentOverview,
  language: Language,
  moment: (time: number) => string = timeFormats(language).moment,
): readonly AgentRow[] {
  const { settings, today, spentOn, records, refused, mistakes } = overview;
  const { t } = language;
  const registries = new Set(settings.skills.map(({ registry }) => registry));
  const tooMany = new Map(
    [...registries].map((registry) => [registry, hasTooManyTools(settings, registry, today)]),
  );
  const headings = { skills: t("Allowed skills"), calls: t("Last invocations by agents") };
  return [
    ...generalRows(overview, language),
    ...settings.skills.map((agreement) => {
      const { skillCalls, skillCents } = spentOn(agreement.registry, agreement.skill);
      return {
        group: headings.skills,
        label: `${agreement.skill}@${agreement.version}`,
        description: [
          modeText(agreement.mode, language),
          standingText(agreement, today, language),
        ].join(" · "),
        detail: [
          t("Today: {cents} of {mostCents} cents, {calls} of {mostCalls} invocations", {
            cents: Number.isFinite(skillCents) ? skillCents : t("several currencies"),
            mostCents: agreement.centsPerDay,
            calls: skillCalls,
            mostCalls: agreement.callsPerDay,
          }),
          ...(agreement.registry === overview.registry ? [] : [agreement.registry]),
          noToolText(agreement, tooMany.get(agreement.registry) === true, language),
          schemaMistakesText(agreement.skill, "input", mistakes.get(agreement) ?? [], language),
        ]
          .filter((text) => text !== "")
          .join(" · "),
        action: { kind: "change", agreement } as const,
      };
    }),
    ...records.slice(0, maxRows).map((record) => ({
      group: headings.calls,
      label: `${record.skillSlug}@${record.version}`,
      description: [endingText(record, language), moment(record.startedAt)].join(" · "),
      detail: [calledBy(record.caller, language), record.agentReason ?? ""]
        .filter((text) => text !== "")
        .join(" · "),
      action: { kind: "openInvocation", id: record.id } as const,
    })),
    ...sameRefusals(refused)
      .slice(0, maxRows)
      .map(({ refusal, count }) => ({
        group: t("Last refusals"),
        label: refusal.skill,
        description: [
          refusedText(refusal.code, language),
          count === 1 ? "" : t("{count} times", { count }),
        ]
          .filter((text) => text !== "")
          .join(" · "),
        detail: [moment(refusal.at), calledBy(refusal.caller, language)].join(" · "),
        action: actionAfter(refusal, overview.registry),
      })),
  ];
}

/** Merges refusals of a skill for the same reason into one row with their number, since an agent may keep trying. */
function sameRefusals(
  refused: readonly RefusedCall[],
): readonly { readonly refusal: RefusedCall; readonly count: number }[] {
  const groups = new Map<string, RefusedCall[]>();
  for (const refusal of refused) {
    const { registry, skill, code, caller } = refusal;
    const key = JSON.stringify([registry, skill, code, caller.kind, caller.name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [refusal]);
    else group.push(refusal);
  }
  return [...groups.values()].flatMap(([refusal, ...others]) =>
    refusal === undefined ? [] : [{ refusal, count: others.length + 1 }],
  );
}

function generalRows(
  { settings, spentOn }: AgentOverview,
  language: Language,
): readonly AgentRow[] {
  const { t } = language;
  const { limits, stopped, skills } = settings;
  const allowed =
    skills.length === 0
      ? t("Agents may invoke no skill yet.")
      : t("Agents may invoke the skills below, and no others.");
  return [
    {
      group: "",
      label: t("Set Agent Limits…"),
      description: limitsText(limits, language),
      detail: t("Spent today: {cents} cents", { cents: spentOn("", "").cents }),
      action: { kind: "setLimits" },
    },
    {
      group: "",
      label: t("Allow a Skill…"),
      description: stopped === true ? "" : allowed,
      detail: "",
      action: { kind: "allow" },
    },
    {
      group: "",
      label: stopped === true ? t("Resume Agents") : t("Stop Agents"),
      description: stopped === true ? t("Agents are stopped.") : "",
      detail: "",
      action: { kind: "stop" },
    },
  ];
}

/** Describes the limits for all agents. */
export function limitsText(limits: AgentLimits, language: Language): string {
  return language.t("{calls} invocations a session, {cents} cents a day, {level} at most", {
    calls: limits.callsPerSession,
    cents: limits.centsPerDay,
    level: lowerFirst(levelName(limits.maxPermissionLevel, language)),
  });
}

function calledBy(caller: InvocationRecord["caller"], language: Language): string {
  return caller === undefined ? "" : (caller.name ?? callerText(caller.kind, language));
}

/**
 * Returns the most helpful action after a refusal. Returns `none` for a refusal at another registry, since actions
 * apply to the registry in use.
 */
function actionAfter({ code, skill, registry }: RefusedCall, current: string): AgentAction {
  if (registry !== current) return { kind: "none" };
  switch (code) {
    case "agentsOff":
      return { kind: "stop" };
    case "notAllowed":
    case "agreementExpired":
    case "contractChanged":
    case "noPerson":
    case "callLimit":
    case "spendingLimit":
      return { kind: "allow", slug: skill };
    case "levelExceeded":
      return { kind: "setLimits" };
    default:
      return { kind: "openSkill", slug: skill };
  }
}

/** Writes the rows as text for a terminal, with times in the format that the options of the command line accept. */
export function agentOverviewText(overview: AgentOverview, language: Language): string {
  const rows = agentOverview(overview, language, localMinute);
  return rows
    .flatMap(({ group, label, description, detail }, index) => {
      // The label of a row without a heading names an action, which a terminal does not offer.
      const texts = [group === "" ? "" : label, description, detail].filter((text) => text !== "");
      const line = oneLine(texts.join(" · "), 400);
      if (group === "") return line === "" ? [] : [line];
      return group === rows[index - 1]?.group ? [`  ${line}`] : ["", group, `  ${line}`];
    })
    .concat("")
    .join("\n");
}

/** Describes the limits for one skill. */
export function skillLimitsText(
  { centsPerDay, callsPerDay }: AgentAgreement,
  { t }: Language,
): string {
  return t("{cents} cents a day, {calls} invocations a day", {
    cents: centsPerDay,
    calls: callsPerDay,
  });
}

/** Describes how long agents may invoke a skill, or why they no longer may. `today` is `YYYY-MM-DD` by UTC. */
export function standingText(agreement: AgentAgreement, today: string, language: Language): string {
  const { t } = language;
  if (agreement.suspended !== undefined) return t("suspended: its contract changed");
  if (isExpired(agreement, today)) return t("expired");
  return t("until {day}", { day: lastDayText(agreement, language) });
}

/** Formats the last valid day of an agreement. Noon in UTC falls on that day in nearly every time zone. */
export function lastDayText({ until }: AgentAgreement, language: Language): string {
  return dayText(Date.parse(`${until}T12:00:00Z`), language);
}

/** Describes whether a person is asked about each invocation. */
export function modeText(mode: AgentMode, { t }: Language): string {
  return mode === "ask" ? t("asks each time") : t("without asking, within limits");
}

/** Describes a refusal. Returns the code itself if a newer version wrote it. */
function refusedText(code: string, { t }: Language): string {
  const texts: Readonly<Record<AgentRefusalCode | "replayed", string>> = {
    agentsOff: t("agents were turned off or stopped"),
    badArguments: t("the call could not be understood"),
    notAllowed: t("agents are not allowed to invoke it"),
    agreementExpired: t("the permission has expired"),
    contractMissing: t("the registry did not return the whole contract"),
    contractChanged: t("its contract changed since it was allowed"),
    wrongContractHash: t("the call named another contract hash than the skill's"),
    registryUnreachable: t("the registry could not be reached"),
    notCallable: t("the Project Key cannot invoke it"),
    reviewObjects: t("the team's reviews object"),
    workspaceNarrows: t("the folder's policy does not allow it"),
    levelExceeded: t("its permission level is too high"),
    payloadInvalid: t("the payload was not valid"),
    payloadUnchecked: t("the payload could not be checked"),
    payloadHasSecret: t("the payload appeared to have a credential"),
    numberLosesDigits: t("a number lost digits"),
    outcomeUnknownBefore: t("the outcome of the same call is unknown"),
    callLimit: t("the limit of invocations was reached"),
    spendingLimit: t("it costs more than agents may spend"),
    priceUnknown: t("its price is not known"),
    rateLimited: t("the rate limit was reached"),
    declined: t("a person declined"),
    noPerson: t("nobody could be asked"),
    missingProjectKey: t("there was no Project Key"),
    recordFailed: t("it could not be recorded"),
    canceled: t("it was canceled"),
    replayed: t("answered from the record, nothing was sent"),
  };
  return Object.hasOwn(texts, code) ? texts[code as keyof typeof texts] : code;
}
