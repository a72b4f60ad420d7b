import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  choiceText,
  chosenFilter,
  filterChoices,
  filterText,
  type InvocationFilter,
  invocationDays,
  isChosen,
  isFiltering,
  noFilter,
  previousInvocation,
  previousOutput,
  readInvocationFilter,
} from "../../../../../src/core/invocation/record/invocationList";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import { dayRowText } from "../../../../../src/core/invocation/record/invocationRowText";
import {
  deletableOf,
  matchesQuery,
  queryOf,
  type RecordQuery,
} from "../../../../../src/core/invocation/record/recordQuery";
import {
  addressWithoutSecrets,
  supportReport,
} from "../../../../../src/core/invocation/record/supportReport";
import { groupOf } from "../../../../../src/core/invocation/usage/usage";
import { KeyRedactor } from "../../../../../src/core/registry/redactSecrets";
import { english } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const now = new Date(2026, 10, 20, 12, 0).getTime();
const hour = 3_600_000;

function record(hoursAgo: number, facts: Partial<InvocationRecord> = {}): InvocationRecord {
  return pastInvocation(now - hoursAgo * hour, { endsBefore: 0, ...facts });
}

const records = [
  record(1, { invocationId: "ABC-1" }),
  record(2, { skillSlug: "csv-profile", status: "blocked", code: "budget_exceeded" }),
  record(30, { pinned: true, message: "Full Moon" }),
  record(31, { kind: "testRun" }),
  record(24 * 40),
];

/** Returns the invocations that a filter shows. */
function shownBy(
  filter: InvocationFilter,
  among: readonly InvocationRecord[] = records,
): readonly InvocationRecord[] {
  return among.filter((one) => matchesQuery(one, queryOf(filter), () => undefined));
}

describe("past invocations by day", () => {
  it("are grouped under today, yesterday and dates, pinned ones first", () => {
    const pinned = records.filter((one) => one.pinned === true);
    const others = records.filter((one) => one.pinned !== true);
    for (const hasMore of [false, true]) {
      const days = invocationDays(others, pinned, hasMore, now, english);
      assert.deepEqual(
        days.map(({ day, title, isOpen, mayHaveEarlier, records: calls }) => [
          ...[day, title, isOpen, mayHaveEarlier, calls.length],
        ]),
        [
          ["pinned", "Pinned", true, false, 1],
          ["2026-11-20", "Today", true, false, 2],
          ["2026-11-19", "Yesterday", false, false, 1],
          ["2026-10-11", "Sunday, October 11, 2026", false, hasMore, 1],
        ],
      );
    }
  });

  it("have no groups if there are none", () => {
    assert.deepEqual(invocationDays([], [], false, now, english), []);
  });

  it("mark the earliest day if it may have more", () => {
    const [day] = invocationDays(records.slice(0, 2), [], true, now, english);
    assert.ok(day);
    assert.equal(dayRowText(day, english).description, "2 invocations and more");
  });
});

describe("the invocations that may be deleted together", () => {
  it("are those of the chosen age, except pinned and running ones", () => {
    const running = record(72, { status: "running" });
    const old = record(24 * 30);
    const ids = (query: RecordQuery) =>
      [record(24), record(48, { pinned: true }), running, old]
        .filter((one) => matchesQuery(one, deletableOf(query), () => undefined))
        .map(({ startedAt }) => (now - startedAt) / hour);
    assert.deepEqual(ids({}), [24, 720]);
    assert.deepEqual(ids({ until: now - 24 * 30 * hour + 1 }), [720]);
    assert.deepEqual(ids({ until: now - 24 * 30 * hour }), []);
    assert.deepEqual(ids({ statuses: ["running"] }), []);
  });
});

