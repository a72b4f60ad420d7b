import type * as vscode from "vscode";
import { QuickPickItemKind } from "../vscode/enums";
import { EventEmitter } from "../vscode/values";
import type { QuickInputs } from "./questions";

/** The common part of a picker and an input box. */
export abstract class QuickInput implements vscode.QuickInput {
  private readonly hidden = new EventEmitter<void>();
  protected readonly accepted = new EventEmitter<void>();
  protected readonly valueChanged = new EventEmitter<string>();
  private readonly pressed = new EventEmitter<vscode.QuickInputButton>();
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  placeholder: string | undefined;
  prompt: string | undefined;
  enabled = true;
  ignoreFocusOut = false;
  buttons: readonly vscode.QuickInputButton[] = [];
  private typed = "";
  private isBusy = false;
  /** Whether the extension has called `show` last, and whether `onDidHide` is still to be fired. */
  private isWanted = false;
  private isEndAwaited = false;
  private isDisposed = false;

  readonly onDidHide = this.hidden.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidChangeValue = this.valueChanged.event;
  readonly onDidTriggerButton = this.pressed.event;

  constructor(protected readonly desk: QuickInputs) {}

  get busy(): boolean {
    return this.isBusy;
  }

  set busy(to: boolean) {
    this.isBusy = to;
    this.desk.board.changed();
  }

  get value(): string {
    return this.typed;
  }

  set value(to: string) {
    this.typed = to;
    this.desk.board.changed();
  }

  show(): void {
    this.isWanted = true;
    this.isEndAwaited = true;
    this.desk.open(this);
  }

  hide(): void {
    this.isWanted = false;
    this.desk.close(this);
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.desk.close(this);
    this.gone();
  }

  /** As a person: closes it with Escape. */
  leave(): void {
    this.desk.close(this);
  }

  /** As a person: clicks elsewhere, or goes to another window. */
  lookAway(): void {
    if (!this.ignoreFocusOut) this.leave();
  }

  /**
   * Called when it is no longer shown. Like in the editor, one that a person closed fires once more when it is disposed
   * of.
   */
  gone(): void {
    if (!this.isEndAwaited) return;
    this.isEndAwaited = this.isWanted;
    this.hidden.fire();
  }

  /** As a person: replaces the text by typing. */
  type(text: string): void {
    this.value = text;
    this.valueChanged.fire(text);
    this.desk.board.changed();
  }

  /** As a person: presses a button in its title by its tooltip. */
  pressButton(tooltip: string): void {
    const button = this.buttons.find((one) => one.tooltip === tooltip);
    if (button === undefined) throw new Error(`No button ${tooltip} in:\n${this.text}`);
    this.pressed.fire(button);
  }

  /** Everything that it shows, as text. */
  abstract get text(): string;
}
/** An input box. A person types into it and presses Enter with `accept`. */

export class MemoryInput extends QuickInput implements vscode.InputBox {
  private problem: string | vscode.InputBoxValidationMessage | undefined;
  password = false;
  valueSelection: readonly [number, number] | undefined;

  get validationMessage(): string | vscode.InputBoxValidationMessage | undefined {
    return this.problem;
  }

  set validationMessage(to: string | vscode.InputBoxValidationMessage | undefined) {
    this.problem = to;
    this.desk.board.changed();
  }

  get text(): string {
    const { problem } = this;
    const said = typeof problem === "string" ? problem : problem?.message;
    const shown = this.password ? "•".repeat(this.value.length) : this.value;
    return [this.title, this.prompt ?? this.placeholder, `[${shown}]`, said]
      .filter((line) => line !== undefined && line !== "")
      .join("\n");
  }

  accept(): void {
    this.accepted.fire();
  }
}
/** A quick pick. A person types into it, chooses one row or checks several, and presses Enter. */

