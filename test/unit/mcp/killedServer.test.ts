import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { after, afterEach, before, describe, it } from "mocha";
import { homeVariable } from "../../../src/engine/files/machine";
import { allowOnMachine } from "../../fixtures/allowedMachine";
import { itInWholeSuite } from "../../fixtures/wholeSuite";
import { type CountingRegistry, startCountingRegistry } from "../cli/countingRegistry";
import { buildProgram, cliFolder } from "../cli/runTestCli";

/** The steps at which an invocation is held: the moments between which a crash could make a difference. */
const steps = [
  "before the start is on record",
  "after the start is on record",
  "after sending",
  "before the end is on record",
  "after the end is on record",
] as const;
type Step = (typeof steps)[number];

/**
 * Loaded into the server before it starts. Stops it in the middle of one step, tells its parent, and continues once a
 * file exists.
 */
const holdSource = `
  const { existsSync } = require("node:fs");
  const { StatementSync, DatabaseSync } = require("node:sqlite");
  const { step, go } = JSON.parse(process.env.HELD);
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  let part = "";
  const hold = (here) => {
    if (here !== step || existsSync(go)) return;
    process.send(here);
    while (!existsSync(go)) Atomics.wait(sleeping, 0, 0, 10);
  };
  const { prepare, exec } = DatabaseSync.prototype;
  const { run } = StatementSync.prototype;
  const texts = new WeakMap();
  DatabaseSync.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    texts.set(statement, sql);
    return statement;
  };
  StatementSync.prototype.run = function (...values) {
    const sql = texts.get(this) ?? "";
    if (sql.includes("INSERT INTO underway")) part = "start";
    else if (sql.includes("DELETE FROM underway WHERE id") || sql.includes("UPDATE underway SET")) part = "end";
    return run.apply(this, values);
  };
  DatabaseSync.prototype.exec = function (sql) {
    const here = sql === "COMMIT" ? part : "";
    if (here !== "") hold("before the " + here + " is on record");
    exec.call(this, sql);
    if (sql === "COMMIT") part = "";
    if (here !== "") hold("after the " + here + " is on record");
  };
`;

describe("A server for agents that is killed while it invokes", () => {
  const folder = cliFolder();
  let registry: CountingRegistry;
  let program: string;
  let contractHash: string;
  let holding: string;
  let machine = 0;
  let count = 0;
  const ends: (() => unknown)[] = [];
  before(async () => {
    registry = await startCountingRegistry();
    program = await buildProgram();
    holding = folder.path("hold.cjs");
    await writeFile(holding, holdSource);
  });
  after(() => registry.close());
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    registry.forget();
  });

  /** Creates a machine on which agents may invoke the skill. */
  async function newMachine(): Promise<string> {
    machine += 1;
    const home = folder.path(`machine-${machine}`);
    contractHash = await allowOnMachine(home, registry.url);
    return home;
  }

  /** Starts a server and calls `invoke_skill`; at `step` it waits until it is released. */
  function start(home: string, text: string, step?: Step) {
    count += 1;
    const go = folder.path(`go-${count}`);
    const child = spawn(process.execPath, ["--no-warnings", "-r", holding, program, "mcp"], {
      env: {
        ...process.env,
        [homeVariable]: home,
        SKILL_REGISTRY_URL: registry.url,
        SKILL_REGISTRY_PROJECT_KEY: "skh_counting_0123456789",
        HELD: JSON.stringify({ step, go }),
      },
      stdio: ["pipe", "pipe", "ignore", "ipc"],
    });
    ends.push(() => child.kill("SIGKILL"));
    const closed = once(child, "close");
    const held = once(child, "message").then(([at]) => at as Step);
    const send = (message: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdin?.on("error", () => undefined);
    const answered = new Promise<Record<string, unknown> | undefined>((resolve) => {
      void closed.then(() => resolve(undefined));
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
        const { id, result } = JSON.parse(line);
        if (id === 2) resolve(JSON.parse(result.content[0].text));
      });
    });
    send({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "probe", version: "1" },
      },
    });
    send({ method: "notifications/initialized" });
    const args = { skill: "text-stats", contractHash, input: { text } };
    send({ id: 2, method: "tools/call", params: { name: "invoke_skill", arguments: args } });
    const release = () => writeFileSync(go, "");
    return { child, closed, held, answered, release };
  }

  /** Resolves to the next server's response to the same call. */
  async function next(home: string, text: string): Promise<unknown> {
    const one = start(home, text);
    const answer = await one.answered;
    one.child.stdin?.end();
    await one.closed;
    return answer?.["code"] ?? answer?.["status"];
  }

  /**
   * Holds an invocation at a step and ends its server there. Resolves to what had arrived by then and what came
   * afterwards.
   */
  async function endAt(step: Step, end: (one: ReturnType<typeof start>) => unknown) {
    const home = await newMachine();
    const text = `${step} ${machine}`;
    const isSending = step === "after sending";
    if (isSending) registry.answerNext("held", text);
    const one = start(home, text, step);
    if (isSending) await registry.reached(registry.total() + 1);
    else assert.equal(await one.held, step);
    end(one);
    one.release();
    registry.answerHeld();
    await one.closed;
    const arrived = registry.counts.get(text) ?? 0;
    const answer = await next(home, text);
    return [arrived, answer, registry.counts.get(text) ?? 0] as const;
  }

  const ways = {
    "is killed": (one: ReturnType<typeof start>) => one.child.kill("SIGKILL"),
    "is told to end": (one: ReturnType<typeof start>) => one.child.kill("SIGTERM"),
    "loses its client": (one: ReturnType<typeof start>) => one.child.stdin?.end(),
  } as const;
  for (const [way, end] of Object.entries(ways)) {
    for (const step of steps) {
      // One of each kind always runs.
      const declare = step === "after sending" ? it : itInWholeSuite;
      declare(`sends once if it ${way} ${step}`, async () => {
        const [arrived, answer, total] = await endAt(step, end);
        // If the record says running, nobody knows whether it was sent.
        const isLeft = way === "is killed" && step === "after the start is on record";
        assert.equal(total, isLeft ? 0 : 1, String(answer));
        const isSent = arrived === 1 || isLeft;
        assert.match(String(answer), isSent ? /^(?:replayed|outcomeUnknownBefore)$/ : /^success$/);
      });
    }
  }

  for (const step of steps.filter((one) => one !== "after sending")) {
    const declare = step === "after the start is on record" ? it : itInWholeSuite;
    declare(`sends once where another wants the same ${step}`, async () => {
      const home = await newMachine();
      const text = `two ${step}`;
      const one = start(home, text, step);
      assert.equal(await one.held, step);
      const other = start(home, text);
      // After the first server, which has the store, or before it.
      await new Promise(setImmediate);
      one.release();
      const answers = await Promise.all([one.answered, other.answered]);
      assert.equal(registry.counts.get(text), 1);
      const statuses = answers.map((answer) => String(answer?.["status"])).sort();
      assert.ok(statuses.includes("success"), statuses.join());
      assert.match(statuses.find((status) => status !== "success") ?? "", /^(?:replayed|running)$/);
    });
  }

  it("sends once if the answer is lost, also for the next server", async () => {
    const home = await newMachine();
    registry.answerNext("lost", "lost");
    const one = start(home, "lost");
    assert.equal((await one.answered)?.["status"], "outcome unknown");
    assert.equal(await next(home, "lost"), "outcomeUnknownBefore");
    assert.equal(registry.counts.get("lost"), 1);
  });
});
