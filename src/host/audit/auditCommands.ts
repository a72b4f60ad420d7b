import * as vscode from "vscode";
import { longStrings, type OutputString } from "../../core/invocation/output/outputParts";
import { csvHead, recordsAsJsonLines, rowsAsCsv } from "../../core/invocation/record/exportRecords";
import {
  endingText,
  invocationCountText,
  invocationIdText,
} from "../../core/invocation/record/invocationLabels";
import {
  hadOutput,
  isFiltering,
  noFilter,
  previousCandidatesQuery,
  previousInvocation,
} from "../../core/invocation/record/invocationList";
import { type InvocationRecord, isRecordId } from "../../core/invocation/record/invocationRecord";
import type { InvocationRun } from "../../core/invocation/record/invocationRuns";
import { longestShownOutput } from "../../core/invocation/record/outputBlock";
import { queryOf, type RecordQuery } from "../../core/invocation/record/recordQuery";
import { addressText } from "../../core/skill/skillAddress";
import { timeFormats } from "../../core/text/dates";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { TrialRecord } from "../../engine/record/trialRecord";
import { doneWithin } from "../../registry/wait";
import type { SkillDetails } from "../inspect/skillDetails";
import type { CommandHandlers } from "../registerCommands";
import { rowArguments } from "../registerCommands";
import { showDifference } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { copyText, inform } from "../ui/messages";
import { choose } from "../ui/quickInput/choose";
import { askForFile, writeBytes } from "../ui/saveText";
import { countRow, deleteRange, deleteSelected } from "./deleteInvocations";
import { filterInvocations } from "./filterInvocations";
import type { InvocationsView } from "./invocationsView";
import {
  type InvocationDocuments,
  invocationUri,
  isResultInFront,
  type OutputDocuments,
  outputUri,
  recordIdOf,
  showNoOutput,
} from "./outputDocuments";

/** The dependencies of the commands for past invocations. */
interface AuditParts {
  readonly history: InvocationHistory;
  readonly trials: TrialRecord;
  readonly view: InvocationsView;
  readonly documents: InvocationDocuments;
  readonly outputs: OutputDocuments;
  readonly details: SkillDetails;
  /** Opens a JSON text as a new payload of a skill that accepts it, chosen by the user. */
  readonly usePayload: (text: string) => Promise<void>;
}

/** Builds the commands for past invocations. Each takes a row of the view, or asks for an invocation. */
export function auditCommands(parts: AuditParts) {
  const { history, view, documents, outputs, details } = parts;
  const words = (record: InvocationRecord) => outputs.words(record);
  const ofOutput = {
    among: hadOutput,
    none: vscode.l10n.t("No invocation on record has an output."),
  };
  const forInvocation =
    (
      title: string,
      work: (record: InvocationRecord) => Promise<unknown>,
      choice: Pick<InvocationChoice, "among" | "none"> = {},
    ) =>
    async (argument: unknown) => {
      const record = await chooseInvocation(history, argument, { title, words, ...choice });
      if (record !== undefined) await work(record);
    };
  const forShown =
    (...given: Parameters<typeof forInvocation>) =>
    (argument: unknown) =>
      forInvocation(...given)(orOnScreen(argument));
  /** Runs a pinning command on one row, on all selected rows, or on all invocations of a run. */
  const pinning =
    (isPinned: boolean, title: string, none: string) =>
    async (argument: unknown, option: unknown) => {
      const selected = await selectedInvocations(history, argument, option);
      const among = ({ pinned = false }: InvocationRecord) => pinned !== isPinned;
      const chosen =
        selected.length > 0
          ? undefined
          : await chooseInvocation(history, orOnScreen(argument), { title, words, among, none });
      const ids = (chosen === undefined ? selected : [chosen]).map(({ id }) => id);
      await history.pin(ids, isPinned);
    };
  return {
    openInvocation: forInvocation(vscode.l10n.t("Open Invocation"), (record) =>
      documents.open(record),
    ),
    openOutput: forInvocation(vscode.l10n.t("Open Output"), (record) => outputs.open(record)),
    copyOutput: forShown(vscode.l10n.t("Copy Output"), (record) => outputs.copy(record), ofOutput),
    saveDocument: async (argument: unknown) => {
      const uri =
        argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      if (uri?.scheme.startsWith("skill-") === true) await outputs.save(uri);
      else void inform(vscode.l10n.t("Open an output or another read-only document first."));
    },
    showOutputAsText: forShown(
      vscode.l10n.t("Show Output as Text"),
      (record) => showOutputText(outputs, details, record),
      ofOutput,
    ),
    useAsPayload: forShown(
      vscode.l10n.t("Use as Payload"),
      async ({ id }) => {
        const output = await outputs.output(id);
        if (output !== undefined) await parts.usePayload(output);
        else showNoOutput();
      },
      ofOutput,
    ),
    compareInvocation: forShown(vscode.l10n.t("Compare with Previous Invocation"), (record) =>
      compareInvocation(history, record),
    ),
    copyInvocationId: forShown(vscode.l10n.t("Copy Invocation ID"), copyInvocationId),
    pinInvocation: pinning(
      true,
      vscode.l10n.t("Pin Invocation"),
      vscode.l10n.t("All invocations are pinned already."),
    ),
    unpinInvocation: pinning(
      false,
      vscode.l10n.t("Unpin Invocation"),
      vscode.l10n.t("No invocation is pinned."),
    ),
    deleteInvocation: async (argument: unknown, option: unknown) => {
      const selected = await selectedInvocations(history, argument, option);
      if (selected.length > 0) return deleteSelected(history, selected);
      const id = recordId(argument);
      if (id === undefined) return deleteRange(history, parts.trials, view);
      const record = (await history.find(id)) ?? reportMissing();
      return record && deleteSelected(history, [record]);
    },
    filterInvocations: (given: unknown) => filterInvocations(view, history, given),
    clearInvocationFilter: () => {
      if (!isFiltering(view.filter)) {
        void inform(vscode.l10n.t("No filter is set: all invocations are shown."));
      }
      view.filter = noFilter;
    },
    exportInvocations: async (argument: unknown, option: unknown) =>
      exportInvocations(history, view, await selectedInvocations(history, argument, option)),
  } satisfies Partial<CommandHandlers>;
}

