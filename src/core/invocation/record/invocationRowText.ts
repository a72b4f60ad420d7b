import { addressText } from "../../skill/skillAddress";
import type { RowText } from "../../skillList/rows/skillRowText";
import type { TimeFormats } from "../../text/dates";
import { durationText, type Language } from "../../text/language";
import { labelText, markdownText } from "../../text/plainText";
import { costText } from "../cost";
import { endingToExpect } from "../outcome";
import { profileText } from "../profile";
import {
  endingText,
  invocationCountText,
  invocationIdText,
  otherTargetText,
  statusIcon,
  statusText,
  targetText,
  type WindowTarget,
} from "./invocationLabels";
import type { InvocationDay, TrialGroup, TrialRow } from "./invocationList";
import type { InvocationRecord } from "./invocationRecord";
import {
  type InvocationRun,
  runCostText,
  runEndingText,
  runOutputsText,
  runSkillText,
} from "./invocationRuns";

/** A row of the Invocations view, with its tooltip as safe Markdown. */
export interface InvocationRowText extends RowText {
  readonly tooltip: string;
}

/** Additional facts for a row. The row of a run gets those of its newest invocation. */
export interface InvocationRowFacts {
  readonly language: Language;
  readonly times: TimeFormats;
  /** A few words of its payload and output; empty if none are stored. */
  readonly words: string;
  /** The registry's verdict on an unknown outcome; empty for none. */
  readonly verdict: string;
  /** Whether it is below the row of its run, which already names the skill. */
  readonly isOfRun: boolean;
  /** The profile of this window. Rows of other profiles name theirs. */
  readonly profile: string;
  /** The registry and environment of this window. Rows of others name theirs. */
  readonly window: WindowTarget;
  /** Whether this window is making the invocation. */
  readonly canCancel: boolean;
}

/** The maximum length of a label; no side bar is wider. */
const maxLabel = 80;
const maxDescription = 240;

/** Formats the row of a day. */
export function dayRowText(
  { day, title, mayHaveEarlier, records }: InvocationDay,
  language: Language,
): RowText {
  const invocations = invocationCountText(records.length, language);
  const description = mayHaveEarlier
    ? language.t("{invocations} and more", { invocations })
    : invocations;
  const sentence = `${title}, ${description}`;
  return { id: `day:${day}`, label: title, description, sentence, context: "invocationDay" };
}

/** Formats the row that shows more of the record. */
export function moreInvocationsText({ t }: Language): RowText {
  const label = t("Show More");
  const icon = { id: "ellipsis" };
  return { id: "more", label, description: "", sentence: label, icon, context: "more" };
}

/** Formats the row of the trials. */
export function trialsRowText({ trials }: TrialGroup, { t }: Language): RowText {
  const label = t("Trials on This Machine");
  const description = String(trials.length);
  const sentence = `${label}, ${description}`;
  return { id: "trials", label, description, sentence, context: "trials" };
}

/** Formats the row of a trial. */
export function trialRowText(
  { trial }: TrialRow,
  times: TimeFormats,
  language: Language,
): InvocationRowText {
  const { id, startedAt, durationMs, skill, version, address, status } = trial;
  const name = addressText(skill, version);
  const ending = statusText(status, language);
  const took = durationMs > 0 ? durationText(durationMs, language) : "";
  const moment = times.moment(startedAt);
  return {
    id: `trial:${id}`,
    label: labelText(name, maxLabel),
    description: labelText(joined(" · ", ending, moment, took), maxDescription),
    sentence: joined(", ", name, language.t("trial of a manifest"), ending, moment),
    icon: statusIcon(status),
    context: "trial",
    tooltip: joined(
      "\n\n",
      heading(name, ending),
      markdownText(language.t("A trial of a manifest: sent to no registry, and not billed."), 200),
      placeLine(moment, address),
    ),
  };
}

/** Formats the row that says that the record cannot be read. */
export function unreadableRecordText({ t }: Language): RowText {
  const label = t("The record cannot be read");
  const description = t("The log says why");
  const sentence = `${label}. ${description}`;
  const icon = { id: "warning" };
  return { id: "unreadable", label, description, sentence, icon, context: "unreadable" };
}

