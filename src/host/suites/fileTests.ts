import type * as vscode from "vscode";
import { labelText } from "../../core/text/plainText";
import { yieldToEventLoop } from "../../registry/wait";
import { maxPayloadRows, type SkillFileChange, type SkillFiles } from "../skillFiles";
import { Owner } from "../ui/owner";
import { LatestRequest, newest } from "../ui/wait";
import { maxSuitesRead } from "./suiteFiles";
import type { RequestedTests, SkillItems } from "./testItems";

/** The maximum numbers of listed files. */
const mostFiles = { payload: maxPayloadRows, suite: maxSuitesRead };
/** The maximum number of cases, each of which is an item in the editor. Beyond it, no further suite is listed. */
const maxCases = 20_000;
/** The number of files that are added before yielding to the editor. Adding them takes a few milliseconds. */
const sliceSize = 100;

/** A run of the Test Explorer: the requested tests, and the receiver of results. */
export interface ExplorerRun {
  readonly requested: RequestedTests;
  readonly run: vscode.TestRun;
  readonly signal: AbortSignal;
}

/** Runs a test; `time` returns its duration in milliseconds. Skips it if the run was stopped. */
export async function runTest(
  { run, signal }: ExplorerRun,
  item: vscode.TestItem,
  test: (time: () => number) => Promise<void>,
): Promise<void> {
  if (signal.aborted) return run.skipped(item);
  run.started(item);
  const start = performance.now();
  try {
    await test(() => performance.now() - start);
  } catch (error) {
    if (!signal.aborted) throw error;
    run.skipped(item);
  }
}

/** The files of one kind in the Test Explorer, each below its skill. */
export abstract class FileTests extends Owner {
  /** The items by their ID, which is the URI of the file. */
  private readonly files = new Map<string, vscode.TestItem>();
  private readonly rounds = new LatestRequest();
  private discovering: Promise<void> | undefined;

  constructor(
    protected readonly controller: vscode.TestController,
    protected readonly skills: SkillItems,
    private readonly use: "payload" | "suite",
    private readonly found: Pick<SkillFiles, "payloads" | "suites" | "onDidChangeFile">,
  ) {
    super();
    this.own(found.onDidChangeFile((change) => this.follow(change)));
  }

  /** Returns the item of a file; undefined if it has none. */
  itemOf(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.files.get(`${uri}`);
  }

  /**
   * Discovers the files again: keeps the items of files that still exist, with their state, removes the others, and
   * adds an entry if more files exist than are listed. A call during another one replaces it, and both resolve
   * together.
   */
  async discover(): Promise<void> {
    this.discovering = this.list(this.rounds.begin());
    await newest(() => this.discovering);
  }

  protected get items(): readonly vscode.TestItem[] {
    return [...this.files.values()];
  }

  /** Shows a file with its current content, below its skill. */
  protected abstract put(uri: vscode.Uri): unknown;

  /** Handles a written file, even one that is not listed. */
  protected change(uri: vscode.Uri): unknown {
    return this.put(uri);
  }

  protected add(uri: vscode.Uri, label: string): vscode.TestItem {
    const item = this.controller.createTestItem(`${uri}`, labelText(label), uri);
    this.files.set(item.id, item);
    return item;
  }

  /** Removes a file, and its skill if that has no other file. */
  protected remove(uri: vscode.Uri): void {
    const item = this.itemOf(uri);
    this.files.delete(`${uri}`);
    if (item !== undefined) this.skills.remove(item);
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { use } = this;
    const found = await (use === "payload" ? this.found.payloads() : this.found.suites());
    const uris = found.slice(0, mostFiles[use]);
    const names = new Set(uris.map(String));
    const deletedFiles = this.items.flatMap(({ id, uri }) => (uri && !names.has(id) ? [uri] : []));
    let [listed, cases] = [0, 0];
    for (const [index, uri] of [...deletedFiles, ...uris].entries()) {
      if (index > 0 && index % sliceSize === 0) await yieldToEventLoop();
      if (signal.aborted) return;
      if (index < deletedFiles.length) this.remove(uri);
      else if (cases < maxCases) {
        await this.put(uri);
        listed += 1;
        cases += this.itemOf(uri)?.children.size ?? 0;
      }
    }
    this.skills.noteLimit(use, listed < found.length ? listed : undefined);
  }

  private follow({ use, kind, uri }: SkillFileChange): void {
    if (use !== this.use) return;
    const isKnown = this.itemOf(uri) !== undefined;
    if (kind === "deleted") this.remove(uri);
    else if (kind === "created" || (kind === "opened" && !isKnown)) void this.put(uri);
    else if (kind === "changed") void this.change(uri);
  }
}
