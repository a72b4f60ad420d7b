import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../../../src/core/invocation/record/recordQuery";
import { SessionInvocations } from "../../../../src/engine/record/sessionInvocations";

const record = (id: string, status = "success") =>
  ({ id, status, startedAt: 1, skillSlug: "s", caller: { kind: "person" } }) as InvocationRecord;
const long = "x".repeat(15_000_000);

describe("a window's memory of its invocations", () => {
  it("keeps the texts of the last two hundred", () => {
    const session = new SessionInvocations();
    for (let call = 0; call < 205; call += 1) session.rememberTexts(`${call}`, { inputText: "{}" });
    const known = Array.from({ length: 205 }, (_, call) => session.texts(`${call}`) !== undefined);
    assert.deepEqual(known.indexOf(true), 5);
  });

  it("keeps a few megabytes of texts, and always the last one", () => {
    const session = new SessionInvocations();
    session.rememberTexts("1", { outputText: long });
    session.rememberTexts("2", { outputText: "1" });
    assert.ok(session.texts("1"));
    session.rememberTexts("3", { outputText: `${long}${long}` });
    assert.deepEqual([session.texts("1"), session.texts("2")], [undefined, undefined]);
    assert.equal(session.texts("3")?.outputText?.length, 2 * long.length);
  });

  it("holds records that the disk rejected, and lists them newest first", () => {
    const session = new SessionInvocations();
    session.addUnwritten({ record: record("2"), texts: { inputText: "{}" } });
    session.addUnwritten({ record: record("4"), texts: { outputText: '"Full Moon"' } });
    const held = (query: RecordQuery) => session.unwrittenFor(query).map(({ id }) => id);
    assert.deepEqual(held({}), ["4", "2"]);
    assert.deepEqual(held({ text: "MOON" }), ["4"]);
    assert.deepEqual(held({ before: "4" }), ["2"]);
    assert.deepEqual(held({ skills: ["other"] }), []);
    assert.equal(session.texts("2")?.inputText, "{}");
    session.removeUnwritten("2");
    session.forget("4");
    assert.deepEqual([session.unwritten, session.texts("2")], [[], undefined]);
  });

  it("holds at most the last thousand rejected records", () => {
    const session = new SessionInvocations();
    for (let call = 0; call < 1005; call += 1)
      session.addUnwritten({ record: record(`${call}`), texts: {} });
    assert.equal(session.unwritten.length, 1000);
    assert.equal(session.unwritten[0]?.record.id, "5");
  });
});