/** Formats the row of an invocation. */
export function invocationRowText(
  record: InvocationRecord,
  { language, times, words, verdict, isOfRun, profile, window, canCancel }: InvocationRowFacts,
): InvocationRowText {
  const { id, skillSlug, version, startedAt, durationMs, message = "" } = record;
  const skill = addressText(skillSlug, version);
  // The parent row has the day. A pinned invocation has it in its tooltip.
  const time = times.timeOfDay(startedAt);
  const moment = times.moment(startedAt);
  const ending = endingText(record, language);
  const status = verdict === "" ? ending : `${ending} (${verdict})`;
  const took = durationMs > 0 ? durationText(durationMs, language) : "";
  const elsewhere = elsewhereText([record], { profile, window, language });
  const shown = isOfRun ? [status, took, words] : [status, words, time, took];
  return {
    id,
    label: labelText(isOfRun ? time : skill, maxLabel),
    description: labelText(joined(" · ", ...shown, elsewhere), maxDescription),
    sentence: joined(", ", skill, status, moment, words, elsewhere),
    icon: statusIcon(record.status),
    context: contextOf("invocation", record, canCancel),
    tooltip: joined(
      "\n\n",
      heading(skill, status),
      markdownText(message, 400),
      costLine(costText(record, language), language),
      markdownText(invocationIdText(record, language), 250),
      placeLine(moment, targetText(record, language), profileText(record.profile, language)),
    ),
  };
}

/** Formats the row of consecutive invocations of one payload. */
export function runRowText(
  run: InvocationRun,
  { language, times, words, profile, window }: InvocationRowFacts,
): InvocationRowText {
  const { records } = run;
  const [newest] = records;
  const oldest = records.at(-1) ?? newest;
  const skill = runSkillText(run);
  const endings = runEndingText(run, language);
  const outputs = runOutputsText(run, language);
  const span = `${times.timeOfDay(oldest.startedAt)} – ${times.timeOfDay(newest.startedAt)}`;
  const shown = [
    endings,
    outputs,
    words,
    span,
    elsewhereText(records, { profile, window, language }),
  ];
  return {
    id: `run:${run.run}`,
    label: labelText(skill, maxLabel),
    description: labelText(joined(" · ", ...shown), maxDescription),
    sentence: joined(", ", skill, invocationCountText(records.length, language), ...shown),
    icon: statusIcon(newest.status),
    // Pinned invocations have a group of their own, so that a run is pinned as a whole or not at all.
    context: contextOf("invocationRun", newest, false),
    tooltip: joined(
      "\n\n",
      heading(skill, endings),
      outputs,
      costLine(runCostText(run, language), language),
      placeLine(span, targetText(newest, language)),
    ),
  };
}

/** Returns the context value for the menus of a row. The commands of a run's row apply to its newest invocation. */
function contextOf(
  kind: "invocation" | "invocationRun",
  record: InvocationRecord,
  canCancel: boolean,
): string {
  const { invocationId, ran, responseSha256, pinned } = record;
  const hasOutput = ran === "yes" || ran === "acceptedOnly" || responseSha256 !== undefined;
  return joined(
    " ",
    kind,
    invocationId === undefined ? "" : "withId",
    hasOutput ? "withOutput" : "",
    endingToExpect(record) === undefined ? "" : "testable",
    pinned ? "pinned" : "loose",
    canCancel ? "cancelable" : "",
  );
}

function heading(skill: string, ending: string): string {
  return `**${markdownText(skill, 80)}**: ${markdownText(ending, 160)}`;
}

function costLine(cost: string, { t }: Language): string {
  return cost === "" ? "" : markdownText(t("Cost: {cost}", { cost }), 120);
}

function placeLine(...parts: readonly string[]): string {
  return parts.map((part) => markdownText(part, 120)).join(" · ");
}

/** Names the registries, environments and profiles of invocations other than this window's; empty for none. */
function elsewhereText(
  records: readonly InvocationRecord[],
  { profile, window, language }: Pick<InvocationRowFacts, "profile" | "window" | "language">,
): string {
  const targets = records.map((record) => otherTargetText(record, window, language));
  const profiles = records.map((record) =>
    record.profile === profile ? "" : profileText(record.profile, language),
  );
  return joined(" · ", ...new Set(targets), ...new Set(profiles));
}

function joined(separator: string, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(separator);
}
