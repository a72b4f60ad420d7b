import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { after, before, beforeEach, describe, it } from "mocha";
import { noteLimit, noteSent } from "../../../src/core/invocation/rateLimit";
import { machineFiles } from "../../../src/engine/machine";
import { defaultMachineSettings, keepMachineSettings } from "../../../src/engine/machineSettings";
import { rateScopeOf } from "../../../src/engine/passage";
import { writeFileAtomic } from "../../../src/engine/sharedFile";
import { type CountingRegistry, startCountingRegistry } from "./countingRegistry";
import { type CliRun, cliFolder } from "./runTestCli";

const key = "skh_counting_0123456789";
const payload = JSON.stringify({ text: "gated" });

/** The commands that invoke, each with a file that has the same payload. */
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
  const files = () => machineFiles(folder.path("machine"));
  const call = async (
    caller: string,
    { options = ["--yes"], heard }: { options?: string[]; heard?: (err: string) => void } = {},
    signal?: AbortSignal,
  ): Promise<CliRun> => {
    const [file, content, args] = callers[caller] ?? assert.fail(caller);
    await writeFile(folder.path(file), content);
    const given = [caller, ...args, "--registry", registry.url, ...options];
    return folder.run(given, { SKILL_REGISTRY_PROJECT_KEY: key }, signal, "", heard);
  };

  for (const caller of Object.keys(callers)) {
    describe(caller, () => {
      it("sends a payload where every gate is open", async () => {
        assert.equal((await call(caller)).code, 0);
        assert.equal(registry.total(), 1);
      });

      it("sends nothing that nobody agreed to", async () => {
        const { code, err } = await call(caller, { options: [] });
        assert.match(err, /have not been agreed to\.[\s\S]*Accept them with --yes\.$/m);
        assert.deepEqual([code, registry.total()], [1, 0]);
      });

      it("sends nothing that the team's reviews object to, unless that is allowed", async () => {
        await mkdir(folder.path(".skill-registry"));
        const policy = JSON.stringify({
          format: 1,
          criteria: { safe: { description: "Safe to try." } },
          require: ["safe"],
        });
        await writeFile(folder.path(".skill-registry", "policy.json"), policy);
        const { code, err } = await call(caller);
        assert.match(err, /Send it anyway with --unreviewed\.$/m);
        assert.deepEqual([code, registry.total()], [1, 0]);
        assert.equal((await call(caller, { options: ["--yes", "--unreviewed"] })).code, 0);
      });

      it("sends nothing beyond the daily limit, unless that is allowed", async () => {
        const settings = { ...defaultMachineSettings, dailyLimitCents: 1 };
        await keepMachineSettings(files().settings, settings);
        const { code, err } = await call(caller);
        assert.match(err, /Send it anyway with --exceed-daily-limit\.$/m);
        assert.deepEqual([code, registry.total()], [1, 0]);
        const allowed = await call(caller, { options: ["--yes", "--exceed-daily-limit"] });
        assert.equal(allowed.code, 0, allowed.err);
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
        registry.letGo();
        await Promise.all([first, second]);
        assert.equal(registry.mostAtOnce(), 1);
      });

      it("sends nothing beyond the rate limit", async () => {
        const scope = rateScopeOf({ baseUrl: registry.url, isBuiltIn: false }, key, "text-stats");
        const full = noteSent(noteLimit([], scope, 1), scope, Date.now());
        await mkdir(folder.path("machine"));
        await writeFileAtomic(files().rateClock, JSON.stringify(full));
        const leave = new AbortController();
        const heard = (err: string) => err.includes("Rate limit reached. Waiting") && leave.abort();
        const { err } = await call(caller, { heard }, leave.signal);
        assert.match(err, /^Rate limit reached\. Waiting \d+ s\.$/m);
        assert.equal(registry.total(), 0);
      });
    });
  }
});
