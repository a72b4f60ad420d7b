import { strict as assert } from "node:assert";
import { writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { windowVariable } from "../../../src/core/agents/agentSetup";
import { exitCodes } from "../../../src/core/findings/report";
import { connectToWindow } from "../../../src/window/windowClient";
import { holdStore } from "../../fixtures/holdStore";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { cliFolder } from "../../unit/cli/runTestCli";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { type TestTerminal, terminalOf } from "./terminalOf";

const welcome = /^Invoke text-stats@1\.0\.0 for a command in a terminal\?/;

const terms = /^Invoke word-tally@2\.1\.0\?/;

describe("A command in a terminal of a window", () => {
  const editor = useEditor();
  const { run, path } = cliFolder();
  let terminal: TestTerminal;
  before(async () => {
    terminal = await terminalOf(editor);
    await writeFile(path("a.json"), '{"text": "Good morning."}');
  });

  it("is asked about in the window, invoked by it and recorded there, and prints the output", async () => {
    const running = run(["invoke", "text-stats", "a.json"], terminal.env);
    const dialog = await editor.dialog(welcome);
    assert.match(dialog.detail, /^For skill-registry invoke in a terminal, in \//);
    dialog.press("Invoke");
    const { code, out, err } = await running;
    assert.equal(code, exitCodes.good, err);
    assert.equal((JSON.parse(out) as { words: number }).words, 2);
    assert.match(err, /^Using the window of this terminal: built-in\.\nAnswer in the window/);
    const [record] = await recordsOf(editor);
    assert.equal(record?.caller.kind, "commandLine");
    assert.equal(record?.caller.name, "skill-registry invoke");
  });

  it("needs no second agreement for a harmless skill", async () => {
    const { code, err } = await run(["invoke", "text-stats", "text=Once more."], terminal.env);
    assert.equal(code, exitCodes.good, err);
    assert.doesNotMatch(err, /Answer in the window/);
  });

  it("lists the problems of a payload, which the window does not send", async () => {
    const before = await recordsOf(editor);
    const { code, err } = await run(["invoke", "text-stats", "text:=5"], terminal.env);
    assert.equal(code, exitCodes.findings);
    assert.match(err, /payload:1:\d+: .*\(type\)/);
    assert.match(err, /text-stats was not invoked: its payload is not valid\./);
    assert.equal((await recordsOf(editor)).length, before.length);
  });

  it("reports a missing skill as it does without a window", async () => {
    const { code, err } = await run(["invoke", "text-stat", "a.json"], terminal.env);
    assert.equal(code, exitCodes.nothing);
    assert.match(
      err,
      /text-stat was not invoked\. the built-in registry: .* Did you mean text-stats\?/,
    );
  });

  it("uses the window's registry for a command that needs no key, and reports that", async () => {
    const { code, out, err } = await run(["search", "text-stats"], terminal.env);
    assert.equal(code, exitCodes.good);
    assert.match(out, /text-stats/);
    assert.equal(err, "Using the window of this terminal: built-in.\n");
  });

  it("ignores the window on request", async () => {
    const { tap, env } = terminal;
    const before = tap.said().length;
    const { code, err } = await run(["invoke", "text-stats", "a.json", "--no-window"], env);
    assert.equal(code, exitCodes.good, err);
    assert.equal(tap.said().length, before);
  });

  it("cannot choose another project than the window's", async () => {
    const args = ["show", "text-stats", "--project", "local-demo"];
    const { code, err } = await run(args, terminal.env);
    assert.equal(code, exitCodes.broken);
    assert.match(err, /The window of this terminal chooses the project\./);
    const own = await run([...args, "--no-window"], terminal.env);
    assert.equal(own.code, exitCodes.good, own.err);
  });

  it("names the option without which its user token and key are not used", async () => {
    const { out } = await run(["ready", "text-stats"], terminal.env);
    assert.match(out, /Set SKILL_REGISTRY_USER_TOKEN, and add --no-window\./);
    assert.match(out, /Set SKILL_REGISTRY_PROJECT_KEY, and add --no-window\./);
  });

  it("ends with an explanation if the window cannot be read, is gone, or belongs to another user", async () => {
    const { env } = terminal;
    const token = "a".repeat(64);
    const wrong = env[windowVariable]?.replace(/:[0-9a-f]{64}:/, `:${token}:`) ?? "";
    for (const [variable, text] of [
      ["something else", /has another version of Skill Registry\. Open a new terminal/],
      [`1:${token}:/nowhere/window`, /was closed or reloaded\. Open a new terminal/],
      [wrong, /is not yours\. Open a new terminal/],
    ] as const) {
      const given = { ...env, [windowVariable]: variable };
      const { code, out, err } = await run(["invoke", "text-stats", "a.json"], given);
      assert.equal(code, exitCodes.unknown);
      assert.equal(out, "");
      assert.match(err, text);
    }
  });
});

describe("A command in a terminal of a window with a key", () => {
  let registry: ForeignRegistry;
  after(() => registry.close());
  const editor = useEditor();
  const { run, path } = cliFolder();
  const invoke = ["invoke", "word-tally", "a.json"];
  const invoked = () => registry.requests.filter((one) => one.path === "/v1/runtime/invoke");
  const ownKey = `sk_proj_${"b".repeat(40)}`;
  let terminal: TestTerminal;
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    terminal = await terminalOf(editor);
    await writeFile(path("a.json"), '{"text": "Good morning."}');
    const key = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await key;
  });

  it("never gets the key, and the window asks each time, even with --yes", async () => {
    for (const time of [1, 2]) {
      const running = run([...invoke, "--yes", "--format", "json"], terminal.env);
      const dialog = await editor.dialog(terms);
      assert.match(dialog.detail, /^For skill-registry invoke in a terminal/);
      dialog.press("Invoke");
      const { code, out, err } = await running;
      assert.equal(code, exitCodes.good, err);
      assert.equal(invoked().length, time);
      for (const text of [out, err, terminal.tap.said()]) {
        assert.equal(text.includes(registry.projectKey), false);
      }
    }
    assert.match(terminal.tap.said(), /"method":"invoke"/);
    // Redaction would hide the key here as well.
    assert.doesNotMatch(terminal.tap.said(), /"sender"/);
  });

  it("never gets the key, even if the registry returns it", async () => {
    const { projectKey } = registry;
    const output = { said: projectKey, encoded: Buffer.from(projectKey).toString("base64") };
    const body = { status: "success", output, message: `Bearer ${projectKey}` };
    registry.answer("/v1/runtime/invoke", { body });
    const running = run([...invoke, "--format", "json"], terminal.env);
    await editor.press(terms, "Invoke");
    const { code, out, err } = await running;
    registry.restore();
    assert.equal(code, exitCodes.good, err);
    assert.match(out, /\[Project Key\]/);
    for (const text of [out, err, terminal.tap.said()]) {
      assert.equal(text.includes(projectKey), false);
      assert.equal(text.includes(output.encoded), false);
    }
  });

  it("prints an output of megabytes completely", async () => {
    const output = { text: "“x” \\ ".repeat(500_000) };
    registry.answer("/v1/runtime/invoke", { body: { status: "success", output } });
    const running = run([...invoke, "--format", "json"], terminal.env);
    await editor.press(terms, "Invoke");
    const { code, out, err } = await running;
    registry.restore();
    assert.equal(code, exitCodes.good, err);
    assert.deepEqual((JSON.parse(out) as { output: unknown }).output, output);
  });

  it("sends no credential from its variables to the window's registry", async () => {
    const env = { ...terminal.env, SKILL_REGISTRY_PROJECT_KEY: ownKey };
    const before = registry.requests.length;
    const search = await run(["search"], env);
    assert.equal(search.code, exitCodes.good, search.err);
    await run(["show", "word-tally"], { ...env, SKILL_REGISTRY_USER_TOKEN: "user-token-of-mine" });
    const running = run(invoke, env);
    await editor.press(terms, "Invoke");
    const { code, err } = await running;
    assert.equal(code, exitCodes.good, err);
    assert.match(err, /SKILL_REGISTRY_PROJECT_KEY is not used/);
    const asked = registry.requests.slice(before);
    assert.ok(asked.length > 3);
    const said = JSON.stringify(asked);
    assert.equal(said.includes(ownKey), false);
    assert.equal(said.includes("user-token-of-mine"), false);
  });

  it("uses the key of its variables for a registry that they name, and ignores the window", async () => {
    const env = {
      ...terminal.env,
      SKILL_REGISTRY_URL: registry.baseUrl,
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    };
    const before = terminal.tap.said().length;
    const { code, err } = await run([...invoke, "--yes"], env);
    assert.equal(code, exitCodes.good, err);
    assert.equal(terminal.tap.said().length, before);
  });

  it("ignores the window for a named registry if the command needs no key", async () => {
    const before = terminal.tap.said().length;
    const { code, err } = await run(["search", "--registry", registry.baseUrl], terminal.env);
    assert.equal(code, exitCodes.good, err);
    assert.equal(terminal.tap.said().length, before);
  });

  it("asks the window if that uses the named registry, and ends if it uses another one", async () => {
    const named = run([...invoke, "--registry", registry.baseUrl], terminal.env);
    await editor.press(terms, "Invoke");
    assert.equal((await named).code, exitCodes.good);
    const other = await run([...invoke, "--registry", "https://registry.example"], terminal.env);
    assert.equal(other.code, exitCodes.broken);
    assert.match(other.err, /^The window of this terminal uses http:\/\/127\.0\.0\.1:\d+, so it/);
    assert.match(other.err, /Set SKILL_REGISTRY_PROJECT_KEY to the Project Key of https:/);
  });

  it("accepts no other environment than the window's", async () => {
    const { code, err } = await run([...invoke, "--environment", "staging"], terminal.env);
    assert.equal(code, exitCodes.broken);
    assert.match(err, /The window of this terminal uses no environment\. Choose staging there/);
  });

  it("sends nothing if it is canceled during the window's question, even after a late yes", async () => {
    const before = invoked().length;
    const stop = new AbortController();
    const running = run(invoke, terminal.env, stop.signal);
    const dialog = await editor.dialog(terms);
    stop.abort();
    dialog.press("Invoke");
    const { code } = await running;
    assert.equal(code, exitCodes.unknown);
    assert.equal(invoked().length, before);
  });

  it("sends nothing if it ends during the window's question", async () => {
    const before = invoked().length;
    const records = await recordsOf(editor);
    const running = run(invoke, terminal.env);
    const dialog = await editor.dialog(terms);
    terminal.tap.cut();
    const { code, err } = await running;
    assert.equal(code, exitCodes.unknown);
    assert.match(err, /Nothing was sent\. The window of this terminal was closed or reloaded\./);
    dialog.press("Invoke");
    await editor.tidy();
    assert.equal(invoked().length, before);
    assert.equal((await recordsOf(editor)).length, records.length);
  });

  it("reports an unknown outcome if the window dies during an invocation, which is sent once", async () => {
    const before = invoked().length;
    registry.answer("/v1/runtime/invoke", "never");
    const running = run([...invoke, "--format", "json"], terminal.env);
    await editor.press(terms, "Invoke");
    await registry.heard(() => invoked().length > before);
    terminal.tap.cut();
    const { code, out, err } = await running;
    registry.restore();
    assert.equal(code, exitCodes.unknown, err);
    const said = JSON.parse(out) as { status: string; recordId: string; message: string };
    assert.equal(said.status, "outcome unknown");
    assert.match(said.message, /window that sent it no longer answers/);
    assert.equal(invoked().length, before + 1);
    // The caller has gone, so nobody waits for the response.
    await editor.until("the end", () => editor.output.includes("outcome unknown") || undefined);
    const [record] = await recordsOf(editor);
    assert.equal(record?.id, said.recordId);
  });

  it("reports an unknown outcome if the window dies in the middle of an output, which is sent once", async () => {
    const before = invoked().length;
    const output = { text: "word ".repeat(500_000) };
    registry.answer("/v1/runtime/invoke", { body: { status: "success", output } });
    terminal.tap.cutWithin('"outputPart"');
    const running = run([...invoke, "--format", "json"], terminal.env);
    await editor.press(terms, "Invoke");
    const { code, out, err } = await running;
    registry.restore();
    terminal.tap.cutWithin("");
    assert.equal(code, exitCodes.unknown, err);
    assert.equal((JSON.parse(out) as { status: string }).status, "outcome unknown");
    assert.equal(invoked().length, before + 1);
    // The window knows how it ended.
    assert.equal((await recordsOf(editor))[0]?.status, "success");
  });

  for (const [title, end, said] of [
    ["it is canceled", (stop: AbortController) => stop.abort(), /was not invoked: it was canceled/],
    ["the window dies", () => terminal.tap.cut(), /Nothing was sent\. The window of this terminal/],
  ] as const) {
    it(`sends nothing if ${title} while another program holds the window's store`, async () => {
      const before = invoked().length;
      const releaseStore = await holdStore(editor.parts.machine.storage);
      const stop = new AbortController();
      const running = run(invoke, terminal.env, stop.signal);
      await editor.press(terms, "Invoke");
      end(stop);
      const { code, err } = await running;
      releaseStore();
      assert.equal(code, exitCodes.unknown, err);
      assert.match(err, said);
      const next = run(invoke, terminal.env);
      await editor.press(terms, "Invoke");
      assert.equal((await next).code, exitCodes.good);
      assert.equal(invoked().length, before + 1);
    });
  }

  it("cancels its invocation in the window at Ctrl+C", async () => {
    const before = invoked().length;
    registry.answer("/v1/runtime/invoke", "never");
    const stop = new AbortController();
    const running = run(invoke, terminal.env, stop.signal);
    await editor.press(terms, "Invoke");
    await registry.heard(() => invoked().length > before);
    stop.abort();
    const { code, err } = await running;
    registry.restore();
    assert.equal(code, exitCodes.unknown);
    assert.match(err, /word-tally: outcome unknown.*\n.*You canceled the request\./);
    assert.match(editor.log, /POST \/v1\/runtime\/invoke: cancelled/);
    assert.equal((await recordsOf(editor))[0]?.status, "outcome unknown");
  });

  it("asks at the window too before it sends a payload again that is still being sent", async () => {
    const before = invoked().length;
    registry.answer("/v1/runtime/invoke", "never");
    const stop = new AbortController();
    const first = run(invoke, terminal.env, stop.signal);
    await editor.press(terms, "Invoke");
    await registry.heard(() => invoked().length > before);
    const second = run([...invoke, "--twice"], terminal.env);
    await editor.press(terms, "Invoke");
    await editor.press(
      /^word-tally is being invoked with this payload\. Send it twice\?/,
      "Cancel",
    );
    const { code, err } = await second;
    assert.equal(code, exitCodes.findings, err);
    assert.equal(invoked().length, before + 1);
    stop.abort();
    await first;
    registry.restore();
    await editor.clock.advance(60_000);
  });

  it("has at most 256 requests and 50 million characters of payloads under way", async () => {
    registry.answer("/v1/skills/word-tally", "never");
    for (const [text, most] of [
      ["{}", 256],
      ["a".repeat(9_900_000), 5],
    ] as const) {
      const window = await connectToWindow(terminal.env[windowVariable] ?? "");
      assert.ok(typeof window === "object");
      const payload = { text, source: "a", folder: "/" };
      const ask = () => window.check({ slug: "word-tally", version: "9.9.9", payload });
      const all = Array.from({ length: most }, ask);
      await assert.rejects(ask(), /Too much at once/);
      window.close();
      assert.deepEqual(new Set(await Promise.all(all)), new Set(["gone"]));
    }
    registry.restore();
  });

  it("shares one question with all commands at the same moment, and none is asked for a minute after a no", async () => {
    const before = invoked().length;
    const running = Array.from({ length: 12 }, () => run(invoke, terminal.env));
    const dialog = await editor.dialog(terms);
    dialog.press("Cancel");
    const ended = await Promise.all(running);
    for (const { code, err } of ended) {
      assert.equal(code, exitCodes.findings);
      assert.match(err, /Nothing was sent: (it was declined in|somebody declined in)/);
    }
    assert.doesNotMatch(editor.screen, terms);
    await editor.clock.advance(59_000);
    const late = await run(invoke, terminal.env);
    assert.match(late.err, /asks again after a minute without requests/);
    assert.equal(invoked().length, before);
    await editor.clock.advance(60_000);
    const again = run(invoke, terminal.env);
    await editor.press(terms, "Invoke");
    assert.equal((await again).code, exitCodes.good);
  });
});
