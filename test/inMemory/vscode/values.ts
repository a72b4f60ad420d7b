// The value classes of the editor's API, such as positions, edits and colors. They behave like the editor's own.
import type * as vscode from "vscode";
import { URI, Utils } from "vscode-uri";

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) as unknown as typeof vscode.Uri;

export class Position implements vscode.Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {
    if (line < 0 || character < 0) throw new Error("Illegal argument: it must be non-negative");
  }

  isBefore(other: vscode.Position): boolean {
    return this.compareTo(other) < 0;
  }

  isBeforeOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) <= 0;
  }

  isAfter(other: vscode.Position): boolean {
    return this.compareTo(other) > 0;
  }

  isAfterOrEqual(other: vscode.Position): boolean {
    return this.compareTo(other) >= 0;
  }

  isEqual(other: vscode.Position): boolean {
    return this.compareTo(other) === 0;
  }

  compareTo(other: vscode.Position): number {
    return this.line - other.line || this.character - other.character;
  }

  translate(by: number | { lineDelta?: number; characterDelta?: number } = 0, characters = 0) {
    const { lineDelta = 0, characterDelta = 0 } =
      typeof by === "number" ? { lineDelta: by, characterDelta: characters } : by;
    return new Position(this.line + lineDelta, this.character + characterDelta);
  }

  with(to: number | { line?: number; character?: number } = {}, at = this.character) {
    const { line = this.line, character = this.character } =
      typeof to === "number" ? { line: to, character: at } : to;
    return new Position(line, character);
  }
}

type Ends = readonly [vscode.Position, vscode.Position] | readonly [number, number, number, number];

function endsOf(ends: Ends): [Position, Position] {
  if (ends.length === 4) return [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])];
  return [plain(ends[0]), plain(ends[1])];
}

function plain({ line, character }: vscode.Position): Position {
  return new Position(line, character);
}

export class Range implements vscode.Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...ends: Ends) {
    const [one, other] = endsOf(ends);
    [this.start, this.end] = one.isAfter(other) ? [other, one] : [one, other];
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }

  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  contains(what: vscode.Position | vscode.Range): boolean {
    const { start, end } = "line" in what ? { start: what, end: what } : what;
    return this.start.isBeforeOrEqual(start) && this.end.isAfterOrEqual(end);
  }

  isEqual(other: vscode.Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }

  intersection(other: vscode.Range): Range | undefined {
    const start = this.start.isAfter(other.start) ? this.start : other.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return start.isAfter(end) ? undefined : new Range(start, end);
  }

  union(other: vscode.Range): Range {
    const start = this.start.isBefore(other.start) ? this.start : other.start;
    const end = this.end.isAfter(other.end) ? this.end : other.end;
    return new Range(start, end);
  }

  with(
    to: vscode.Position | { start?: vscode.Position; end?: vscode.Position } = {},
    last: vscode.Position = this.end,
  ): Range {
    const { start = this.start, end = this.end } = "line" in to ? { start: to, end: last } : to;
    return new Range(start, end);
  }
}

export class Selection extends Range implements vscode.Selection {
  readonly anchor: Position;
  readonly active: Position;

  constructor(...ends: Ends) {
    super(...ends);
    [this.anchor, this.active] = endsOf(ends);
  }

  get isReversed(): boolean {
    return this.anchor.isAfter(this.active);
  }
}

export class Location implements vscode.Location {
  range: vscode.Range;

  constructor(
    public uri: vscode.Uri,
    where: vscode.Range | vscode.Position,
  ) {
    this.range = "line" in where ? new Range(where, where) : where;
  }
}

export class Disposable implements vscode.Disposable {
  static from(...parts: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  constructor(private work: (() => unknown) | undefined) {}

  dispose(): unknown {
    const { work } = this;
    this.work = undefined;
    return work?.();
  }
}

/** An event. An error in a listener fails the current test and does not stop other listeners. */
export class EventEmitter<T> implements vscode.EventEmitter<T> {
  private readonly listeners = new Set<{ readonly hear: (value: T) => unknown }>();

  readonly event: vscode.Event<T> = (listener, self, disposables) => {
    const entry = { hear: (value: T) => listener.call(self, value) };
    this.listeners.add(entry);
    const subscription = new Disposable(() => this.listeners.delete(entry));
    disposables?.push(subscription);
    return subscription;
  };

