import assert from "node:assert/strict";
import { mock } from "node:test";
import { describe, it } from "mocha";
import type { AgentRefusals } from "../../../src/agents/agentRefusals";
import { answerMs } from "../../../src/agents/invokeTools";
import { withStopped } from "../../../src/core/agents/agentAgreements";
import type { InvocationOutcome } from "../../../src/core/invocation/invocation";
import type { SkillDetail } from "../../../src/core/skill/skill";
import { type SessionOptions, yesClient } from "../../fixtures/agentSession";
import { lostAnswer } from "../../fixtures/closedGates";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { fullSkill } from "../../fixtures/skillDetail";
import { ranOnce } from "../../fixtures/testEngine";
import { never, useAgentSessions, wanted } from "./useAgentSessions";

const changedSkill: SkillDetail = {
  ...fullSkill,
  runtime: { type: "http", entry: "https://elsewhere.example/profile" },
};

describe("an agent's session", () => {
  const { open } = useAgentSessions();

  it("is refused with the differences once the contract has changed", async () => {
    const { invoke, become, sent, call } = await open();
    become(changedSkill);
    const refused = await invoke();
    assert.equal(refused["code"], "contractChanged");
    assert.match(String(refused["changes"]), /elsewhere\.example/);
    become(fullSkill);
    assert.equal((await invoke())["code"], "notAllowed");
    const inspected = await call("inspect_skill", { skill: "csv-profile" });
    assert.equal(inspected["allowed"], false);
    assert.equal(inspected["inputSchema"], undefined);
    assert.deepEqual(sent, []);
  });

  it("shows the agreed level of an allowed skill, whatever the registry lists", async () => {
    const { call } = await open({ agreement: { level: "high" } });
    const [row] = (await call("find_skill", {}))["skills"] as Record<string, unknown>[];
    assert.deepEqual(
      [row?.["permissionLevel"], row?.["permissionLevelFrom"]],
      ["high", "agreement"],
    );
  });

  it("is refused for a wrong contractHash with a code of its own, and may try again with the right one", async () => {
    const { invoke, refusals } = await open();
    assert.equal((await invoke({ ...wanted, contractHash: "x" }))["code"], "wrongContractHash");
    assert.equal((await refusals.list())[0]?.code, "wrongContractHash");
    assert.equal((await invoke())["status"], "success");
  });

  it("is refused once the skill runs at another path of its host", async () => {
    const { invoke, become, sent } = await open();
    const { runtime } = fullSkill;
    become({
      ...fullSkill,
      runtime: { type: "http", ...runtime, entry: `${runtime?.entry}/other` },
    });
    const refused = await invoke();
    assert.equal(refused["code"], "contractChanged");
    assert.match(String(refused["changes"]), /profile\/other/);
    become(fullSkill);
    assert.equal((await invoke())["code"], "notAllowed");
    assert.deepEqual(sent, []);
  });

  it("is refused if a person must be asked and says no, or cannot be asked", async () => {
    const { call, sent } = await open({ agreement: { mode: "ask" } });
    for (const [answer, code] of [
      ["no", "declined"],
      ["noPerson", "noPerson"],
    ] as const) {
      const client = { ...yesClient, askPerson: () => answer };
      assert.equal((await call("invoke_skill", wanted, client))["code"], code);
    }
    assert.deepEqual(sent, []);
    assert.equal((await call("invoke_skill"))["status"], "success");
  });

  it("sends a person's changed payload instead, which passes every gate again without another question", async () => {
    const asked: string[] = [];
    const changing = (payload: string) => ({
      ...yesClient,
      askPerson: ({ payload: before }: { readonly payload: string }) => {
        asked.push(before);
        return { payload };
      },
    });
    const invalid = { state: "invalid", hiddenProblems: 1 } as const;
    const valid = { state: "valid", hiddenProblems: 0 } as const;
    const check = async (_at: unknown, _skill: unknown, text: string) => ({
      ...(text.includes("bad") ? invalid : valid),
      problems: [],
    });
    const { call, sent } = await open({ agreement: { mode: "ask" }, parts: { check } });
    const ran = await call("invoke_skill", wanted, changing('{"csv": "b"}'));
    assert.equal(ran["status"], "success");
    assert.match(String(ran["message"]), /^The user changed the payload before it was sent\./);
    assert.deepEqual(sent, ['{"csv": "b"}']);
    assert.deepEqual(asked, ['{"csv":"a"}']);
    const refused = await call("invoke_skill", wanted, changing('{"csv": "bad"}'));
    assert.equal(refused["code"], "payloadInvalid");
    assert.equal(sent.length, 1);
  });

  it("sends nothing after a yes if agents were stopped meanwhile", async () => {
    const { call, settings, sent } = await open({ agreement: { mode: "ask" } });
    const askPerson = async () => {
      await settings.change((before) => withStopped(before, true));
      return "yes" as const;
    };
    assert.equal(
      (await call("invoke_skill", wanted, { ...yesClient, askPerson }))["code"],
      "agentsOff",
    );
    assert.deepEqual(sent, []);
  });

  it("learns that characters of a response were replaced, also when it reads the output again", async () => {
    const answer = async () => ({ ...ranOnce, hasReplacedText: true }) as const;
    const { invoke, call } = await open({ answer });
    const first = await invoke();
    const recordId = first["recordId"];
    const again = [await invoke(), await call("read_output", { recordId })];
    for (const { message } of [first, ...again]) {
      assert.match(String(message), /Characters of the response that are not valid were replaced/);
    }
  });

  it("learns the rate limit without waiting", async () => {
    const { invoke, sent } = await open({
      answer: async () => ({
        kind: "refused",
        reason: "rateLimit",
        status: 429,
        durationMs: 1,
        retryAfterSeconds: 30,
      }),
    });
    assert.equal((await invoke())["status"], "blocked");
    const held = await invoke({ ...wanted, input: { csv: "b" } });
    assert.equal(held["code"], "rateLimited");
    assert.ok(Number(held["retryAfterSeconds"]) > 20);
    assert.equal(sent.length, 1);
  });

  it("may repeat an invocation that its project rejected", async () => {
    const rejected = { status: "blocked", code: "budget_exceeded", version: "" } as const;
    const { invoke, sent } = await open({
      engine: {
        callabilityFacts: async () => ({
          hasKey: true,
          invocations: [pastInvocation(0, rejected)],
          now: 1,
        }),
      },
    });
    assert.equal((await invoke())["status"], "success");
    assert.equal(sent.length, 1);
  });

  it("is answered from the record if the same call succeeded before", async () => {
    const { invoke, sent } = await open();
    const first = await invoke();
    const again = await invoke({ ...wanted, input: undefined, inputJson: ` {"csv" : "a"}` });
    assert.equal(again["status"], "replayed");
    assert.equal(again["recordId"], first["recordId"]);
    assert.equal(sent.length, 1);
  });

  it("never repeats an unknown outcome, in any session of the machine", async () => {
    const { invoke, sent } = await open({ answer: async () => lostAnswer });
    const first = await invoke();
    assert.equal(first["status"], "outcome unknown");
    assert.equal(first.isError, true);
    assert.equal((await invoke())["code"], "outcomeUnknownBefore");
    const other = await open();
    assert.equal((await other.invoke())["code"], "outcomeUnknownBefore");
    assert.deepEqual([sent.length, other.sent.length], [1, 0]);
  });

  it("sends once if two sessions want the same at the same time", async () => {
    const [one, other] = [await open(), await open()];
    const results = await Promise.all([one.invoke(), other.invoke()]);
    const statuses = results.map(({ status }) => String(status)).sort();
    assert.equal(one.sent.length + other.sent.length, 1, JSON.stringify(results));
    assert.ok(statuses.includes("success"));
    assert.ok(statuses.some((status) => status === "replayed" || status === "running"));
  });

  it("counts running invocations, so that two sessions stay under the daily limit", async () => {
    const options = { centsPerDay: 3 };
    const [one, other] = [await open(options), await open(options)];
    const results = await Promise.all([
      one.invoke({ ...wanted, input: { csv: "1" } }),
      other.invoke({ ...wanted, input: { csv: "2" } }),
    ]);
    assert.equal(one.sent.length + other.sent.length, 1, JSON.stringify(results));
  });

  it("gets an early answer that an invocation still runs, and reads its end later", async () => {
    // Only the time after sending counts, however long the gates take.
    mock.timers.enable({ apis: ["setInterval"] });
    let end: (outcome: InvocationOutcome) => void = () => undefined;
    let reached = () => {};
    const isSent = new Promise<void>((resolve) => (reached = resolve));
    const answer = () => {
      reached();
      return new Promise<InvocationOutcome>((resolve) => (end = resolve));
    };
    const { invoke, call, sent } = await open({ answer });
    const first = invoke();
    await isSent;
    mock.timers.tick(answerMs);
    const running = await first;
    assert.equal(running["status"], "running");
    assert.equal(running.isError, false);
    assert.equal((await invoke())["status"], "running");
    end({ ...ranOnce, outputText: `{"a":{"b":12345678901234567890}}` } as InvocationOutcome);
    const { recordId } = running;
    const read = await call("read_output", { recordId });
    assert.deepEqual([read["status"], sent.length], ["success", 1]);
    const raw = await (await open()).session.call("read_output", { recordId }, yesClient, never);
    assert.match(raw.text, /success/);
  });

  it("reports an unknown outcome if something failed unexpectedly after the payload may have been sent", async () => {
    const { call, sent, store } = await open({
      parts: {
        running: () => () => {
          throw new Error("Nobody expected this.");
        },
      },
    });
    const failed = await call("invoke_skill");
    assert.equal(sent.length, 1);
    assert.equal(failed["status"], "outcome unknown");
    assert.equal(failed.isError, true);
    assert.match(String(failed["message"]), /Do not repeat it/);
    const { records } = await store.list({});
    assert.deepEqual(
      records.map(({ status }) => status),
      ["success"],
    );
  });

  it("reports that nothing was sent if something failed unexpectedly before sending", async () => {
    const fail = () => {
      throw new Error("Nobody expected this.");
    };
    const refusals = { note: fail } as unknown as AgentRefusals;
    const failing: readonly SessionOptions[] = [
      { parts: { connect: fail } },
      { parts: { check: fail } },
      { parts: { running: fail } },
      { parts: { refusals }, retention: { maxEntries: 0, maxDays: 0 } },
    ];
    for (const options of failing) {
      const { invoke, sent } = await open(options);
      const { isError, status } = await invoke();
      const name = Object.keys(options.parts ?? {})[0];
      assert.deepEqual([isError, status, sent.length], [true, "notSent", 0], name);
    }
  });

  it("reports an unknown outcome if the output of a sent invocation cannot be read", async () => {
    const { call, history } = await open();
    const { recordId } = await call("invoke_skill");
    history.texts = () => Promise.reject(new Error("Nobody expected this."));
    const failed = await call("read_output", { recordId });
    assert.equal(failed["status"], "outcome unknown");
    assert.equal(failed.isError, true);
    assert.match(String(failed["message"]), /Do not invoke again/);
  });
});
