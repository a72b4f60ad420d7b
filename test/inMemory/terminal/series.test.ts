import { strict as assert } from "node:assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { exitCodes } from "../../../src/core/findings/report";
import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";
import { type CountingRegistry, startCountingRegistry } from "../../unit/cli/countingRegistry";
import { cliFolder } from "../../unit/cli/runTestCli";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { type TestTerminal, terminalOf } from "./terminalOf";

const terms = /^Invoke text-stats@1\.0\.0\?/;

describe("Many invocations of a command in a terminal", () => {
  let registry: CountingRegistry;
  let terminal: TestTerminal;
  const editor = useEditor();
  const { run, path } = cliFolder();
  const key = `sk_proj_${"d".repeat(40)}`;
  before(async () => {
    registry = await startCountingRegistry();
    await editor.connectTo({ baseUrl: registry.url });
    const set = editor.run("setProjectKey");
    await editor.answer(key);
    await set;
    terminal = await terminalOf(editor);
  });
  after(() => registry.close());
  const linesFile = async (name: string, texts: readonly string[]) => {
    await writeFile(path(name), texts.map((text) => `${JSON.stringify({ text })}\n`).join(""));
    return ["run", name, "--skill", "text-stats"];
  };

  it("are asked about once, sent once each, and written to the journal", async () => {
    const args = await linesFile("three.jsonl", ["One.", "Two.", "Three."]);
    const running = run(args, terminal.env);
    const dialog = await editor.dialog(terms);
    assert.match(dialog.detail, /^For skill-registry run in a terminal/);
    dialog.press("Invoke");
    const { code, out, err } = await running;
    assert.equal(code, exitCodes.good, err);
    assert.match(out, /^3 succeeded, 0 failed, 0 with unknown outcome\./);
    for (const text of ["One.", "Two.", "Three."]) assert.equal(registry.counts.get(text), 1);
    const journal = await readFile(path("three.jsonl.journal"), "utf8");
    assert.equal(journal.match(/"kind":"ended"/g)?.length, 3);
    const records = await recordsOf(editor);
    assert.equal(new Set(records.map(({ batch }) => batch)).size, 1);
    assert.equal(records[0]?.caller.name, "skill-registry run");
    for (const text of [out, err, journal, terminal.tap.said()]) {
      assert.equal(text.includes(key), false);
    }
  });

  it("send nothing after a no in the window", async () => {
    const before = registry.total();
    const args = await linesFile("no.jsonl", ["Not this."]);
    const running = run([...args, "--yes"], terminal.env);
    await editor.press(terms, "Cancel");
    const { code, err } = await running;
    assert.equal(code, exitCodes.findings);
    assert.match(err, /it was declined in the window/);
    assert.equal(registry.total(), before);
    await editor.clock.advance(60_000);
  });

  it("are all checked by the window before the first is sent", async () => {
    await writeFile(path("bad.jsonl"), '{"text":"Good."}\n{"text":5}\n');
    const before = registry.total();
    const running = run(["run", "bad.jsonl", "--skill", "text-stats"], terminal.env);
    await editor.press(terms, "Invoke");
    const { code, err } = await running;
    assert.notEqual(code, exitCodes.good);
    assert.match(err, /bad\.jsonl:2/);
    assert.equal(registry.total(), before);
  });

  it("leave a line with an unknown outcome if the window closes, and never repeat that line", async () => {
    const args = await linesFile("gone.jsonl", ["Held.", "Later."]);
    registry.answerNext("held", "Held.");
    const running = run([...args, "--jobs", "1"], terminal.env);
    await editor.press(terms, "Invoke");
    await registry.reached(registry.total() + 1);
    terminal.tap.cut();
    const { code, err } = await running;
    registry.answerHeld();
    assert.equal(code, exitCodes.unknown, err);
    assert.match(err, /closed or reloaded/);
    assert.equal(registry.counts.get("Held."), 1);
    assert.equal(registry.counts.get("Later."), undefined);
    await editor.clock.advance(5_000);
    const resumed = run([...args, "--resume"], terminal.env);
    await editor.press(terms, "Invoke");
    const again = await resumed;
    assert.equal(again.code, exitCodes.unknown, again.err);
    assert.match(again.err, /The outcome of line 1 is unknown/);
    assert.equal(registry.counts.get("Held."), 1);
    assert.equal(registry.counts.get("Later."), 1);
  });

  it("can be cases of a suite, without questions in the terminal", async () => {
    const suite = {
      format: 1,
      skill: "text-stats",
      cases: [
        { name: "first", payload: { text: "Case one." } },
        { name: "second", payload: { text: "Case two." } },
      ],
    };
    await writeFile(path("a.skill-suite.json"), JSON.stringify(suite));
    const running = run(["test", "a.skill-suite.json", "--live"], terminal.env);
    const dialog = await editor.dialog(terms);
    assert.match(dialog.detail, /^For skill-registry test in a terminal/);
    dialog.press("Invoke");
    const { code, out, err } = await running;
    assert.equal(code, exitCodes.good, `${out}\n${err}`);
    assert.equal(registry.counts.get("Case one."), 1);
    assert.equal(registry.counts.get("Case two."), 1);
    const [record] = await recordsOf(editor);
    assert.equal(record?.caller.kind, "test");
  });

  it("count toward --max-cents with their billed amounts if these exceed the price", async () => {
    registry.describe({ cents: 1 });
    const cases = ["Bill one.", "Bill two.", "Bill three."].map((text) => ({
      ...{ name: text, payload: { text } },
    }));
    const suite = JSON.stringify({ format: 1, skill: "text-stats", cases });
    await writeFile(path("bill.skill-suite.json"), suite);
    const options = ["--live", "--max-cents", "4", "--jobs", "1"];
    const running = run(["test", "bill.skill-suite.json", ...options], terminal.env);
    await editor.press(terms, "Invoke");
    const { code, out, err } = await running;
    registry.describe({ cents: 2 });
    assert.equal(code, exitCodes.unknown, `${out}\n${err}`);
    assert.match(out, /costs more than the limit/);
    const counts = cases.map(({ name }) => registry.counts.get(name));
    assert.deepEqual(counts, [1, 1, undefined]);
  });
});

