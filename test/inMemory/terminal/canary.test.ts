import { strict as assert } from "node:assert";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { exitCodes } from "../../../src/core/findings/report";
import { echoedForms, keyNeedles } from "../../fixtures/keyForms";
import { startDriftingRegistry } from "../../unit/cli/driftingRegistry";
import { cliFolder } from "../../unit/cli/runTestCli";
import { useEditor } from "../useEditor";
import { callTool, connectAgent } from "./terminalAgent";
import { type TestTerminal, terminalOf } from "./terminalOf";

const terms = /^Invoke text-stats@1\.0\.0/;

describe("The credentials and secrets that a window holds for the commands of its terminals", () => {
  const { run, path } = cliFolder();
  const editor = useEditor(() => ({
    folders: [path()],
    settings: { "skillRegistry.history.keepTexts": "always" },
  }));
  const secret = "canarys3cret9f27";
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  let terminal: TestTerminal;
  /** Everything visible outside of the window's secret storage. */
  const seen: string[] = [];

  before(async () => {
    registry = await startDriftingRegistry();
    const staging = { registry: registry.url, secrets: ["token"] };
    const payload = { text: "With {{token}}." };
    const cases = [{ name: "one", payload }];
    await mkdir(path(".skill-registry"));
    for (const [name, value] of [
      [".skill-registry/environments.json", { format: 1, environments: { staging } }],
      ["text-stats.skill-input.json", payload],
      ["lines.jsonl", payload],
      ["a.skill-suite.json", { format: 1, skill: "text-stats", cases }],
    ] as const) {
      await writeFile(path(name), `${JSON.stringify(value)}\n`);
    }
    await connect();
    const { projectKey, userToken } = registry;
    const key = editor.run("setProjectKey");
    await editor.answer(projectKey);
    await key;
    const signedIn = editor.run("signIn");
    await editor.choose("User Token");
    await editor.answer(userToken);
    await signedIn;
    await editor.status("Local Demo");
    const uri = editor.vscode.Uri.file(path("text-stats.skill-input.json"));
    const set = editor.run("skillRegistry.editor.setSecret", uri, "token");
    await editor.answer(secret);
    await set;
    const allowed = editor.run("allowAgents", "text-stats");
    await editor.press(/^Allow agents to invoke text-stats/, "Without Asking, within Limits");
    await allowed;
    terminal = await terminalOf(editor);
    // A registry may return everything that it receives.
    const said = [projectKey, userToken, secret].flatMap(echoedForms);
    registry.changeAnswers((body) => ({ ...body, output: { said }, message: said.join(" ") }));
  });
  after(() => registry.close());

  async function connect(): Promise<void> {
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await editor.press(/^Use the registry http:/, "Use Registry");
    await connecting;
  }

  function look(): void {
    const { documents, machine, tabs } = editor.parts;
    seen.push(editor.screen, editor.log, editor.output, machine.clipboard, terminal.tap.said());
    for (const document of documents.open) seen.push(document.getText());
    for (const { html, messages } of tabs.panels) seen.push(html, JSON.stringify(messages));
  }

  async function command(args: readonly string[], question?: [RegExp, string]): Promise<string> {
    const running = run(args, terminal.env);
    if (question !== undefined) {
      await editor.dialog(question[0]);
      look();
      await editor.press(...question);
    }
    const { code, out, err } = await running;
    seen.push(out, err);
    look();
    assert.ok(
      [exitCodes.good, exitCodes.findings].includes(code as 0),
      `${args}: ${code} ${out} ${err}`,
    );
    return out;
  }

  it("appear nowhere: on the socket, in files, logs, documents, pages, output or clipboard", async () => {
    const file = "text-stats.skill-input.json";
    const invoked = await command(["invoke", file, "--format", "json"], [terms, "Invoke"]);
    assert.match(invoked, /\[Project Key\]/);
    await command(
      ["run", "lines.jsonl", "--skill", "text-stats", "--out", "out.jsonl"],
      [terms, "Invoke"],
    );
    await command(["test", "a.skill-suite.json", "--live"], [terms, "Invoke"]);
    await command(["test", "a.skill-suite.json", "--test-run"], [/^Test run text-stats@/, "Run"]);
    await command(["agents", "list"]);
    const agent = await connectAgent(terminal, path());
    const { contractHash } = await callTool(agent, "inspect_skill", { skill: "text-stats" });
    const input = { text: "By an agent, {{token}}." };
    const called = await callTool(agent, "invoke_skill", {
      ...{ skill: "text-stats", contractHash, input },
    });
    assert.equal(called["status"], "success", JSON.stringify(called));
    // An agent's payload is sent as plain text, without placeholders.
    assert.match(registry.invocations().at(-1)?.bodyText ?? "", /By an agent, \{\{token\}\}\./);
    seen.push(JSON.stringify(called));
    look();
    for (const folder of [editor.parts.machine.folder, path()]) {
      seen.push(...(await filesIn(folder)));
    }
    const all = seen.join("\n");
    // Each of these messages crossed the tapped socket.
    assert.match(terminal.tap.said(), /"method":"invoke".*"method":"open".*"method":"callTool"/s);
    assert.ok(registry.invocations().length >= 4);
    for (const canary of [registry.projectKey, registry.userToken, secret]) {
      for (const needle of keyNeedles(canary)) {
        const at = all.indexOf(needle);
        assert.equal(at, -1, all.slice(Math.max(0, at - 300), at + needle.length + 50));
      }
    }
  });

  it("never cross the socket, nor does the sealed list of what agents may do", async () => {
    const sealed = (await filesIn(editor.parts.machine.folder)).filter((one) =>
      /"seal":\s*"[^"]{20,}"/.test(one),
    );
    assert.equal(sealed.length, 1);
    const [seal = ""] = sealed.map((one) => /"seal":\s*"([^"]+)"/.exec(one)?.[1] ?? "");
    const { secrets } = editor.parts.machine;
    const kept = await Promise.all((await secrets.keys()).map((key) => secrets.get(key)));
    // Revisions are small numbers, so only longer values are checked.
    const long = kept.filter((one) => (one?.length ?? 0) > 8);
    const said = terminal.tap.said();
    for (const one of [seal, sealed[0], ...long]) assert.equal(said.includes(one ?? ""), false);
    assert.doesNotMatch(said, /"seal"|"callsPerDay"/);
  });

  it("are redacted in the window's message about a payload that contains one", async () => {
    const { err } = await run(["invoke", "text-stats", "text=a", `${secret}=b`], terminal.env);
    assert.match(err, /"\[Secret\]" is not a known property/);
    assert.equal(err.includes(secret), false);
  });
});

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile());
  return Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), "latin1")));
}
