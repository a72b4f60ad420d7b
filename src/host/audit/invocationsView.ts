import * as vscode from "vscode";
import { otherTargetText } from "../../core/invocation/record/invocationLabels";
import {
  filterText,
  type InvocationFilter,
  type InvocationRow,
  invocationDays,
  isFiltering,
  noFilter,
  rowsBelow,
} from "../../core/invocation/record/invocationList";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import {
  dayRowText,
  invocationRowText,
  moreInvocationsText,
  runRowText,
  trialRowText,
  trialsRowText,
  unreadableRecordText,
} from "../../core/invocation/record/invocationRowText";
import { queryOf, type RecordQuery } from "../../core/invocation/record/recordQuery";
import {
  type ComparedInvocation,
  compareWithState,
  serverVerdict,
} from "../../core/project/serverRecord";
import { timeFormats } from "../../core/text/dates";
import { labelText } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { KeptTexts } from "../../engine/record/keptTexts";
import { ownRecords } from "../../engine/record/ownRecords";
import type { TrialRecord } from "../../engine/record/trialRecord";
import { type WindowPlace, windowTarget } from "../environments/windowPlace";
import { commandIds, editorCommandIds, logArgument } from "../ids";
import type { RunningInvocations } from "../invoke/runningInvocations";
import type { LazyTreeDataProvider } from "../lazyProviders";
import { hostLanguage } from "../ui/hostLanguage";
import { Tree } from "../ui/tree";
import { treeItem } from "../ui/treeItem";
import type { CurrentProject } from "../workspace/currentProject";

/**
 * The number of invocations that are shown at first and added by each *Show More*. Drawing more would make the user
 * wait.
 */
const portionSize = 500;
/** The maximum number of pages of the record that are searched for a text; each *Show More* adds as many. */
const searchedPages = 10;

/** The dependencies of the Invocations view. */
interface InvocationsViewParts {
  readonly history: InvocationHistory;
  readonly trials: Pick<TrialRecord, "list" | "onDidChange">;
  readonly running: RunningInvocations;
  /** The registry's data about invocations with an unknown outcome. */
  readonly project: Pick<CurrentProject, "state" | "onDidChange">;
  readonly tree: LazyTreeDataProvider<InvocationRow>;
  /** The editor and its profile, as records name them. */
  readonly profile: string;
  readonly place: WindowPlace;
  readonly texts: KeptTexts;
}

/** Shows the record of past invocations by day, newest first, filtered. */
export class InvocationsView extends Tree<InvocationRow> {
  private readonly language = hostLanguage();
  private readonly times = timeFormats(this.language);
  private current = noFilter;
  /** How many times the user loaded more, plus one. */
  private portions = 1;
  private compared: readonly ComparedInvocation[] = [];
  /** The invocations that were last shown below a run's row. */
  private readonly shownInRuns = new WeakSet<InvocationRecord>();
  private readonly filtering = this.own(new vscode.EventEmitter<void>());

  /** Fires when the filter was set. */
  readonly onDidFilter = this.filtering.event;

  constructor(private readonly parts: InvocationsViewParts) {
    super(parts.tree);
    const { history, trials, project, running, place } = parts;
    this.own(
      place.onDidChange(() => void this.redraw()),
      history.onDidChange(() => void this.redraw()),
      trials.onDidChange(() => void this.redraw()),
      project.onDidChange(() => void this.redraw()),
      running.onDidChange(() => void this.redraw()),
      vscode.commands.registerCommand(editorCommandIds.showMoreInvocations, () => {
        this.portions += 1;
        void this.redraw();
      }),
    );
  }

  get filter(): InvocationFilter {
    return this.current;
  }

  set filter(filter: InvocationFilter) {
    this.current = filter;
    this.portions = 1;
    this.view.description = labelText(filterText(filter, this.language), 100);
    this.filtering.fire();
    void this.redraw();
  }

