import type * as vscode from "vscode";
import { type Board, standIn } from "../screen/board";
import { CancellationTokenSource, EventEmitter, TestRunRequest } from "./values";

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

type Result = "enqueued" | "started" | "skipped" | "failed" | "errored" | "passed";

/** A run of the Test Explorer. */
export class MemoryRun {
  /** The result of each test, a line each: its state, its label and its message. */
  readonly lines: string[] = [];
  /** The messages about tests, as commands of a message's menu get them. */
  readonly messages: { readonly test: vscode.TestItem; readonly message: vscode.TestMessage }[] =
    [];
  output = "";
  isEnded = false;
  readonly api: vscode.TestRun;

  constructor(
    name: string | undefined,
    token: vscode.CancellationToken,
    told: (item?: vscode.TestItem, result?: Result) => void,
  ) {
    const note = (result: Result) => (item: vscode.TestItem, given?: unknown) => {
      const messages = [given]
        .flat()
        .filter((one) => typeof one === "object") as vscode.TestMessage[];
      this.messages.push(...messages.map((message) => ({ test: item, message })));
      const texts = messages.map(({ message }) =>
        typeof message === "string" ? message : message.value,
      );
      this.lines.push([`${result} ${item.label}`, ...texts].join(": "));
      told(item, result);
    };
    this.api = standIn<vscode.TestRun>("TestRun", {
      name,
      token,
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
        told();
      },
    });
  }

  /** The final results of the tests, in order. */
  get results(): readonly string[] {
    return this.lines.filter((line) => !/^(enqueued|started) /.test(line));
  }
}

/** An entry of the Test Explorer. */
export class MemoryController {
  readonly items: Items;
  readonly profiles: vscode.TestRunProfile[] = [];
  readonly runs: MemoryRun[] = [];
  readonly api: vscode.TestController;
  /** The last result of each test, by the path of its IDs. */
  private readonly states = new Map<string, { readonly result: Result; isOutdated: boolean }>();
  /** Cancels the current run. */
  private running = new CancellationTokenSource();

  constructor(
    private readonly board: Board,
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
      createRunProfile: (name, kind, runHandler, isDefault = false, tag, isContinuous = false) => {
        const profile = standIn<vscode.TestRunProfile>("TestRunProfile", {
          label: name,
          kind,
          runHandler,
          isDefault,
          tag,
          supportsContinuousRun: isContinuous,
          onDidChangeDefault: new EventEmitter<boolean>().event,
          dispose: () => undefined,
        });
        this.profiles.push(profile);
        board.changed();
        return profile;
      },
      createTestRun: (_request: vscode.TestRunRequest, name?: string) => {
        const run = new MemoryRun(name, this.running.token, (item, result) => {
          if (item !== undefined && result !== undefined) {
            this.states.set(pathOf(item), { result, isOutdated: false });
          }
          board.changed();
        });
        this.runs.push(run);
        return run.api;
      },
      invalidateTestResults: (what?: vscode.TestItem | readonly vscode.TestItem[]) => {
        const tops = what === undefined ? [""] : ([what].flat() as vscode.TestItem[]).map(pathOf);
        for (const [path, state] of this.states) {
          if (tops.some((top) => `${path}/`.startsWith(top))) state.isOutdated = true;
        }
        board.changed();
      },
      dispose: () => undefined,
    });
  }

  /** As a person: opens the entry, which discovers its files. */
  async open(): Promise<void> {
    if ("resolveHandler" in this.api) await this.api.resolveHandler?.(undefined);
  }

  /** As a person: runs tests, all of them by default, with a profile by its label. Resolves to the run when it has ended. */
  async run(profileLabel: string, ...tests: readonly vscode.TestItem[]): Promise<MemoryRun> {
    const profile = this.profiles.find(({ label }) => label === profileLabel);
    if (profile === undefined) throw new Error(`There is no profile ${profileLabel}.`);
    this.running = new CancellationTokenSource();
    const request = new TestRunRequest(tests.length === 0 ? undefined : tests, [], profile);
    await profile.runHandler(request, this.running.token);
    const run = this.runs.at(-1);
    if (run === undefined) throw new Error("Nothing was run.");
    return run;
  }

  /** As a person: turns on continuous run for tests, by default all. Resolves to a function that turns it off. */
  async follow(profileLabel: string, ...tests: readonly vscode.TestItem[]): Promise<() => void> {
    const profile = this.profiles.find(({ label }) => label === profileLabel);
    if (profile?.supportsContinuousRun !== true)
      throw new Error(`Not continuous: ${profileLabel}.`);
    const source = new CancellationTokenSource();
    const include = tests.length === 0 ? undefined : tests;
    await profile.runHandler(new TestRunRequest(include, [], profile, true), source.token);
    return () => source.cancel();
  }

  /** As a person: stops the current run. */
  stop(): void {
    this.running.cancel();
  }

  /** Returns the test with a label at any level, or undefined. */
  find(label: string, among: vscode.TestItemCollection = this.items): vscode.TestItem | undefined {
    for (const [, item] of among) {
      const found = item.label === label ? item : this.find(label, item.children);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Returns the shown state of the test with a label, such as "passed" or "failed, outdated"; empty if it was not run.
   */
  stateOf(label: string): string {
    const item = this.find(label);
    if (item === undefined) throw new Error(`There is no test ${label}.\n${this.text}`);
    return this.toldOf(item);
  }

  /** Waits until a test exists and has this state. */
  isTold(label: string, state = ""): Promise<unknown> {
    return this.board.until(
      `the test ${label} ${state}`,
      () => this.find(label) !== undefined && this.stateOf(label) === state,
    );
  }

  /** Its tests as text, indented by level. */
  get text(): string {
    const lines = (items: vscode.TestItemCollection, depth: number): string[] =>
      [...items].flatMap(([, item]) => {
        const told = [item.label, item.description, item.error, this.toldOf(item)];
        const line = `${"  ".repeat(depth)}${told.filter(Boolean).join(" | ")}`;
        return [line, ...lines(item.children, depth + 1)];
      });
    return lines(this.items, 0).join("\n");
  }

  private toldOf(item: vscode.TestItem): string {
    const state = this.states.get(pathOf(item));
    return state === undefined ? "" : `${state.result}${state.isOutdated ? ", outdated" : ""}`;
  }
}

/** The IDs that lead to a test. */
function pathOf({ id, parent }: vscode.TestItem): string {
  return `${parent === undefined ? "" : pathOf(parent)}${encodeURIComponent(id)}/`;
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
