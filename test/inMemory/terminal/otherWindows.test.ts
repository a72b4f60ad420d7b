import { strict as assert } from "node:assert";
import { writeFile } from "node:fs/promises";
import { after, describe, it } from "mocha";
import { windowVariable } from "../../../src/core/agents/agentSetup";
import { exitCodes } from "../../../src/core/findings/report";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { cliFolder } from "../../unit/cli/runTestCli";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { terminalOf } from "./terminalOf";

const welcome = /^Invoke text-stats@1\.0\.0 for a command in a terminal\?/;

const terms = /^Invoke word-tally@2\.1\.0\?/;

describe("A command in a terminal of a window without a key", () => {
  let registry: ForeignRegistry;
  after(() => registry.close());
  const editor = useEditor();
  const { run } = cliFolder();

  it("asks for the key, and does not ask again for a minute if the person sets none", async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    const { env } = await terminalOf(editor);
    const invoke = ["invoke", "word-tally", "text=Good morning."];
    const running = run(invoke, env);
    await editor.press(terms, "Invoke");
    await editor.leave("Project Key");
    const { code, err } = await running;
    assert.equal(code, exitCodes.findings);
    assert.match(err, /Nothing was sent: the window has no Project Key/);
    const again = await run(invoke, env);
    assert.match(again.err, /asks again after a minute without requests/);
  });
});

describe("A command in a terminal of one of two windows", () => {
  const editor = useEditor();
  const other = useEditor();
  const { run, path } = cliFolder();

  it("asks in the window of its own terminal", async () => {
    await terminalOf(other);
    const { env } = await terminalOf(editor);
    await writeFile(path("a.json"), '{"text": "Good morning."}');
    const running = run(["invoke", "text-stats", "a.json"], env);
    await editor.press(welcome, "Invoke");
    assert.equal((await running).code, exitCodes.good);
    assert.equal((await recordsOf(other)).length, 0);
    assert.equal((await recordsOf(editor)).length, 1);
  });

  it("reports that its own window has closed, and asks in no other", async () => {
    const { env } = await terminalOf(editor);
    await editor.dispose();
    // The editor would pass it to the terminals of the folder's next window.
    const seen = () => editor.parts.variables.seen(windowVariable, "");
    await editor.until("no variable", () => seen() === "" || undefined);
    const { code, err } = await run(["invoke", "text-stats", "a.json"], env);
    assert.equal(code, exitCodes.unknown);
    assert.match(err, /was closed or reloaded/);
    assert.equal((await recordsOf(other)).length, 0);
  });
});

describe("A terminal of an untrusted window", () => {
  const editor = useEditor({ isTrusted: false });

  it("has nothing of the window until it is trusted", async () => {
    const { variables } = editor.parts;
    const seen = () => variables.seen(windowVariable, "");
    // The editor restores what an earlier window of the folder set. Removing it shows that this window has decided.
    variables.replace(windowVariable, "of an earlier window");
    editor.parts.terminalOpened.fire({} as never);
    await editor.until("no variable", () => seen() === "" || undefined);
    editor.parts.isTrusted = true;
    editor.parts.trusted.fire();
    await editor.until("the variable", () => seen() || undefined);
  });

  it("has nothing of it if the user turned it off", async () => {
    editor.set("skillRegistry.terminal.command", false);
    const seen = () => editor.parts.variables.seen(windowVariable, "");
    await editor.until("no variable", () => seen() === "" || undefined);
  });
});
