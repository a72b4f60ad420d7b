import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  fileRows,
  fileRowText,
  filesBySkill,
  payloadsRowText,
  readFileRow,
  type SkillFile,
} from "../../../../../src/core/skillList/rows/skillFileRows";
import {
  branchRows,
  rowsAbove,
  type SkillEntry,
  topRows,
} from "../../../../../src/core/skillList/rows/skillRows";
import { startList } from "../../../../../src/core/skillList/skillList";
import { plainArrangement } from "../../../../../src/core/skillList/skillOrder";
import { english } from "../../../../../src/core/text/language";

const file = (use: SkillFile["use"], path: string): SkillFile => ({
  use,
  path,
  address: `file:///${path}`,
});
const skillOf = (slug: string) => ({
  slug,
  displayName: slug,
  description: "",
  tags: [],
  version: "1.0.0",
  numbers: {},
});
const entry = (slug: string, files?: readonly SkillFile[]): SkillEntry => ({
  kind: "skill",
  skill: skillOf(slug),
  isFavorite: false,
  ...(files && { files }),
});

describe("files below their skill", () => {
  it("Payloads come first, then suites, then reviews, each by path", () => {
    const files = [
      file("review", ".skill-registry/reviews.json"),
      file("suite", "a.skill-suite.json"),
      file("payload", "b10.skill-input.json"),
      file("payload", "b9.skill-input.json"),
    ];
    assert.deepEqual(
      fileRows(entry("a", files), english).map((row) => row.file.path),
      [
        "b9.skill-input.json",
        "b10.skill-input.json",
        "a.skill-suite.json",
        ".skill-registry/reviews.json",
      ],
    );
    assert.deepEqual(fileRows(entry("a"), english), []);
  });

  it("A file that fits several skills belongs to the first listed one, or to none", () => {
    const found = [
      { ...file("payload", "1"), slugs: ["acme.clean", "acme"] },
      { ...file("payload", "2"), slugs: ["acme.tidy", "acme"] },
      { ...file("payload", "3"), slugs: ["other"] },
    ];
    const sorted = filesBySkill(found, (slug) => ["acme", "acme.clean"].includes(slug));
    assert.deepEqual(
      [...sorted].map(([slug, files]) => [slug, ...files.map(({ path }) => path)]),
      [
        ["acme.clean", "1"],
        ["acme", "2"],
      ],
    );
  });

  it("Only rows of skills with files have them, in the list, in groups and among favorites", () => {
    const skills = [skillOf("a"), skillOf("b"), skillOf("c")];
    const source = {
      list: startList({ skills, ignoredFilters: [] }),
      skills,
      favorites: [{ slug: "c", name: "C" }],
      isUnrestricted: true,
      language: english,
      filesOf: (slug: string) => (slug === "b" ? [] : [file("suite", slug)]),
    };
    const owners = (grouping: "none" | "publisher") => {
      const made = { ...source, arrangement: { ...plainArrangement, grouping } };
      const rows = topRows(made).flatMap((row) =>
        row.kind === "branch" ? branchRows(row, made) : [row],
      );
      return rows.flatMap((row) => (row.kind === "skill" && row.files ? [row.skill.slug] : []));
    };
    assert.deepEqual(owners("none"), ["c", "a"]);
    assert.deepEqual(owners("publisher"), ["c", "a"]);
  });

  it("Payloads have a row before the list, with those of unlisted skills", () => {
    const skills = [skillOf("a")];
    const files = [
      { ...file("suite", "s"), slugs: ["a"] },
      { ...file("payload", "b.skill-input.json"), slugs: ["b"] },
      { ...file("payload", "_con.skill-input.json"), slugs: [] },
    ];
    const source = {
      list: startList({ skills, ignoredFilters: [] }),
      skills,
      arrangement: plainArrangement,
      favorites: [],
      ...{ isUnrestricted: true, language: english, files },
    };
    const [row] = rowsAbove(source);
    assert.ok(row);
    const text = payloadsRowText(row, english);
    assert.deepEqual([text.label, text.description], ["Payloads", "2 files"]);
    const below = fileRows(row, english);
    assert.deepEqual(
      below.map((one) => [fileRowText(one, english).description, readFileRow(one)?.slug]),
      [
        ["payload", undefined],
        ["b", "b"],
      ],
    );
    const isShown = (other: Partial<typeof source>) =>
      rowsAbove({ ...source, ...other }).length > 0;
    assert.equal(isShown({ isUnrestricted: false }), false);
    assert.equal(
      isShown({ list: startList({ skills: [], ignoredFilters: [] }), skills: [] }),
      false,
    );
    assert.equal(isShown({ files: [] }), false);
  });

  it("A path is one harmless line, and a screen reader reads the kind of file", () => {
    const [row] = fileRows(entry("a", [file("payload", "x\u202e$(bug)\n.json")]), english);
    assert.ok(row);
    const text = fileRowText(row, english);
    assert.doesNotMatch(text.label, /[\u202e\n]|\$\(bug\)/);
    assert.match(text.sentence, /, payload$/);
    assert.deepEqual([text.description, text.context], ["payload", "file.payload"]);
  });

  it("A command reads only the file and the skill of a row", () => {
    const [row] = fileRows(entry("a", [file("suite", "s")]), english);
    assert.deepEqual(readFileRow(row), { address: "file:///s", slug: "a" });
    for (const other of [undefined, "a", {}, { kind: "file" }, entry("a"), { ...row, file: {} }]) {
      assert.equal(readFileRow(other), undefined);
    }
  });
});