export class MemoryPick<T extends vscode.QuickPickItem>
  extends QuickInput
  implements vscode.QuickPick<T>
{
  private readonly activeChanged = new EventEmitter<readonly T[]>();
  private readonly selectionChanged = new EventEmitter<readonly T[]>();
  private readonly rowPressed = new EventEmitter<vscode.QuickPickItemButtonEvent<T>>();
  private all: readonly T[] = [];
  private active: readonly T[] = [];
  private selected: readonly T[] = [];
  /**
   * In a pick for many: the rows on the screen, the indices of the checked ones, and what has not reached the screen
   * yet.
   */
  private drawn: readonly T[] = [];
  private marks: readonly number[] = [];
  private unsent: { items?: readonly T[]; marks?: readonly number[] } | undefined;
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;

  readonly onDidChangeActive = this.activeChanged.event;
  readonly onDidChangeSelection = this.selectionChanged.event;
  readonly onDidTriggerItemButton = this.rowPressed.event;

  get items(): readonly T[] {
    return this.all;
  }

  set items(to: readonly T[]) {
    this.all = to;
    if (this.canSelectMany) this.send({ items: to });
    else this.selected = [];
    // Until it is shown, only rows in `activeItems` are highlighted.
    this.active = [];
    if (Object.is(this.desk.current, this)) this.activateFirst();
    this.desk.board.changed();
  }

  get activeItems(): readonly T[] {
    return this.active;
  }

  set activeItems(to: readonly T[]) {
    this.active = to;
    this.desk.board.changed();
  }

  get selectedItems(): readonly T[] {
    return this.selected;
  }

  set selectedItems(to: readonly T[]) {
    this.selected = to;
    if (this.canSelectMany) this.send({ marks: to.map((item) => this.all.indexOf(item)) });
    this.desk.board.changed();
  }

  /** The rows on the screen. In a pick for many, they arrive there some time after the extension has set them. */
  private get screen(): readonly T[] {
    return this.canSelectMany ? this.drawn : this.all;
  }

  /** The rows that match the typed text. */
  get rows(): readonly T[] {
    const typed = this.value.trim().toLowerCase();
    const has = (text: string | undefined) => text?.toLowerCase().includes(typed) ?? false;
    return this.screen.filter(
      (item) =>
        item.kind !== QuickPickItemKind.Separator &&
        (typed === "" ||
          item.alwaysShow ||
          has(plainLabel(item.label)) ||
          (this.matchOnDescription && has(item.description)) ||
          (this.matchOnDetail && has(item.detail))),
    );
  }

  get text(): string {
    const lines = this.screen.map((item, index) => {
      if (item.kind === QuickPickItemKind.Separator) return `── ${item.label}`;
      if (!this.rows.includes(item)) return undefined;
      const mark = this.canSelectMany ? (this.marks.includes(index) ? "[x] " : "[ ] ") : "";
      const cursor = this.active.includes(item) ? ">" : " ";
      return `${cursor} ${mark}${rowText(item)}`;
    });
    return [this.title, `[${this.value === "" ? (this.placeholder ?? "") : this.value}]`, ...lines]
      .filter((line) => line !== undefined)
      .join("\n");
  }

  override show(): void {
    if (this.active.length === 0) this.activateFirst();
    this.draw();
    super.show();
  }

  override get value(): string {
    return super.value;
  }

  /** Like in the editor, a new value set by the extension fires the same event as typing. */
  override set value(to: string) {
    const isNew = to !== super.value;
    super.value = to;
    const isShown = Object.is(this.desk.current, this);
    if (isNew && isShown) setImmediate(() => this.valueChanged.fire(to));
  }

  override type(text: string): void {
    super.value = text;
    this.activateFirst();
    this.valueChanged.fire(text);
    this.desk.board.changed();
  }

  /** Returns the row with this label, without icons. Undefined if no visible row has it. */
  row(label: string | RegExp): T | undefined {
    return this.rows.find((row) =>
      typeof label === "string" ? plainLabel(row.label) === label : label.test(rowText(row)),
    );
  }

  /** As a person: moves the highlight to a row. */
  highlight(label: string | RegExp): void {
    this.active = [this.need(label)];
    this.activeChanged.fire(this.active);
    this.desk.board.changed();
  }

  /** As a person: chooses a row, which accepts a pick for one, and checks or unchecks the row in a pick for many. */
  choose(label: string | RegExp): void {
    const row = this.need(label);
    this.active = [row];
    if (!this.canSelectMany) {
      this.accept();
      return;
    }
    const at = this.drawn.indexOf(row);
    this.mark(
      this.marks.includes(at) ? this.marks.filter((one) => one !== at) : [...this.marks, at].sort(),
    );
    this.desk.board.changed();
  }

  /** As a person: presses a button of a row by its tooltip. */
  pressInRow(label: string | RegExp, tooltip: string): void {
    const item = this.need(label);
    const button = item.buttons?.find((one) => one.tooltip === tooltip);
    if (button === undefined) throw new Error(`No button ${tooltip} in the row ${item.label}.`);
    this.rowPressed.fire({ item, button });
  }

  /** As a person: presses Enter. */
  accept(): void {
    if (this.canSelectMany) {
      setImmediate(() => this.accepted.fire());
      return;
    }
    this.selected = this.active;
    this.selectionChanged.fire(this.selected);
    this.accepted.fire();
  }

  /** Sends the changes of this turn to the screen, after a timer. */
  private send(update: NonNullable<typeof this.unsent>): void {
    const isFirst = this.unsent === undefined;
    this.unsent = { ...this.unsent, ...update };
    if (isFirst && Object.is(this.desk.current, this)) {
      setTimeout(() => this.draw(), 0);
    }
  }

  /** New rows have no check marks until the marks sent with them are set. */
  private draw(): void {
    const { items, marks } = this.unsent ?? {};
    this.unsent = undefined;
    if (items !== undefined) {
      this.drawn = items;
      this.mark([]);
    }
    if (marks !== undefined) this.mark(marks);
    this.desk.board.changed();
  }

  /**
   * Reports the check marks by index. Like the editor, it then looks up these indices in the rows that the extension
   * has set meanwhile.
   */
  private mark(marks: readonly number[]): void {
    if (marks.join() === this.marks.join()) return;
    this.marks = marks;
    setImmediate(() => {
      this.selected = marks.flatMap((index) => this.all[index] ?? []);
      this.selectionChanged.fire(this.selected);
      this.desk.board.changed();
    });
  }

  private activateFirst(): void {
    this.active = this.canSelectMany ? [] : this.rows.slice(0, 1);
    this.activeChanged.fire(this.active);
  }

  private need(label: string | RegExp): T {
    const row = this.row(label);
    if (row === undefined) throw new Error(`No row ${label} in:\n${this.text}`);
    return row;
  }
}
function plainLabel(label: string): string {
  return label.replaceAll(/\$\([^)]*\) ?/g, "");
}
function rowText({ label, description, detail }: vscode.QuickPickItem): string {
  return [plainLabel(label), description, detail].filter(Boolean).join(" | ");
}
