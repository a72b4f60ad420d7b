import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type * as vscode from "vscode";
import { ShownPage } from "../../../../src/host/inspect/shownPage";
import type { SkillPage } from "../../../../src/protocol/pageMessages";

const loading: SkillPage = { kind: "loading", slug: "a" };
const gone: SkillPage = { kind: "gone", slug: "a", registryName: "r" };
const icon = { light: "light", dark: "dark" };
const ready = { type: "ready" };

describe("ShownPage", () => {
  it("sends its content whenever the page is ready, and at every change", async () => {
    const { shown, sent, hear, filled } = open();
    assert.equal(await filled, undefined);
    assert.deepEqual(sent, []);
    hear(ready);
    shown.show(gone);
    hear(ready);
    const [first, second] = [loading, gone].map((page) => ({ type: "snapshot", page }));
    assert.deepEqual(sent, [first, second, second]);
  });

  it("sends only changes, names removed parts, and sends nothing without a change", async () => {
    const { shown, sent, hear, filled } = open();
    await filled;
    hear(ready);
    shown.show({ kind: "comparison", slugs: ["a", "b"] });
    shown.show({ kind: "comparison", slugs: ["a", "c"] });
    shown.show({ kind: "comparison", slugs: ["a", "c"], comparison: { skills: [], groups: [] } });
    shown.show({ kind: "comparison", slugs: ["a", "c"] });
    shown.show({ kind: "comparison", slugs: ["a", "c"] });
    assert.deepEqual(sent.slice(2), [
      { type: "change", changed: { slugs: ["a", "c"] }, removed: [] },
      { type: "change", changed: { comparison: { skills: [], groups: [] } }, removed: [] },
      { type: "change", changed: {}, removed: ["comparison"] },
    ]);
  });

  it("sends nothing while the panel is hidden, and everything when its page returns", async () => {
    const { shown, sent, hear, filled, setVisible, seen } = open();
    await filled;
    hear(ready);
    setVisible(false);
    shown.show(gone);
    setVisible(true);
    assert.equal(seen.length, 1);
    shown.show(loading);
    assert.equal(sent.length, 1);
    hear(ready);
    assert.deepEqual(sent.slice(1), [{ type: "snapshot", page: loading }]);
  });

  it("embeds known content before the editor loads the page", async () => {
    const { shown, sent, filled } = open();
    shown.show(gone);
    assert.deepEqual(await filled, { type: "snapshot", page: gone });
    assert.deepEqual(sent, []);
  });

  it("sends nothing before the page is ready", async () => {
    const { shown, sent, filled } = open();
    await filled;
    shown.show(gone);
    assert.deepEqual(sent, []);
  });

  it("ignores a closed panel", () => {
    const { shown, close, fills } = open();
    close();
    shown.show(gone);
    assert.equal(fills(), 0);
  });

  it("gives the tab its icon and name once the page is ready, and later names at once", () => {
    const { shown, view, hear } = open();
    shown.rename("Text statistics");
    assert.deepEqual([view.title, view.iconPath], ["a", undefined]);
    hear(ready);
    assert.deepEqual([view.title, view.iconPath], ["Text statistics", icon]);
    shown.rename("Text numbers");
    assert.equal(view.title, "Text numbers");
  });

  it("handles only the allowed requests of the page", () => {
    const { wishes, hear } = open();
    for (const message of [{ type: "retry" }, { ...ready, more: 1 }, { type: "find" }, "invoke"]) {
      hear(message);
    }
    assert.deepEqual(wishes, [{ type: "retry" }]);
  });

  it("uses only the newest load, and none after the panel is closed", () => {
    const { shown, sent, close } = open();
    shown.show(loading);
    const first = shown.beginLoad();
    const joined = shown.joinLoad();
    assert.deepEqual([first.aborted, joined.aborted], [false, false]);
    const second = shown.beginLoad();
    assert.deepEqual([first.aborted, joined.aborted, second.aborted], [true, true, false]);
    close();
    assert.ok(second.aborted);
    shown.show(gone);
    assert.deepEqual(sent, []);
  });
});

function open() {
  const sent: unknown[] = [];
  const wishes: unknown[] = [];
  let hear: (message: unknown) => void = () => assert.fail("Nobody listens to the page.");
  let close = () => {};
  let look = () => {};
  const seen: unknown[] = [];
  const view = {
    title: "a",
    visible: true,
    webview: {
      postMessage: async (message: unknown) => sent.push(message),
      onDidReceiveMessage: (listener: typeof hear) => {
        hear = listener;
      },
    },
    onDidDispose: (listener: () => void) => {
      close = listener;
    },
    onDidChangeViewState: (listener: () => void) => {
      look = listener;
    },
  } as unknown as vscode.WebviewPanel;
  let fills = 0;
  let fill: (first: unknown) => void = () => {};
  const filled = new Promise((resolve) => {
    fill = resolve;
  });
  const shown = new ShownPage({
    view,
    frame: {
      fill: (_view, _title, first) => {
        fills += 1;
        fill(first);
      },
      tabIcon: icon as never,
    },
    title: "a",
    page: loading,
    handlers: { retry: (wish) => wishes.push(wish) },
    seen: () => seen.push(undefined),
  });
  const setVisible = (isVisible: boolean) => {
    Object.assign(view, { visible: isVisible });
    look();
  };
  return {
    filled,
    fills: () => fills,
    shown,
    setVisible,
    seen,
    view,
    sent,
    wishes,
    hear: (message: unknown) => hear(message),
    close: () => close(),
  };
}
