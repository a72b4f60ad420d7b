import { strict as assert } from "node:assert";
import { mkdtempSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { suiteText } from "../../../src/core/suite/suiteText";
import { useEditor } from "../useEditor";

const folder = mkdtempSync(join(tmpdir(), "accept-"));
const file = join(folder, "words.skill-suite.json");
const cases = [
  { name: "values", payload: { text: "a b" }, expect: { output: { "/words": 7, "/lines": 1 } } },
  {
    name: "whole output",
    payload: { text: "a b" },
    expect: { snapshot: true as const, ignore: ["/words"] },
  },
  { name: "wrong payload", payload: {} },
];

describe("Outputs are accepted in the Test Explorer", () => {
  writeFileSync(file, suiteText({ slug: "text-stats", version: "" }, cases));
  const editor = useEditor({ folders: [folder] });

  async function run() {
    const controller = await editor.until(
      "the tests",
      () => [...editor.parts.controllers.values()][0],
    );
    await controller.open();
    const running = controller.run("Invoke Live");
    await editor.press("Run the cases by invoking their skills?", "Invoke All");
    return running;
  }

  const offered = (contextValue: string | undefined) =>
    editor.parts.commands
      .menu("testing/message/context", { testMessage: contextValue ?? "" })
      .map(([title]) => title);

  it("A value and a whole output become the expected ones, beside what was", async () => {
    const { messages } = await run();
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
    const written = JSON.parse(await readFile(file, "utf8"));
    assert.deepEqual(written.cases[0].expect, { output: { "/words": 2, "/lines": 1 } });
    const kept = JSON.parse(await readFile(join(folder, "words.skill-snapshots.json"), "utf8"));
    // What is ignored is stored as well: the output has to match its schema.
    assert.equal(kept.outputs["whole output"].words, 2);
    assert.deepEqual(
      (await run()).lines.filter((line) => line.startsWith("passed")),
      ["passed values", "passed whole output"],
    );
  });

  it("A suite that has changed since is left alone", async () => {
    await writeFile(file, suiteText({ slug: "text-stats", version: "" }, cases));
    const { messages } = await run();
    const [first] = messages;
    const [, ...others] = cases;
    const changed = suiteText({ slug: "text-stats", version: "" }, others);
    await writeFile(file, changed);
    await editor.run("acceptOutput", first);
    await editor.notification("words.skill-suite.json has changed meanwhile.");
    assert.equal(await readFile(file, "utf8"), changed);
  });

  it("Without a message it says where there are some", async () => {
    await editor.run("acceptOutput");
    await editor.notification("Run a suite first.");
  });
});
