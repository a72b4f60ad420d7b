import type * as vscode from "vscode";
import { type Board, standIn } from "../screen/board";
import { CancellationTokenSource, EventEmitter, type TestRunRequest } from "./values";

class Items implements vscode.TestItemCollection {
  private readonly held = new Map<string, vscode.TestItem>();

  constructor(
    private readonly board: Board,
    private readonly parent: vscode.TestItem | undefined,
  ) {}

  get size(): number {
    return this.held.size;
  }

  replace(items: readonly vscode.TestItem[]): void {
    this.held.clear();
    for (const item of items) this.add(item);
  }

  forEach(work: (item: vscode.TestItem, all: vscode.TestItemCollection) => unknown): void {
    for (const item of this.held.values()) work(item, this);
  }

  add(item: vscode.TestItem): void {
    this.held.set(item.id, item);
    (item as { parent: vscode.TestItem | undefined }).parent = this.parent;
    this.board.changed();
  }

  delete(id: string): void {
    this.held.delete(id);
    this.board.changed();
  }

  get(id: string): vscode.TestItem | undefined {
    return this.held.get(id);
  }

  [Symbol.iterator](): Iterator<[string, vscode.TestItem]> {
    return this.held[Symbol.iterator]();
  }
}

/** A run of the Test Explorer. */
export class MemoryRun {
  /** What became of each test, a line each: its state, its label and what was said. */
  readonly lines: string[] = [];
  /** What was said of tests, as an entry of the message's menu gets it. */
  readonly messages: { readonly test: vscode.TestItem; readonly message: vscode.TestMessage }[] =
    [];
  output = "";
  isEnded = false;
  private readonly source = new CancellationTokenSource();
  readonly api: vscode.TestRun;

  constructor(board: Board, name: string | undefined) {
    const note = (state: string) => (item: vscode.TestItem, given?: unknown) => {
      const said = [given].flat().filter((one) => typeof one === "object" && one !== null);
      for (const message of said as vscode.TestMessage[])
        this.messages.push({ test: item, message });
      const messages = (said as vscode.TestMessage[])
        .map(({ message }) => message)
        .map((one) => (typeof one === "string" ? one : one.value));
      this.lines.push([`${state} ${item.label}`, ...messages].join(": "));
      board.changed();
    };
    this.api = standIn<vscode.TestRun>("TestRun", {
      name,
      token: this.source.token,
      isPersisted: true,
      enqueued: note("enqueued"),
      started: note("started"),
      skipped: note("skipped"),
      failed: note("failed"),
      errored: note("errored"),
      passed: note("passed"),
      appendOutput: (text: string) => {
        this.output += text;
      },
      end: () => {
        this.isEnded = true;
        board.changed();
      },
    });
  }

  /** As a person: stops the run. */
  stop(): void {
    this.source.cancel();
  }
}

/** An entry of the Test Explorer. */
export class MemoryController {
  readonly items: Items;
  readonly profiles: vscode.TestRunProfile[] = [];
  readonly runs: MemoryRun[] = [];
  readonly outdated: string[] = [];
  readonly api: vscode.TestController;

  constructor(
    board: Board,
    readonly id: string,
    readonly label: string,
  ) {
    const items = new Items(board, undefined);
    this.items = items;
    this.api = standIn<vscode.TestController>("TestController", {
      id,
      label,
      items,
      createTestItem: (itemId: string, itemLabel: string, uri?: vscode.Uri) =>
        createItem(board, itemId, itemLabel, uri),
      createRunProfile: (name, kind, runHandler, isDefault = false, tag) => {
        const profile = standIn<vscode.TestRunProfile>("TestRunProfile", {
          label: name,
          kind,
          runHandler,
          isDefault,
          tag,
          supportsContinuousRun: false,
          onDidChangeDefault: new EventEmitter<boolean>().event,
          dispose: () => undefined,
        });
        this.profiles.push(profile);
        board.changed();
        return profile;
      },
      createTestRun: (_request: vscode.TestRunRequest, name?: string) => {
        const run = new MemoryRun(board, name);
        this.runs.push(run);
        return run.api;
      },
      invalidateTestResults: (what?: vscode.TestItem | readonly vscode.TestItem[]) => {
        this.outdated.push(...[what ?? []].flat().map((item) => (item as vscode.TestItem).label));
      },
      dispose: () => undefined,
    });
  }

  /** As a person: opens the entry, which discovers its files. */
  async open(): Promise<void> {
    if ("resolveHandler" in this.api) await this.api.resolveHandler?.(undefined);
  }

  /** As a person: runs tests with a profile by its label. Resolves to the run when it has ended. */
  async run(profileLabel: string, request: TestRunRequest): Promise<MemoryRun> {
    const profile = this.profiles.find(({ label }) => label === profileLabel);
    if (profile === undefined) throw new Error(`There is no profile ${profileLabel}.`);
    const { token } = new CancellationTokenSource();
    await profile.runHandler(request, token);
    const run = this.runs.at(-1);
    if (run === undefined) throw new Error("Nothing was run.");
    return run;
  }

  /** Its tests as text, those below others indented. */
  get text(): string {
    const lines = (items: vscode.TestItemCollection, depth: number): string[] =>
      [...items].flatMap(([, item]) => [
        `${"  ".repeat(depth)}${item.label}${item.description === undefined ? "" : ` | ${item.description}`}`,
        ...lines(item.children, depth + 1),
      ]);
    return lines(this.items, 0).join("\n");
  }
}

function createItem(board: Board, id: string, label: string, uri?: vscode.Uri): vscode.TestItem {
  const item = {
    id,
    label,
    uri,
    parent: undefined,
    tags: [],
    canResolveChildren: false,
    busy: false,
    description: undefined,
    sortText: undefined,
    range: undefined,
    error: undefined,
  } as unknown as vscode.TestItem;
  (item as { children: vscode.TestItemCollection }).children = new Items(board, item);
  return item;
}