/** Copies the registry's ID of an invocation, or reports that there is none. */
async function copyInvocationId(record: InvocationRecord): Promise<void> {
  if (record.invocationId === undefined) {
    void inform(vscode.l10n.t("The registry returned no invocation ID."));
    return;
  }
  await copyText(record.invocationId, vscode.l10n.t("Invocation ID copied."));
}

/**
 * Compares an invocation with the previous one: their outputs if both are stored and an editor can show them, else
 * their whole records.
 */
async function compareInvocation(
  history: InvocationHistory,
  record: InvocationRecord,
): Promise<void> {
  const before = previousInvocation(await history.list(previousCandidatesQuery(record)), record);
  if (before === undefined) {
    void inform(vscode.l10n.t("There is no earlier invocation of this skill on record."));
    return;
  }
  const runs = [before, record];
  const texts = await Promise.all(runs.map(({ id }) => history.texts(id)));
  const outputs = texts
    .map((kept) => kept?.outputText)
    .filter((output) => output !== undefined && output.length <= longestShownOutput);
  const bothHaveOutputs = outputs.length === runs.length;
  const shown = (run: InvocationRecord, output: string | undefined) =>
    bothHaveOutputs ? outputUri(run, output, "side") : invocationUri(run, "comparison");
  const { timeBeside } = timeFormats(hostLanguage());
  const [from, to] = [before.startedAt, record.startedAt];
  const title = `${record.skillSlug}: ${timeBeside(from, to)} ↔ ${timeBeside(to, from)}`;
  const [old, now] = [shown(before, outputs[0]), shown(record, outputs[1])];
  await showDifference(old, now, title, !isResultInFront());
}

/**
 * Shows a long string of an output as text. Asks which one if there are several. The skill's output schema may declare
 * its language.
 */
async function showOutputText(
  outputs: OutputDocuments,
  details: SkillDetails,
  record: InvocationRecord,
): Promise<void> {
  const output = (await outputs.output(record.id)) ?? "";
  if (longStrings(output).length === 0) {
    void inform(vscode.l10n.t("This output has no long text to show."));
    return;
  }
  const found = await details.find(record.skillSlug, record.version || undefined);
  const texts = longStrings(output, found.ok ? found.value.outputSchema : undefined);
  const text = await chooseText(texts);
  if (text !== undefined) await outputs.openText(record, text);
}

function chooseText(texts: readonly OutputString[]): Promise<OutputString | undefined> {
  return choose(
    texts.map((text) => ({
      label: text.pointer,
      description: vscode.l10n.t("{0} characters", text.length),
      value: text,
    })),
    { title: vscode.l10n.t("Show Output as Text"), takesOnly: true, closesOnBlur: true },
  );
}

/**
 * Saves invocations to a file that the user chooses, as CSV or JSON Lines by its extension. Asks whether to include
 * unselected ones, or those that the view's filter hides.
 */
