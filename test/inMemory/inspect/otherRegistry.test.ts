import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { useEditor } from "../useEditor";

describe("A result in a window that connects to another registry", () => {
  const editor = useEditor();
  let registry: LocalRegistry;
  before(async () => {
    registry = await startLocalRegistry();
  });
  after(() => registry.close());

  it("Leaves the page, and its row, hover and output name the registry that it is from", async () => {
    await editor.run("openSkill", "text-stats");
    const page = await editor.page("Text statistics");
    const trials = () => (page.shown?.kind === "ready" ? page.shown.trials : undefined);
    await editor.until("the skill", trials);
    page.send({ type: "invokeExample", example: 0 });
    await editor.until("its end", () => trials()?.[0]?.kind === "ended");
    await editor.row("invocations", /^text-stats/);
    const invocations = await editor.view("invocations");
    const described = () => `${invocations.row(/^text-stats/)?.item.description}`;
    assert.doesNotMatch(described(), /built-in/);
    const opening = editor.run("openOutput");
    await editor.choose(/^text-stats/);
    await opening;
    const title = async () => (await editor.lenses())[0]?.command?.title ?? "";
    assert.doesNotMatch(await title(), /built-in/);

    await editor.connectTo(registry);
    assert.equal(await title(), "built-in registry");
    await editor.until("the row", () => / · built-in registry$/.test(described()));
    const hover = invocations.row(/^text-stats/)?.item.tooltip;
    assert.ok(hover !== undefined && typeof hover !== "string");
    assert.match(hover.value.replaceAll("\\", ""), /built-in registry/);
    await editor.run("openSkill", "text-stats");
    await editor.until("the page of the other registry", () => {
      const { shown } = page;
      return shown?.kind === "ready" && Object.keys(shown.trials).length === 0;
    });
  });
});
