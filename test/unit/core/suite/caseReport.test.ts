import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { caseItems } from "../../../../src/core/suite/caseReport";
import type { OrphanedOutput } from "../../../../src/core/suite/suite";
import { english } from "../../../../src/core/text/language";

const text = '{ "cases": [{ "name": "new", "expect": { "snapshot": true } }] }';
const problems = [{ message: "Not stored.", at: "/expect/snapshot" }];
const verdict = { kind: "judged", problems } as const;

const messages = (orphans: readonly OrphanedOutput[]) =>
  caseItems(
    [{ name: "new", rule: "case", index: 0, verdict, record: undefined }],
    { file: "a.skill-suite.json", text, orphans },
    english,
  ).flatMap(({ findings }) => findings.map(({ message }) => message));

describe("the report of a case without a stored output", () => {
  it("says how to store one", () => {
    for (const orphans of [[], [{ name: "old" }]]) {
      assert.deepEqual(messages(orphans), [
        "new: Not stored. Store one with `skill-registry test --live --update`.",
      ]);
    }
  });

  it("leads to the output that the case lost when it was renamed, since storing one invokes again", () => {
    assert.deepEqual(messages([{ name: "old", renamedTo: "new" }]), [
      "new: Not stored. Rename “old” to it in a.skill-snapshots.json.",
    ]);
  });
});
