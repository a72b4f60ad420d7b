import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import { projectUsage } from "../../../../../src/core/invocation/usage/projectUsage";
import { durationChart, outcomeChart } from "../../../../../src/core/invocation/usage/usageCharts";
import type { ProjectDetail, ServerInvocation } from "../../../../../src/core/project/project";
import type { ProjectState } from "../../../../../src/core/project/projectState";
import { localDay } from "../../../../../src/core/text/dates";
import { english, l10nText } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";
import { userSession } from "../../../../fixtures/userSession";

const now = Date.parse("2026-11-22T10:00:00Z");
const account = userSession();

function stateOf(
  invocations: readonly ServerInvocation[],
  others: Partial<ProjectDetail> = {},
): ProjectState {
  const lists = { skills: [], keys: [], updates: [], subscriptions: [] };
  const detail = { summary: { slug: "demo", name: "Demo" }, ...lists, invocations, ...others };
  return { kind: "project", registry: "https://r.example", account, detail, loadedAt: now };
}

function recordOf(state: ProjectState) {
  const usage = projectUsage(state, [], now, english);
  assert.ok(usage.kind === "record");
  return usage;
}

const listed = (facts: Partial<ServerInvocation>): ServerInvocation => ({
  ...{ id: "s1", skillSlug: "abc", status: "success", createdAt: now, latencyMs: 7 },
  ...facts,
});

describe("The charts of a project's record", () => {
  it("use the registry's list, without costs and callers", () => {
    const { name, groups, listed: count, isCut } = recordOf(stateOf([listed({})]));
    assert.deepEqual([name, count, isCut], ["Demo", 1, false]);
    assert.deepEqual(groups, [
      {
        ...{ count: 1, day: localDay(now), registry: "https://r.example", project: "demo" },
        ...{ profile: "", skillSlug: "abc", status: "success", ran: "yes" },
        ...{ durations: [7], ids: [""] },
      },
    ]);
    assert.equal(recordOf(stateOf(Array(25).fill(listed({})))).isCut, true);
  });

  it("link to this machine's record of an invocation", () => {
    const own: InvocationRecord = pastInvocation(now, {
      ...{ id: "00001700000000-0a1b2c3d", startedAt: now, endsBefore: now },
      ...{ registry: "https://r.example", skillSlug: "abc", version: "1.0.0", durationMs: 99 },
      ...{ invocationId: "s1", projectSlug: "demo", amountCents: 5 },
      status: "success",
    });
    const elsewhere = { ...own, id: "00001700000001-0a1b2c3d", invocationId: "s2" };
    const usage = projectUsage(stateOf([listed({})]), [own, elsewhere], now, english);
    assert.ok(usage.kind === "record");
    assert.deepEqual(
      usage.groups.map(({ ids, durations, amountCents }) => [ids, durations, amountCents]),
      [[[own.id], [7], undefined]],
    );
  });

  it("count an invocation that this machine knows was not executed as no success", () => {
    const own = pastInvocation(now, {
      ...{ registry: "https://r.example", skillSlug: "abc", status: "not executed" },
      ...{ invocationId: "s1", projectSlug: "demo" },
    });
    const usage = projectUsage(stateOf([listed({})]), [own], now, english);
    assert.ok(usage.kind === "record");
    const [succeeded, failed] = outcomeChart(usage.groups, [localDay(now)]).series;
    assert.deepEqual([succeeded?.values, failed?.values], [[0], [1]]);
  });

  it("leave out facts that the registry does not return", () => {
    const { latencyMs: _latency, ...untimed } = listed({ id: "s2" });
    const endless = listed({ id: "s5", latencyMs: 1e300 });
    const negative = listed({ id: "s6", latencyMs: -1 });
    const { createdAt: _time, ...undated } = listed({ id: "s3" });
    const { groups, listed: count } = recordOf(
      stateOf([
        listed({}),
        untimed,
        undated,
        listed({ id: "s4", status: "quiescent" }),
        endless,
        negative,
      ]),
    );
    assert.deepEqual([groups.length, count], [5, 6]);
    const outcomes = outcomeChart(groups, [localDay(now)]).series;
    assert.deepEqual(
      outcomes.map(({ name, values }) => [name, values[0]]),
      [
        ["succeeded", 4],
        ["failed", 0],
        ["undecided", 1],
        ["notSent", 0],
      ],
    );
    assert.deepEqual(
      durationChart(groups).map(({ dots, medianMs }) => [dots.length, medianMs]),
      [[1, 7]],
    );
  });

  it("have sums per skill if the registry returns some", () => {
    const skill = { name: "A", version: "1.0.0", status: "installed" };
    const { skills } = recordOf(
      stateOf([], {
        skills: [
          { ...skill, slug: "a", usage: { invocations: 3, cents: 12, currency: " usd" } },
          { ...skill, slug: "b" },
        ],
      }),
    );
    assert.deepEqual(skills, [
      { skill: "a", invocations: 3, cents: 12, currency: "USD", isSample: false },
    ]);
  });

  it("are replaced by a sentence if there is no record", () => {
    const states: readonly (readonly [ProjectState, string | RegExp])[] = [
      [{ kind: "wrongRole", account }, /may not see projects\./],
      [{ kind: "noProjects", account }, "Your organization has no projects yet."],
      [{ kind: "choose", account }, "No project is chosen in the Project view."],
      [{ kind: "notOffered" }, "This registry has no sign-in and no projects."],
      [{ kind: "signedOut", hasEnded: true }, "You are not signed in to this registry."],
      [{ kind: "failed", failure: { kind: "timeout", seconds: 3 } }, /within 3 s/],
      [{ kind: "notConnected", problem: l10nText("No registry.") }, "No registry."],
    ];
    for (const [state, expected] of states) {
      const usage = projectUsage(state, [], now, english);
      assert.ok(usage.kind === "none", state.kind);
      if (typeof expected === "string") assert.equal(usage.message, expected);
      else assert.match(usage.message, expected);
    }
    assert.deepEqual(projectUsage({ kind: "loading" }, [], now, english), { kind: "loading" });
  });
});
