import { strict as assert } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import type { RecordingServer } from "../../fixtures/network/recordingServer";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { useEditor } from "../useEditor";
import { Position, Uri } from "../vscode/values";

const text = { type: "string" };
const letter = {
  type: "object",
  required: ["lang", "subject", "body"],
  properties: { lang: { ...text, default: "d$" }, subject: text, body: text },
};

describe("A new payload whose texts nobody gave", () => {
  const editor = useEditor();
  let server: RecordingServer;
  before(async () => {
    server = await startSchemaRegistry({ letter });
    await editor.connectTo(server);
  });
  after(() => server.close());

  const question = /Invoke letter with 2 values that nobody filled in\?/;
  const terms = /Invoke letter@1\.0\.0\?/;

  it("Has the cursor in the first empty text", async () => {
    await editor.run("newPayload", "letter");
    const { document, selection } = editor.parts.tabs.activeEditor?.api ?? {};
    assert.deepEqual(JSON.parse(document?.getText() ?? ""), { lang: "d$", subject: "", body: "" });
    const at = document?.offsetAt(selection?.active ?? new Position(0, 0)) ?? 0;
    assert.match(document?.getText().slice(0, at) ?? "", /"subject": "$/);
  });

  it("Is sent unchanged only after a question, which comes once", async () => {
    await editor.run("newPayload", "letter");
    await editor.checked();
    const declined = editor.run("invoke");
    (await editor.dialog(question)).close();
    await declined;
    const agreed = editor.run("invoke");
    await editor.press(question, "Invoke letter");
    (await editor.dialog(terms)).close();
    await agreed;
    const again = editor.run("invoke");
    (await editor.dialog(terms)).close();
    await again;
  });

  it("Is still asked about after it was saved under another name", async () => {
    await editor.run("newPayload", "letter");
    const { document } = editor;
    const folder = await mkdtemp(join(tmpdir(), "skill-unfilled-"));
    const file = Uri.file(join(folder, "letter.skill-input.json"));
    await editor.parts.documents.saveAs(document, file);
    editor.parts.documents.close(document);
    await editor.vscode.window.showTextDocument(file);
    await editor.checked();
    const declined = editor.run("invoke");
    (await editor.dialog(question)).close();
    await declined;
    await rm(folder, { recursive: true });
  });

  it("Is sent without a question in a form after a change alone", async () => {
    await editor.run("openSkill", "letter");
    const page = await editor.page("letter");
    await editor.until("the skill", () => page.shown?.kind === "ready");
    const part = (revision: number) => () =>
      (page.panel.messages as { type: string; revision?: number; problems?: object }[]).some(
        (sent) => sent.type === "form" && sent.revision === revision && sent.problems,
      );
    page.send({ type: "readForm" });
    await editor.until("the form", part(0));
    page.send({ type: "invokeForm" });
    (await editor.dialog(question)).close();
    const edit = { what: "write", pointer: "/subject", text: "Hello" } as const;
    page.send({ type: "editForm", edit, revision: 1 });
    await editor.until("the change", part(1));
    page.send({ type: "invokeForm" });
    (await editor.dialog(terms)).close();
  });
});
