import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  plainManifest,
  skillPath,
  startManifestRegistry,
} from "../../fixtures/registries/manifestRegistry";
import type { TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

describe("The page of a skill in every state of the registry", () => {
  const editor = useEditor();
  let registry: TestRegistry;
  before(async () => {
    registry = await startManifestRegistry({ steady: plainManifest("steady") });
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  const open = async (slug: string) => {
    void editor.run("openSkill", slug);
    return editor.page(slug);
  };
  /** Waits until the active page shows content of a kind. */
  const shows = async (kind: string) => {
    const page = await editor.page();
    await editor.until(`a page that is ${kind}`, () => page.shown?.kind === kind);
    return page;
  };
  const heal = (slug: string) => registry.answer(skillPath(slug), { body: plainManifest(slug) });

  it("It announces that it is loading, and shows the skill when it arrives", async () => {
    registry.answer(skillPath("late"), "never");
    await open("late");
    const page = await shows("loading");
    assert.equal(page.panel.title, "late");
    heal("late");
    await editor.run("refresh");
    await shows("ready");
  });

  it("It reports that a skill is gone, and reads it again", async () => {
    await open("absent");
    const page = await shows("gone");
    assert.ok(page.text.includes("absent"));
    const asked = () => registry.requests.filter(({ path }) => path === "/v1/skills/absent").length;
    const before = asked();
    page.send({ type: "retry" });
    await editor.until("an answer", () => asked() > before && page.shown?.kind === "gone");
    heal("absent");
    page.send({ type: "retry" });
    await shows("ready");
  });

  const failures = {
    broken: [{ status: 500, body: { error: "On fire [x](command:y) $(zap)" } }, /On fire/],
    gibberish: [{ body: [1, 2] }, /could not be read|not what/],
    empty: [{ body: {} }, /could not be read|not what/],
  } as const;
  for (const [slug, [answer, words]] of Object.entries(failures)) {
    it(`It reports a failure with its reason, and tries again, after the response ${slug}`, async () => {
      registry.answer(skillPath(slug), answer);
      await open(slug);
      const page = await shows("failed");
      assert.match(page.text, words);
      heal(slug);
      page.send({ type: "retry" });
      await shows("ready");
    });
  }

  it("It shows a note in place of prices and feedback that cannot be read", async () => {
    for (const side of ["prices", "feedback"]) {
      registry.answer(skillPath(`*/${side}`), { status: 500, body: { error: "Later." } });
    }
    await open("steady");
    const { shown } = await shows("ready");
    assert.ok(shown?.kind === "ready");
    const { feedback, prices, publisher } = shown.skill.absent;
    assert.deepEqual(
      [prices, feedback, publisher],
      [
        "Could not be loaded from this registry.",
        "Could not be loaded from this registry.",
        "Not provided by this registry.",
      ],
    );
  });

  it("It outlines input and output, and makes an example of an output if there is none", async () => {
    const object = (name: string) => ({ type: "object", properties: { [name]: { const: 7 } } });
    const schemas = { inputSchema: object("taken"), outputSchema: object("returned") };
    registry.answer(skillPath("bare"), { body: plainManifest("bare", schemas) });
    await open("bare");
    const page = await shows("ready");
    for (const [side, name] of [
      ["input", "taken"],
      ["output", "returned"],
    ] as const) {
      page.send({ type: "viewSchema", side });
      const { outline, sample } = await editor.until("what is made of the schema", () => {
        const { shown } = page;
        return shown?.kind === "ready" && shown.schemas[side];
      });
      assert.deepEqual(
        outline?.children.map((child) => child.name),
        [name],
      );
      const isOutput = side === "output";
      assert.equal(
        sample?.json.text,
        isOutput ? JSON.stringify({ [name]: 7 }, null, 2) : undefined,
      );
    }
  });

  it("It names the skill of a comparison that could not be read, and reads it again", async () => {
    registry.answer(skillPath("lame"), { status: 500, body: { error: "Later." } });
    void editor.run("compareSkills", ["steady", "lame"]);
    const page = await shows("comparison");
    await page.shows("Later.");
    heal("lame");
    page.send({ type: "retry" });
    await editor.until("both skills", () => {
      const { shown } = page;
      const skills = shown?.kind === "comparison" ? shown.comparison?.skills : undefined;
      return skills?.every(({ problem, version }) => problem === "" && version === "1.0.0");
    });
  });

  it("It keeps its content, marked with its time, when the registry is gone; a new page shows the error", async () => {
    await open("steady");
    await shows("ready");
    await registry.close();
    const stale = /^From .* refresh failed\. No server is listening/m;
    await editor.run("refresh");
    const page = await shows("ready");
    await page.shows(stale);
    page.send({ type: "retry" });
    await page.shows(stale);

    await open("another");
    const other = await shows("failed");
    const { shown } = other;
    assert.ok(shown?.kind === "failed");
    assert.match(shown.message, /No server is listening/);
    assert.deepEqual(
      shown.actions.map(({ title }) => title),
      ["Connect to Registry…", "Show Log"],
    );
    other.send({ type: "runAction", action: "connect" });
    await editor.leave();
    other.send({ type: "retry" });
    await shows("failed");
  });
});
