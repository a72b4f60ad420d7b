import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { payloadFilling, payloadFillings } from "../../../../src/core/payload/payloadFillings";
import type { JsonValue } from "../../../../src/core/text/json";
import { bareSkill } from "../../../fixtures/skillDetail";

const schema: JsonValue = {
  type: "object",
  required: ["a"],
  properties: { a: { const: 1 }, b: { const: 2 } },
};
const skill = (inputs: JsonValue[], inputSchema: JsonValue | undefined = schema) => ({
  ...bareSkill,
  inputSchema,
  examples: inputs.map((input, index) => ({ name: `$(flame) ${index}`, input })),
});

describe("what an input can start from", () => {
  it("examples, then what is required, then everything", () => {
    const kinds = payloadFillings(skill([{ a: 5 }, { a: 6 }]));
    assert.deepEqual(
      kinds.map(({ kind, value }) => [kind, value]),
      [
        [0, { a: 5 }],
        [1, { a: 6 }],
        ["minimal", { a: 1 }],
        ["full", { a: 1, b: 2 }],
      ],
    );
  });

  it("the same input only once, under its example's number", () => {
    const all = skill([{ a: 1, b: 2 }, { a: 1 }, { a: 1 }]);
    assert.deepEqual(
      payloadFillings(all).map(({ kind }) => kind),
      [0, 1],
    );
    assert.deepEqual(payloadFilling(all, 2)?.value, { a: 1 });
  });

  it("titles that a label shows as they are", () => {
    const [first] = payloadFillings(skill([{}]));
    assert.doesNotMatch(first?.title ?? "$(", /\$\(/);
  });

  it("nothing for an example that is not there", () => {
    assert.equal(payloadFilling(skill([]), 0), undefined);
  });

  it("one choice where there is no schema and no example", () => {
    assert.equal(payloadFillings({ ...bareSkill, inputSchema: undefined, examples: [] }).length, 1);
  });
});
