import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { readYaml } from "../../../../src/host/publish/readYaml";

describe("a YAML file", () => {
  const read: readonly (readonly [text: string, value: unknown])[] = [
    ["a: 1\nb: [x, null, true]\n", { a: 1, b: ["x", null, true] }],
    ["200: {day: 2026-11-02, 'no': no}", { 200: { day: "2026-11-02", no: "no" } }],
    ["a: &x {b: 1}\nc: *x", { a: { b: 1 }, c: { b: 1 } }],
    ["text", "text"],
  ];
  for (const [text, value] of read) {
    it(`is read as JSON: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readYaml(text), value);
    });
  }

  it("gives no object another prototype", () => {
    assert.deepEqual(Object.keys(readYaml("__proto__: {a: 1}") as object), ["__proto__"]);
    assert.equal(({} as { a?: unknown }).a, undefined);
  });

  const names = "bcdefghi";
  const repeated = [...names].map((name, index) => {
    const inner = `*${"abcdefgh"[index]}`;
    return `${name}: &${name} [${Array(9).fill(inner).join(", ")}]`;
  });
  const refused: readonly (readonly [why: string, text: string])[] = [
    ["that repeats itself a billion times", ["a: &a [1]", ...repeated].join("\n")],
    ["that contains itself", "a: &a [*a]"],
    ["that is nested too deeply", "[".repeat(100_000)],
    ["that is broken", "a: [1"],
    ["with a name twice", "a: 1\na: 2"],
    ["with two documents", "a: 1\n---\nb: 2"],
    ["with an infinite number", "a: .inf"],
    ["with a tag", "a: !!binary aGk="],
  ];
  for (const [why, text] of refused) {
    it(`is refused: one ${why}`, () => {
      assert.equal(readYaml(text), undefined);
    });
  }
});