describe("the invocation to compare with", () => {
  it("is the last earlier one of the same skill and registry that has ended", () => {
    const first = record(5);
    const others = [
      record(1),
      record(2, { registry: "https://registry.example.com" }),
      record(3, { skillSlug: "csv-profile" }),
      record(4, { status: "running" }),
      first,
    ];
    assert.equal(previousInvocation(others, others[0] as InvocationRecord), first);
    assert.equal(previousInvocation(others, first), undefined);
  });

  it("has an output if an output is compared", () => {
    const first = record(5, { responseSha256: "ab" });
    const all = [record(1), record(2, { status: "blocked" }), record(3), first, record(6)];
    const withOutput = { ...(all[0] as InvocationRecord), responseSha256: "cd" };
    assert.equal(previousInvocation(all, withOutput), first);
    // If neither has an output, the records are compared.
    assert.equal(previousInvocation(all, first), all[4]);
  });

  it("has the same payload or text if a result is compared", () => {
    const had = (id: number, payload?: string, requestSha256 = `text ${id}`) =>
      record(id, {
        responseSha256: "ab",
        requestSha256,
        ...(payload !== undefined && { payloadId: payload }),
      });
    const newest = had(1, "a");
    const ofOther = had(2, "b");
    const ofSame = had(3, "a");
    assert.equal(previousOutput([newest, ofOther, ofSame], newest), ofSame);
    assert.equal(previousInvocation([newest, ofOther, ofSame], newest), ofSame);
    assert.equal(previousInvocation([newest, ofOther], newest), ofOther);
    assert.equal(previousOutput([newest, ofOther], newest), undefined);
    const rerun = had(2, "b", "text 1");
    assert.equal(previousOutput([newest, rerun], newest), rerun);
    // Without a document name, their payloads are not distinguished.
    assert.deepEqual(previousOutput([had(1), had(2)], had(1)), had(2));
  });
});

describe("the filter of past invocations", () => {
  const cases: readonly (readonly [given: unknown, expected: number])[] = [
    [{}, 5],
    [{ skill: "csv-profile" }, 1],
    [{ skill: ["csv-profile", "text-stats"] }, 5],
    [{ status: ["success", "blocked"] }, 5],
    [{ status: "blocked", skill: "text-stats" }, 0],
    [{ status: "no such status" }, 5],
    [{ text: "abc-1" }, 1],
    [{ text: "MOON" }, 1],
    [{ text: "budget" }, 1],
    [{ text: "csv-profile@1.0.0" }, 1],
    [{ text: 5 }, 5],
    [{ kind: "testRun" }, 1],
    [{ kind: "invocation" }, 4],
    [{ kind: ["invocation", "testRun"], status: "blocked" }, 1],
  ];
  for (const [given, expected] of cases) {
    it(`${JSON.stringify(given)} keeps ${expected}`, () => {
      const filter = readInvocationFilter(given) ?? noFilter;
      assert.equal(shownBy(filter).length, expected);
      assert.ok(expected === records.length || isFiltering(filter));
    });
  }

  it("is empty if no part is set, and active with any part", () => {
    assert.deepEqual(shownBy(noFilter), records);
    assert.equal(isFiltering(noFilter), false);
    assert.equal(isFiltering({ ...noFilter, text: " \t" }), false);
    for (const part of [
      { skills: ["text-stats"] },
      { statuses: ["error"] as const },
      { kinds: ["testRun"] as const },
      { profiles: ["command line"] },
      { text: "x" },
    ]) {
      assert.equal(isFiltering({ ...noFilter, ...part }), true, JSON.stringify(part));
    }
  });

  it("is undefined for unreadable input", () => {
    for (const given of [undefined, null, 5, "x", []]) {
      assert.equal(readInvocationFilter(given), undefined);
    }
  });

  it("describes its selection", () => {
    const given = { skill: ["a", "b"], status: "error", kind: "testRun", text: " x " };
    const filter = readInvocationFilter(given);
    assert.equal(filterText(filter ?? noFilter, english), "a or b · error · test run · “x”");
    assert.equal(filterText(noFilter, english), "");
  });

  it("offers the existing values with their counts", () => {
    const offered = (among: readonly InvocationRecord[]) =>
      filterChoices(among.map(groupOf)).map((choice) => [
        choiceText(choice, english),
        choice.count,
      ]);
    assert.deepEqual(offered(records), [
      ["text-stats", 4],
      ["csv-profile", 1],
      ["success", 4],
      ["blocked", 1],
      ["with a Project Key", 4],
      ["test run", 1],
    ]);
    assert.deepEqual(offered(records.slice(0, 2)), [
      ["text-stats", 1],
      ["csv-profile", 1],
      ["success", 1],
      ["blocked", 1],
    ]);
  });

  it("offers profiles if there are several, and keeps those of one", () => {
    const [first, ...others] = records;
    assert.ok(first);
    const mixed = [{ ...first, profile: "command line" }, ...others];
    const offered = filterChoices(mixed.map(groupOf)).flatMap((choice) =>
      choice.of === "profiles" ? [[choice.value, choice.count]] : [],
    );
    assert.deepEqual(offered, [
      ["command line", 1],
      ["Test Editor", 4],
    ]);
    const filter = readInvocationFilter({ profile: "command line" }) ?? noFilter;
    assert.deepEqual(shownBy(filter, mixed), [mixed[0]]);
    assert.equal(filterText(filter, english), "command line");
  });

  it("keeps the offered number of a chosen value, and shows it as chosen", () => {
    const choices = filterChoices(records.map(groupOf));
    for (const choice of choices) {
      const filter = chosenFilter([choice], "");
      assert.equal(shownBy(filter).length, choice.count, choice.value);
      assert.deepEqual(
        choices.filter((one) => isChosen(one, filter)),
        [choice],
      );
    }
  });
});

