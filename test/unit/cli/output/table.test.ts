import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { tableOf } from "../../../../src/cli/output/table";
import { cutToWidth, widthOf } from "../../../../src/cli/output/width";

describe("a table on a terminal", () => {
  const widths: Record<string, number> = {
    abc: 3,
    日本語: 6,
    ｆｕｌｌ: 8,
    한국: 4,
    "e\u0301": 1,
    "😀": 2,
    "👩‍👩‍👧‍👦": 2,
    "❤️": 2,
    "…é": 2,
  };
  for (const [text, width] of Object.entries(widths)) {
    it(`measures ${text} as ${width} columns`, () => assert.equal(widthOf(text), width));
  }

  it("splits no character", () => {
    assert.deepEqual(
      [3, 4, 5, 6].map((columns) => cutToWidth("日本語", columns)),
      ["日…", "日…", "日本…", "日本語"],
    );
    assert.equal(cutToWidth("a👩‍👩‍👧‍👦b", 3), "a…");
  });

  const rows = [
    { name: "日本語", size: "1" },
    { name: "plain", size: "10" },
    { name: "x".repeat(60), size: "100" },
  ];
  const columns = [
    { head: "NAME", of: ({ name }: (typeof rows)[number]) => name },
    { head: "SIZE", of: ({ size }: (typeof rows)[number]) => size, isNumber: true as const },
  ];

  it("aligns its columns for any characters", () => {
    assert.equal(tableOf(rows.slice(0, 2), columns), "NAME    SIZE\n日本語     1\nplain     10\n");
  });

  for (const width of [20, 30, 46]) {
    it(`cuts the widest cells to fit ${width} columns`, () => {
      const lines = tableOf(rows, columns, { width }).trimEnd().split("\n");
      assert.ok(lines.every((line) => widthOf(line) <= width));
      assert.equal(widthOf(lines.at(-1) ?? ""), width);
      assert.match(lines.at(-1) ?? "", /^x+… +100$/);
    });
  }
});
