import * as vscode from "vscode";
import {
  filterRecords,
  filterText,
  type InvocationDay,
  type InvocationFilter,
  type InvocationRow,
  invocationDays,
  noFilter,
  rowsBelow,
} from "../../core/invocation/record/invocationList";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import {
  dayRowText,
  invocationRowText,
  runRowText,
} from "../../core/invocation/record/invocationRowText";
import { textsContain, textsPreview } from "../../core/invocation/record/textsPreview";
import {
  type ComparedInvocation,
  compareWithState,
  serverVerdict,
} from "../../core/project/serverRecord";
import { timeFormats } from "../../core/text/dates";
import { labelText } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { ownRecords } from "../../engine/record/ownRecords";
import { commandIds } from "../ids";
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
  private readonly filtering = this.own(new vscode.EventEmitter<void>());

  /** Fires when the filter was set. */
  readonly onDidFilter = this.filtering.event;

  constructor(
    private readonly history: InvocationHistory,
    private readonly running: RunningInvocations,
    /** The registry's data on invocations whose outcome is unknown here. */
    private readonly project: Pick<CurrentProject, "state" | "onDidChange">,
    tree: LazyTreeDataProvider<InvocationRow>,
    /** The editor and its profile, as records name them. */
    private readonly profile: string,
    /** Hides keys, one that was set after the invocation too. */
    redact: (text: string) => string,
  ) {
    super(tree);
    this.texts = new KeptTexts(history, redact);
    this.own(
      history.onDidChange(() => void this.redraw()),
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
    this.filtering.fire();
    void this.redraw();
  }

  async getTreeItem(row: InvocationRow): Promise<vscode.TreeItem> {
    const { language, times } = this;
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    if ("day" in row) return treeItem(dayRowText(row, language), row.isOpen ? Expanded : Collapsed);
    const newest = "run" in row ? row.records[0] : row;
    const { words, hasOutput } = await this.texts.preview(newest);
    const verdict = this.verdictOf(newest);
    const canCancel = this.canCancel(newest);
    const look = {
      ...{ language, times, words, verdict, canCancel, profile: this.profile },
      isOfRun: this.ofRuns.has(newest),
    };
    const text = "run" in row ? runRowText(row, look) : invocationRowText(row, look);
    return treeItem(text, "run" in row ? Collapsed : None, {
      tooltip: new vscode.MarkdownString(text.tooltip),
      command: openingCommand(newest, hasOutput),
    });
  }

  /** Lists the invocations that the filter shows, newest first. */
  async listShown(): Promise<readonly InvocationRecord[]> {
    return this.filtered(await this.history.list());
  }

  protected async readRows(): Promise<readonly InvocationDay[]> {
    const { state } = this.project;
    const [all, own] = await Promise.all([this.history.list(), ownRecords(this.history, state)]);
    this.compared = compareWithState(state, own);
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
    return [row.id, row.status, this.canCancel(row), this.verdictOf(row)].join(" ");
  }

  private canCancel({ id }: InvocationRecord): boolean {
    return this.running.find(id) !== undefined;
  }

  private verdictOf(record: InvocationRecord): string {
    return serverVerdict(record, this.compared, this.language);
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

/** Invocations whose words are cached: more than anybody scrolls to. */
const maxRemembered = 2000;
/** Invocations that a text is searched in, the newest: each is a file that is read. */
const maxSearched = 5000;

/** Reads the stored payloads and outputs for rows, and searches them. */
class KeptTexts {
  /** Ended invocations: their texts no longer change, except those that are stored later. */
  private readonly known = new Map<string, TextsShown>();
  /** The text that was searched last, and the invocations that contain it or do not. */
  private searched = { text: "", found: new Map<string, boolean>() };

  constructor(
    private readonly history: Pick<InvocationHistory, "texts">,
    private readonly redact: (text: string) => string,
  ) {}

  async preview({ id, status }: InvocationRecord): Promise<TextsShown> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const texts = (await this.history.texts(id)) ?? {};
    const words = textsPreview(texts, this.redact);
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

/** Opens the output of an invocation, or its record where there is no output. */
function openingCommand(record: InvocationRecord, hasOutput: boolean): vscode.Command {
  const [command, title] = hasOutput
    ? [commandIds.openOutput, vscode.l10n.t("Open Output")]
    : [commandIds.openInvocation, vscode.l10n.t("Open Invocation")];
  return { command, title, arguments: [record] };
}
