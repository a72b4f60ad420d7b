import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { after, before, beforeEach, describe, it } from "mocha";
import { askerByOptions } from "../../../src/cli/engine/askerByOptions";
import type { Allowances } from "../../../src/cli/engine/cliEngine";
import type { Questions } from "../../../src/cli/engine/person";
import type { Terminal } from "../../../src/cli/terminal";
import { rateScopeOf } from "../../../src/engine/attempt";
import {
  defaultMachineSettings,
  keepMachineSettings,
} from "../../../src/engine/files/machineSettings";
import { atStore, limitRate } from "../../fixtures/machineStore";
import { type CountingRegistry, startCountingRegistry } from "./countingRegistry";
import { type CliRun, cliFolder } from "./runTestCli";

const key = "skh_counting_0123456789";
const payload = JSON.stringify({ text: "gated" });

/** The commands that invoke, each with a file that contains the same payload. */
const callers: Readonly<Record<string, readonly [file: string, content: string, args: string[]]>> =
  {
    invoke: ["gated.json", payload, ["text-stats", "gated.json"]],
    run: ["text-stats.jsonl", `${payload}\n`, ["text-stats.jsonl"]],
    test: [
      "gated.skill-suite.json",
      JSON.stringify({
        format: 1,
        skill: "text-stats",
        cases: [{ name: "gated", payload: { text: "gated" } }],
      }),
      ["--live"],
    ],
  };

interface Circumstances {
  readonly options?: readonly string[];
  readonly heard?: (err: string) => void;
  /** The input of a person at the terminal. */
  readonly typed?: readonly string[];
  readonly env?: Record<string, string>;
}

