import * as vscode from "vscode";
import {
  endingText,
  invocationCountText,
  invocationIdText,
  statusIcon,
} from "../../core/invocation/record/invocationLabels";
import {
  filterRecords,
  filterText,
  type InvocationDay,
  type InvocationFilter,
  type InvocationRow,
  invocationDays,
  isFiltering,
  noFilter,
  rowsBelow,
} from "../../core/invocation/record/invocationList";
import {
  builtInRegistryName,
  type InvocationRecord,
} from "../../core/invocation/record/invocationRecord";
import {
  type InvocationRun,
  runCostText,
  runEndingText,
  runOutputsText,
  runSkillText,
} from "../../core/invocation/record/invocationRuns";
import { textsContain, textsPreview } from "../../core/invocation/record/textsPreview";
import {
  type ComparedInvocation,
  compareWithState,
  serverVerdict,
} from "../../core/project/serverRecord";
import { sampleText } from "../../core/skill/price";
import { endingToExpect } from "../../core/suite/newCase";
import { type TimeFormats, timeFormats } from "../../core/text/dates";
import { durationText, type Language } from "../../core/text/language";
import { moneyText } from "../../core/text/money";
import { labelText, markdownText } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { commandIds, contextKeys } from "../ids";
import type { RunningInvocations } from "../invoke/runningInvocations";
import type { LazyTreeDataProvider } from "../lazyProviders";
import { hostLanguage } from "../ui/hostLanguage";
import { Tree } from "../ui/tree";
import { treeItem } from "../ui/treeItem";
import type { CurrentProject } from "../workspace/currentProject";

/** Shows the record of past invocations by day, newest first, filtered. */
export class InvocationsView extends Tree<InvocationRow> {
  private readonly language = hostLanguage();
  private readonly times = timeFormats(this.language);
  private current = noFilter;
  private compared: readonly ComparedInvocation[] = [];
  /** The invocations that were last shown below the row of a run. */
  private readonly ofRuns = new WeakSet<InvocationRecord>();
  private readonly texts: KeptTexts;

  constructor(
    private readonly history: InvocationHistory,
    private readonly running: RunningInvocations,
    /** The registry's data on invocations whose outcome is unknown here. */
    private readonly project: Pick<CurrentProject, "state" | "onDidChange">,
    tree: LazyTreeDataProvider<InvocationRow>,
    /** Hides keys, one that was set after the invocation too. */
    redact: (text: string) => string,
  ) {
    super(tree);
    this.texts = new KeptTexts(history, redact);
    this.own(
      history.onDidChange(() => {
        void this.list();
        void this.redraw();
      }),
      project.onDidChange(() => void this.redraw()),
      running.onDidChange(() => void this.redraw()),
    );
  }

  /** The active filter. */
  get filter(): InvocationFilter {
    return this.current;
  }

  set filter(filter: InvocationFilter) {
    this.current = filter;
    this.view.description = labelText(filterText(filter, this.language), 100);
    void vscode.commands.executeCommand(
      "setContext",
      contextKeys.invocationsFiltered,
      isFiltering(filter),
    );
    void this.redraw();
  }

  async getTreeItem(row: InvocationRow): Promise<vscode.TreeItem> {
    if ("day" in row) return dayTreeItem(row, this.language);
    const newest = "run" in row ? row.records[0] : row;
    const look = {
      language: this.language,
      times: this.times,
      verdict: this.verdictOf(newest),
      preview: await this.texts.preview(newest),
      canCancel: this.running.find(newest.id) !== undefined,
      isOfRun: this.ofRuns.has(newest),
    };
    return "run" in row ? runTreeItem(row, look) : invocationTreeItem(row, look);
  }

  /** Lists the invocations that the filter shows, newest first. */
  async listShown(): Promise<readonly InvocationRecord[]> {
    return this.filtered(await this.history.list());
  }

  protected async readRows(): Promise<readonly InvocationDay[]> {
    const all = await this.list();
    this.compared = compareWithState(this.project.state, all);
    return invocationDays(await this.filtered(all), Date.now(), this.language);
  }

  protected rowsBelow(parent: InvocationRow): readonly InvocationRow[] {
    const rows = rowsBelow(parent, this.language);
    const isOfRun = "run" in parent || ("day" in parent && parent.isOfRun === true);
    for (const row of rows) {
      if ("records" in row) continue;
      if (isOfRun) this.ofRuns.add(row);
      else this.ofRuns.delete(row);
    }
    return rows;
  }

