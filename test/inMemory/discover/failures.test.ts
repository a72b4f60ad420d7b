import { strict as assert } from "node:assert";
import { after, afterEach, before, describe, it } from "mocha";
import { hostileTexts, plainRow, plainRows } from "../../fixtures/registries/hostileRows";
import {
  type Route,
  startTestRegistry,
  type TestRegistry,
} from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

const error = {
  status: 500,
  body: { error: `Broken ${hostileTexts["direction"]} ${hostileTexts["link"]}` },
};

describe("The Skills view of a failing registry", () => {
  const editor = useEditor();
  let registry: TestRegistry;
  const list = (route: Route) => registry.answer("/v1/skills/search", route);

  before(async () => {
    registry = await startTestRegistry({
      "/v1/skills/search": { body: { skills: [plainRow("first")] } },
    });
    await editor.view("skills");
    await editor.run("connect", registry.baseUrl);
    await editor.row("skills", "Skill first");
  });
  after(() => registry.close());
  afterEach(async () => {
    list({ body: { skills: [] } });
    await editor.run("clearFilters");
  });

  /** Waits until the view shows a text above its rows or in place of them. */
  async function note(text: RegExp | string): Promise<string> {
    const view = await editor.view("skills");
    const said = () =>
      view.rows.length > 0 ? view.message : view.message + editor.parts.commands.welcome(view.id);
    await editor.until(`${text} above the skills`, () =>
      typeof text === "string" ? said().includes(text) : text.test(said()),
    );
    return said();
  }

  async function labels(): Promise<readonly string[]> {
    return (await editor.view("skills")).rows.map(({ label }) => label);
  }

  it("The last list stays when a refresh fails, with one message", async () => {
    list({ body: { skills: [plainRow("kept")] } });
    await editor.run("refresh");
    await editor.row("skills", "Skill kept");
    list(error);
    for (let times = 0; times < 3; times += 1) await editor.run("refresh");
    const said = await note(/List from .*refresh failed: .*HTTP 500.*Broken invoice\\u202Efdp/);
    assert.equal(said.match(/refresh failed/g)?.length, 1);
    await editor.row("skills", "Skill kept");
    assert.deepEqual(editor.parts.notices, []);
    list({ body: { skills: [plainRow("new")] } });
    await editor.run("refresh");
    await editor.row("skills", "Skill new");
    assert.doesNotMatch((await editor.view("skills")).message, /refresh failed/);
  });

  it("A refresh reads the publishers again", async () => {
    list({ body: { skills: [plainRow("first", { publisher: null })] } });
    await editor.run("refresh");
    const before = registry.requests.filter(({ path }) => path.startsWith("/v1/publishers"));
    await editor.run("refresh");
    const after = registry.requests.filter(({ path }) => path.startsWith("/v1/publishers"));
    assert.equal(after.length, before.length + 1);
  });

  it("The last list returns when a failing filter is removed", async () => {
    list({ body: { skills: [plainRow("lasting")] } });
    await editor.run("refresh");
    await editor.row("skills", "Skill lasting");
    list(error);
    await editor.run("filter", { runtime: "mcp" });
    await note(/HTTP 500\): Broken invoice\\u202Efdp/);
    await editor.run("clearFilters");
    await editor.row("skills", "Skill lasting");
    await note(/^List from .*refresh failed: .*HTTP 500/);
  });

  it("A picker of skills to compare explains why it is empty", async () => {
    list(error);
    const comparing = editor.run("compareSkills");
    await editor.pick(/^Compare Skills\n[\s\S]*HTTP 500/);
    await editor.leave();
    await comparing;
  });

  it("A registry that returns an error is distinguished from an unreachable one", async () => {
    list(error);
    await editor.run("search", "back");
    await note(/HTTP 500\): Broken invoice\\u202Efdp/);
    list({ body: { skills: [plainRow("back")] } });
    await editor.row("skills", "Use Built-in Registry");
    await editor.pressRow("skills", "Try Again");
    await editor.row("skills", "Skill back");
  });

  it("Loaded skills stay when the registry dies during the list, and loading continues from there", async () => {
    list(({ query: asked }) =>
      asked.get("cursor") === null
        ? { body: { skills: plainRows(0, 30), nextCursor: "30" } }
        : { body: { skills: plainRows(30, 60) }, isCut: true },
    );
    await editor.run("refresh");
    await editor.run("loadMore");
    await note(/^Loading more failed: /);
    await editor.row("skills", "Skill s00000");
    list({ body: { skills: plainRows(30, 60) } });
    await editor.run("loadMore");
    await editor.row("skills", "Skill s00059");
    assert.doesNotMatch((await editor.view("skills")).message, /^Loading more failed/);
    assert.equal((await labels()).length, 60);
  });

  it("A list with circular cursors ends, and the view reports it", async () => {
    list(({ query: asked }) => {
      const here = asked.get("cursor") ?? "a";
      const start = here === "a" ? 0 : 30;
      return {
        body: { skills: plainRows(start, start + 30), nextCursor: here === "a" ? "b" : "a" },
      };
    });
    await editor.run("refresh");
    await editor.row("skills", "Skill s00000");
    const pages = () => registry.requests.filter(({ path }) => path.includes("cursor=")).length;
    const before = pages();
    await editor.run("loadMore");
    await editor.run("loadMore");
    await note(/^Showing 60\. The registry returned a repeated page cursor/);
    assert.ok(!(await labels()).some((label) => label.startsWith("Load more")));
    assert.ok(pages() - before <= 3, `${pages() - before} pages`);
  });

  it("The view offers no search or filter above an empty list, unless a search made it empty", async () => {
    list(({ query: asked }) => ({ body: { skills: asked.has("q") ? [] : [plainRow("one")] } }));
    const offered = () =>
      editor.parts.commands
        .menu("view/title", { view: "skillRegistry.skills" })
        .map(([title]) => title.replace(/^.*?: |[ …].*/g, ""))
        .filter((title) => ["Search", "Filter", "Clear", "Refresh"].includes(title));
    await editor.run("refresh");
    await editor.row("skills", "Skill one");
    assert.deepEqual(offered(), ["Search", "Filter", "Refresh"]);
    await editor.run("search", "nothing");
    await note("No skills match your search and filters.");
    assert.deepEqual(offered(), ["Search", "Filter", "Clear", "Refresh"]);
    list({ body: { skills: [] } });
    await editor.run("clearFilters");
    await note("This registry has no public skills.");
    assert.deepEqual(offered(), ["Refresh"]);
  });

  it("A registry of endless empty pages gets ten requests at most", async () => {
    let further = 0;
    list(({ query: asked }) => {
      const isFirst = !asked.has("cursor");
      if (!isFirst) further += 1;
      return { body: { skills: isFirst ? [plainRow("only")] : [], nextCursor: `c${further}` } };
    });
    await editor.run("refresh");
    await editor.run("loadMore");
    assert.deepEqual(await labels(), ["Skill only", "Load more skills…"]);
    assert.equal(further, 10);
  });

  it("The view reports that more skills exist than the registry lists", async () => {
    list({ body: { skills: plainRows(0, 100) } });
    await editor.run("refresh");
    await note("Showing 100. More exist: narrow the search or the filters.");
  });

  it("A filter that the registry ignores is applied by the editor, as the view reports", async () => {
    const skills = [plainRow("a"), plainRow("b", { verificationStatus: "submitted" })];
    list({ body: { skills } });
    await editor.run("filter", { verification: "submitted" });
    await note(/Filters applied locally, because the registry did not apply them: Verification\./);
    assert.deepEqual(await labels(), ["Skill b"]);
  });

  it("An order that the registry ignores is applied by the editor, as the view reports", async () => {
    const skills = [1, 7, 4, 9, 2, 8].map((installCount) =>
      plainRow(`i${installCount}`, { installCount }),
    );
    list({ body: { skills, nextCursor: "2" } });
    await editor.run("viewAs", { order: "adoption" });
    await note(
      /did not apply the order “Adoption”\. 6 loaded skills are sorted locally by installs/,
    );
    const shown = (await labels()).filter((label) => label.startsWith("Skill"));
    assert.deepEqual(
      shown,
      [9, 8, 7, 4, 2, 1].map((count) => `Skill i${count}`),
    );
    await editor.run("viewAs", { order: "recommended" });
    assert.doesNotMatch((await editor.view("skills")).message, /did not apply the order/);
  });

  it("Filters are counted over the loaded skills, and labeled so, if the registry does not count", async () => {
    list({ body: { skills: plainRows(0, 5, { category: "automation" }) } });
    await editor.run("refresh");
    await editor.row("skills", "Skill s00000");
    const filtering = editor.run("filter");
    const pick = await editor.pick("Counts of 5 loaded skills");
    assert.match(pick.text, /Task: automation \| 5 skills/);
    await editor.leave();
    await filtering;
  });
});
