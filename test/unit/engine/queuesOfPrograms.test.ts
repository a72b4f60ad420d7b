import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, it } from "mocha";
import { windowProgram } from "../../fixtures/windowProgram";

/**
 * Invokes a skill that costs 25 cents, several at once as its arguments say, and prints the store's answers. Each sent
 * invocation waits for an input line, and is then billed.
 */
const programSource = `
  import { createInterface } from "node:readline";
  import { openTestStore } from "test/fixtures/machineStore";
  import { fullSkill } from "test/fixtures/skillDetail";
  import { agreeingAsker, payloadOf, ranOnce, testEngine, wantedOnce } from "test/fixtures/testEngine";
  const [folder, name, count, left, isNumberChosen] = process.argv.slice(2);
  const skill = { ...fullSkill, prices: [{ billingModel: "per_call", unitAmountCents: 25, currency: "USD" }] };
  const say = (text) => process.stdout.write(text + "\\n");
  const { store } = openTestStore(folder);
  const noting = {
    ...store,
    start: async (wanted) => {
      const answer = await store.start(wanted);
      say(answer.kind);
      return answer;
    },
  };
  const waiting = [];
  createInterface({ input: process.stdin }).on("line", () => waiting.shift()());
  const answer = async () => {
    await new Promise((resolve) => waiting.push(resolve));
    return { ...ranOnce, amountCents: 25, currency: "USD" };
  };
  const parts = {
    store: noting,
    readSkill: async () => ({ ok: true, value: skill }),
    ...(left !== "" && { budget: async () => ({ project: "p", left: { cents: Number(left), currency: "USD" } }) }),
  };
  const { engine } = testEngine(folder, parts, answer);
  const wanted = { ...wantedOnce, skill, caller: { kind: "commandLine" }, isNumberChosen: isNumberChosen === "yes" };
  const asker = agreeingAsker({ terms: () => "once" }, { isPerson: false });
  const never = new AbortController().signal;
  const batch = await engine.openBatch(wanted, asker, never);
  await Promise.all(Array.from({ length: Number(count) }, (_, n) => batch.invoke(payloadOf(JSON.stringify(name + n)), never)));
  say("over");
  process.exit();
`;

describe("programs that invoke for one project", () => {
  let folder: string;
  let program: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "places-"));
    program = await windowProgram(programSource, folder);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Starts a program that wants `count` invocations at once; `left` is the budget it knows, or empty. */
  function run(name: string, count: number, left: string, isNumberChosen = "yes") {
    const args = ["--no-warnings", program, folder, name, String(count), left, isNumberChosen];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    const answers = on(createInterface({ input: child.stdout }), "line", { close: ["close"] });
    return {
      /** Waits for so many answers of a kind from the store. */
      saw: async (kind: string, times = 1): Promise<void> => {
        for (let seen = 0; seen < times; ) {
          const next = await answers.next();
          if (next.done === true) assert.fail("The program ended.");
          const [line] = next.value as unknown as readonly [string];
          if (line === kind) seen += 1;
          // The fault that this test finds is an invocation that runs beside others without permission.
          else assert.equal(line, "full");
        }
      },
      end: () => child.stdin.write("\n"),
      kill: async () => {
        child.kill("SIGKILL");
        await once(child, "exit");
      },
    };
  }

  it("stay within its budget together, as each of them reads it", async () => {
    const one = run("one", 2, "50");
    await one.saw("started", 2);
    const other = run("other", 1, "50");
    await other.saw("full");
    one.end();
    // One of them has ended and cost half of the budget; the other half is reserved for the running one.
    await other.saw("full", 2);
    one.end();
    await one.saw("over");
    // The registry decides about an invocation that runs alone.
    await other.saw("started");
    other.end();
    await other.saw("over");
  });

  it("take turns if the budget is unknown, until one of them dies", async () => {
    const one = run("one", 1, "", "no");
    await one.saw("started");
    const other = run("other", 2, "", "no");
    await other.saw("full", 2);
    await one.kill();
    await other.saw("started");
    await other.saw("full");
    other.end();
    await other.saw("started");
    other.end();
    await other.saw("over");
  });

  it("run in parallel if a person chose how many and the budget is unknown", async () => {
    const all = [run("one", 2, ""), run("other", 2, "")];
    for (const each of all) await each.saw("started", 2);
    for (const { end } of all) for (let n = 0; n < 2; n += 1) end();
    for (const each of all) await each.saw("over");
  });
});
