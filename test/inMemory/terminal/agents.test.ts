import { strict as assert } from "node:assert";
import { mkdir, writeFile } from "node:fs/promises";
import type { Client } from "@modelcontextprotocol/client";
import { after, before, describe, it } from "mocha";
import { exitCodes } from "../../../src/core/findings/report";
import { firstPolicy } from "../../../src/core/review/newReview";
import { startDriftingRegistry } from "../../unit/cli/driftingRegistry";
import { cliFolder } from "../../unit/cli/runTestCli";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { callTool, connectAgent } from "./terminalAgent";
import { type TestTerminal, terminalOf } from "./terminalOf";

describe("An agent in a terminal", () => {
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  let terminal: TestTerminal;
  const editor = useEditor();
  const { run, path } = cliFolder();
  let client: Client;

  const connect = (folder = path()) => connectAgent(terminal, folder);
  const call = (name: string, args: Record<string, unknown>, by = client) =>
    callTool(by, name, args);
  const inspected = async () =>
    String((await call("inspect_skill", { skill: "text-stats" }))["contractHash"]);
  const invoke = async (text: string, by = client) =>
    call(
      "invoke_skill",
      { skill: "text-stats", contractHash: await inspected(), input: { text } },
      by,
    );

  before(async () => {
    registry = await startDriftingRegistry();
    await editor.connectTo({ baseUrl: registry.url });
    const key = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await key;
    terminal = await terminalOf(editor);
    client = await connect();
  });
  after(() => registry.close());

  it("may do only what the window allows, whatever the command line's own list says", async () => {
    const { code, err } = await run(["agents", "allow", "text-stats"], terminal.env);
    assert.equal(code, exitCodes.broken);
    assert.match(err, /The list of its window applies/);
    assert.deepEqual((await invoke("No."))["code"], "notAllowed");
    assert.deepEqual(await recordsOf(editor), []);
  });

  it("has the window's tools as soon as it allows them, and invokes by its key", async () => {
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    assert.equal((await names()).includes("skill_text-stats"), false);
    const allowed = editor.run("allowAgents", "text-stats");
    await editor.press(/^Allow agents to invoke text-stats/, "Without Asking, within Limits");
    await allowed;
    assert.equal((await names()).includes("skill_text-stats"), true);
    const result = await invoke("Count the words.");
    assert.equal(result["status"], "success", JSON.stringify(result));
    const typed = await call("skill_text-stats", { text: "By its own tool." });
    assert.equal(typed["status"], "success", JSON.stringify(typed));
    const [record] = await recordsOf(editor);
    const { kind, name, version } = record?.caller ?? {};
    assert.deepEqual([kind, name, version], ["mcp", "probe", "2.0"]);
  });

  it("gets the result of a repeated call from the record, and sends it once", async () => {
    const before = (await recordsOf(editor)).length;
    const again = await invoke("Count the words.");
    assert.equal(again["status"], "replayed", JSON.stringify(again));
    assert.equal((await recordsOf(editor)).length, before);
  });

  it("shows in a terminal what the window shows", async () => {
    const listed = await run(["agents", "list"], terminal.env);
    assert.equal(listed.code, exitCodes.good, listed.err);
    assert.match(listed.out, /text-stats@/);
    const own = await run(["agents", "list", "--no-window"], terminal.env);
    assert.doesNotMatch(own.out, /text-stats@/);
    const shown = editor.run("showAgents");
    const pick = await editor.pick(/text-stats/);
    const rows = pick.text;
    await editor.leave();
    await shown;
    for (const fact of ["text-stats", "notAllowed"]) {
      assert.equal(rows.includes(fact), listed.out.includes(fact), fact);
    }
  });

  it("is asked about in the window, by its name and folder, one question at a time", async () => {
    const changed = editor.run("allowAgents", "text-stats");
    await editor.choose("Whether agents ask");
    await editor.press(/^Allow agents to invoke text-stats/, "Ask Each Time");
    await changed;
    const before = (await recordsOf(editor)).length;
    const all = Array.from({ length: 5 }, (_, index) => invoke(`Question ${index}.`));
    const dialog = await editor.dialog(/^probe, in a terminal in \/.*, wants to invoke text-stats/);
    dialog.press("Cancel");
    const codes = (await Promise.all(all)).map((one) => one["code"]);
    assert.deepEqual(new Set(codes), new Set(["declined"]));
    assert.equal((await recordsOf(editor)).length, before);
    await editor.clock.advance(60_000);
    const again = invoke("Asked again.");
    await editor.press(/^probe, in a terminal/, "Invoke Once");
    assert.equal((await again)["status"], "success");
  });

  it("is narrowed by the policy of its own folder", async () => {
    await mkdir(path("narrow/.skill-registry"), { recursive: true });
    const policy = { ...firstPolicy(), agents: { off: true } };
    await writeFile(path("narrow/.skill-registry/policy.json"), JSON.stringify(policy));
    const narrowed = await connect(path("narrow"));
    const result = await call("find_skill", {}, narrowed);
    assert.equal(result["code"], "agentsOff", JSON.stringify(result));
    assert.notEqual((await call("find_skill", {}))["code"], "agentsOff");
  });

  it("sends nothing after a yes if its folder's policy forbade it during the question", async () => {
    await mkdir(path("later/.skill-registry"), { recursive: true });
    const policyFile = path("later/.skill-registry/policy.json");
    await writeFile(policyFile, JSON.stringify(firstPolicy()));
    const before = (await recordsOf(editor)).length;
    const invoking = invoke("Asked before the policy.", await connect(path("later")));
    const dialog = await editor.dialog(/^probe, in a terminal/);
    await writeFile(policyFile, JSON.stringify({ ...firstPolicy(), agents: { off: true } }));
    dialog.press("Invoke Once");
    const result = await invoking;
    assert.equal(result["code"], "agentsOff", JSON.stringify(result));
    assert.equal((await recordsOf(editor)).length, before);
  });

  it("can be stopped from a terminal", async () => {
    const { code, out, err } = await run(["agents", "stop"], terminal.env);
    assert.equal(code, exitCodes.good, err);
    assert.match(out, /Agents are stopped, including those of the window\./);
    assert.equal((await invoke("Stopped."))["code"], "agentsOff");
    const goOn = editor.run("stopAgents");
    await editor.press(/^Agents are stopped/, "Resume Agents");
    await goOn;
  });

  it("learns that its window has closed, and then sends nothing without that window", async () => {
    const before = (await recordsOf(editor)).length;
    const texts = [
      "Asked about as the window went.",
      "By its own tool as the window went.",
    ] as const;
    const started = [invoke(texts[0]), call("skill_text-stats", { text: texts[1] })];
    const dialog = await editor.dialog(/^probe, in a terminal/);
    // A call that has not been sent yet would be reported as not sent.
    await editor.until("both calls at the window", () =>
      texts.every((text) => terminal.tap.said().includes(text)),
    );
    terminal.tap.cut();
    // Only the window knows whether a person has answered.
    for (const { status } of await Promise.all(started)) assert.equal(status, "outcome unknown");
    dialog.press("Invoke Once");
    await editor.tidy();
    assert.equal((await recordsOf(editor)).length, before);
    for (const result of [await call("find_skill", {}), await invoke("Afterwards.")]) {
      assert.deepEqual([result["status"], result["code"]], ["notSent", "canceled"]);
      assert.match(String(result["message"]), /no longer answers/);
    }
  });
});
