import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { textSlices } from "../../../../src/core/text/chunked";

describe("slices of a text", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "ä", "😀", "\ud800", "\udc00") });

  it("join to the whole text, are never too long, and split no character", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 5 }), (text, length) => {
        const slices = [...textSlices(text, length)];
        assert.equal(slices.join(""), text);
        assert.ok(slices.every((slice) => slice.length > 0 && slice.length <= length));
        assert.deepEqual(
          slices.flatMap((slice) => [...slice]),
          [...text],
        );
      }),
      { numRuns: 2000 },
    );
  });
});
