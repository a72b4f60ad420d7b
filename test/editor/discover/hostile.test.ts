import { strict as assert } from "node:assert";
import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  hostileRow,
  hostileTexts,
  plainRow,
  plainRows,
} from "../../fixtures/registries/hostileRows";
import {
  type Route,
  startTestRegistry,
  type TestRegistry,
} from "../../fixtures/registries/testRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

describe("Discover with a misbehaving registry", () => {
  const window = useWindow();
  let registry: TestRegistry;
  const list = (route: Route) => registry.answer("/v1/skills/search", route);

  before(async () => {
    registry = await startTestRegistry({
      "/v1/skills/search": { body: { skills: [plainRow("first")] } },
    });
    await window.connectTo(registry);
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Skill first/).waitFor();
  });
  afterEach(async () => {
    list({ body: { skills: [] } });
    await run("clearFilters");
  });

  const rows = () => window.view("Skills").locator(".monaco-list-row");

  it("shows hostile texts literally in the tree, its groups and tooltips", async () => {
    const names = Object.keys(hostileTexts);
    const hostile = names.map((name) => hostileRow(name, hostileTexts[name] ?? ""));
    list({ body: { skills: hostile } });
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

    await run("viewAs", { grouping: "publisher" });
    await eventually("groups", async () => (await rows().count()) === 2 * names.length);
    assert.equal(await rows().locator(".codicon-flame, .codicon-zap, img").count(), 0);
    await run("viewAs", { grouping: "none" });

    const tooltip = window.page.locator(".monaco-hover:visible", { hasText: "[press me]" });
    const live = await eventually("the tooltip", async () => {
      await window.pointAt(rows().nth(0));
      const count = (shown: Element) => shown.querySelectorAll("a, img, .codicon").length;
      return [await tooltip.evaluate(count, undefined, { timeout: 5_000 })];
    });
    assert.deepEqual(live, [0]);
  });

  it("shows hostile texts literally in the search and the filters", async () => {
    const hostile = Object.entries(hostileTexts).map(([name, text]) => hostileRow(name, text));
    list({ body: { skills: hostile } });
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

  it("moves from the row that loads more to the first new one, with any selection", async () => {
    list(({ query: asked }) => {
      const start = Number(asked.get("cursor") ?? 0);
      return { body: { skills: plainRows(start, start + 100), nextCursor: String(start + 100) } };
    });
    await run("refresh");
    await window.treeRow(/^Skill s00000/).waitFor();
    await run("loadMore", "row");
    const focused = window.page.locator(".monaco-list-row.focused", { hasText: "Skill s00100" });
    await focused.first().waitFor();
  });
});
