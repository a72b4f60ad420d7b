import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type * as vscode from "vscode";
import { Tree } from "../../../../src/host/ui/tree";

/** A view of texts whose readings end when the test says so. */
class Texts extends Tree<string> {
  readonly pending: ((rows: readonly string[]) => void)[] = [];
  redraws = 0;

  constructor(isVisible: boolean) {
    super({ attach: () => ({ visible: isVisible }) as vscode.TreeView<string> });
    this.onDidChangeTreeData(() => {
      this.redraws += 1;
    });
  }

  /** Ends a reading, and waits for its effects. */
  async answer(read: number, ...rows: readonly string[]): Promise<void> {
    this.pending[read]?.(rows);
    await new Promise((next) => setImmediate(next));
  }

  change(): void {
    void this.redraw();
  }

  getTreeItem(): never {
    throw new Error("No row is drawn.");
  }

  protected readRows(): Promise<readonly string[]> {
    return new Promise((read) => this.pending.push(read));
  }

  protected rowsBelow(): readonly string[] {
    return [];
  }

  protected textOf(row: string): string {
    return row;
  }
}

describe("Tree", () => {
  it("is redrawn only if its rows have changed", async () => {
    const view = new Texts(true);
    const first = view.getChildren();
    await view.answer(0, "a");
    assert.deepEqual(await first, ["a"]);
    view.change();
    await view.answer(1, "a");
    assert.equal(view.redraws, 0);
    view.change();
    await view.answer(2, "b");
    assert.equal(view.redraws, 1);
    assert.deepEqual(await view.getChildren(), ["b"]);
    assert.equal(view.pending.length, 3);
  });

  it("never replaces newer rows by older ones, whichever were read first", async () => {
    const view = new Texts(true);
    const first = view.getChildren();
    view.change();
    view.change();
    await view.answer(2, "newest");
    await view.answer(1, "older");
    await view.answer(0, "oldest");
    assert.deepEqual(await first, ["newest"]);
    assert.deepEqual([view.redraws, await view.getChildren()], [1, ["newest"]]);
  });

  it("reads nothing while hidden, and reads again when visible", async () => {
    const view = new Texts(false);
    const first = view.getChildren();
    await view.answer(0, "a");
    await first;
    view.change();
    assert.deepEqual([view.pending.length, view.redraws], [1, 1]);
    const next = view.getChildren();
    await view.answer(1, "b");
    assert.deepEqual(await next, ["b"]);
  });
});