describe("Priced invocations of a command in a terminal", () => {
  const editor = useEditor();
  const { run, path } = cliFolder();

  it("stay together within --max-cents", async () => {
    const { env } = await terminalOf(editor);
    const lines = ["One.", "Two.", "Three."].map((text) => `${JSON.stringify({ text })}\n`);
    await writeFile(path("a.jsonl"), lines.join(""));
    const options = ["--skill", "redact-pii", "--max-cents", "4", "--jobs", "1"];
    const running = run(["run", "a.jsonl", ...options], env);
    await editor.press(/^Invoke redact-pii@/, "Invoke");
    const { out, err } = await running;
    assert.match(out, /^2 succeeded/, err);
    assert.equal((await recordsOf(editor)).length, 2);
  });

  it("are refused if a single one costs more than --max-cents", async () => {
    const { env } = await terminalOf(editor);
    await writeFile(path("a.json"), '{"text":"One."}');
    const { code, err } = await run(["invoke", "redact-pii", "a.json", "--max-cents", "0"], env);
    assert.equal(code, exitCodes.findings);
    assert.match(err, /one invocation costs more than the limit\.\n$/);
  });
});

describe("Cases of a suite in a terminal", () => {
  const { run, path } = cliFolder();
  const editor = useEditor(() => ({ folders: [path()] }));
  const secret = "canarys3cret9f27";
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
    const staging = { registry: registry.url, values: { customer: "Ann" }, secrets: ["token"] };
    await mkdir(path(".skill-registry"));
    const environments = JSON.stringify({ format: 1, environments: { staging } });
    await writeFile(path(".skill-registry/environments.json"), environments);
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await editor.press(/^Use the registry http:/, "Use Registry");
    await connecting;
    const key = editor.run("setProjectKey");
    await editor.answer(`sk_proj_${"e".repeat(40)}`);
    await key;
  });
  after(() => registry.close());
  const test = async (payloads: readonly object[], ...args: string[]) => {
    const cases = payloads.map((one, index) => ({ name: `c${index}`, ...one }));
    const suite = { format: 1, skill: "text-stats", cases };
    await writeFile(path("a.skill-suite.json"), JSON.stringify(suite));
    return run(["test", "a.skill-suite.json", ...args], (await terminalOf(editor)).env);
  };

  it("have the values and secrets of the window's environment, and the values of earlier cases", async () => {
    const missing = await test([{ payload: { text: "{{token}}" } }]);
    assert.equal(missing.code, exitCodes.unknown);
    assert.match(missing.out, /The secret token has no value in staging\./);
    const uri = editor.vscode.Uri.file(path("text-stats.skill-input.json"));
    const set = editor.run("skillRegistry.editor.setSecret", uri, "token");
    await editor.answer(secret);
    await set;
    const running = test(
      [
        { payload: { text: "For {{customer}}, {{token}}." } },
        { payload: { text: "{{case:c0/of}} Again." } },
      ],
      "--live",
    );
    await editor.press(terms, "Invoke");
    const { code, out, err } = await running;
    assert.equal(code, exitCodes.good, `${out}\n${err}`);
    assert.equal(registry.counts.get(`For Ann, ${secret}.`), 1);
    assert.equal(registry.counts.get("For Ann, [Secret]. Again."), 1);
    assert.equal(`${out}${err}`.includes(secret), false);
  });

  it("take the output of an earlier case as plain text, even if it looks like a placeholder", async () => {
    // Escaped braces are plain text.
    await writeFile(path("a.json"), '{ "text": "\\u007b{token}}" }');
    const running = test(
      [{ payloadFile: "a.json" }, { payload: { text: "{{case:c0/of}}" } }],
      "--live",
    );
    await editor.press(terms, "Invoke");
    const { code, out, err } = await running;
    assert.equal(code, exitCodes.good, `${out}\n${err}`);
    assert.equal(registry.counts.get("{{token}}"), 2);
  });
});

describe("A test run of a command in a terminal", () => {
  const editor = useEditor();
  const { run, path } = cliFolder();
  let registry: Awaited<ReturnType<typeof startLocalRegistry>>;
  after(() => registry.close());

  it("uses the window's account, whose token stays there", async () => {
    registry = await startLocalRegistry({ deliverCode: () => undefined });
    await editor.connectTo(registry);
    const signedIn = editor.run("signIn");
    await editor.choose("User Token");
    await editor.answer(registry.userTokens.owner);
    await signedIn;
    await editor.status("Local Demo");
    const { env, tap } = await terminalOf(editor);
    const cases = [{ name: "one", payload: { text: "Not billed." } }];
    const suite = { format: 1, skill: "text-stats", cases };
    await writeFile(path("a.skill-suite.json"), JSON.stringify(suite));
    const running = run(["test", "a.skill-suite.json", "--test-run"], env);
    await editor.press(/^Test run text-stats@/, "Run");
    const { code, out, err } = await running;
    assert.equal(code, exitCodes.good, `${out}\n${err}`);
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.kind, record?.caller.kind], ["testRun", "test"]);
    for (const text of [out, err, tap.said()]) {
      assert.equal(text.includes(registry.userTokens.owner), false);
    }
  });
});
