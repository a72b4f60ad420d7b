import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

/** Tests that a real terminal reaches its window; tests in memory cover what the window does. */
describe("A command in an integrated terminal", () => {
  const window = useWindow();

  it("It asks in the window, prints the output, and is recorded as an invocation of the command line", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skill-registry-terminal-"));
    window.atEnd(() => rm(folder, { recursive: true, force: true }));
    const path = (name: string) => join(folder, name);
    await writeFile(path("a.json"), '{ "text": "One two three." }');
    const openTerminal = () => {
      const terminal = vscode.window.createTerminal({ shellPath: "/bin/sh", cwd: folder });
      window.atEnd(() => terminal.dispose());
      return terminal;
    };
    // The first terminal makes the extension add its command, which terminals opened later have.
    openTerminal();
    const terminal = await eventually("a terminal with the command", async () => {
      const opened = openTerminal();
      opened.sendText(`echo "$SKILL_REGISTRY_WINDOW" > found`);
      const isRead = await eventually("what it has", () => readFile(path("found"), "utf8"));
      await rm(path("found"));
      return isRead.trim() === "" ? undefined : opened;
    });
    terminal.sendText("skill-registry invoke text-stats a.json > out 2> err; echo $? > code");
    await window.pressInDialog("Invoke text-stats@1.0.0 for a command in a terminal?", "Invoke");
    const code = await eventually("its end", async () =>
      (await readFile(path("code"), "utf8")).trim(),
    );
    const [out, err] = await Promise.all([
      readFile(path("out"), "utf8"),
      readFile(path("err"), "utf8"),
    ]);
    assert.equal(code, "0", err);
    assert.match(out, /"words": 3/);
    assert.match(err, /^Using the window of this terminal: built-in\.\nAnswer in the window/);
    await window.openContainer("Skill Registry");
    const { executeCommand } = vscode.commands;
    window.atEnd(() => executeCommand("skillRegistry.clearInvocationFilter"));
    await executeCommand("skillRegistry.filterInvocations", { caller: "commandLine" });
    const rows = window.view("Invocations").getByRole("treeitem");
    await rows.filter({ hasText: "text-stats@1.0.0" }).first().waitFor();
  });
});
