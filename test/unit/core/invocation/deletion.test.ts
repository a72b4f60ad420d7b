import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { deletionOf, deletionQuestion, mayExpire } from "../../../../src/core/invocation/deletion";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { dayMs, timeFormats } from "../../../../src/core/text/dates";
import { english } from "../../../../src/core/text/language";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const now = new Date(2026, 10, 20, 12, 0).getTime();

const aged = (days: number, facts: Partial<InvocationRecord> = {}) =>
  pastInvocation(now - days * dayMs, facts);

describe("beyond the retention", () => {
  const byAgent = { caller: { kind: "mcp" } } as const;
  const cases: readonly (readonly [what: string, record: InvocationRecord, expires: boolean])[] = [
    ["succeeded", aged(400), true],
    ["never left", aged(400, { status: "not sent" }), true],
    ["is pinned", aged(400, { pinned: true }), false],
    ["runs", aged(400, { status: "running" }), false],
    ["has an unknown outcome", aged(400, { status: "outcome unknown" }), false],
    ["an agent made a moment ago", aged(0, byAgent), false],
    ["an agent made long ago", aged(400, byAgent), true],
  ];
  for (const [what, record, expires] of cases) {
    it(`an invocation may ${expires ? "" : "not "}be removed that ${what}`, () =>
      assert.equal(mayExpire(record, now), expires));
  }
});

describe("the question before invocations are deleted", () => {
  const byAgent = { caller: { kind: "mcp", name: "a" } } as const;
  const question = (records: readonly InvocationRecord[]) =>
    deletionQuestion(deletionOf(records, now), english);
  const agents = "Agents may then make the same invocation again, and it may be billed twice.";

  it("names a single invocation", () => {
    const { message, detail, agree } = question([aged(1)]);
    const time = timeFormats(english).moment(now - dayMs);
    assert.equal(message, `Delete the invocation of text-stats from ${time}?`);
    assert.match(
      detail.join("\n"),
      /^Its record .* permanently\. The registry keeps its own records?\.$/,
    );
    assert.equal(agree, "Delete");
  });

  it("counts several", () => {
    const { message, detail } = question([aged(1), aged(2)]);
    assert.equal(message, "Delete 2 invocations?");
    assert.match(
      detail.join("\n"),
      /^Their records .* permanently\. The registry keeps its own records?\.$/,
    );
  });

  it("warns if a record keeps agents from repeating an invocation", () => {
    const recent = pastInvocation(now - 1000, byAgent);
    assert.equal(question([aged(1), recent]).detail[1], agents);
    const person = pastInvocation(now - 1000, { caller: { kind: "person" } });
    assert.equal(question([person]).detail.length, 1);
  });
});