  /**
   * Only status, pin, the registry's verdict and whether it can be canceled change of an invocation; the rest follows
   * from its name.
   */
  protected textOf(row: InvocationRow): string {
    if ("records" in row) {
      const above = "day" in row ? [row.title] : [];
      return [...above, ...row.records.map((one) => this.textOf(one))].join("\n");
    }
    const canCancel = this.running.find(row.id) !== undefined;
    return [row.id, row.status, canCancel, this.verdictOf(row)].join(" ");
  }

  private verdictOf(record: InvocationRecord): string {
    return serverVerdict(record, this.compared, this.language);
  }

  /** Lists the record, and has the palette offer its commands where there is one: also while the view is hidden. */
  private async list(): Promise<readonly InvocationRecord[]> {
    const all = await this.history.list();
    void vscode.commands.executeCommand("setContext", contextKeys.recorded, all.length > 0);
    return all;
  }

  private async filtered(all: readonly InvocationRecord[]): Promise<readonly InvocationRecord[]> {
    const filter = this.current;
    const text = filter.text.trim();
    if (text === "") return filterRecords(all, filter);
    const others = filterRecords(all, { ...filter, text: "" });
    const found = await this.texts.search(others, text);
    return filterRecords(all, filter, ({ id }) => found.has(id));
  }
}

/** What is shown of the texts of an invocation. */
interface TextsShown {
  /** A few words; empty where nothing is kept. */
  readonly words: string;
  readonly hasOutput: boolean;
}

/** Invocations of which the words are remembered: more than anybody scrolls to. */
const maxRemembered = 2000;
/** Invocations that a text is searched in, the newest: each is a file that is read. */
const maxSearched = 5000;

/** Reads the kept payloads and outputs for rows, and searches them. */
class KeptTexts {
  /** Of invocations that have ended: their texts no longer change, but for those that are kept later. */
  private readonly known = new Map<string, TextsShown>();
  /** The text that was searched last, and in which invocations it was and was not. */
  private searched = { text: "", found: new Map<string, boolean>() };

  constructor(
    private readonly history: Pick<InvocationHistory, "texts">,
    private readonly redact: (text: string) => string,
  ) {}

  async preview({ id, status }: InvocationRecord): Promise<TextsShown> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const texts = (await this.history.texts(id)) ?? {};
    const words = this.redact(textsPreview(texts));
    const shown = { words, hasOutput: texts.outputText !== undefined };
    if (status === "running" || words === "") return shown;
    if (this.known.size >= maxRemembered) this.known.clear();
    this.known.set(id, shown);
    return shown;
  }

  /** Finds the IDs of the invocations whose texts contain a text. */
  async search(records: readonly InvocationRecord[], text: string): Promise<ReadonlySet<string>> {
    if (this.searched.text !== text) this.searched = { text, found: new Map() };
    const { found } = this.searched;
    const searched = records.slice(0, maxSearched);
    for (const { id, status } of searched) {
      if (found.has(id)) continue;
      const isFound = textsContain((await this.history.texts(id)) ?? {}, text);
      if (isFound || status !== "running") found.set(id, isFound);
    }
    return new Set(searched.flatMap(({ id }) => (found.get(id) === true ? [id] : [])));
  }
}

function dayTreeItem(
  { day, title, isOpen, records }: InvocationDay,
  language: Language,
): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const label = title;
  const description = invocationCountText(records.length, language);
  const sentence = `${title}, ${description}`;
  const text = { id: `day:${day}`, label, description, sentence, context: "invocationDay" };
  return treeItem(text, isOpen ? Expanded : Collapsed);
}

/** The rendering options of a row. */
interface InvocationRowLook {
  readonly language: Language;
  readonly times: TimeFormats;
  /** This window is making the invocation. */
  readonly canCancel: boolean;
  /** It stands below the row of its run, which names the skill. */
  readonly isOfRun: boolean;
  /** The registry's verdict on an unknown outcome; empty where there is none. */
  readonly verdict: string;
  readonly preview: TextsShown;
}

