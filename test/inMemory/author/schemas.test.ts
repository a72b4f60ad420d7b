import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import type { RecordingServer } from "../../fixtures/network/recordingServer";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { useEditor } from "../useEditor";
import { Position } from "../vscode/values";

const message = (kind: string, more: object) => ({
  required: ["kind"],
  properties: { kind: { const: kind }, ...more },
  additionalProperties: false,
});

const schemas = {
  "broken-part": {
    type: "object",
    properties: { size: { type: "integr" }, name: { type: "string" } },
  },
  "one-of-two": {
    oneOf: [
      message("mail", { to: { type: "string" } }),
      message("call", { number: { type: "integer", description: "Whom to call" } }),
    ],
  },
  "long-list": {
    properties: { kind: { enum: Array.from({ length: 20 }, (_, index) => `kind ${index}`) } },
  },
  "many-rows": { type: "array", items: { type: "string" } },
};

describe("The schema of a skill in the editor", () => {
  const editor = useEditor();
  let server: RecordingServer;
  before(async () => {
    server = await startSchemaRegistry(schemas);
    await editor.connectTo(server);
  });
  after(() => server.close());

  const marked = () => editor.parts.languages.problems(editor.document.uri);

  it("A schema with a broken part checks the rest, and its problem links to that part", async () => {
    await editor.newPayload("broken-part", '{ "size": 1, "name": 2 }');
    assert.match(await editor.checked(), /broken-part@1\.0\.0: 2 problems, not all checked/);
    assert.deepEqual(editor.problems, ["type 2", "unchecked {"]);
    const unchecked = marked().find(({ code }) => code === "unchecked");
    assert.match(unchecked?.message ?? "", /"type" must be .* JSON type/);
    const place = unchecked?.relatedInformation?.[0]?.location;
    assert.ok(place);
    const schema = await editor.parts.documents.get(place.uri);
    assert.equal(schema.getText(place.range), '"type": "integr"');
  });

  it("A payload for a schema with a broken part is never valid, and asked about before sending", async () => {
    await editor.newPayload("broken-part", '{ "size": 1 }');
    assert.match(await editor.checked(), /broken-part@1\.0\.0: not checked/);
    editor.write('{ "name": 2 }');
    await editor.run("validatePayload");
    await editor.status(/broken-part@1\.0\.0: 2 problems, not all checked/);
    const invoked = editor.run("invoke");
    await editor.press(/has a problem, and not all of it could be checked/, "Cancel");
    await invoked;
    const posts = server.requests.filter(({ path }) => path === "/v1/runtime/invoke");
    assert.deepEqual(posts, []);
  });

  it("The chosen alternative of several is explained and completed", async () => {
    const document = await editor.newPayload("one-of-two", '{ "kind": "call", "nubmer": 1 }');
    assert.equal(marked()[0]?.message, '"nubmer" is not a known property. Did you mean "number"?');
    editor.write('{ "kind": "call",  }');
    await editor.checked();
    const { languages } = editor.parts;
    const names = await languages.completionsAt(document, document.positionAt(18));
    assert.deepEqual(
      names.map(({ label }) => label),
      ["number"],
    );
  });

  it("A value from a long list is written, but not into a text that changed meanwhile", async () => {
    const document = await editor.newPayload("long-list", '{ "kind": "x" }');
    const interrupted = editor.takeAction("Choose an allowed value…");
    await editor.pick('"kind 5"');
    const edit = new editor.vscode.WorkspaceEdit();
    edit.insert(document.uri, new Position(0, 0), "  ");
    await editor.vscode.workspace.applyEdit(edit);
    await editor.choose('"kind 5"');
    await interrupted;
    await editor.notification(/The payload changed in the meantime/);
    assert.equal(document.getText(), '  { "kind": "x" }');
    await editor.checked();
    const chosen = editor.takeAction("Choose an allowed value…");
    await editor.choose('"kind 5"');
    await chosen;
    assert.equal(document.getText(), '  { "kind": "kind 5" }');
  });

  it("Of many problems, 200 are listed and the rest counted", async () => {
    const rows = Array.from({ length: 250 }, (_, index) => index);
    await editor.newPayload("many-rows", JSON.stringify(rows));
    assert.equal(marked().length, 201);
    const more = marked().find(({ code }) => code === "more");
    assert.equal(more?.message, "50 more problems are not listed.");
    assert.match(await editor.checked(), /many-rows@1\.0\.0: 250 problems/);
  });
});
