import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import type { FormPart } from "../../../src/protocol/pageMessages";
import type { RecordingServer } from "../../fixtures/network/recordingServer";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("A placeholder that a registry writes into a form", () => {
  const environments = { staging: { registry: "built-in", values: { greeting: "Hello" } } };
  const folder = useFolder({
    ".skill-registry/environments.json": JSON.stringify({ format: 1, environments }),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let server: RecordingServer;
  before(async () => {
    const text = { type: "string", default: "{{greeting}}" };
    server = await startSchemaRegistry({
      letter: { type: "object", required: ["text"], properties: { text } },
    });
    await editor.connectTo(server);
  });
  after(() => server.close());

  it("Is plain text, since the registry must not choose which value is sent", async () => {
    await editor.run("openSkill", "letter");
    const page = await editor.page("letter");
    await editor.until("the skill", () => page.shown?.kind === "ready");
    const part = () =>
      (page.panel.messages as readonly FormPart[]).findLast(({ type }) => type === "form");
    page.send({ type: "readForm" });
    const shown = await editor.until("the form", () => part()?.problems !== undefined && part());
    assert.match(JSON.stringify(shown.form), /\{\{greeting\}\}/);
    assert.deepEqual(shown.problems?.all, []);
  });
});
