import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readVersion } from "../../../../src/core/review/checkTeam";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";

const { signal } = new AbortController();

describe("reading a version of a skill", () => {
  for (const [what, asked, returned, isRead] of [
    ["the current one", "", "2.0.0", true],
    ["the current one, of which none is stated", "", "", true],
    ["the one that was asked for", "1.0.0", "1.0.0", true],
    ["another one", "1.0.0", "2.0.0", false],
    ["one without a version", "1.0.0", "", false],
  ] as const) {
    it(`${isRead ? "accepts" : "rejects"} ${what}`, async () => {
      const asks: unknown[] = [];
      const source = {
        skill: async (...ask: readonly unknown[]) => {
          asks.push(ask);
          return { ok: true, value: reviewedSkill({}, { version: returned }) } as const;
        },
      };
      const address = { slug: "csv-profile", version: asked };
      const read = await readVersion(source, address, { withinSeconds: 30 }, signal, english);
      assert.equal(read.ok, isRead);
      assert.deepEqual(asks, [["csv-profile", asked || undefined, signal, { withinSeconds: 30 }]]);
      if (!read.ok) assert.equal(read.failure.kind, "notFound");
    });
  }
});
