import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { after, before, beforeEach, describe, it } from "mocha";
import { termsOf } from "../../../src/core/invocation/permission/terms";
import { rateScopeOf } from "../../../src/engine/attempt";
import {
  defaultMachineSettings,
  keepMachineSettings,
} from "../../../src/engine/files/machineSettings";
import { atStore, limitRate } from "../../fixtures/machineStore";
import { clientFor } from "../../fixtures/registries/clientFor";
import { type CountingRegistry, startCountingRegistry } from "./countingRegistry";
import { cliFolder } from "./runTestCli";

const key = "skh_counting_0123456789";

describe("commands on one machine", () => {
  const folder = cliFolder();
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
  });
  after(() => registry.close());
  beforeEach(async () => {
    registry.forget();
    await rm(folder.path("machine"), { recursive: true, force: true });
  });
  const machine = () => folder.path("machine");
  const env = { SKILL_REGISTRY_PROJECT_KEY: key };
  const payload = async (text: string) => {
    const name = `${text}.skill-input.json`;
    await writeFile(folder.path(name), JSON.stringify({ text }));
    return name;
  };
  const invoke = async (text: string, options = ["--yes"], typed?: readonly string[]) => {
    const args = ["invoke", "text-stats", await payload(text), "--registry", registry.url];
    return folder.run([...args, ...options], env, undefined, "", undefined, typed);
  };
  const runLines = async (texts: readonly string[], ...options: string[]) => {
    const lines = texts.map((text) => JSON.stringify({ text }));
    await writeFile(folder.path("text-stats.jsonl"), lines.join("\n"));
    await rm(folder.path("text-stats.jsonl.journal"), { force: true });
    const args = ["run", "text-stats.jsonl", "--registry", registry.url, "--yes"];
    return folder.run([...args, ...options], env);
  };
  /** Agrees to the terms of the skill, as in the editor. */
  const agree = async () => {
    const client = clientFor(registry.url);
    const read = await client.skill("text-stats", undefined, new AbortController().signal);
    client.close();
    assert.ok(read.ok);
    const terms = termsOf(registry.url, read.value);
    await atStore(machine(), (store) => store.agree(terms));
    return terms;
  };
  const records = async () => (await atStore(machine(), (store) => store.list({}))).records;

  it("record what they send, and the sender", async () => {
    assert.equal((await invoke("one")).code, 0);
    assert.equal((await runLines(["two"])).code, 0);
    const callers = (await records()).map(({ status, caller }) => [
      status,
      caller?.kind,
      caller?.name,
    ]);
    assert.deepEqual(callers, [
      ["success", "commandLine", "skill-registry run"],
      ["success", "commandLine", "skill-registry invoke"],
    ]);
  });

  it("store texts as a person answered in the editor for the registry, or as an option says", async () => {
    const kept = async (answer: boolean | undefined, options: readonly string[]) => {
      const keepTextsOf = answer === undefined ? {} : { [registry.url]: answer };
      await atStore(machine(), (store) =>
        keepMachineSettings(store, { ...defaultMachineSettings, keepTextsOf }),
      );
      await invoke("kept", ["--yes", ...options]);
      const [latest] = await records();
      const texts = await atStore(machine(), (store) => store.texts(latest?.id ?? ""));
      return texts?.outputText;
    };
    assert.equal(await kept(undefined, []), undefined);
    assert.equal(await kept(false, []), undefined);
    assert.equal(await kept(true, []), '{"of":"kept"}');
    assert.equal(await kept(false, ["--keep-texts"]), '{"of":"kept"}');
  });

  it("send the same payload one at a time, and again only on request", async () => {
    registry.describe({ takesMs: 400 });
    const [first, second] = await Promise.all([invoke("same"), invoke("same")]);
    const codes = [first.code, second.code].sort();
    assert.deepEqual([codes, registry.total()], [[0, 1], 1]);
    const refused = first.code === 1 ? first : second;
    assert.match(refused.err, /was not invoked twice\.\nSend it anyway with --twice\.$/m);
    const both = await Promise.all([invoke("again", ["--yes", "--twice"]), runLines(["again"])]);
    assert.deepEqual([both.map(({ code }) => code), registry.counts.get("again")], [[0, 0], 2]);
  });

  it("stay under one daily limit, a run and an invocation at once", async () => {
    await atStore(machine(), (store) =>
      keepMachineSettings(store, { ...defaultMachineSettings, dailyLimitCents: 7 }),
    );
    const [run, one] = await Promise.all([runLines(["a", "b", "c", "d"]), invoke("e")]);
    // Each costs $0.02.
    assert.equal(registry.total(), 3, run.err + one.err);
    const stopped = await invoke("f");
    assert.match(
      stopped.err,
      /would exceed the daily spending limit\.\n {2}.*\nSend it anyway with --exceed-daily-limit\.$/m,
    );
    assert.deepEqual([stopped.code, registry.total()], [1, 3]);
    assert.equal((await invoke("g", ["--yes", "--exceed-daily-limit"])).code, 0);
  });

  it("say before a run how many of its lines fit the daily limit, and ask a person", async () => {
    await atStore(machine(), (store) =>
      keepMachineSettings(store, { ...defaultMachineSettings, dailyLimitCents: 5 }),
    );
    const fits =
      /^4 invocations of text-stats cost \$0\.08\. With \$0\.00 spent today, 2 of them fit into your limit of \$0\.05 a day\.$/m;
    await agree();
    const args = ["run", "text-stats.jsonl", "--registry", registry.url];
    const lines = ["a", "b", "c", "d"].map((text) => JSON.stringify({ text }));
    await writeFile(folder.path("text-stats.jsonl"), lines.join("\n"));
    await rm(folder.path("text-stats.jsonl.journal"), { force: true });
    const asked = await folder.run(args, env, undefined, "", undefined, ["n"]);
    assert.match(asked.err, fits);
    assert.match(asked.err, /Send them\? \(y\/N\) [\s\S]*Nothing was sent\.$/m);
    assert.deepEqual([asked.code, registry.total()], [1, 0]);
    const unattended = await runLines(["a", "b", "c", "d"]);
    assert.match(unattended.err, fits);
    assert.equal(registry.total(), 2);
    const all = await runLines(["e", "f", "g"], "--exceed-daily-limit");
    assert.doesNotMatch(all.err, /fit into your limit/);
    assert.equal(registry.total(), 5);
  });

  it("do not claim a limit if their folder cannot be used, and name what to set", async () => {
    const args = ["invoke", "text-stats", await payload("home"), "--registry", registry.url];
    const home = { ...env, SKILL_REGISTRY_HOME: folder.path("home.skill-input.json") };
    const { code, err } = await folder.run([...args, "--yes"], home);
    assert.equal(code, 1);
    assert.match(err, /whether a daily limit is set on this machine is not known\.$/m);
    assert.match(err, /is not a folder.*SKILL_REGISTRY_HOME\.$/m);
    assert.match(err, /Send it anyway with --exceed-daily-limit\.$/m);
    assert.doesNotMatch(err, /a limit is set/);
    const allowed = await folder.run([...args, "--yes", "--exceed-daily-limit"], home);
    assert.equal(allowed.code, 0, allowed.err);
  });

  it("share one rate limit", async () => {
    const scope = rateScopeOf({ baseUrl: registry.url, isBuiltIn: false }, key, "text-stats");
    await invoke("zero");
    await limitRate(machine(), scope, 3);
    for (const text of ["one", "two"]) assert.equal((await invoke(text)).code, 0);
    assert.equal((await runLines(["three"])).code, 0);
    const held = await runLines(["four"], "--max-wait", "0");
    assert.match(
      held.err,
      /^Stopped before line 1: the rate limit requires a wait of \d+ seconds?, more/m,
    );
    const leave = new AbortController();
    const args = [
      "invoke",
      "text-stats",
      await payload("five"),
      "--registry",
      registry.url,
      "--yes",
    ];
    const waiting = await folder.run(args, env, leave.signal, "", (err) => {
      if (/Waiting \d+ seconds?\./.test(err)) leave.abort();
    });
    assert.match(waiting.err, /^Rate limit reached\. Waiting \d+ seconds?\.$/m);
    assert.equal(registry.total(), 4);
  });

  it("ask a person at a terminal nothing that they agreed to in the editor, unless it changed", async () => {
    await agree();
    const atTerminal = await invoke("a", [], []);
    assert.match(atTerminal.err, /^You agreed to the terms of text-stats in the editor on /m);
    assert.equal(atTerminal.code, 0);
    const unattended = await invoke("b", []);
    assert.match(unattended.err, /have not been agreed to\.[\s\S]*Accept them with --yes\.$/m);
    registry.describe({ cents: 3 });
    const changed = await invoke("c", [], []);
    registry.describe({ cents: 2 });
    assert.match(
      changed.err,
      /Price[\s\S]*has changed since you agreed to it\. Invoke it\? \(y\/N\) /,
    );
    assert.deepEqual([unattended.code, changed.code], [1, 1]);
  });
});
