import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import type { ServerInvocation } from "../../../../src/core/project/project";
import type { ProjectState } from "../../../../src/core/project/projectState";
import {
  compareRecords,
  compareWithState,
  comparisonText,
  knownStatus,
  serverVerdict,
} from "../../../../src/core/project/serverRecord";
import { english } from "../../../../src/core/text/language";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const loadedAt = Date.parse("2026-11-22T10:00:00Z");
const minute = 60_000;
const summary = { slug: "demo", name: "Demo", createdAt: loadedAt - 1000 * minute };

/** Returns an invocation in this editor's record, so many minutes before the registry's list was read. */
function own(ago: number, facts: Partial<InvocationRecord> = {}): InvocationRecord {
  const startedAt = loadedAt - ago * minute;
  return pastInvocation(startedAt, {
    id: `${String(startedAt).padStart(14, "0")}-abcd`,
    endsBefore: startedAt + 2 * minute,
    registry: "r",
    skillSlug: "abc",
    version: "1.0.0",
    status: "success",
    durationMs: 10,
    projectSlug: "demo",
    ...facts,
  });
}

/** Returns an invocation in the registry's list. */
function listed(ago: number, facts: Partial<ServerInvocation> = {}): ServerInvocation {
  const createdAt = loadedAt - ago * minute;
  return {
    id: `s${ago}`,
    skillSlug: "abc",
    version: "1.0.0",
    status: "success",
    createdAt,
    ...facts,
  };
}

const unknown = { status: "outcome unknown" } as const;
const { projectSlug: _, ...noProject } = own(5, unknown);
const full = Array.from({ length: 25 }, (_item, index) => listed(index * 2 + 1));

/** The content of both records, and the expected rows: the registry's ID, ours by its age, and the verdict. */
const cases: Readonly<
  Record<
    string,
    readonly [
      server: readonly ServerInvocation[],
      ours: readonly InvocationRecord[],
      expected: readonly string[],
    ]
  >
> = {
  "is matched by its ID": [[listed(5)], [own(5, { invocationId: "s5" })], ["s5 5 "]],
  "is marked if only the registry lists it": [[listed(5)], [], ["s5 - not from this editor"]],
  "is marked if only this editor has it": [
    [],
    [own(5, { invocationId: "x" })],
    ["- 5 not listed by the registry"],
  ],
  "is marked if it ended differently in the two": [
    [listed(5)],
    [own(5, { ...unknown, invocationId: "s5" })],
    ["s5 5 here: outcome unknown"],
  ],
  "without an ID is matched with the only possible one": [
    [listed(4), listed(30)],
    [noProject],
    ["s4 5? here: outcome unknown", "s30 - not from this editor"],
  ],
  "without an ID is not matched if two of the registry's would fit": [
    [listed(4), listed(5)],
    [noProject],
    ["s4 - not from this editor", "s5 - not from this editor", "- 5 not listed by the registry"],
  ],
  "without an ID is not matched if two of this editor's would fit": [
    [listed(5)],
    [own(5, unknown), own(6, unknown)],
    [
      "s5 - not from this editor",
      "- 5 not listed by the registry",
      "- 6 not listed by the registry",
    ],
  ],
  "without an ID is not matched with another skill, version or time": [
    [listed(5, { skillSlug: "other" }), listed(5, { version: "2.0.0" }), listed(20)],
    [own(5, unknown)],
    [
      "s5 - not from this editor",
      "s5 - not from this editor",
      "- 5 not listed by the registry",
      "s20 - not from this editor",
    ],
  ],
  "is left out if no registry records it, or not for this project": [
    [],
    [
      own(1, { status: "refused" }),
      own(2, { status: "cancelled" }),
      own(3, { status: "running" }),
      own(4, { projectSlug: "other" }),
      own(5, { ...unknown, projectSlug: "other" }),
    ],
    [],
  ],
  "is left out if it is older than the project, or newer than the list": [
    [],
    [own(1001, unknown), own(-1, unknown)],
    [],
  ],
  "is left out if the registry's list does not reach back to it": [
    full,
    [own(200, unknown)],
    full.map(({ id }) => `${id} - not from this editor`),
  ],
};

describe("an invocation in the records of the registry and this editor", () => {
  for (const [name, [invocations, ours, expected]] of Object.entries(cases)) {
    it(name, () => {
      const rows = compareRecords({ summary, invocations }, ours, loadedAt);
      const told = rows.map((row) => {
        const here = row.own === undefined ? "-" : (loadedAt - row.own.startedAt) / minute;
        const { word, sentence } = comparisonText(row, loadedAt, english);
        assert.notEqual(sentence, "");
        return `${row.server?.id ?? "-"} ${here}${row.isLikely ? "?" : ""} ${word}`;
      });
      assert.deepEqual(told, expected);
    });
  }

  it("is marked as not compared if this editor's record cannot be read", () => {
    const detail = { summary, invocations: [listed(5)] };
    const state = { kind: "project", registry: "r", loadedAt, detail } as unknown as ProjectState;
    const [row] = compareWithState(state, undefined);
    assert.deepEqual(row && comparisonText(row, loadedAt, english), {
      word: "",
      sentence: "Not compared: this machine's record cannot be read.",
    });
  });

  it("is one of 50 rows at most", () => {
    const many = Array.from({ length: 200 }, (_item, index) => own(index, unknown));
    assert.equal(compareRecords({ summary, invocations: full }, many, loadedAt).length, 50);
  });

  const verdicts: readonly (readonly [string, readonly ServerInvocation[], InvocationRecord])[] = [
    ["", [listed(5)], own(5, { invocationId: "s5" })],
    [
      "error, according to the registry",
      [listed(5, { status: "error" })],
      own(5, { ...unknown, invocationId: "s5" }),
    ],
    ["probably success, according to the registry", [listed(5)], own(5, unknown)],
    ["not listed by the registry", [], own(5, unknown)],
    ["", [], own(-1, unknown)],
  ];
  for (const [verdict, invocations, record] of verdicts) {
    it(`gets the verdict “${verdict || "none"}” if it is ${record.status} in this editor's record`, () => {
      const rows = compareRecords({ summary, invocations }, [record], loadedAt);
      assert.equal(serverVerdict(record, rows, english), verdict);
    });
  }
});

describe("the registry's status of an invocation", () => {
  for (const [word, status] of [
    ["success", "success"],
    ["COMPLETED", "success"],
    ["failed", "error"],
    ["timeout", "error"],
    ["queued", "not executed"],
    ["pending_approval", "not executed"],
    ["blocked", "blocked"],
    ["Denied", "blocked"],
    ["quiescent", undefined],
    ["", undefined],
  ] as const) {
    it(`is ${status ?? "unknown"} for “${word}”`, () => {
      assert.equal(knownStatus({ status: word }), status);
    });
  }
});
