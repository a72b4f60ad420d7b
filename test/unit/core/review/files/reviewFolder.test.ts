import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { writeTeamFile } from "../../../../../src/core/review/files/reviewFiles";
import { loadReviewFolder, type TeamText } from "../../../../../src/core/review/files/reviewFolder";
import { firstPolicy } from "../../../../../src/core/review/newReview";
import { type Chunked, runSync } from "../../../../../src/core/text/chunked";
import { english } from "../../../../../src/core/text/language";

const policy: TeamText = { kind: "text", text: writeTeamFile(firstPolicy()) };
const reviews: TeamText = { kind: "text", text: '{"format":1,"reviews":[]}' };
const refused: TeamText = { kind: "refused", reason: "permission is denied (EACCES)" };

/** Loads a folder. Resolves to its kind, or to the problem and its file. */
async function load(files: Readonly<Record<string, TeamText>>): Promise<string> {
  const reader = {
    list: async (folder: string) =>
      Object.keys(files)
        .filter((name) => name.startsWith(`${folder}/`))
        .map((name) => name.slice(folder.length + 1)),
    read: async (name: string) => files[name] ?? ({ kind: "none" } as const),
    work: async <Value>(work: Chunked<Value>) => runSync(work),
  };
  const { reviews } = await loadReviewFolder(reader, (text) => text, english);
  if (reviews.kind !== "broken") return reviews.kind;
  return reviews.broken.map(({ name, problems }) => `${name}: ${problems[0]?.message}`).join("; ");
}

describe("a folder of reviews", () => {
  const cases: readonly (readonly [
    name: string,
    files: Readonly<Record<string, TeamText>>,
    expected: string,
  ])[] = [
    ["does not count without a policy", { "reviews.json": reviews }, "none"],
    ["is read with a policy", { "policy.json": policy, "reviews.json": reviews }, "read"],
    ["needs no reviews yet", { "policy.json": policy }, "read"],
    [
      "is broken, not missing, if its policy cannot be read",
      { "policy.json": refused, "reviews.json": reviews },
      "policy.json: This file could not be read: permission is denied (EACCES).",
    ],
    [
      "is broken if a file is too large",
      { "policy.json": policy, "reviews.json": { kind: "tooLarge" } },
      "reviews.json: This file is too large.",
    ],
    [
      "is broken if a file is not UTF-8",
      { "policy.json": policy, "reviews.json": { kind: "notText" } },
      "reviews.json: This file is not UTF-8 text.",
    ],
    [
      "is broken if a link leads out of the repository",
      { "policy.json": policy, "reviews.json": { kind: "outside" } },
      "reviews.json: This file is a link that leads out of the folder. Replace it with a file.",
    ],
    [
      "reports broken contracts together with all other problems",
      { "policy.json": refused, "contracts/text-stats@1.0.0.json": { kind: "outside" } },
      "policy.json: This file could not be read: permission is denied (EACCES).; contracts/text-stats@1.0.0.json: This file is a link that leads out of the folder. Replace it with a file.",
    ],
    [
      "is broken if a contract cannot be read",
      { "policy.json": policy, "contracts/text-stats@1.0.0.json": refused },
      "contracts/text-stats@1.0.0.json: This file could not be read: permission is denied (EACCES).",
    ],
    [
      "ignores files that are not its own",
      { "policy.json": policy, "contracts/notes.txt": refused, "contracts/a.json": refused },
      "read",
    ],
  ];
  it("keeps one contract text in memory at a time, within a limit", async () => {
    const names = Array.from({ length: 2400 }, (_, at) => `contracts/text-stats@1.0.${at}.json`);
    const huge: TeamText = { kind: "text", text: " ".repeat(3_000_000) };
    const broken = await load({
      "policy.json": policy,
      ...Object.fromEntries(names.map((name) => [name, huge])),
    });
    const said = broken.split("; ");
    assert.equal(said.length, 22);
    assert.match(said.at(-1) ?? "", /: The contracts are too large together\.$/);
  });

  it("names the first missing contracts, however many registries were reviewed", async () => {
    const entries = Array.from({ length: 19_000 }, (_, at) => ({
      kind: "version",
      skill: `skill-${at % 4}`,
      version: "1.0.0",
      registry: `https://registry-${at}.example`,
      contract: `contract-v1:sha256-${"0".repeat(64)}`,
      criteria: ["safe-to-try"],
      who: "Ann",
      when: "2026-01-01T00:00:00Z",
    }));
    const text = JSON.stringify({ format: 1, reviews: entries });
    const broken = await load({ "policy.json": policy, "reviews.json": { kind: "text", text } });
    assert.equal(broken.split("; ").length, 100);
  });

  for (const [name, files, expected] of cases) {
    it(name, async () => assert.equal(await load(files), expected));
  }
});
