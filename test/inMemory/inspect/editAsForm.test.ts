import { strict as assert } from "node:assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import type { FormEdit } from "../../../src/core/form/formField";
import { pageIds } from "../../../src/host/ids";
import type { FormPart } from "../../../src/protocol/pageMessages";
import type { MemoryDocument } from "../screen/documents";
import { useEditor } from "../useEditor";
import { Uri } from "../vscode/values";

const written = `{
  "text" : "One two.",
  "topWords": 5.0e0, "unknown": [1, 1.50, {"b": "\\u0041"}]
}
`;
const changed = written.replace("One two.", "Three.");
const three = { what: "write", pointer: "/text", text: "Three." } as const;

describe("A form of a document", () => {
  const editor = useEditor();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-form-"));
  });
  after(() => rm(folder, { recursive: true }));

  /** Opens a payload and its form. */
  async function openForm(text = written) {
    const document = await editor.newPayload("text-stats", text);
    await editor.run("editAsForm");
    return { document, ...(await formOf()) };
  }

  async function formOf() {
    const page = await editor.page("Text statistics");
    await editor.until("the skill", () => page.shown?.kind === "ready");
    const sent = () => page.panel.messages as FormPart[];
    const part = () => sent().findLast(({ type }) => type === "form");
    const shows = (expected: RegExp) =>
      editor.until(`a form that shows ${expected}`, () => {
        const shown = part();
        return shown?.problems !== undefined && expected.test(JSON.stringify(shown)) && shown;
      });
    let revision = 0;
    const edit = (edit: FormEdit) => {
      revision += 1;
      page.send({ type: "editForm", edit, revision });
      return editor.until("the change", () => (part()?.revision ?? 0) >= revision);
    };
    page.send({ type: "readForm" });
    await shows(/"type":"form"/);
    return { page, part, shows, edit };
  }

  const textOf = (document: MemoryDocument) => document.getText();

  it("Writes the changed part alone into the document", async () => {
    const { document, edit, shows } = await openForm();
    const changes: string[] = [];
    editor.parts.documents.onDidChange(({ contentChanges }) => {
      changes.push(...contentChanges.map(({ text }) => text));
    });
    await edit(three);
    assert.equal(textOf(document), changed);
    assert.deepEqual(changes, ["Three"]);
    await shows(/This form edits text-stats\.skill-input\.json/);
  });

  it("Shows that document as JSON, and makes no other", async () => {
    const { document, edit, page } = await openForm();
    await edit(three);
    const count = editor.parts.documents.open.length;
    page.send({ type: "openForm" });
    await editor.until("its editor", () => editor.parts.tabs.activeEditor?.document === document);
    assert.equal(editor.parts.documents.open.length, count);
  });

  it("Follows changes in the editor, such as undo", async () => {
    const { document, edit, shows } = await openForm();
    await edit(three);
    editor.parts.documents.replace(document, written);
    await shows(/One two\./);
  });

  it("Applies a change again if the document changed meanwhile", async () => {
    const { document, edit } = await openForm('{"text": "", "topWords": 1}');
    await edit({ ...three, text: "a" });
    const answer = editor.delayAnswer("form");
    const done = edit(three);
    // The request to the thread is sent within this turn.
    await new Promise(setImmediate);
    editor.parts.documents.replace(document, '{"topWords": 25, "text": "a"}');
    answer();
    await done;
    assert.equal(textOf(document), '{"topWords": 25, "text": "Three."}');
  });

  it("Keeps a change until a document that is not JSON is repaired", async () => {
    const { document, edit, shows } = await openForm('{"text": "a"}');
    editor.parts.documents.replace(document, '{"text": ');
    await shows(/This payload is not JSON/);
    await edit(three);
    await shows(/is written as soon as/);
    assert.equal(textOf(document), '{"text": ');
    editor.parts.documents.replace(document, '{"text": "b"}');
    const { notes } = await shows(/Three\./);
    assert.equal(textOf(document), '{"text": "Three."}');
    assert.equal(notes.length, 1);
  });

  it("Keeps the payload of a document that is closed, and opens it as a new one", async () => {
    const { document, edit, shows, page } = await openForm();
    await edit(three);
    // The editor empties an untitled document before it closes it.
    editor.parts.documents.replace(document, "");
    editor.parts.documents.close(document);
    await shows(/was closed\. This form keeps its payload/);
    await edit({ ...three, text: "Four." });
    page.send({ type: "openForm" });
    const other = await editor.until("the payload", () => {
      const shown = editor.parts.tabs.activeEditor?.document;
      return shown !== document && shown?.getText().includes("Four.") && shown;
    });
    assert.equal(textOf(other), written.replace("One two.", "Four."));
    await shows(/This form edits/);
    await edit(three);
    assert.equal(textOf(other), changed);
  });

  it("Keeps a change that a document refuses", async () => {
    const { document, edit, shows, page } = await openForm();
    editor.parts.documents.isReadOnly = true;
    await edit(three);
    editor.parts.documents.isReadOnly = false;
    await shows(/cannot be changed\. This form keeps your payload/);
    assert.equal(textOf(document), written);
    page.send({ type: "openForm" });
    await editor.until(
      "the payload",
      () => editor.parts.tabs.activeEditor?.document.getText() === changed,
    );
  });

  it("Goes on with the file that a new payload is saved as, and after it was renamed", async () => {
    const { document, edit, shows } = await openForm();
    await edit(three);
    const { documents } = editor.parts;
    const saved = Uri.file(join(folder, "a.json"));
    const file = await documents.saveAs(document, saved);
    documents.close(document);
    await shows(/This form edits a\.json/);
    await edit({ ...three, text: "Four." });
    assert.match(textOf(file), /Four\./);
    await file.save();
    const renamed = Uri.file(join(folder, "b.json"));
    await documents.rename(saved, renamed);
    await shows(/This form edits b\.json/);
    await edit(three);
    assert.match(textOf(await documents.get(renamed)), /Three\./);
  });

  describe("after the window was reloaded", () => {
    /** Restores a page that edited a document, as the editor does. */
    async function restore(document: string) {
      const { tabs, serializers } = editor.parts;
      const panel = tabs.openPanel(pageIds.skillPage, "Skill", 1);
      const state = { slug: "text-stats", version: "", tab: "input", scrollTop: 0, document };
      await serializers.get(pageIds.skillPage)?.deserializeWebviewPanel(panel.api, state);
      return formOf();
    }
    const written = '{"text": "One two."}';
    const save = async (name: string) => {
      await writeFile(join(folder, name), written);
      return Uri.file(join(folder, name));
    };

    it("Edits its file again, and tells its page which one", async () => {
      const uri = await save("text-stats.skill-input.json");
      const { edit, shows, part } = await restore(`${uri}`);
      await shows(/This form edits text-stats\.skill-input\.json/);
      assert.equal(part()?.document, `${uri}`);
      await edit(three);
      assert.match(textOf(await editor.parts.documents.get(uri)), /Three\./);
    });

    it("Edits a document that the editor restores after the page", async () => {
      // A remote window gives an untitled document its own authority.
      const before = Uri.from({ scheme: "untitled", path: "/work/text-stats.skill-input.json" });
      const uri = before.with({ authority: "127.0.0.1:4010" });
      const { shows, part } = await restore(`${before}`);
      assert.equal(part()?.document, undefined);
      await editor.vscode.workspace.openTextDocument(uri);
      await shows(/This form edits/);
      assert.equal(part()?.document, `${uri}`);
    });

    it("Starts anew if its file is gone, or is no payload of the skill", async () => {
      const other = await save("json-diff.skill-input.json");
      const unbound = await save("package.json");
      for (const uri of [Uri.file(join(folder, "gone.json")), other, unbound]) {
        const { part } = await restore(`${uri}`);
        assert.equal(part()?.document, undefined);
        assert.deepEqual(part()?.notes, []);
        await editor.tidy();
      }
    });
  });

  it("Starts over in its document", async () => {
    const { document, page, shows } = await openForm();
    page.send({ type: "startForm", from: "minimal" });
    await editor.until("the template", () => textOf(document) !== written);
    assert.deepEqual(Object.keys(JSON.parse(textOf(document))), ["text"]);
    await shows(/This form edits/);
  });
});
