import { strict as assert } from "node:assert";
import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type HostileRegistry,
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

const error = {
  status: 500,
  body: { error: `Broken ${hostileTexts["direction"]} ${hostileTexts["link"]}` },
};

describe("Discover, with a registry that fails", () => {
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

  const note = (words: string | RegExp) => window.view("Skills").getByText(words);
  const pagesAsked = () => registry.cursors.filter((cursor) => cursor !== "").length;

  it("keeps the last list when a refresh fails, and says so once", async () => {
    registry.list = () => ({ body: { skills: [plainRow("kept")] } });
    await run("refresh");
    await window.treeRow(/^Skill kept/).waitFor();
    registry.list = () => error;
    for (let times = 0; times < 3; times += 1) await run("refresh");
    await note(/^List from .*refresh failed: .*HTTP 500.*Broken invoice\\u202Efdp/).waitFor();
    await window.treeRow(/^Skill kept/).waitFor();
    assert.equal(await note(/refresh failed/).count(), 1);
    assert.equal(await window.view("Skills").locator(".message *").count(), 0);
    assert.equal(
      await window.page.locator(".notifications-toasts .notification-list-item").count(),
      0,
    );
    registry.list = () => ({ body: { skills: [plainRow("new")] } });
    await run("refresh");
    await window.treeRow(/^Skill new/).waitFor();
    await note(/refresh failed/).waitFor({ state: "detached" });
  });

  it("shows the last list again when a failing filter is taken out", async () => {
    registry.list = () => ({ body: { skills: [plainRow("lasting")] } });
    await run("refresh");
    await window.treeRow(/^Skill lasting/).waitFor();
    registry.list = () => error;
    await run("filter", { runtime: "mcp" });
    await note(/HTTP 500\): Broken invoice\\u202Efdp/).waitFor();
    await run("clearFilters");
    await window.treeRow(/^Skill lasting/).waitFor();
    await note(/^List from .*refresh failed: .*HTTP 500/).waitFor();
  });

  it("says above the skills to compare why there are none to choose", async () => {
    registry.list = () => error;
    const comparing = run("compareSkills");
    const title = window.quickInput.locator(".quick-input-title");
    await title.getByText(/^Compare Skills · .*HTTP 500/).waitFor();
    await window.page.keyboard.press("Escape");
    await comparing;
  });

  it("tells a registry that answers with an error from one that cannot be reached", async () => {
    registry.list = () => error;
    await run("search", "back");
    await note(/HTTP 500\): Broken invoice\\u202Efdp/).waitFor();
    registry.list = () => ({ body: { skills: [plainRow("back")] } });
    await window.treeRow("Use Built-in Registry").waitFor();
    await window.pressRow(window.treeRow("Try Again"));
    await window.treeRow(/^Skill back/).waitFor();
  });

  it("keeps what was loaded when the registry dies mid-list, and goes on from there", async () => {
    registry.list = (asked) =>
      asked.get("cursor") === null
        ? { body: { skills: plainRows(0, 30), nextCursor: "30" } }
        : { halfOf: { skills: plainRows(30, 60) } };
    await run("refresh");
    await window.treeRow(/^Skill s00000/).waitFor();
    await run("loadMore");
    await note(/^Loading more failed: /).waitFor();
    await window.treeRow(/^Skill s00000/).waitFor();
    registry.list = () => ({ body: { skills: plainRows(30, 60) } });
    await run("loadMore");
    await note(/^Loading more failed/).waitFor({ state: "detached" });
    await eventually("60 rows", async () => (await sizeOfTree(window)) === 60);
  });

  it("ends a list whose cursors lead in a circle, and says so", async () => {
    registry.list = (asked) => {
      const here = asked.get("cursor") ?? "a";
      const start = here === "a" ? 0 : 30;
      return {
        body: { skills: plainRows(start, start + 30), nextCursor: here === "a" ? "b" : "a" },
      };
    };
    await run("refresh");
    await window.treeRow(/^Skill s00000/).waitFor();
    const before = pagesAsked();
    await run("loadMore");
    await run("loadMore");
    await note(/^Showing 60\. The registry returned a repeated page cursor/).waitFor();
    await window.treeRow(/^Load more skills/).waitFor({ state: "detached" });
    assert.ok(pagesAsked() - before <= 3, `${pagesAsked() - before} pages`);
  });

  it("offers no search, filter or order where nothing is listed, unless that is why", async () => {
    registry.list = (asked) => ({ body: { skills: asked.has("q") ? [] : [plainRow("one")] } });
    const offered = window.view("Skills").locator(".pane-header .action-label");
    const offers = (what: string) =>
      eventually(`the header to offer ${what}`, async () => {
        const labels = await offered.evaluateAll((all) =>
          all.map((label) => label.getAttribute("aria-label")?.replace(/[ …].*/, "")),
        );
        // The last one opens the menu of the others.
        assert.equal(labels.slice(0, -1).join(), what);
        return true;
      });
    await run("refresh");
    await offers("Search,Filter,Refresh");
    await run("search", "nothing");
    await note("No skills match your search and filters.").waitFor();
    await offers("Search,Filter,Clear,Refresh");
    registry.list = () => ({ body: { skills: [] } });
    await run("clearFilters");
    await note("This registry has no public skills.").waitFor();
    await offers("Refresh");
  });

  it("asks a registry of endless empty pages ten times and no more", async () => {
    let further = 0;
    registry.list = (asked) => {
      // A row under the mouse is asked for as well, by its name and without a cursor.
      const isFirst = !asked.has("cursor");
      if (!isFirst) further += 1;
      return { body: { skills: isFirst ? [plainRow("only")] : [], nextCursor: `c${further}` } };
    };
    await run("refresh");
    await window.treeRow(/^Skill only/).waitFor();
    await eventually("ten further pages", () => further === 10);
    await window.treeRow(/^Load more skills/).waitFor();
    assert.equal(further, 10);
  });

  it("says when more exist than a registry gives", async () => {
    registry.list = () => ({ body: { skills: plainRows(0, 100) } });
    await run("refresh");
    await note("Showing 100. More exist: narrow the search or the filters.").waitFor();
  });

  it("filters here what the registry did not, and says so", async () => {
    const skills = [plainRow("a"), plainRow("b", { verificationStatus: "submitted" })];
    registry.list = () => ({ body: { skills } });
    await run("filter", { verification: "submitted" });
    await note(
      "Filter Verification was applied locally, because the registry did not apply it.",
    ).waitFor();
    await window.treeRow(/^Skill b/).waitFor();
    await eventually("the one row", async () => (await sizeOfTree(window)) === 1);
  });

  it("sorts here what the registry did not, and says so", async () => {
    const skills = [1, 7, 4, 9, 2, 8].map((installCount) =>
      plainRow(`i${installCount}`, { installCount }),
    );
    registry.list = () => ({ body: { skills, nextCursor: "2" } });
    await run("sortSkills", "adoption");
    await note(
      /did not apply the order “Adoption”\. 6 loaded skills are sorted locally by installs/,
    ).waitFor();
    await eventually("the most installed first", async () =>
      /Skill i9[\s\S]*Skill i7[\s\S]*Skill i1/.test(await window.view("Skills").innerText()),
    );
    await run("sortSkills", "recommended");
    await note(/did not apply the order/).waitFor({ state: "detached" });
  });

  it("counts over what is loaded where the registry does not count, and says so", async () => {
    registry.list = () => ({ body: { skills: plainRows(0, 5, { category: "automation" }) } });
    await run("refresh");
    await window.treeRow(/^Skill s00000/).waitFor();
    await window.runCommand("Skill Registry: Filter Skills…");
    await window.quickInput.getByText("Task (counts of 5 loaded skills)").waitFor();
    await window
      .quickPickRow("automation")
      .filter({ hasText: /5 skills/ })
      .waitFor();
    await window.page.keyboard.press("Escape");
  });
});

/** How many rows the tree has, in sight or not. */
async function sizeOfTree(window: EditorWindow): Promise<number> {
  const row = window.view("Skills").locator(".monaco-list-row").first();
  return Number(await row.getAttribute("aria-setsize"));
}
