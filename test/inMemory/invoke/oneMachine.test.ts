import { strict as assert } from "node:assert";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { rateScopeOf } from "../../../src/engine/attempt";
import { homeVariable } from "../../../src/engine/files/machine";
import { forgetInvocations, limitRate } from "../../fixtures/machineStore";
import type { RecordedRequest } from "../../fixtures/network/recordingServer";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { MemoryEditor } from "../memoryEditor";

/** Each invocation costs 20 cents, so that five fit the limit of a dollar. */
const settings = { "skillRegistry.cost.dailyCeilingCents": 100 };
const price = { billingModel: "per_call", unitAmountCents: 20, currency: "USD", status: "active" };
const success = { status: "success", amountCents: 20, currency: "USD", output: { words: 1 } };
const perMinute = 3;

describe("Two windows, a run and a command-line invocation at once", () => {
  // The editors keep the same clock as the commands, so nothing is tidied after a test.
  let editor: MemoryEditor;
  let second: MemoryEditor;
  let registry: ForeignRegistry;
  let folder: string;
  /** The payloads that arrived at the registry, and how many ran at once at most. */
  const arrived: string[] = [];
  let [underWay, mostAtOnce] = [0, 0];
  /** Gets the function that answers each invocation; undefined if they are answered at once. */
  let hold: ((answer: () => void) => void) | undefined;
  const children: ChildProcess[] = [];

  const invoked = async ({ body }: RecordedRequest): Promise<Answer> => {
    arrived.push(JSON.parse(body).input.text);
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    if (hold !== undefined) await new Promise<void>(hold);
    underWay -= 1;
    return { body: { invocationId: `inv-${arrived.length}`, ...success } };
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "one-machine-"));
    registry = await startForeignRegistry(
      { dialect: "camel" },
      { "/v1/runtime/invoke": invoked, "/v1/skills/*/prices": { body: { prices: [price] } } },
    );
    editor = new MemoryEditor({ settings, showsRealTime: true });
    await editor.connectTo(registry);
    await editor.newPayload("word-tally", '{ "text": "agreed" }');
    const agreeing = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await agreeing;
    second = new MemoryEditor({ machine: editor.parts.machine, settings, showsRealTime: true });
    await second.connectTo(registry);
  });
  beforeEach(async () => {
    await forgetInvocations(editor.parts.machine.storage);
    await newMinute();
    arrived.length = 0;
    mostAtOnce = 0;
  });
  afterEach(() => {
    hold = undefined;
    for (const child of children.splice(0)) child.kill();
  });
  after(async () => {
    await second.dispose();
    await editor.dispose();
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Lets a minute pass for all programs. They know the registry's rate limit. */
  const newMinute = () => {
    const at = { baseUrl: registry.baseUrl, isBuiltIn: false };
    const scope = rateScopeOf(at, registry.projectKey, "word-tally");
    return limitRate(editor.parts.machine.storage, scope, perMinute);
  };
  /** Invokes the active payload, and declines to exceed the daily limit. Resolves to whether that question came. */
  const invokeAndDecline = async (window: MemoryEditor): Promise<boolean> => {
    let isOver = false;
    const invoking = window.run("invoke").finally(() => {
      isOver = true;
      window.parts.board.changed();
    });
    const question = await window.until("the end, or the question about the limit", () => {
      const asked = window.parts.notices.find(({ text }) => text.includes("Exceed your daily"));
      return asked ?? (isOver && "none");
    });
    if (question !== "none") question.close();
    await invoking;
    return question !== "none";
  };
  /** Starts a command as a separate program. `heard` gets its output so far. */
  const start = (args: readonly string[], heard: (err: string, child: ChildProcess) => void) => {
    const { TZ } = process.env;
    const env = {
      // The day of the limit is a day of the time zone, which all programs of a machine share.
      ...(TZ !== undefined && { TZ }),
      [homeVariable]: editor.parts.machine.storage,
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    };
    const given = [...args, "--registry", registry.baseUrl, "--yes"];
    const child = spawn(process.execPath, [join(process.cwd(), "dist/cli.js"), ...given], {
      cwd: folder,
      env,
    });
    children.push(child);
    let err = "";
    child.stderr.on("data", (text: Buffer) => {
      err += text;
      heard(err, child);
    });
    return once(child, "close").then(([code]) => ({ code: code as number | null, err }));
  };
  const ignore = () => undefined;
  const invoke = (text: string, heard: Parameters<typeof start>[1] = ignore) => {
    writeFileSync(join(folder, `${text}.json`), JSON.stringify({ text }));
    return start(["invoke", "word-tally", `${text}.json`], heard);
  };
  const run = (text: string, ...options: readonly string[]) => {
    writeFileSync(join(folder, "word-tally.jsonl"), `${JSON.stringify({ text })}\n`);
    rmSync(join(folder, "word-tally.jsonl.journal"), { force: true });
    return start(["run", "word-tally.jsonl", ...options], ignore);
  };
  const write = (text: string) => JSON.stringify({ text });

  it("Never send one payload twice at once: the run waits, and the others report it", async () => {
    const held = new Promise<() => void>((resolve) => {
      hold = resolve;
    });
    for (const window of [editor, second]) await window.newPayload("word-tally", write("same"));
    const first = editor.run("invoke");
    const answer = await held;
    const running = run("same");
    const [refused] = await Promise.all([invoke("same"), second.run("invoke")]);
    await second.notification(/is already being invoked with this payload/);
    assert.match(refused.err, /was not invoked twice\.\nSend it anyway with --twice\.$/m);
    assert.deepEqual([refused.code, arrived], [1, ["same"]]);
    hold = undefined;
    answer();
    await first;
    const { code, err } = await running;
    assert.deepEqual([code, arrived, mostAtOnce], [0, ["same", "same"], 1], err);
  });

  it("Share the rate limit of three a minute, and the fourth reports how long it must wait", async () => {
    await editor.newPayload("word-tally", write("window 1"));
    await second.newPayload("word-tally", write("window 2"));
    const [one, batch] = await Promise.all([
      invoke("invoke", (err, child) => /Waiting \d+ seconds?\./.test(err) && child.kill("SIGINT")),
      run("run", "--max-wait", "0"),
      editor.run("invoke"),
      second.run("invoke"),
    ]);
    assert.equal(arrived.length, perMinute, arrived.join());
    assert.equal(new Set(arrived).size, perMinute);
    const held = [
      ...[editor, second].filter(({ parts }) =>
        parts.notices.some(({ text }) => text.includes("the rate limit is reached")),
      ),
      ...(/Waiting \d+ seconds?\./.test(one.err) ? ["invoke"] : []),
      ...(/the rate limit requires a wait/.test(batch.err) ? ["run"] : []),
    ];
    assert.equal(held.length, 1, `${editor.screen}\n${one.err}\n${batch.err}`);
  });

  it("Stay together within the daily limit of one dollar", async () => {
    for (const text of ["first", "second", "third"]) {
      await editor.newPayload("word-tally", write(text));
      await editor.run("invoke");
    }
    await newMinute();
    // Other payloads than before, since the claim of a person's invocation lasts until a double click is over.
    await editor.newPayload("word-tally", write("window 3"));
    await second.newPayload("word-tally", write("window 4"));
    const [one, batch, ...asked] = await Promise.all([
      invoke("invoke"),
      run("run"),
      invokeAndDecline(editor),
      invokeAndDecline(second),
    ]);
    // 40 cents were left for four invocations of 20 cents each.
    assert.equal(arrived.length, 5, `${arrived}\n${one.err}\n${batch.err}`);
    assert.equal(new Set(arrived).size, 5);
    const refused = [one, batch].filter(({ err }) => /--exceed-daily-limit\.$/m.test(err));
    assert.equal(asked.filter((wasAsked) => wasAsked).length + refused.length, 2);
  });
});
