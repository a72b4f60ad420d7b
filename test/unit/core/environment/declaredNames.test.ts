import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { declaredNames } from "../../../../src/core/environment/declaredNames";

describe("The names in the text of an environments file", () => {
  const found = (text: string) =>
    declaredNames(text).map(({ name, environment, start, end }) => [
      environment,
      name,
      text.slice(start, end),
    ]);

  it("are the properties of values and the items of secrets, each with its environment", () => {
    const text = JSON.stringify({
      format: 1,
      environments: {
        staging: { registry: "built-in", values: { a: "b", c: { d: 1 } }, secrets: ["e", "f"] },
        values: { values: { a: 1 } },
      },
      other: { staging: { values: { g: 1 } } },
    });
    assert.deepEqual(found(text), [
      ["staging", "a", "a"],
      ["staging", "c", "c"],
      ["staging", "e", "e"],
      ["staging", "f", "f"],
      ["values", "a", "a"],
    ]);
  });

  it("are found by their decoded spelling, even in a text that is being typed", () => {
    const text = '{"environments":{"one":{"values":{"\\u0061b":1},"secrets":["c",';
    assert.deepEqual(found(text), [
      ["one", "ab", "\\u0061b"],
      ["one", "c", "c"],
    ]);
  });
});