async function exportInvocations(
  history: InvocationHistory,
  { filter }: Pick<InvocationsView, "filter">,
  selected: readonly InvocationRecord[],
): Promise<void> {
  const all = await history.names({});
  if (all.length === 0) {
    await inform(vscode.l10n.t("There are no invocations to export yet."));
    return;
  }
  // The button in the view's title passes the selected rows too, even if the user does not think of them. So they are
  // only one of the choices.
  const ids = selected.map(({ id }) => id);
  const shown = isFiltering(filter) ? await history.names(queryOf(filter)) : all;
  const scopes: readonly (readonly [string, number, RecordQuery])[] = [
    [vscode.l10n.t("Selected"), ids.length, { ids }],
    [
      vscode.l10n.t("Shown by the filter"),
      shown.length === all.length ? 0 : shown.length,
      queryOf(filter),
    ],
    [vscode.l10n.t("All"), all.length, {}],
  ];
  const rows = scopes
    .filter(([, count]) => count > 0)
    .map(([label, count, value]) => ({ ...countRow(label, count), value }));
  const title = vscode.l10n.t("Export Invocations");
  const query = await choose(rows, { title, takesOnly: true, closesOnBlur: true });
  if (query === undefined) return;
  const question = {
    title,
    name: "invocations.jsonl",
    filters: { "JSON Lines": ["jsonl"], CSV: ["csv"] },
  };
  const target = await askForFile(question);
  if (target === undefined) return;
  const isCsv = target.path.toLowerCase().endsWith(".csv");
  const parts = [Buffer.from(isCsv ? csvHead : "")];
  let exported = 0;
  for await (const page of history.pages(query)) {
    parts.push(Buffer.from(isCsv ? rowsAsCsv(page) : recordsAsJsonLines(page)));
    exported += page.length;
  }
  if (!(await writeBytes(target, Buffer.concat(parts)))) return;
  const count = invocationCountText(exported, hostLanguage());
  await inform(vscode.l10n.t("{0} exported, without payloads and outputs.", count));
}

/** The invocations to which a command can apply, and the message if there are none. */
interface InvocationChoice {
  readonly title: string;
  /** Returns a few words of an invocation's texts, to distinguish similar ones. */
  readonly words: (record: InvocationRecord) => Promise<string>;
  readonly among?: (record: InvocationRecord) => boolean;
  readonly none?: string;
}

/** The maximum number of offered invocations, the newest first. Older ones can be found in the view. */
const maxChoices = 1_000;
/** The maximum number of invocations in a list that show words of their texts. Reading the texts delays the list. */
const maxPreviews = 30;
/**
 * The maximum delay of a list for reading texts, in milliseconds, too short to be noticed. Invocations whose texts were
 * not read by then show only their IDs.
 */
const previewMs = 200;

/**
 * Finds the record for a command: that of the row or output, else of the user's choice. Undefined if there is none or
 * the user canceled.
 */
export async function chooseInvocation(
  history: InvocationHistory,
  argument: unknown,
  { title, words, among = () => true, none }: InvocationChoice,
): Promise<InvocationRecord | undefined> {
  const id = recordId(argument);
  if (id !== undefined) return (await history.find(id)) ?? reportMissing();
  const all = await history.list({ limit: maxChoices });
  const records = all.filter(among);
  const nothing = vscode.l10n.t("There are no invocations yet.");
  const language = hostLanguage();
  const { moment } = timeFormats(language);
  const previews = await doneWithin(records.slice(0, maxPreviews), words, previewMs);
  return choose(
    records.map((record, index) => ({
      label: addressText(record.skillSlug, record.version),
      description: `${endingText(record, language)} · ${moment(record.startedAt)}`,
      detail: [previews[index] ?? "", invocationIdText(record, language)]
        .filter((text) => text !== "")
        .join(" · "),
      value: record,
    })),
    {
      title,
      placeHolder: vscode.l10n.t("Select an invocation"),
      none: all.length === 0 ? nothing : (none ?? nothing),
      closesOnBlur: true,
    },
  );
}

function reportMissing(): undefined {
  void inform(vscode.l10n.t("This invocation is no longer in the record."));
}

/** Returns the argument of a command, else the document on the screen, which may be an output. Nothing is sent for it. */
export function orOnScreen(argument: unknown): unknown {
  return argument ?? vscode.window.activeTextEditor?.document.uri;
}

/**
 * Lists the invocations of the rows to which a command applies, newest first: of the clicked row, or of all selected
 * rows if it is one of them. A run's row means all its invocations; a day's row means none.
 */
async function selectedInvocations(
  history: InvocationHistory,
  argument: unknown,
  option: unknown,
): Promise<readonly InvocationRecord[]> {
  const ids = new Set(rowArguments(argument, option).flatMap(recordIds));
  if (ids.size === 0) return [];
  const found = await Promise.all([...ids].map((id) => history.find(id)));
  return found
    .filter((item) => item !== undefined)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** Returns the record ID for a command that applies to one invocation. For a run, that is its newest invocation. */
function recordId(argument: unknown): string | undefined {
  return recordIds(argument)[0];
}

/** Returns the record IDs of a row, or of the URI of a document that shows an output. */
function recordIds(argument: unknown): readonly string[] {
  if (argument instanceof vscode.Uri) return [recordIdOf(argument) ?? []].flat();
  if (typeof argument !== "object" || argument === null) return [];
  const { id, run, records } = argument as Partial<InvocationRecord & InvocationRun>;
  if (run !== undefined && Array.isArray(records)) return records.flatMap(recordIds);
  return typeof id === "string" && isRecordId(id) ? [id] : [];
}
