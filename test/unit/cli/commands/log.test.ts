import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { before, describe, it } from "mocha";
import { CommandError } from "../../../../src/core/findings/commandError";
import { keptTrialOf, writeTrials } from "../../../../src/core/invocation/output/keptTrials";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { localMinute, utcMinute } from "../../../../src/core/text/dates";
import { InvocationHistory } from "../../../../src/engine/record/invocationHistory";
import { atStore, keepRecords } from "../../../fixtures/machineStore";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { cliFolder } from "../runTestCli";

const hour = 3_600_000;
const now = Date.now();

/** A record of an invocation that ended `hours` ago. */
function ended(hours: number, others: Partial<InvocationRecord> = {}): InvocationRecord {
  const startedAt = now - hours * hour;
  return pastInvocation(startedAt, {
    id: `${String(startedAt).padStart(14, "0")}-0a1b2c3d`,
    endsBefore: startedAt + 1000,
    registry: "https://registry.example",
    skillSlug: "text-stats",
    version: "1.0.0",
    status: "success",
    durationMs: 12,
    ...others,
  });
}

describe("skill-registry log", () => {
  const folder = cliFolder();
  const run = { kind: "commandLine", name: "skill-registry run", version: "1.0.0" } as const;
  const records = [
    ended(50),
    ended(3, {
      ...{ caller: run, amountCents: 2, currency: "USD", invocationId: "inv-2" },
      profile: "command line",
    }),
    ended(2, { skillSlug: "csv-profile", status: "blocked", code: "budget_exceeded", caller: run }),
    ended(1, { caller: { kind: "suite" } }),
  ];
  before(async () => {
    const texts = { inputText: '{"text":"a"}', outputText: '{"words":1}' };
    await atStore(folder.path("machine"), (store) => keepRecords(store, records, texts));
  });
  const log = (...args: string[]) => folder.run(["log", ...args]);
  const idsOf = async (...args: string[]) => {
    const { out } = await log(...args, "--format", "jsonl");
    return out
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line).startedAt)
      .map((time) => (now - time) / hour);
  };

  it("lists trials only if asked, and no export or other list has them", async () => {
    const none = await log("--trials");
    assert.deepEqual([none.code, none.out, none.err], [4, "", "No manifest was tried.\n"]);
    const tried = [ended(2), ended(1, { skillSlug: "word-count", status: "error" })].map((record) =>
      keptTrialOf({ ...record, registry: "http://127.0.0.1:8080/run" }),
    );
    const before = await log("--format", "csv");
    await atStore(folder.path("machine"), async (store) => {
      await store.keepValue("trials", writeTrials(undefined, tried.toReversed()) ?? "");
    });
    const { code, out } = await log("--trials");
    assert.equal(code, 0);
    assert.match(
      out,
      /^\S+Z {2}trial {2}text-stats@1\.0\.0 {2}success {2}12 ms {2}http:\/\/127\.0\.0\.1:8080\/run\n\S+Z {2}trial {2}word-count@/,
    );
    assert.match(
      (await log("--trials", "--skill", "word-count")).out,
      /^\S+ {2}trial {2}word-count/,
    );
    assert.equal((await log("--trials", "--since", "90m")).out.split("\n").length, 2);
    assert.equal((await log("--trials", "--limit", "1")).out.split("\n").length, 2);
    assert.equal((await log("--trials", "--format", "csv")).code, 2);
    assert.equal((await log("--format", "csv")).out, before.out);
    assert.doesNotMatch((await log()).out, /127\.0\.0\.1/);
  });

  it("lists invocations, oldest first, with their callers", async () => {
    const { code, out, err } = await log();
    const [first = "", second = "", third = "", fourth = ""] = out.split("\n");
    assert.equal(code, 0);
    assert.match(first, /^\S+Z {2}person {2}text-stats@1\.0\.0 {2}success {2}12 ms {2}\d{14}-/);
    assert.match(second, / {2}skill-registry run {2}.* {2}\$0\.02 {2}inv-2$/);
    assert.match(third, / {2}csv-profile@1\.0\.0 {2}blocked \(budget_exceeded\) {2}/);
    assert.match(fourth, / {2}suite {2}.* {2}Test Editor$/);
    // Older records were removed.
    assert.match(err, /^On record: 4 invocations since \d{4}-\d\d-\d\d\.\n$/);
  });

  it("has a column for profiles on a terminal if there are several", async () => {
    const table = (...args: string[]) =>
      folder
        .run(["log", ...args], {}, undefined, "", undefined, undefined, 200)
        .then(({ out }) => out);
    assert.match(await table(), /PROFILE[^\n]*\n(?:.*\n)*.*command line/);
    assert.doesNotMatch(await table("--caller", "suite"), /PROFILE/);
  });

  const filters: readonly (readonly [args: readonly string[], hours: readonly number[]])[] = [
    [["--skill", "csv-profile"], [2]],
    [
      ["--status", "success"],
      [50, 3, 1],
    ],
    [
      ["--status", "success", "--status", "blocked", "--caller", "commandLine"],
      [3, 2],
    ],
    [["--caller", "person"], [50]],
    [
      ["--since", "150m"],
      [2, 1],
    ],
    [
      ["--since", "1d"],
      [3, 2, 1],
    ],
    [
      ["--since", new Date(now - 4 * hour).toISOString()],
      [3, 2, 1],
    ],
    // The times as a terminal and as reports show them, in the machine's time zone.
    [
      ["--since", localMinute(now - 4 * hour)],
      [3, 2, 1],
    ],
    [
      ["--since", utcMinute(now - 4 * hour)],
      [3, 2, 1],
    ],
    [["--limit", "1"], [1]],
  ];
  for (const [args, hours] of filters) {
    it(`selects ${args.join(" ")}`, async () => assert.deepEqual(await idsOf(...args), hours));
  }

  it("reports that nothing matched, and which value was invalid", async () => {
    const none = await log("--skill", "none");
    assert.deepEqual(none, { code: 4, out: "", err: "Nothing was invoked.\n" });
    for (const args of [
      ["--caller", "nobody"],
      ["--status", "good"],
      ["--since", "yesterday"],
      ["--since", "2026-13-40"],
      ["--format", "xml"],
      ["a", "b"],
      ["--follow", "--format", "csv"],
      ["--format", "json"],
      ["inv-2", "--format", "csv"],
    ]) {
      assert.equal((await log(...args)).code, 2, args.join(" "));
    }
  });

  it("is a table on a terminal, with the shortest IDs that are still unique", async () => {
    const typed: string[] = [];
    const nobody = new AbortController().signal;
    const { out } = await folder.run(["log"], { NO_COLOR: "1" }, nobody, "", undefined, typed, 70);
    const [head = "", ...lines] = out.trimEnd().split("\n");
    assert.match(head, /^TIME +BY +SKILL +STATUS +/);
    assert.ok(
      out.split("\n").every((line) => line.length <= 70),
      out,
    );
    assert.equal(
      new Set(
        out
          .trimEnd()
          .split("\n")
          .map((line) => line.search(/\S+$/)),
      ).size,
      1,
    );
    const start = lines[0]?.split(/\s+/).at(-1) ?? "";
    assert.equal((await log(start)).code, 0, start);
    const short = await log(records[0]?.id.slice(0, 4) ?? "");
    assert.equal(short.code, 4);
    assert.match(short.err, /There is no invocation ".{4}"\. .+ needs 8 characters\.$/m);
  });

  it("shows one by its record ID or invocation ID, with payload and output", async () => {
    for (const id of ["inv-2", records[1]?.id ?? ""]) {
      const { out } = await log(id);
      const { inputText, outputText, caller } = JSON.parse(out);
      assert.deepEqual([inputText, outputText, caller], ['{"text":"a"}', '{"words":1}', run]);
    }
    assert.equal((await log("inv-9")).code, 4);
  });

  const onTerminal = (...args: string[]) =>
    folder.run(["log", ...args], { NO_COLOR: "1" }, undefined, "", undefined, undefined, 200);

  it("shows one to a person as text, and as JSON on request", async () => {
    const { out } = await onTerminal("inv-2");
    assert.match(out, /^text-stats@1\.0\.0 {2}success\n/);
    assert.match(out, /^By: +commandLine$/m);
    assert.match(out, new RegExp(`^Time: +${localMinute(now - 3 * hour)}$`, "m"));
    assert.match(out, /^Payload:\n\{\n {2}"text": "a"\n\}$/m);
    assert.doesNotMatch(out, /\d{13}$/m);
    const json = await onTerminal("inv-2", "--format", "json");
    assert.equal(JSON.parse(json.out).invocationId, "inv-2");
  });

  it("names callers in its table as --caller accepts them", async () => {
    const { out } = await onTerminal();
    const callers = out
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(/ {2,}/)[1]);
    assert.deepEqual(callers, ["person", "commandLine", "commandLine", "suite"]);
    for (const caller of callers) assert.equal((await log("--caller", caller ?? "")).code, 0);
  });

  it("exports CSV with the caller in the last columns", async () => {
    const { out } = await log("--format", "csv");
    const [head = "", , second = ""] = out.split("\r\n");
    assert.match(
      head,
      /,kind,caller,callerName,callerVersion,callerSession,tool,agentReason,agreement,ran,reason,expectedCents,expectedCurrency,profile,environment$/,
    );
    assert.match(
      second,
      /,invocation,commandLine,skill-registry run,1\.0\.0,,,,,yes,,,,command line,$/,
    );
  });

  /** Runs `log --follow` until it writes something, and resolves to that. */
  const followed = async (...args: string[]) => {
    const leave = new AbortController();
    const heard = (text: string) => text !== "" && leave.abort();
    const run = ["log", "--follow", ...args];
    return (await folder.run(run, {}, leave.signal, "", heard)).out;
  };

  it("follows invocations of other programs", async () => {
    await writeFile(folder.path("a.json"), '{"text":"Good morning."}');
    const following = followed("--since", "1m");
    const sent = await folder.run(["invoke", "text-stats", "a.json"]);
    assert.equal(sent.code, 0, sent.err);
    const out = await following;
    assert.match(out, /^\S+ {2}skill-registry invoke {2}text-stats@\S+ {2}success {2}/);
  });

  it("ends with the reason if the record becomes unreadable while it is followed", async () => {
    const { list } = InvocationHistory.prototype;
    let times = 0;
    InvocationHistory.prototype.list = async function (query) {
      times += 1;
      if (times > 2) throw new CommandError("The record cannot be read.", 3);
      const found = await list.call(this, query);
      const late = ended(100, { skillSlug: "unread-skill" });
      if (times === 2) {
        await atStore(folder.path("machine"), (store) => keepRecords(store, [late]));
      }
      return found;
    };
    const { code, err } = await folder.run(["log", "--follow"]);
    InvocationHistory.prototype.list = list;
    assert.deepEqual([code, err], [3, "The record cannot be read.\n"]);
  });

  it("includes invocations that ended while it read the record", async () => {
    const late = ended(0, { skillSlug: "late-skill" });
    const { list } = InvocationHistory.prototype;
    InvocationHistory.prototype.list = async function (query) {
      InvocationHistory.prototype.list = list;
      const before = await list.call(this, query);
      await atStore(folder.path("machine"), (store) => keepRecords(store, [late]));
      return before;
    };
    assert.match(await followed("--skill", "late-skill"), / {2}late-skill@1\.0\.0 {2}success /);
  });
});