  fire(value: T): void {
    for (const { hear } of [...this.listeners]) {
      try {
        hear(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationError extends Error {
  constructor() {
    super("Canceled");
    this.name = this.message;
  }
}

export class CancellationTokenSource implements vscode.CancellationTokenSource {
  private readonly canceled = new EventEmitter<unknown>();
  private isCanceled = false;
  readonly token: vscode.CancellationToken;

  constructor() {
    const isCanceled = () => this.isCanceled;
    this.token = {
      get isCancellationRequested() {
        return isCanceled();
      },
      onCancellationRequested: this.canceled.event,
    };
  }

  cancel(): void {
    if (this.isCanceled) return;
    this.isCanceled = true;
    this.canceled.fire(undefined);
  }

  dispose(): void {
    this.canceled.dispose();
  }
}

export class ThemeColor implements vscode.ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon implements vscode.ThemeIcon {
  static readonly File = new ThemeIcon("file");
  static readonly Folder = new ThemeIcon("folder");

  constructor(
    readonly id: string,
    readonly color?: vscode.ThemeColor,
  ) {}
}

export const QuickInputButtons = {
  Back: { iconPath: new ThemeIcon("arrow-left"), tooltip: "Back" },
} as unknown as typeof vscode.QuickInputButtons;

export class MarkdownString implements vscode.MarkdownString {
  isTrusted?: boolean | { readonly enabledCommands: readonly string[] };
  supportHtml?: boolean;
  baseUri?: vscode.Uri;

  constructor(
    public value = "",
    public supportThemeIcons = false,
  ) {}

  appendText(text: string): this {
    this.value += text.replaceAll(/[\\`*_{}[\]()#+\-!~]/g, "\\$&").replaceAll("\n", "\n\n");
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendCodeblock(text: string, language = ""): this {
    this.value += `\n\`\`\`${language}\n${text}\n\`\`\`\n`;
    return this;
  }
}

export class TreeItem implements vscode.TreeItem {
  label?: string | vscode.TreeItemLabel;
  resourceUri?: vscode.Uri;

  constructor(
    what: string | vscode.TreeItemLabel | vscode.Uri,
    public collapsibleState: vscode.TreeItemCollapsibleState = 0,
  ) {
    if (what instanceof URI) this.resourceUri = what as vscode.Uri;
    else this.label = what as string | vscode.TreeItemLabel;
  }
}

export class RelativePattern implements vscode.RelativePattern {
  readonly baseUri: vscode.Uri;

  constructor(
    base: vscode.WorkspaceFolder | vscode.Uri | string,
    readonly pattern: string,
  ) {
    if (typeof base === "string") this.baseUri = Uri.file(base);
    else
      this.baseUri =
        base instanceof URI ? (base as vscode.Uri) : (base as vscode.WorkspaceFolder).uri;
  }

  get base(): string {
    return this.baseUri.fsPath;
  }
}

export class TabInputText implements vscode.TabInputText {
  constructor(readonly uri: vscode.Uri) {}
}

export class TabInputTextDiff implements vscode.TabInputTextDiff {
  constructor(
    readonly original: vscode.Uri,
    readonly modified: vscode.Uri,
  ) {}
}

export class TabInputWebview implements vscode.TabInputWebview {
  constructor(readonly viewType: string) {}
}

export class TestMessage implements vscode.TestMessage {
  expectedOutput?: string;
  actualOutput?: string;
  location?: vscode.Location;
  contextValue?: string;

  static diff(message: string | vscode.MarkdownString, expected: string, actual: string) {
    const made = new TestMessage(message);
    made.expectedOutput = expected;
    made.actualOutput = actual;
    return made;
  }

  constructor(public message: string | vscode.MarkdownString) {}
}

export class TestTag implements vscode.TestTag {
  constructor(readonly id: string) {}
}

export class TestRunRequest implements vscode.TestRunRequest {
  constructor(
    readonly include: readonly vscode.TestItem[] | undefined = undefined,
    readonly exclude: readonly vscode.TestItem[] | undefined = undefined,
    readonly profile: vscode.TestRunProfile | undefined = undefined,
    readonly continuous = false,
    readonly preserveFocus = true,
  ) {}
}

export class FileSystemError extends Error implements vscode.FileSystemError {
  static FileNotFound(what?: string | vscode.Uri) {
    return new FileSystemError(what, "FileNotFound");
  }

  static FileExists(what?: string | vscode.Uri) {
    return new FileSystemError(what, "FileExists");
  }

  static FileNotADirectory(what?: string | vscode.Uri) {
    return new FileSystemError(what, "FileNotADirectory");
  }

  static FileIsADirectory(what?: string | vscode.Uri) {
    return new FileSystemError(what, "FileIsADirectory");
  }

  static NoPermissions(what?: string | vscode.Uri) {
    return new FileSystemError(what, "NoPermissions");
  }

  static Unavailable(what?: string | vscode.Uri) {
    return new FileSystemError(what, "Unavailable");
  }

  constructor(
    what?: string | vscode.Uri,
    readonly code = "Unknown",
  ) {
    super(what?.toString());
    this.name = `${code} (FileSystemError)`;
  }
}

export class LanguageModelTextPart implements vscode.LanguageModelTextPart {
  constructor(public value: string) {}
}

export class LanguageModelToolResult implements vscode.LanguageModelToolResult {
  constructor(public content: (LanguageModelTextPart | unknown)[]) {}
}