describe("every command that invokes", () => {
  const folder = cliFolder();
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
  });
  after(() => registry.close());
  beforeEach(async () => {
    registry.forget();
    for (const part of ["machine", ".skill-registry", "text-stats.jsonl.journal"]) {
      await rm(folder.path(part), { recursive: true, force: true });
    }
  });
  const machine = () => folder.path("machine");
  const call = async (
    caller: string,
    { options = ["--yes"], heard, typed, env = {} }: Circumstances = {},
    signal?: AbortSignal,
  ): Promise<CliRun> => {
    const [file, content, args] = callers[caller] ?? assert.fail(caller);
    await writeFile(folder.path(file), content);
    const given = [caller, ...args, "--registry", registry.url, ...options];
    const all = { SKILL_REGISTRY_PROJECT_KEY: key, ...env };
    return folder.run(given, all, signal, "", heard, typed);
  };

  for (const caller of Object.keys(callers)) {
    describe(caller, () => {
      it("sends a payload if every gate is open", async () => {
        assert.equal((await call(caller)).code, 0);
        assert.equal(registry.total(), 1);
      });

      it("sends nothing without an agreement", async () => {
        const { code, err } = await call(caller, { options: [] });
        assert.match(err, /have not been agreed to\.[\s\S]*Accept them with --yes\.$/m);
        assert.deepEqual([code, registry.total()], [1, 0]);
      });

      /** With several invocations, a person is also asked about their number and price. */
      const answers = caller === "invoke" ? ["y"] : ["y", "Yes"];

      it("sends after a person at the terminal agrees", async () => {
        const { code, err } = await call(caller, { options: [], typed: answers });
        assert.match(err, /^Price: [\s\S]*^Invoke text-stats@1\.0\.0\? \(y\/N\) /m);
        assert.deepEqual([code, registry.total()], [0, 1]);
        const again = await call(caller, { options: [], typed: [] });
        assert.match(again.err, /\(y\/N\) Nothing was sent\.$/m, "the answer was kept");
      });

      it("sends nothing if a person at the terminal does not agree", async () => {
        for (const typed of answers.map((_, index) => [...answers.slice(0, index), "no"])) {
          await rm(folder.path("text-stats.jsonl.journal"), { force: true });
          const { code, err } = await call(caller, { options: [], typed });
          assert.match(err, /\(y\/N\) Nothing was sent\.$/m);
          assert.deepEqual([code, registry.total()], [1, 0]);
        }
      });

      it("sends nothing if a person leaves at a question", async () => {
        const leave = new AbortController();
        const heard = (err: string) => err.includes("(y/N)") && leave.abort();
        const asked = { options: [], typed: answers, heard };
        const { code, err } = await call(caller, asked, leave.signal);
        assert.match(err, /^Canceled\.$/m);
        assert.deepEqual([code, registry.total()], [3, 0]);
      });

      it("asks no question if an agent runs the command", async () => {
        const agent = { AI_AGENT: "some" };
        const { code, err } = await call(caller, { options: [], typed: answers, env: agent });
        assert.match(err, /Accept them with --yes\.$/m);
        assert.deepEqual([code, registry.total()], [1, 0]);
      });

      it("sends nothing if the last invocation was accepted without being executed, unless an option allows it", async () => {
        registry.describe({ executes: false });
        assert.equal((await call(caller)).code, 1);
        assert.equal(registry.total(), 1);
        await rm(folder.path("text-stats.jsonl.journal"), { force: true });
        const { code, out, err } = await call(caller);
        const remedy = /billed but not executed[\s\S]*Send it anyway with --unexecuted\./;
        assert.match(out + err, remedy);
        // A suite still runs the cases of other skills.
        assert.deepEqual([code, registry.total()], [caller === "test" ? 3 : 1, 1]);
        await call(caller, { options: ["--yes", "--unexecuted"] });
        assert.equal(registry.total(), 2);
      });

      it("sends nothing while another program sends the same", async () => {
        registry.answerNext("held", "gated");
        const first = call("invoke");
        await registry.reached(1);
        let said = () => {};
        const isSaid = new Promise<void>((resolve) => {
          said = resolve;
        });
        const heard = (err: string) =>
          /was not invoked twice|already being invoked/.test(err) && said();
        const second = call(caller, { heard });
        await Promise.race([isSaid, registry.reached(2)]);
        registry.answerHeld();
        await Promise.all([first, second]);
        assert.equal(registry.mostAtOnce(), 1);
      });

      it("sends nothing beyond the rate limit", async () => {
        const scope = rateScopeOf({ baseUrl: registry.url, isBuiltIn: false }, key, "text-stats");
        await limitRate(machine(), scope, 1, [Date.now()]);
        const leave = new AbortController();
        const heard = (err: string) => err.includes("Rate limit reached. Waiting") && leave.abort();
        const { err } = await call(caller, { heard }, leave.signal);
        assert.match(err, /^Rate limit reached\. Waiting \d+ seconds?\.$/m);
        assert.equal(registry.total(), 0);
      });
    });
  }

  // All of them get their answers from `askerByOptions`.
  it("sends nothing against the team's reviews, unless an option allows it", async () => {
    await mkdir(folder.path(".skill-registry"));
    const policy = JSON.stringify({
      format: 1,
      criteria: { safe: { description: "Safe to try." } },
      require: ["safe"],
    });
    await writeFile(folder.path(".skill-registry", "policy.json"), policy);
    const { code, err } = await call("invoke");
    assert.match(err, /Send it anyway with --unreviewed\.$/m);
    assert.deepEqual([code, registry.total()], [1, 0]);
    assert.equal((await call("invoke", { options: ["--yes", "--unreviewed"] })).code, 0);
  });

  it("sends nothing beyond the daily limit, unless an option allows it", async () => {
    const settings = { ...defaultMachineSettings, dailyLimitCents: 1 };
    await atStore(machine(), (store) => keepMachineSettings(store, settings));
    const { code, err } = await call("invoke");
    assert.match(err, /Send it anyway with --exceed-daily-limit\.$/m);
    assert.deepEqual([code, registry.total()], [1, 0]);
    const allowed = await call("invoke", { options: ["--yes", "--exceed-daily-limit"] });
    assert.equal(allowed.code, 0, allowed.err);
  });

  it("sends no further line of a run after one was accepted without being executed, unless an option allows it", async () => {
    registry.describe({ executes: false });
    const lines = ["a", "b", "c"].map((text) => JSON.stringify({ text })).join("\n");
    await writeFile(folder.path("lines.jsonl"), lines);
    const send = (...more: readonly string[]) => {
      const given = ["--registry", registry.url, "--skill", "text-stats", "--yes", "--jobs", "1"];
      const args = ["run", "lines.jsonl", ...given, ...more];
      return folder.run(args, { SKILL_REGISTRY_PROJECT_KEY: key });
    };
    const { code, err } = await send();
    assert.match(
      err,
      /^Stopped at line 1\. .*billed but not executed.* Send the other lines with --resume --unexecuted\.$/m,
    );
    assert.deepEqual([code, registry.total()], [1, 1]);
    await send("--resume", "--unexecuted");
    assert.equal(registry.total(), 3);
  });

  const back = "Continue with --resume once the project runs version 1.0.0.";
  for (const [how, alsoLists, next] of [
    ["succeeded", "", back],
    ["failed", "", back],
    ["failed, and that version can be requested", "9.0.0", "run it with --skill text-stats@9.0.0."],
  ] as const) {
    it(`sends no further line of a run after another version ran and ${how}, with the hint: ${next}`, async () => {
      registry.describe({ version: "9.0.0", alsoLists });
      if (how !== "succeeded") registry.answerNext("fails", "gated");
      await writeFile(folder.path("text-stats.jsonl"), `${payload}\n${payload}\n`);
      const args = ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--jobs", "1"];
      const { code, err } = await folder.run(args, { SKILL_REGISTRY_PROJECT_KEY: key });
      assert.match(
        err,
        /^Stopped at line 1\. .*ran version 9\.0\.0 of text-stats instead of 1\.0\.0\. /m,
      );
      assert.ok(err.includes(` ${next}\n`), err);
      assert.deepEqual([code, registry.total()], [1, 1]);
    });
  }

  it("asks a person once about all payloads that probably will not run", async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return asked === 1;
    };
    const asker = askerByOptions(
      {} as Allowances,
      { env: {} } as Terminal,
      { ask } as unknown as Questions,
      "text-stats",
      { rateLimit: () => "later" },
    );
    const question = { kind: "notExpectedToRun", code: "" } as Parameters<
      typeof asker.answers.notExpectedToRun
    >[0];
    const answers = [
      await asker.answers.notExpectedToRun(question),
      await asker.answers.notExpectedToRun(question),
    ];
    assert.deepEqual([answers, asked], [["yes", "yes"], 1]);
  });

  it("sends all lines of a run that a person agreed to, though the last was not executed", async () => {
    registry.describe({ executes: false });
    await call("invoke");
    const lines = ["a", "b", "c"].map((text) => JSON.stringify({ text })).join("\n");
    await writeFile(folder.path("text-stats.jsonl"), lines);
    const args = ["run", "text-stats.jsonl", "--registry", registry.url, "--yes", "--jobs", "1"];
    const given = { SKILL_REGISTRY_PROJECT_KEY: key };
    const { err } = await folder.run(args, given, undefined, "", undefined, ["y", "y"]);
    assert.match(err, /not expected to run[^\n]*\(y\/N\) /);
    assert.doesNotMatch(err, /Stopped/);
    assert.equal(registry.total(), 4);
  });

  it("asks about a credential in a single payload, and rejects a file of lines with one", async () => {
    const text = JSON.stringify({ text: `gated ${key}` });
    const files = { "key.json": text, "text-stats.jsonl": `${text}\n` };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(folder.path(name), content);
    }
    const send = (...args: string[]) =>
      folder.run(
        [...args, "--registry", registry.url, "--yes"],
        { SKILL_REGISTRY_PROJECT_KEY: key },
        undefined,
        "",
        undefined,
        ["y"],
      );
    const [alone, many] = [
      await send("invoke", "text-stats", "key.json"),
      await send("run", "text-stats.jsonl"),
    ];
    assert.match(alone.err, /appears to contain a credential\. Send it anyway\? \(y\/N\) /);
    assert.doesNotMatch(many.err, /y\/N/);
    assert.deepEqual([alone.code, many.code, registry.total()], [0, 1, 1]);
  });
});
