import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { suiteText } from "../../../src/core/suite/suiteText";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import type { MemoryEditor } from "../memoryEditor";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const suiteFile = "words.skill-suite.json";
const snapshotsFile = "words.skill-snapshots.json";
const cases = [
  { name: "values", payload: { text: "a b" }, expect: { output: { "/words": 7, "/lines": 1 } } },
  {
    name: "whole output",
    payload: { text: "a b" },
    expect: { snapshot: true as const, ignore: ["/words"] },
  },
  { name: "wrong payload", payload: {} },
];

async function runLive(editor: MemoryEditor) {
  const controller = await editor.until(
    "the tests",
    () => [...editor.parts.controllers.values()][0],
  );
  await controller.open();
  const running = controller.run("Invoke Live");
  await editor.press("Run the cases by invoking their skills?", "Invoke All");
  return running;
}

describe("Accepting outputs in the Test Explorer", () => {
  const folder = useFolder({ [suiteFile]: suiteText({ slug: "text-stats", version: "" }, cases) });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  const offered = (contextValue: string | undefined) =>
    editor.parts.commands
      .menu("testing/message/context", { testMessage: contextValue ?? "" })
      .map(([title]) => title);

  it("A value and a whole output become the expected ones, shown beside the old ones", async () => {
    const { messages } = await runLive(editor);
    assert.deepEqual(
      messages.map(({ test, message }) => [
        test.label,
        message.expectedOutput?.slice(0, 1),
        message.actualOutput?.slice(0, 1),
        offered(message.contextValue),
      ]),
      [
        ["values", "7", "2", ["Accept Output"]],
        ["whole output", "", "{", ["Accept Output"]],
        ["wrong payload", undefined, undefined, []],
      ],
    );
    for (const one of messages) await editor.run("acceptOutput", one);
    await editor.notification("Run a suite first.");
    const written = JSON.parse(await folder.read(suiteFile));
    assert.deepEqual(written.cases[0].expect, { output: { "/words": 2, "/lines": 1 } });
    const kept = JSON.parse(await folder.read(snapshotsFile));
    // Ignored parts are stored as well, since the whole output has to match its schema.
    assert.equal(kept.outputs["whole output"].words, 2);
    assert.deepEqual(
      (await runLive(editor)).lines.filter((line) => line.startsWith("passed")),
      ["passed values", "passed whole output"],
    );
  });

  it("Nothing is accepted into a suite that has changed since its run", async () => {
    await folder.write(suiteFile, suiteText({ slug: "text-stats", version: "" }, cases));
    const { messages } = await runLive(editor);
    const [first] = messages;
    const [, ...others] = cases;
    const changed = suiteText({ slug: "text-stats", version: "" }, others);
    await folder.write(suiteFile, changed);
    await editor.run("acceptOutput", first);
    await editor.notification("words.skill-suite.json has changed meanwhile.");
    assert.equal(await folder.read(suiteFile), changed);
  });

  it("Without a chosen result the command says to run a suite first", async () => {
    await editor.run("acceptOutput");
    await editor.notification("Run a suite first.");
  });
});

describe("An output that contains a credential", () => {
  const payload = { text: "a" };
  const text = suiteText({ slug: "word-tally", version: "" }, [
    { name: "value", payload, expect: { output: { "/token": "" } } },
    { name: "whole", payload, expect: { snapshot: true } },
  ]);
  const folder = useFolder({ [suiteFile]: text });
  const editor = useEditor(() => ({
    folders: [folder.path],
    settings: { "skillRegistry.history.keepTexts": "always" },
  }));
  let registry: ForeignRegistry;

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    const output = { words: 1, token: `npm_${"a1B2c3D4".repeat(4)}e5F6` };
    registry.answer("/v1/runtime/invoke", {
      body: { invocationId: "1", status: "success", output },
    });
    await editor.connectTo(registry);
    await editor.newPayload("word-tally", '{ "text": "a" }');
    const invoked = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await invoked;
  });
  after(() => registry.close());

  it("Save as Test writes not even one value of it without a question", async () => {
    const saving = editor.run("saveAsTest");
    await editor.choose("word-tally@2.1.0");
    await editor.choose("Chosen values…");
    const values = await editor.pick("/token");
    values.choose("/token");
    values.accept();
    await editor.press("This invocation appears to contain an npm token.", "Cancel");
    await saving;
  });

  it("Accept Output writes nothing of it without a question", async () => {
    const { messages } = await runLive(editor);
    assert.equal(messages.length, 2);
    for (const one of messages) {
      const accepting = editor.run("acceptOutput", one);
      await editor.press("This invocation appears to contain an npm token.", "Cancel");
      await accepting;
    }
    assert.equal(await folder.read(suiteFile), text);
    await assert.rejects(folder.read(snapshotsFile));
  });
});

describe("A case whose output was never stored", () => {
  const [, whole] = cases;
  const text = suiteText({ slug: "text-stats", version: "" }, whole === undefined ? [] : [whole]);
  const folder = useFolder({ [suiteFile]: text });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("Store Output invokes its skill after a question, and stores the output", async () => {
    const controller = await editor.until(
      "the tests",
      () => [...editor.parts.controllers.values()][0],
    );
    await controller.open();
    const { messages } = await controller.run("Check Offline");
    const [first] = messages;
    assert.equal(first?.message.message, "This case has no stored output yet.");
    const offered = editor.parts.commands
      .menu("testing/message/context", { testMessage: first?.message.contextValue ?? "" })
      .map(([title]) => title);
    assert.deepEqual(offered, ["Store Output"]);
    const storing = editor.run("storeOutput", first);
    await editor.press("Run the cases by invoking their skills?", "Invoke All");
    await storing;
    assert.equal(JSON.parse(await folder.read(snapshotsFile)).outputs["whole output"].words, 2);
  });
});
