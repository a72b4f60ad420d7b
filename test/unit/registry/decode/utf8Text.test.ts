import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { runSync } from "../../../../src/core/text/chunked";
import { utf8Text } from "../../../../src/registry/decode/parseJson";
import { anyText } from "../../../fixtures/anyText";

describe("UTF-8 text read in slices", () => {
  const text = anyText({ minLength: 1 }).map((value) => Buffer.from(value));
  const broken = fc
    .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xf0, 0xf8, 0xff))
    .map((values) => Buffer.from(values));

  it("equals text read at once, even for invalid UTF-8", () => {
    fc.assert(
      fc.property(fc.oneof(text, broken), fc.integer({ min: 4, max: 9 }), (bytes, length) => {
        const end = bytes.length;
        for (const start of [0, Math.min(1, end)]) {
          const expected = bytes.toString("utf8", start, end);
          assert.equal(runSync(utf8Text(bytes, start, end, length)), expected);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("pauses only between slices", () => {
    const pauses = (size: number) => [...utf8Text(Buffer.alloc(size), 0, size, 10)].length;
    assert.deepEqual([0, 1, 10, 11, 20, 35].map(pauses), [0, 0, 0, 1, 1, 3]);
  });
});
