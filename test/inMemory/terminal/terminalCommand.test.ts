import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import type * as vscode from "vscode";
import { version } from "../../../package.json";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { CancellationTokenSource } from "../vscode/values";

const system = "/usr/bin:/bin";

describe("The command in the terminal", () => {
  const editor = useEditor();
  const path = () => editor.parts.variables.seen("PATH", system);

  it("A new terminal has it once the extension was used", async () => {
    assert.equal(path(), system);
    await editor.view("skills");
    await editor.until("the command", () => path() !== system || undefined);
    const env = { PATH: path() };
    const run = (...args: string[]) =>
      execFileSync("/bin/sh", ["-c", 'skill-registry "$@"', "sh", ...args], {
        env,
        encoding: "utf8",
      });
    assert.equal(run("--version"), `${version}\n`);
    assert.match(run("help", "run"), /^Usage: skill-registry run/);
    assert.equal(editor.parts.variables.description?.includes("skill-registry"), true);
  });

  it("The setup for agents contains its path that stays the same over updates, whoever prints the setup", async () => {
    const copying = editor.run("copyAgentSetup");
    await editor.choose("Codex");
    await copying;
    await editor.notification(/^Setup for Codex copied.*Add it to ~\/\.codex\/config\.toml\./);
    const launcher = join(editor.parts.machine.storage, "bin", "skill-registry");
    const { clipboard } = editor.parts.machine;
    assert.ok(clipboard.includes(`command = ${JSON.stringify(launcher)}`), clipboard);
    const home = editor.parts.machine.storage;
    const env = { PATH: path(), SKILL_REGISTRY_URL: "built-in", SKILL_REGISTRY_HOME: home };
    const args = ["-c", "skill-registry agents setup Codex"];
    assert.equal(execFileSync("/bin/sh", args, { env, encoding: "utf8" }), clipboard);
  });

  it("It is removed when the user turns it off, and back when they turn it on", async () => {
    editor.set("skillRegistry.terminal.command", false);
    await editor.until("no command", () => path() === system || undefined);
    editor.set("skillRegistry.terminal.command", true);
    await editor.until("the command", () => path() !== system || undefined);
  });

  it("The ID of an invocation in a terminal opens it, and an unknown ID is no link", async () => {
    const document = await editor.newPayload("text-stats", '{"text": "One."}');
    await editor.run("invoke", document.uri);
    const [record] = await recordsOf(editor);
    const id = record?.invocationId ?? record?.id ?? "";
    const linksOf = async (line: string) => {
      const terminal = { name: "bash" } as vscode.Terminal;
      const { token } = new CancellationTokenSource();
      return (
        (await editor.parts.terminalLinks?.provideTerminalLinks({ line, terminal }, token)) ?? []
      );
    };
    const line = `text-stats: success, invocation ID ${id}`;
    const [link, ...others] = await linksOf(line);
    assert.ok(link !== undefined && others.length === 0);
    assert.equal(line.slice(link.startIndex, link.startIndex + link.length), id);
    assert.equal((await linksOf(`success  ${id.slice(0, 13)}…`)).length, 1);
    assert.deepEqual(await linksOf("invocation ID 0b5e0f3a-9d1c-4c5e-8a43-2f0d6f6f2b11"), []);
    await editor.parts.terminalLinks?.handleTerminalLink(link);
    assert.equal(editor.document.uri.scheme, "skill-invocation");
  });
});

describe("The launcher in the setup of an agent, without the command in the terminal", () => {
  const editor = useEditor({ settings: { "skillRegistry.terminal.command": false } });

  it("It runs the updated extension after an update", async () => {
    const folder = join(editor.parts.machine.storage, "bin");
    const launcher = join(folder, "skill-registry");
    mkdirSync(folder, { recursive: true });
    writeFileSync(launcher, "#!/bin/sh\nexec node '/extensions/of-before/dist/cli.js'\n");
    await editor.view("skills");
    const isRenewed = () => !readFileSync(launcher, "utf8").includes("of-before");
    if (!isRenewed()) for await (const _ of watch(folder)) if (isRenewed()) break;
    const said = execFileSync("/bin/sh", [launcher, "--version"], { encoding: "utf8" });
    assert.equal(said, `${version}\n`);
  });
});

describe("The command in the terminal of an untrusted window", () => {
  const editor = useEditor({ isTrusted: false });
  const path = () => editor.parts.variables.seen("PATH", system);

  it("It appears once the window is trusted", async () => {
    editor.parts.variables.prepend("PATH", "/earlier:");
    await editor.view("skills");
    await editor.until("no command", () => path() === system || undefined);
    editor.parts.isTrusted = true;
    editor.parts.trusted.fire();
    await editor.until("the command", () => path() !== system || undefined);
  });
});

describe("The command in the terminal if it cannot be written", () => {
  const editor = useEditor();

  it("The log says so, and everything else continues", async () => {
    const { storage } = editor.parts.machine;
    mkdirSync(storage, { recursive: true });
    writeFileSync(join(storage, "bin"), "");
    await editor.view("skills");
    await editor.until("the log", () => editor.log.includes("could not be written") || undefined);
    assert.equal(editor.parts.variables.seen("PATH", system), system);
    assert.equal(readFileSync(join(storage, "bin"), "utf8"), "");
  });
});
