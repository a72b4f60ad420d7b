import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readReviews, writeTeamFile } from "../../../../src/core/review/files/reviewFiles";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { statement } from "./readinessFacts";

describe("a statement", () => {
  const problems = (entry: object) => {
    const read = runSync(readReviews(writeTeamFile({ format: 1, reviews: [entry] }), english));
    return read.ok ? [] : read.problems.map(({ code, pointer }) => `${pointer} ${code}`);
  };

  const cases: readonly (readonly [name: string, entry: object, problems: readonly string[]])[] = [
    ["is valid if complete", statement("owner"), []],
    ["of a runbook names a file", statement("runbook"), ["/reviews/0 required"]],
    [
      "counts for at most a year",
      statement("owner", { until: "2027-11-03" }),
      ["/reviews/0/until review"],
    ],
    [
      "names a day that a calendar has",
      statement("runbook", { file: "a.md", tried: "2026-02-30" }),
      ["/reviews/0/tried review"],
    ],
    ...["../a.md", "/etc/passwd", "a/../../b", "a\\b"].map(
      (file) =>
        [
          `names a file of the repository: ${file}`,
          statement("owner", { file }),
          ["/reviews/0/file pattern"],
        ] as const,
    ),
  ];
  for (const [name, entry, expected] of cases) {
    it(name, () => assert.deepEqual(problems(entry), expected));
  }
});
