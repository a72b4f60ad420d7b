import { strict as assert } from "node:assert";
import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type HostileRegistry,
  hostileRow,
  hostileTexts,
  plainRow,
  plainRows,
  startHostileRegistry,
} from "../../fixtures/registries/hostileRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import type { EditorWindow } from "../window/window";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

describe("Discover, with a registry that misbehaves", () => {
  const window = useWindow();
  let registry: HostileRegistry;

  before(async () => {
    registry = await startHostileRegistry(() => ({ body: { skills: [plainRow("first")] } }));
    await window.connectTo(registry);
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Skill first/).waitFor();
  });
  afterEach(async () => {
    registry.list = () => ({ body: { skills: [] } });
    await run("clearFilters");
  });

  const rows = () => window.view("Skills").locator(".monaco-list-row");

  it("shows hostile words as words: in the tree, its groups and tooltips", async () => {
    const names = Object.keys(hostileTexts);
    const hostile = names.map((name) => hostileRow(name, hostileTexts[name] ?? ""));
    registry.list = () => ({ body: { skills: hostile } });
    await run("refresh");
    await eventually("all rows", async () => (await rows().count()) === names.length);
    const shown = await window.view("Skills").locator(".monaco-list").innerText();
    assert.match(shown, /\[press me\]\(command:/);
    assert.match(shown, /invoice\\u202Efdp\.exe/);
    assert.match(shown, /a\\u0000b\\u200Bc/);
    assert.doesNotMatch(shown, /[\u202E\u200B]/u);
    assert.ok(shown.length < 5000, `${shown.length} characters`);
    assert.equal(await rows().locator(".codicon-flame, .codicon-zap, img").count(), 0);
    assert.equal(await rows().getByRole("link").count(), 0);

    await run("groupSkills", "publisher");
    await eventually("groups", async () => (await rows().count()) === 2 * names.length);
    assert.equal(await rows().locator(".codicon-flame, .codicon-zap, img").count(), 0);
    await run("groupSkills", "none");

    const tooltip = window.page.locator(".monaco-hover:visible", { hasText: "[press me]" });
    const live = await eventually("the tooltip", async () => {
      await window.pointAt(rows().nth(0));
      const count = (shown: Element) => shown.querySelectorAll("a, img, .codicon").length;
      return [await tooltip.evaluate(count, undefined, { timeout: 5_000 })];
    });
    assert.deepEqual(live, [0]);
  });

  it("shows hostile words as words in the search and the filters", async () => {
    const hostile = Object.entries(hostileTexts).map(([name, text]) => hostileRow(name, text));
    registry.list = () => ({ body: { skills: hostile } });
    await run("refresh");
    await window.runCommand("Skill Registry: Search Skills…");
    await window.quickInput.getByText("[press me]").first().waitFor();
    assert.equal(await window.quickInput.locator(".codicon-flame, .codicon-zap, img").count(), 0);
    assert.doesNotMatch(await window.quickInput.innerText(), /[\u202E\u200B]/u);
    await window.leaveQuickInput();
    await window.runCommand("Skill Registry: Filter Skills…");
    await window.typeIntoQuickInput("press me");
    await window.quickInput.getByText("[press me]").first().waitFor();
    assert.equal(await window.quickInput.getByRole("link").count(), 0);
  });

  it("drops the answer to an older text that comes late, and shows nothing of its end", async () => {
    const held = new Map<string, () => void>();
    registry.list = (asked) => {
      const text = asked.get("q");
      if (text === null) return { body: { skills: [plainRow("first")] } };
      return new Promise((resolve) => {
        held.set(text, () => resolve({ body: { skills: [plainRow(`${text}-found`)] } }));
      });
    };
    await window.runCommand("Skill Registry: Search Skills…");
    await window.quickPickRow("Skill first").waitFor();
    await window.typeIntoQuickInput("slow");
    await eventually("the slow request", () => held.has("slow"));
    await window.typeIntoQuickInput("slower");
    await eventually("the slower request", () => held.has("slower"));
    await window.quickPickRow("Skill first").waitFor();
    held.get("slower")?.();
    await window.quickPickRow("Skill slower-found").waitFor();
    held.get("slow")?.();
    // Another request there and back, so that the late answer had its time.
    await run("refresh");
    await window.treeRow(/^Skill first/).waitFor();
    assert.equal(await window.quickPickRow("Skill slow-found").count(), 0);
    await window.quickPickRow("Skill slower-found").waitFor();
    await window.page.keyboard.press("Escape");
  });

  it("goes through 100,000 skills by keyboard and keeps the place", async () => {
    registry.list = (asked) => {
      const start = Number(asked.get("cursor") ?? 0);
      const skills = plainRows(start, start + 100);
      return { body: { skills, total: 100_000, nextCursor: String(start + 100) } };
    };
    await run("refresh");
    await window.treeRow(/^Skill s00000/).waitFor();
    await vscode.commands.executeCommand("skillRegistry.skills.focus");
    const list = window.page.locator(".monaco-list.element-focused, .monaco-list:focus");
    const focused = (text: string) =>
      list.locator(".monaco-list-row.focused", { hasText: text }).first();
    /** Presses a key until it has led to a row: a list that is filled just then takes none. */
    const reach = (key: string, text: string) =>
      eventually(`the focus on ${text}`, async () => {
        await window.page.keyboard.press(key);
        return (await focused(text).count()) > 0;
      });
    for (const [loaded, first] of [
      ["200", "s00100"],
      ["400", "s00200"],
      ["800", "s00400"],
      ["1,300", "s00800"],
      ["1,800", "s01300"],
    ] as const) {
      await reach("End", "Load more skills…");
      const before = registry.cursors.length;
      await eventually("more to be asked for", async () => {
        await window.page.keyboard.press("Enter");
        return eventually("a request", () => registry.cursors.length > before, 5);
      });
      await focused(`Skill ${first}`).waitFor();
      await reach("End", "Load more skills…");
      await window.treeRow(new RegExp(`^Load more skills… ${loaded} of 100,000 loaded`)).waitFor();
    }
    assert.ok((await sizeOfTree(window)) < 1010, `${await sizeOfTree(window)} rows`);
    await reach("Home", "1 – 500");
    await window.treeRow(/^1 – 500, 500 skills/).waitFor();
    // On an open group it leads to the first row below it.
    await eventually("the first skills", async () => {
      await window.page.keyboard.press("ArrowRight");
      const first = window.treeRow(/^Skill s00000/);
      return eventually("the first skill", () => first.isVisible(), 5);
    });
  });

  it("leads from the row that loads more to the first new one, whatever is known of the selection", async () => {
    registry.list = (asked) => {
      const start = Number(asked.get("cursor") ?? 0);
      return { body: { skills: plainRows(start, start + 100), nextCursor: String(start + 100) } };
    };
    await run("refresh");
    await window.treeRow(/^Skill s00000/).waitFor();
    await run("loadMore", "row");
    const focused = window.page.locator(".monaco-list-row.focused", { hasText: "Skill s00100" });
    await focused.first().waitFor();
  });
});

/** How many rows the tree has, in sight or not. */
async function sizeOfTree(window: EditorWindow): Promise<number> {
  const row = window.view("Skills").locator(".monaco-list-row").first();
  return Number(await row.getAttribute("aria-setsize"));
}
