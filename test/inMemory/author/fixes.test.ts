import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";

describe("The fixes of a payload with several problems", () => {
  const editor = useEditor();

  it("Name an act on the whole object once, and describe a property in its hover alone", async () => {
    await editor.newPayload("json-diff", '{ "arrays": "edits" }');
    assert.deepEqual(editor.problems.length, 3);
    const titles = (await editor.actions()).map(({ title }) => title);
    // The fixes of one place end with the samples of the whole payload.
    const atStart = titles.slice(0, titles.indexOf("Fill with all properties"));
    assert.deepEqual(
      atStart.filter((title) => title.startsWith("Add")),
      ["Add all 2 that are missing", 'Add "before"', 'Add "after"'],
    );
    const messages = editor.parts.languages
      .problems(editor.document.uri as never)
      .map(({ message }) => message);
    const description = /adds and removes single items/;
    assert.doesNotMatch(messages.join(), description);
    const hovers = await editor.parts.languages.hoversAt(
      editor.document,
      editor.document.positionAt(4),
    );
    assert.match(JSON.stringify(hovers), description);
  });
});
