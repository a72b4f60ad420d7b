import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  payloadFileName,
  payloadLabel,
  slugsOfPayloadFile,
} from "../../../../src/core/payload/payloadBinding";

describe("the label of a payload file", () => {
  const cases = [
    ["inputs/csv-profile.orders.skill-input.json", [], "csv-profile.orders"],
    ["csv-profile.skill-input.json", ["csv-profile.orders"], "csv-profile"],
    ["a/b/csv-profile.skill-input.json", ["csv-profile"], "csv-profile (a/b)"],
    ["a/b/notes.json", [], "notes"],
    ["a/.json", [], ".json"],
  ] as const;
  for (const [path, others, label] of cases) {
    it(`is “${label}” for ${path}`, () => assert.equal(payloadLabel(path, others), label));
  }
});

describe("payload file names", () => {
  const cases: readonly (readonly [path: string, ...slugs: readonly string[]])[] = [
    ["/a/text-stats.skill-input.json", "text-stats"],
    ["text-stats.skill-input.json", "text-stats"],
    ["/a/text-stats.2.skill-input.json", "text-stats"],
    ["/a/text-stats.large.skill-input.json", "text-stats.large", "text-stats"],
    ["/a/acme.csv-clean.skill-input.json", "acme.csv-clean", "acme"],
    ["/a/acme.csv-clean.3.skill-input.json", "acme.csv-clean", "acme"],
    ["/a/a.b.c.d.e.f.skill-input.json", "a.b.c.d.e.f", "a.b.c.d.e", "a.b.c.d", "a.b.c"],
    ["/a/csv_clean.skill-input.json", "csv_clean"],
    ["/a/CSV-Clean.skill-input.json", "CSV-Clean"],
    ["/a/x.skill-input.json", "x"],
    ["/a/1.skill-input.json", "1"],
    ["/a/1.2.skill-input.json", "1"],
    ["/a/text-stats.json"],
    ["/a/text-stats.skill-input.jsonc"],
    ["/text-stats.skill-input.json/other.json"],
    ["/a/.skill-input.json"],
    ["/a/..skill-input.json"],
    ["/a/acme..skill-input.json"],
    ["/a/_con.skill-input.json"],
    ["/a/acme.csv clean.skill-input.json"],
    ["/a/Text Stats.skill-input.json"],
    [`/a/${"a".repeat(129)}.skill-input.json`],
  ];
  for (const [path, ...slugs] of cases) {
    it(`may mean ${slugs.join(" or ") || "no skill"}: ${path.slice(0, 60)}`, () => {
      assert.deepEqual(slugsOfPayloadFile(path), slugs);
    });
  }

  const written: readonly (readonly [slug: string, number: number, name: string])[] = [
    ["text-stats", 1, "text-stats.skill-input.json"],
    ["text-stats", 2, "text-stats.2.skill-input.json"],
    ["acme.csv-clean", 1, "acme.csv-clean.skill-input.json"],
    ["con", 1, "_con.skill-input.json"],
    ["NUL", 2, "_NUL.2.skill-input.json"],
    ["com1.tool", 1, "_com1.tool.skill-input.json"],
    ["console", 1, "console.skill-input.json"],
    ["acme.2", 1, "_acme.2.skill-input.json"],
  ];
  for (const [slug, number, name] of written) {
    it(`start with the slug, and are safe on Windows: number ${number} of ${slug} is ${name}`, () => {
      assert.equal(payloadFileName(slug, number), name);
    });
  }

  it("mean the skill that they were made for, or none", () => {
    const slugs = ["json-diff", "acme.csv-clean", "csv_clean", "CSV", "v1.x", "aux", "acme.2", "7"];
    for (const slug of slugs) {
      for (const number of [1, 2, 17]) {
        const name = payloadFileName(slug, number);
        const [read] = slugsOfPayloadFile(name);
        assert.equal(read, name.startsWith("_") ? undefined : slug, name);
      }
    }
  });
});
