import { strict as assert } from "node:assert";
import { after, afterEach, before, describe, it } from "mocha";
import { plainRow, plainRows } from "../../fixtures/registries/hostileRows";
import {
  type Route,
  startTestRegistry,
  type TestRegistry,
} from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

describe("The Skills view of a registry that misbehaves", () => {
  const editor = useEditor();
  let registry: TestRegistry;
  const list = (route: Route) => registry.answer("/v1/skills/search", route);

  before(async () => {
    registry = await startTestRegistry({
      "/v1/skills/search": { body: { skills: [plainRow("first")] } },
    });
    await editor.connectTo(registry);
    await editor.row("skills", "Skill first");
  });
  after(() => registry.close());
  afterEach(async () => {
    list({ body: { skills: [] } });
    await editor.run("clearFilters");
  });

  it("A late response to an earlier search text is dropped", async () => {
    const held = new Map<string, () => void>();
    const heard = new Map<string, () => void>();
    const asked = (text: string) => new Promise<void>((done) => heard.set(text, done));
    list(({ query }) => {
      const text = query.get("q");
      if (text === null) return { body: { skills: [plainRow("first")] } };
      return new Promise((resolve) => {
        held.set(text, () => resolve({ body: { skills: [plainRow(`${text}-found`)] } }));
        heard.get(text)?.();
      });
    });
    const searching = editor.run("search");
    const pick = await editor.pick("Skill first");
    const isSlowAsked = asked("slow");
    pick.type("slow");
    await isSlowAsked;
    const isSlowerAsked = asked("slower");
    pick.type("slower");
    await isSlowerAsked;
    held.get("slower")?.();
    await editor.pick("Skill slower-found");
    held.get("slow")?.();
    // After a further request and response, the late response would have arrived.
    await editor.run("refresh");
    assert.doesNotMatch(pick.text, /slow-found/);
    assert.match(pick.text, /slower-found/);
    pick.leave();
    await searching;
  });

  it("A list of 100,000 skills is loaded in parts, shown in groups, and each part begins where the last one ended", async () => {
    list(({ query: asked }) => {
      const start = Number(asked.get("cursor") ?? 0);
      const skills = plainRows(start, start + 100);
      return { body: { skills, total: 100_000, nextCursor: String(start + 100) } };
    });
    await editor.run("refresh");
    const view = await editor.view("skills");
    const selected = () =>
      view.rows.find(({ element }) => view.api.selection.includes(element))?.label;
    for (const [loaded, first] of [
      ["200", "s00100"],
      ["400", "s00200"],
      ["800", "s00400"],
      ["1,300", "s00800"],
      ["1,800", "s01300"],
    ] as const) {
      await editor.pressRow("skills", /^Load more skills…/);
      assert.equal(selected(), `Skill ${first}`);
      assert.equal(view.rows.at(-1)?.item.description, `${loaded} of 100,000`);
    }
    assert.ok(view.rows.length < 1010, `${view.rows.length} rows`);
    const [top] = view.rows;
    assert.ok(top?.label.startsWith("1 – 500") === true, top?.label);
    assert.equal(view.row("Skill s00000"), undefined);
    await view.fold(top, true);
    assert.equal(view.rows[1]?.label, "Skill s00000");
  });
});
