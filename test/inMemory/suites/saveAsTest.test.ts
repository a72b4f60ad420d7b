import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("Saving a result as a test", () => {
  const folder = useFolder();
  const inFolder = (name: string) => folder.uri(name).fsPath;
  const read = async (name: string) => JSON.parse(await folder.read(name));
  const editor = useEditor(() => ({
    folders: [folder.path],
    settings: { "skillRegistry.history.keepTexts": "always" },
  }));

  async function invoke(slug: string, input: string): Promise<void> {
    await editor.newPayload(slug, input);
    await editor.run("invoke");
    await editor.clock.advance(60_000);
  }

  it("Its output is stored beside a new suite, in two picks", async () => {
    await invoke("text-stats", '{ "text": "Good morning" }');
    await invoke("text-stats", '{ "text": "Good morning" }');
    const saving = editor.run("saveAsTest", await outputAddress());
    const pick = await editor.pick("The same output");
    assert.match(pick.text, /it was the same in 2 runs/);
    pick.choose("The same output");
    pick.accept();
    await editor.chooseFile(inFolder("words.skill-suite.json"));
    const name = await editor.input("Name of the case");
    assert.equal(name.value, "Good morning");
    await assert.rejects(read("words.skill-suite.json"), "Nothing is written before the answer.");
    await editor.answer("Greets");
    await saving;
    assert.deepEqual(await read("words.skill-suite.json"), {
      format: 1,
      skill: "text-stats@1.0.0",
      cases: [
        {
          name: "Greets",
          payload: { text: "Good morning" },
          expect: { snapshot: true },
        },
      ],
    });
    const { outputs } = await read("words.skill-snapshots.json");
    assert.equal(outputs["Greets"].words, 2);
    const { activeEditor } = editor.parts.tabs;
    const [cursor] = activeEditor?.selections ?? [];
    // Typing over a selected name would orphan the stored output.
    assert.ok(cursor?.isEmpty);
    assert.match(activeEditor?.document.lineAt(cursor.start.line).text ?? "", /"name": "Greets"/);
  });

  it("Chosen values of its output are added to an existing suite, also after a step back", async () => {
    await invoke("text-stats", '{ "text": "One two three" }');
    const saving = editor.run("saveAsTest", await outputAddress());
    await editor.choose("Chosen values…");
    const first = await editor.pick("/words");
    first.pressButton("Back");
    await editor.choose("Chosen values…");
    const values = await editor.pick("/words");
    values.choose("/words");
    values.accept();
    await editor.choose("words.skill-suite.json");
    const name = await editor.input("Name of the case");
    name.type("Greets");
    assert.match(name.text, /Another case has this name already/);
    await editor.answer("One two three");
    await saving;
    const { cases } = await read("words.skill-suite.json");
    assert.deepEqual(cases[1], {
      name: "One two three",
      payload: { text: "One two three" },
      expect: { output: { "/words": 3 } },
    });
  });

  it("A case is added to no suite that changed while it was chosen", async () => {
    const text = await folder.read("words.skill-suite.json");
    const outputs = await folder.read("words.skill-snapshots.json");
    await invoke("text-stats", '{ "text": "Late case" }');
    for (const change of [
      () => text.replace("One two three", "Late case"),
      () => text.replace("text-stats@1.0.0", "json-diff@2.0.0"),
    ]) {
      const saving = editor.run("saveAsTest", await outputAddress());
      await editor.choose("The same output");
      await editor.pick("words.skill-suite.json");
      await folder.write("words.skill-suite.json", change());
      await editor.choose("words.skill-suite.json");
      await editor.answer("Late case");
      await saving;
      const notice = await editor.notification("has changed meanwhile. Nothing was written.");
      notice.close();
      assert.equal(await folder.read("words.skill-suite.json"), change());
      assert.equal(await folder.read("words.skill-snapshots.json"), outputs);
      await folder.write("words.skill-suite.json", text);
    }
  });

  it("Nothing is written, and a message says so, if the editor rejects the change", async () => {
    const text = await folder.read("words.skill-suite.json");
    await invoke("text-stats", '{ "text": "Rejected case" }');
    const { documents } = editor.parts;
    const saving = editor.run("saveAsTest", await outputAddress());
    await editor.choose("The same output");
    await editor.pick("words.skill-suite.json");
    const apply = documents.apply.bind(documents);
    documents.apply = async () => false;
    await editor.choose("words.skill-suite.json");
    await editor.answer("Rejected case");
    await saving;
    documents.apply = apply;
    await editor.notification("has changed meanwhile. Nothing was written.");
    assert.equal(await folder.read("words.skill-suite.json"), text);
    assert.ok(!(await folder.read("words.skill-snapshots.json")).includes("Rejected case"));
  });

  it("A saved case passes when it is run", async () => {
    const controller = await editor.until("the entry of suites", () =>
      [...editor.parts.controllers.values()].find(({ id }) => /suites|tests/.test(id)),
    );
    await controller.open();
    const { output } = await controller.run("Check Offline");
    assert.match(output, /the output was not tested\. Run it with “Invoke Live”/);
    const running = controller.run("Invoke Live");
    await editor.press("Run the cases by invoking their skills?", "Invoke All");
    const { lines } = await running;
    assert.deepEqual(
      lines.filter((line) => /^(passed|failed|errored)/.test(line)),
      ["passed Greets", "passed One two three"],
    );
  });

  it("A payload that a suite would change is stored in its own file", async () => {
    await invoke("json-diff", '{ "before": 12345678901234567890, "after": 1 }');
    const saving = editor.run("saveAsTest", await outputAddress());
    await editor.choose("Any output that matches the schema");
    await editor.chooseFile(inFolder("diff.skill-suite.json"));
    await editor.answer("before and after");
    await saving;
    const { cases } = await read("diff.skill-suite.json");
    assert.deepEqual(cases[0].payload, undefined);
    const kept = await folder.read(cases[0].payloadFile);
    assert.match(kept, /12345678901234567890/);
  });

  it("A credential is written to no file without a question", async () => {
    await editor.newPayload("text-stats", '{ "text": "npm_a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h8" }');
    const invoked = editor.run("invoke");
    await editor.press(/appears to contain/, "Send This Once");
    await invoked;
    const saving = editor.run("saveAsTest", await outputAddress());
    await editor.choose("Any output that matches the schema");
    await editor.press(/This invocation appears to contain/, "Cancel");
    await saving;
    const { cases } = await read("words.skill-suite.json");
    assert.equal(cases.length, 2);
  });

  it("A file name without a suite's ending gets it, and an existing file is never overwritten", async () => {
    await invoke("json-diff", '{ "before": 1, "after": 1 }');
    await folder.write("diff.skill-suite.json", "{}");
    const saving = editor.run("saveAsTest", await outputAddress());
    await editor.choose("Any output that matches the schema");
    await editor.chooseFile(inFolder("diff.json"));
    await saving;
    await editor.notification("diff.skill-suite.json is there already");
    assert.deepEqual(await read("diff.skill-suite.json"), {});
    await assert.rejects(read("diff.json"));
    for (const [chosen, written] of [
      ["named", "named.skill-suite.json"],
      ["also.json", "also.skill-suite.json"],
      ["and.skill-suite", "and.skill-suite.json"],
    ] as const) {
      const starting = editor.run("newSuite", "text-stats");
      await editor.chooseFile(inFolder(chosen));
      await starting;
      assert.equal((await read(written)).skill, "text-stats@1.0.0", chosen);
    }
  });

  it("New Suite… starts with a payload made for the skill", async () => {
    const starting = editor.run("newSuite", "text-stats");
    await editor.chooseFile(inFolder("new.skill-suite.json"));
    await starting;
    const { skill, cases } = await read("new.skill-suite.json");
    assert.equal(skill, "text-stats@1.0.0");
    assert.equal(typeof cases[0].payload.text, "string");
  });

  /** Resolves to the address of the open output. */
  async function outputAddress() {
    const found = await editor.until("the output", () =>
      editor.parts.documents.open.findLast(({ uri }) => uri.scheme === "skill-output"),
    );
    return found.uri;
  }
});