  async getTreeItem(row: InvocationRow): Promise<vscode.TreeItem> {
    const { language, times } = this;
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    if ("more" in row) {
      const text = moreInvocationsText(language);
      const command = { command: editorCommandIds.showMoreInvocations, title: text.label };
      return treeItem(text, None, { command });
    }
    if ("unreadable" in row) {
      const text = unreadableRecordText(language);
      return treeItem(text, None, {
        command: { command: commandIds.showOutput, title: text.label, arguments: [logArgument] },
      });
    }
    if ("trials" in row) return treeItem(trialsRowText(row, language), Collapsed);
    if ("trial" in row) {
      const text = trialRowText(row, times, language);
      return treeItem(text, None, { tooltip: new vscode.MarkdownString(text.tooltip) });
    }
    if ("day" in row) return treeItem(dayRowText(row, language), row.isOpen ? Expanded : Collapsed);
    const newest = "run" in row ? row.records[0] : row;
    const { words, hasOutput } = await this.parts.texts.preview(newest);
    const verdict = this.verdictOf(newest);
    const canCancel = this.canCancel(newest);
    const options = {
      ...{ language, times, words, verdict, canCancel, profile: this.parts.profile },
      window: windowTarget(this.parts.place),
      isOfRun: this.shownInRuns.has(newest),
    };
    const text = "run" in row ? runRowText(row, options) : invocationRowText(row, options);
    return treeItem(text, "run" in row ? Collapsed : None, {
      tooltip: new vscode.MarkdownString(text.tooltip),
      command: openingCommand(newest, hasOutput),
    });
  }

  protected async readRows(): Promise<readonly InvocationRow[]> {
    const { language } = this;
    const { history, trials } = this.parts;
    const { state } = this.parts.project;
    const query = queryOf(this.current);
    // A filter is about invocations, and a trial is none.
    const areTrialsShown = !isFiltering(this.current);
    const [newest, pinned, own, tried] = await Promise.all([
      this.newest({ ...query, isPinned: false }),
      this.newest({ ...query, isPinned: true }),
      ownRecords(history, state),
      // A row reports an unreadable record already.
      areTrialsShown ? trials.list().catch(() => []) : [],
    ]);
    const { hasMore } = newest;
    this.compared = compareWithState(state, own);
    const days = invocationDays(newest.records, pinned.records, hasMore, Date.now(), language);
    const isUnreadable = newest.isUnreadable || pinned.isUnreadable;
    return [
      ...(isUnreadable ? [{ unreadable: true } as const] : []),
      ...days,
      ...(hasMore ? [{ more: true } as const] : []),
      ...(tried.length > 0 ? [{ trials: tried.map((trial) => ({ trial })) }] : []),
    ];
  }

  protected rowsBelow(parent: InvocationRow): readonly InvocationRow[] {
    const rows = rowsBelow(parent);
    for (const row of rows) {
      if (!("id" in row)) continue;
      if ("run" in parent) this.shownInRuns.add(row);
      else this.shownInRuns.delete(row);
    }
    return rows;
  }

  /**
   * Returns a text that changes whenever the row must be redrawn. For an invocation, only the facts that can change
   * count. A pin is left out, since it moves the row to another group.
   */
  protected textOf(row: InvocationRow): string {
    if ("more" in row) return "more";
    if ("unreadable" in row) return "unreadable";
    if ("trials" in row) return row.trials.map(({ trial }) => trial.id).join(" ");
    if ("trial" in row) return row.trial.id;
    if ("records" in row) {
      const above = "day" in row ? [row.title, String(row.mayHaveEarlier)] : [];
      return [...above, ...row.records.map((item) => this.textOf(item))].join("\n");
    }
    const target = otherTargetText(row, windowTarget(this.parts.place), this.language);
    return [row.id, row.status, this.canCancel(row), this.verdictOf(row), target].join(" ");
  }

  private canCancel({ id }: InvocationRecord): boolean {
    return this.parts.running.find(id) !== undefined;
  }

  private verdictOf(record: InvocationRecord): string {
    return serverVerdict(record, this.compared, this.language);
  }

  /**
   * Reads as many of the newest invocations as the view shows, and whether there may be more. If the record cannot be
   * read, returns those that were read before the failure.
   */
  private async newest(query: RecordQuery) {
    const limit = portionSize * this.portions;
    const records: InvocationRecord[] = [];
    let read = 0;
    try {
      for await (const page of this.parts.history.pages(query)) {
        records.push(...page);
        read += 1;
        const hasMore = records.length > limit || read > searchedPages * this.portions;
        if (hasMore) return { records: records.slice(0, limit), hasMore, isUnreadable: false };
      }
    } catch {
      return { records, hasMore: false, isUnreadable: true };
    }
    return { records, hasMore: false, isUnreadable: false };
  }
}

/** Opens the output of an invocation, or its record if it has no output. */
function openingCommand(record: InvocationRecord, hasOutput: boolean): vscode.Command {
  const [command, title] = hasOutput
    ? [commandIds.openOutput, vscode.l10n.t("Open Output")]
    : [commandIds.openInvocation, vscode.l10n.t("Open Invocation")];
  return { command, title, arguments: [record] };
}