/** Creates the row of a past invocation in the Invocations view. Selecting it opens its output, or else the record. */
function invocationTreeItem(
  record: InvocationRecord,
  { language, times, canCancel, verdict, preview, isOfRun }: InvocationRowLook,
): vscode.TreeItem {
  const { moment, timeOfDay } = times;
  const skill = record.version === "" ? record.skillSlug : `${record.skillSlug}@${record.version}`;
  // The parent row has the day, except for pinned invocations, whose tooltip has it.
  const time = timeOfDay(record.startedAt);
  const ending = endingText(record, language);
  const status = verdict === "" ? ending : `${ending} (${verdict})`;
  const words = preview.words === "" ? "" : ` · ${preview.words}`;
  const took = duration(record, language);
  const description = isOfRun ? `${status}${took}${words}` : `${status}${words} · ${time}${took}`;
  const heading = `**${markdownText(skill, 80)}**: ${markdownText(status, 160)}`;
  const said = [skill, status, moment(record.startedAt), preview.words];
  const text = {
    id: record.id,
    label: labelText(isOfRun ? time : skill, 80),
    description: labelText(description, 240),
    sentence: said.filter((part) => part !== "").join(", "),
    icon: statusIcon(record.status, record.acceptedNotRun),
    context: canCancel ? `${contextOf(record)} cancelable` : contextOf(record),
  };
  return treeItem(text, undefined, {
    tooltip: tooltip(record, heading, { time: moment(record.startedAt), language }),
    command: openingCommand(record, preview),
  });
}

/** Creates the row of consecutive invocations of one payload. Selecting it opens the newest output. */
function runTreeItem(run: InvocationRun, look: InvocationRowLook): vscode.TreeItem {
  const { language, times, preview } = look;
  const { records } = run;
  const [newest] = records;
  const oldest = records.at(-1) ?? newest;
  const skill = runSkillText(run);
  const endings = runEndingText(run, language);
  const outputs = runOutputsText(run, language);
  const span = `${times.timeOfDay(oldest.startedAt)} – ${times.timeOfDay(newest.startedAt)}`;
  const shown = [endings, outputs, preview.words, span].filter((part) => part !== "");
  const cost = runCostText(run, language);
  const lines = [
    `**${markdownText(skill, 80)}**: ${markdownText(endings, 160)}`,
    outputs,
    cost === "" ? "" : markdownText(language.t("Cost: {cost}", { cost }), 120),
    `${markdownText(span, 80)} · ${markdownText(newest.registry, 120)}`,
  ];
  const text = {
    id: `run:${run.run}`,
    label: labelText(skill, 80),
    description: labelText(shown.join(" · "), 240),
    sentence: [skill, invocationCountText(records.length, language), ...shown].join(", "),
    icon: statusIcon(newest.status, newest.acceptedNotRun),
    // Pinned invocations have a group of their own, so that a run is pinned as a whole or not at all.
    context: `invocationRun ${newest.pinned === true ? "pinned" : "loose"}`,
  };
  return treeItem(text, vscode.TreeItemCollapsibleState.Collapsed, {
    tooltip: new vscode.MarkdownString(lines.filter(Boolean).join("\n\n")),
    command: openingCommand(newest, preview),
  });
}

/** Opens the output of an invocation, or its record where there is no output. */
function openingCommand(record: InvocationRecord, { hasOutput }: TextsShown): vscode.Command {
  return hasOutput
    ? { command: commandIds.openOutput, title: vscode.l10n.t("Open Output"), arguments: [record] }
    : {
        command: commandIds.openInvocation,
        title: vscode.l10n.t("Open Invocation"),
        arguments: [record],
      };
}

/** The context value for the menus of a row. */
function contextOf(record: InvocationRecord): string {
  const { invocationId, status, pinned } = record;
  const hasOutput = status === "success" || status === "error";
  return [
    "invocation",
    ...(invocationId === undefined ? [] : ["withId"]),
    ...(hasOutput ? ["withOutput"] : []),
    ...(endingToExpect(record) === undefined ? [] : ["testable"]),
    pinned ? "pinned" : "loose",
  ].join(" ");
}

function duration(record: InvocationRecord, language: Language): string {
  return record.durationMs > 0 ? ` · ${durationText(record.durationMs, language)}` : "";
}

function tooltip(
  record: InvocationRecord,
  heading: string,
  { time, language }: { readonly time: string; readonly language: Language },
): vscode.MarkdownString {
  const lines = [
    heading,
    markdownText(record.message ?? "", 400),
    costText(record, language),
    markdownText(invocationIdText(record, language), 250),
    `${markdownText(time, 60)} · ${markdownText(record.registry, 120)}`,
  ];
  return new vscode.MarkdownString(lines.filter(Boolean).join("\n\n"));
}

function costText(
  { amountCents, currency, registry }: InvocationRecord,
  language: Language,
): string {
  if (amountCents === undefined || amountCents === 0) return "";
  const isSample = registry === builtInRegistryName;
  const cost = sampleText(moneyText(amountCents, currency, language), isSample, language);
  return markdownText(language.t("Cost: {cost}", { cost }), 80);
}
