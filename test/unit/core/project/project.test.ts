import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type InstalledSkill,
  isRowOf,
  type ProjectDetail,
  readChosen,
  withLists,
} from "../../../../src/core/project/project";
import { projectRows } from "../../../../src/core/project/projectRows";
import {
  isOutdated,
  type ProjectState,
  projectMessage,
} from "../../../../src/core/project/projectState";
import { openUpdates } from "../../../../src/core/project/updateInbox";
import { english, languageOf } from "../../../../src/core/text/language";
import { localNoon } from "../../../fixtures/localNoon";
import { userSession } from "../../../fixtures/userSession";

const now = localNoon("2026-11-22");

function skillOf(changes: Partial<InstalledSkill> = {}): InstalledSkill {
  return {
    slug: "abc",
    name: "Abc",
    version: "1.0.0",
    status: "installed",
    approvalState: "approved",
    verificationStatus: "verified",
    permissionLevel: "low",
    policy: { maxPermissionLevel: "low", approvalRequired: false },
    ...changes,
  };
}

describe("the rows of a project", () => {
  const detail: ProjectDetail = {
    summary: { slug: "demo", name: "Demo" },
    skills: [
      skillOf({ slug: "gone", name: "A gone one", status: "removed" }),
      skillOf({ name: "Zed", permissionLevel: "high" }),
      skillOf({ slug: "free", name: "Free", price: { billingModel: "free" } }),
    ],
    keys: [
      { id: "1", name: "Mine", last4: "abcd", lastUsedAt: now },
      { id: "2", name: "Other", last4: "efgh" },
      { id: "3", name: "Old", last4: "ijkl", revokedAt: now },
    ],
    updates: [
      {
        id: "u",
        skillSlug: "free",
        skillName: "Free",
        eventType: "new_version",
        title: "Free 1.1.0 was approved",
        currentVersion: "1.0.0",
        targetVersion: "1.1.0",
      },
    ],
    invocations: [{ id: "i", status: "blocked", errorCode: "skill_not_installed", createdAt: now }],
    subscriptions: [],
  };
  const isUsedHere = (row: {
    readonly id: string;
    readonly last4: string;
    readonly name: string;
  }) => isRowOf(row, "skh_xyzabcd");
  const invocations = detail.invocations.map((server) => ({ server }));
  const shared = {
    isUsedHere,
    isSample: false,
    invocations,
    loadedAt: now,
    now,
    language: english,
  };
  const rowsOf = (source: Omit<Parameters<typeof projectRows>[0], "updates">) =>
    projectRows({ ...source, updates: openUpdates(source.detail) });
  const groups = rowsOf({ detail, ...shared });
  const linesOf = (name: string) =>
    groups
      .find((group) => group.name === name)
      ?.rows.map(({ label, description, icon, context }) => [label, description, icon.id, context]);

  it("start with skills, and their obstacles", () => {
    assert.deepEqual(linesOf("skills"), [
      ["Free", "1.0.0 · 1.1.0 available", "pass", "projectSkill installed withUpdate"],
      ["Zed", "1.0.0 · blocked · high permissions", "lock", "projectSkill installed isBlocked"],
      ["A gone one", "1.0.0 · removed", "circle-slash", "projectSkill removed isBlocked"],
    ]);
    const [free, zed] = groups[0]?.rows ?? [];
    assert.equal(free?.accessibleText, undefined);
    assert.match(zed?.accessibleText ?? "", /above what this project's policy allows/);
    assert.ok(
      zed?.tooltip.some((text) => text.includes("above what this project's policy allows")),
    );
    assert.ok(zed?.tooltip.some((text) => text.includes("permission_level_exceeded")));
  });

  it("show the spending of a skill's budget, its trend, and open incidents", () => {
    const policy = { monthlyBudgetCents: 500 };
    const usage = {
      ...{ invocations: 40, succeeded: 36, failed: 4, averageLatencyMs: 120 },
      ...{ cents: 80, currency: "USD", openIncidents: 1 },
    };
    const price = { billingModel: "per_call", unitAmountCents: 2, currency: "USD" };
    const skills = [skillOf({ policy, usage, price })];
    const [group] = rowsOf({ detail: { ...detail, skills }, ...shared });
    const [row] = group?.rows ?? [];
    assert.match(
      row?.description ?? "",
      / · 1 open incident · .*budget \$5\.00 a month, \$0\.80 spent in all$/,
    );
    const expected = [
      "1 open incident",
      "budget $5.00 a month, $0.80 spent in all",
      "40 invocations so far · 90% succeeded · 120 ms on average · $0.80 in all",
    ];
    assert.deepEqual(
      expected.filter((text) => !row?.tooltip.includes(text)),
      [],
    );
  });

  it("show whether a skill waits for approval", () => {
    const skills = [skillOf({ approvalState: "owner_required" })];
    const [group] = rowsOf({ detail: { ...detail, skills }, ...shared });
    const [row] = group?.rows ?? [];
    assert.equal(row?.context, "projectSkill installed needsApproval isBlocked");
    assert.match(row?.description ?? "", /^1\.0\.0 · approval needed/);
  });

  it("mark a skill whose status the registry does not state as unknown, not as running", () => {
    const { status: _, ...skill } = skillOf();
    const [group] = rowsOf({ detail: { ...detail, skills: [skill] }, ...shared });
    const [row] = group?.rows ?? [];
    assert.deepEqual(row?.icon, { id: "question" });
    assert.match(String(row?.description), /status unknown/);
  });

  it("are the active keys, and which of them this editor uses", () => {
    assert.deepEqual(
      linesOf("keys")?.map(([label, , icon, context]) => [label, icon, context]),
      [
        ["Mine", "key", "projectKey.usedHere"],
        ["Other", "key", "projectKey"],
      ],
    );
    assert.match(
      String(linesOf("keys")?.[0]?.[1]),
      /^…abcd · used by this editor · last used Nov 22/,
    );
    assert.equal(linesOf("keys")?.[1]?.[1], "…efgh · never used");
  });

  it("report that this editor has no key of the project, with an action to set one", () => {
    const keysOf = (hasKey?: boolean) => {
      const group = rowsOf({ detail, ...shared, hasKey }).find(({ name }) => name === "keys");
      return [group?.description, group?.rows[0]?.kind];
    };
    assert.deepEqual(keysOf(), ["2", "key"]);
    assert.deepEqual(keysOf(true), ["2", "key"]);
    assert.deepEqual(keysOf(false), ["2", "noKey"]);
  });

  it("are the updates and the newest invocations", () => {
    assert.deepEqual(linesOf("updates")?.[0]?.slice(0, 2), ["Free", "1.0.0 → 1.1.0"]);
    const [invocation] = linesOf("invocations") ?? [];
    assert.equal(invocation?.[0], "a skill that is not installed");
    assert.match(
      String(invocation?.[1]),
      /^blocked · skill_not_installed · not from this editor · Nov 22/,
    );
  });

  it("translate known words of the registry", () => {
    const german = languageOf("de", { deprecated: "veraltet", blocked: "blockiert" });
    const [update] = detail.updates;
    const updates = ["deprecated", "renamed"].map((eventType, index) => {
      const { targetVersion: _, ...rest } = update ?? assert.fail();
      return { ...rest, id: String(index), eventType };
    });
    const rows = rowsOf({ detail: { ...detail, updates }, ...shared, language: german });
    const [, news, , calls] = rows.map((group) => group.rows.map(({ description }) => description));
    assert.deepEqual(news, ["veraltet", "renamed"]);
    assert.match(calls?.[0] ?? "", /^blockiert · skill_not_installed · /);
  });

  it("mark a sample price", () => {
    const price = { billingModel: "per_call", unitAmountCents: 2, currency: "USD" };
    const skills = [skillOf({ price }), skillOf({ price: { billingModel: "free" } })];
    const [group] = rowsOf({ detail: { ...detail, skills }, ...shared, isSample: true });
    const rows = group?.rows ?? [];
    assert.deepEqual(
      rows.map(({ description, tooltip }) => [description, tooltip[3]]),
      [
        ["1.0.0 · sample: $0.02 per invocation", "low permissions · $0.02 per invocation (sample)"],
        ["1.0.0", "low permissions · Free"],
      ],
    );
  });

  it("exist for an empty project, and report that it is empty", () => {
    const none = { ...detail, skills: [], keys: [], updates: [], invocations: [] };
    const empty = rowsOf({ detail: none, ...shared, invocations: [] });
    assert.deepEqual(
      empty.map(({ description }) => description),
      ["none yet", "up to date", "none yet", "none yet"],
    );
  });
});

describe("the project of a workspace", () => {
  it("is stored or empty", () => {
    const chosen = { account: "a", slug: "b", name: "c" };
    assert.deepEqual(readChosen({ ...chosen, more: 1 }), chosen);
    for (const kept of [
      undefined,
      null,
      1,
      "x",
      {},
      { ...chosen, slug: 1 },
      { ...chosen, name: "" },
    ]) {
      assert.equal(readChosen(kept), undefined);
    }
  });

  const keyOf = (last4: string) => ({ id: last4, name: "", last4 });
  const elsewhere: readonly (readonly [
    what: string,
    last4s: readonly string[],
    told: boolean,
    hasAllKeys?: true,
  ])[] = [
    ["it is one of the project's keys", ["0000", "cdef"], false],
    ["it is none of the project's keys", ["0000", "1111"], true],
    ["the project has no keys", [], true],
    ["a row has no last characters", ["0000", ""], false],
    ["older keys may be missing from the list", Array(20).fill("0000"), false],
    ["it is none of the complete list of keys", Array(24).fill("0000"), true, true],
  ];
  for (const [what, last4s, told, hasAllKeys] of elsewhere) {
    it(`${told ? "warns" : "does not warn"} that this editor's key is another project's: ${what}`, () => {
      const lists = { skills: [], updates: [], invocations: [], subscriptions: [] };
      const summary = { slug: "demo", name: "Demo" };
      const keys = last4s.map(keyOf);
      const detail = { summary, ...lists, keys, ...(hasAllKeys && { hasAllKeys }) };
      const account = userSession({ expiresAt: now + 1e10 });
      const state = { kind: "project", registry: "r", account, detail, loadedAt: now } as const;
      const message = projectMessage(state, "skh_89abcdef", now, english);
      assert.equal(/Project Key is not one of this project's/.test(message), told);
    });
  }

  it("lists all keys that the registry returns beside the detail's newest", () => {
    const rows = Array.from({ length: 24 }, (_, index) => keyOf(String(1000 + index)));
    const lists = { skills: [], updates: [], invocations: [], subscriptions: [] };
    const summary = { slug: "demo", name: "Demo" };
    const detail = { summary, ...lists, keys: rows.slice(0, 20) };
    assert.equal(withLists(detail, { keys: rows }).keys.length, 24);
    assert.equal(withLists(detail, {}).keys.length, 20);
  });

  it("identifies a key by its last four characters", () => {
    const row = { id: "1", name: "", last4: "abcd" };
    assert.ok(isRowOf(row, "skh_abcd"));
    assert.ok(!isRowOf(row, "skh_abce"));
    assert.ok(!isRowOf({ ...row, last4: "" }, "skh_abcd"));
  });
});

describe("the known state of a project", () => {
  const lists = { skills: [], keys: [], updates: [], invocations: [], subscriptions: [] };
  const detail: ProjectDetail = { summary: { slug: "demo", name: "Demo" }, ...lists };
  const account = userSession();
  const read = { kind: "project", registry: "r", account, detail, loadedAt: now } as const;
  const failure = { kind: "timeout", seconds: 20 } as const;
  const rows: readonly [what: string, state: ProjectState, age: number, isOld: boolean][] = [
    ["was just read", read, 0, false],
    ["was read a minute ago", read, 60_000, false],
    ["was read longer ago", read, 60_001, true],
    ["could not be read again", { ...read, problem: failure }, 0, true],
    ["could not be read", { kind: "failed", failure }, 0, true],
    ["is not read yet", { kind: "loading" }, 60_001, false],
    ["is nobody's", { kind: "signedOut", hasEnded: false }, 60_001, false],
  ];
  for (const [what, state, age, isOld] of rows) {
    it(`is ${isOld ? "" : "not "}read again if it ${what}`, () => {
      assert.equal(isOutdated(state, now + age), isOld);
    });
  }
});