describe("the support report", () => {
  const canary = "skh_canary0123456789canary0123456789";
  const facts = {
    versions: { "Skill Registry": "0.1.0" },
    settings: { baseUrl: "", invokeTimeoutSeconds: 120 },
    registry: "https://registry.example.com",
    projectKey: "There is a Project Key.",
    records: [record(1, { message: `You sent ${canary}`, code: btoa(canary) })],
  };

  it("contains versions, settings, the registry and the last invocations", () => {
    const report = supportReport(facts, (text) => new KeyRedactor(canary).redact(text));
    for (const line of ["- Skill Registry: 0.1.0", "- baseUrl: (not set)", "text-stats@1.0.0"]) {
      assert.ok(report.includes(line), report);
    }
  });

  it("does not contain the key, however the registry spelled it", () => {
    const report = supportReport(facts, (text) => new KeyRedactor(canary).redact(text));
    assert.ok(!report.includes("canary"), report);
    assert.ok(!report.includes(btoa(canary)), report);
  });

  it("escapes invisible characters everywhere", () => {
    const hidden = "a\u202eb\u200bc\u0007";
    const said = record(1, {
      message: hidden,
      code: hidden,
      invocationId: hidden,
      version: hidden,
    });
    const everywhere = { ...facts, settings: { x: hidden }, registry: hidden, records: [said] };
    const report = supportReport(everywhere, (text) => text);
    for (const character of "\u202e\u200b\u0007") assert.ok(!report.includes(character), report);
    assert.ok(report.includes("\\u202E"), report);
  });

  it("distinguishes a test run from an invocation", () => {
    const both = { ...facts, records: [record(1, { kind: "testRun" }), record(2)] };
    const lines = supportReport(both, (text) => text).match(/^- \d{4}-.*$/gm) ?? [];
    assert.deepEqual(
      lines.map((line) => line.split(" · ")[2]),
      ["test run, success", "success"],
    );
  });

  it("names only the skill if the version is unknown", () => {
    const report = supportReport(
      { ...facts, records: [record(1, { version: "" })] },
      (text) => text,
    );
    assert.match(report, / · text-stats · success/);
  });

  const addresses: readonly (readonly [address: string, shown: string])[] = [
    ["", "(not set)"],
    ["https://user:pw@registry.example.com/base?token=x#y", "https://registry.example.com/base"],
    ["http://proxy:3128/", "http://proxy:3128"],
    ["user:pw@host", "(not an address)"],
    ["what", "(not an address)"],
  ];
  for (const [address, shown] of addresses) {
    it(`shows ${JSON.stringify(address)} as ${shown}`, () => {
      assert.equal(addressWithoutSecrets(address), shown);
    });
  }
});
