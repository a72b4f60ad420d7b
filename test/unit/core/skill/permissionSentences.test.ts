import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type Permissions, permissionSentences } from "../../../../src/core/skill/permissions";
import { english } from "../../../../src/core/text/language";

const none: Permissions = {
  network: false,
  browser: false,
  filesystem: "none",
  secretCount: 0,
  secretNames: [],
};

describe("permissionSentences", () => {
  const cases: [string, Partial<Permissions>, string[]][] = [
    ["nothing", {}, []],
    ["network", { network: true }, ["medium Connects to other services over the network"]],
    ["browser", { browser: true }, ["medium Drives a web browser"]],
    ["read", { filesystem: "read" }, ["medium Reads files on the machine it runs on"]],
    ["write", { filesystem: "write" }, ["high Writes files on the machine it runs on"]],
    ["one secret", { secretCount: 1 }, ["high Uses 1 secret of the project"]],
    ["redacted secrets", { secretCount: 2 }, ["high Uses 2 secrets of the project"]],
    [
      "named secrets",
      { secretCount: 2, secretNames: ["A", "B"] },
      ["high Uses 2 secrets of the project: A, B"],
    ],
    [
      "what is not known here",
      { others: ["gpu", "subprocess"] },
      ["high Has permissions unknown to this extension: gpu, subprocess"],
    ],
    [
      "the most powerful first",
      { network: true, filesystem: "write" },
      [
        "high Writes files on the machine it runs on",
        "medium Connects to other services over the network",
      ],
    ],
  ];
  for (const [what, granted, expected] of cases) {
    it(`says ${what}`, () => {
      const sentences = permissionSentences({ ...none, ...granted }, english);
      const given = sentences.filter((each) => each.granted);
      assert.deepEqual(
        given.map(({ risk, sentence }) => `${risk} ${sentence}`),
        expected,
      );
      assert.equal(sentences.length, granted.others === undefined ? 4 : 5);
      assert.ok(given.every(({ consequence }) => consequence !== ""));
      assert.ok(sentences.slice(given.length).every((each) => !each.granted));
    });
  }
});
