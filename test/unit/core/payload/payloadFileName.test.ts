import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  isSkillSlug,
  payloadFileName,
  slugOfPayloadFile,
} from "../../../../src/core/payload/payloadFileName";

describe("payload file names", () => {
  const cases: readonly (readonly [path: string, slug: string | undefined])[] = [
    ["/a/text-stats.skill-input.json", "text-stats"],
    ["text-stats.skill-input.json", "text-stats"],
    ["/a/text-stats.2.skill-input.json", "text-stats"],
    ["/a/text-stats.large.skill-input.json", "text-stats"],
    ["/a/text-stats.json", undefined],
    ["/text-stats.skill-input.json/other.json", undefined],
    ["/a/.skill-input.json", undefined],
    ["/a/Text Stats.skill-input.json", undefined],
    ["/a/ab.skill-input.json", undefined],
    ["/a/../x.skill-input.json", undefined],
  ];
  for (const [path, slug] of cases) {
    it(`${path} is for ${slug ?? "no skill"}`, () => {
      assert.equal(slugOfPayloadFile(path), slug);
    });
  }

  it("reads back every name it writes", () => {
    for (const number of [1, 2, 17]) {
      assert.equal(slugOfPayloadFile(payloadFileName("json-diff", number)), "json-diff");
    }
  });

  it("takes a slug by the manifest's rule only", () => {
    for (const slug of ["abc", "a-b", "a".repeat(64), "0x0"]) assert.ok(isSkillSlug(slug), slug);
    for (const slug of ["ab", "-abc", "abc-", "a".repeat(65), "a_b", "a/b", "ABC", ""]) {
      assert.ok(!isSkillSlug(slug), slug);
    }
  });
});
