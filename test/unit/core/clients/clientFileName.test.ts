import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { clientFileName } from "../../../../src/core/clients/client";
import { readShapes } from "../../../../src/core/clients/readShapes";
import { readSchema } from "../../../../src/core/schema/read/readSchema";

describe("the file of a typed client", () => {
  for (const [slug, typescript, python] of [
    ["text-stats", "text-stats.ts", "text_stats.py"],
    ["con", "con_skill.ts", "con_skill.py"],
    ["aux", "aux_skill.ts", "aux_skill.py"],
    ["com1", "com1_skill.ts", "com1_skill.py"],
    ["console", "console.ts", "console.py"],
  ] as const) {
    it(`is one that Windows can hold for ${slug}`, () => {
      const names = [clientFileName(slug, "typescript"), clientFileName(slug, "python")];
      assert.deepEqual(names, [typescript, python]);
    });
  }

  it("names no limit or default that lost digits", () => {
    // The schema says 9007199254740993.
    const lossy = 2 ** 53;
    const amount = { type: "integer", minimum: 1, maximum: lossy, default: lossy };
    const read = readSchema({ type: "object", properties: { amount } });
    const exact = JSON.stringify(readShapes(read, []));
    assert.match(exact, /9,?007,?199/);
    for (const lossyNumbers of [[lossy], "many"] as const) {
      assert.doesNotMatch(JSON.stringify(readShapes(read, lossyNumbers)), /9,?007,?199/);
    }
    assert.match(JSON.stringify(readShapes(read, [lossy])), /Limits: [^"]*1/);
  });
});
