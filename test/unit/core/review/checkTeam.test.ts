import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { checkTeam, type ReadSkill } from "../../../../src/core/review/checkTeam";
import {
  type Review,
  type VersionReview,
  writeTeamFile,
} from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../../src/core/review/newReview";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";
import { digest, none, nothing, registry, reviewed } from "./standings";

const day = { who: "Ann", when: "2026-01-01T00:00:00Z" };

function reviewOf(skill: string): VersionReview {
  const contract = `contract-v1:sha256-${"0".repeat(64)}`;
  const criteria = ["safe-to-try"];
  return { kind: "version", skill, version: "1.0.0", registry, contract, criteria, ...day };
}

/** Checks a repository with these reviews and files, and counts the requests. */
async function check(
  reviews: readonly Review[],
  files: Readonly<Record<string, string>> = {},
  hasMoreFiles = false,
) {
  let asked = 0;
  const read: ReadSkill = async ({ slug }) => {
    asked += 1;
    return { ok: true, value: reviewedSkill({}, { slug }) };
  };
  const items = await checkTeam({
    files: { policy: firstPolicy(), reviews, contracts: new Map() },
    reviewsText: writeTeamFile({ format: 1, reviews }),
    usingFiles: Object.keys(files),
    hasMoreFiles,
    readText: async (file) => files[file] || Promise.reject(new Error("It cannot be read.")),
    read,
    digest,
    registry,
    today: "2026-11-22",
    language: english,
  });
  return { items, asked };
}

describe("the check of a team's skills", () => {
  it("requests nothing about skills that are only banned or mentioned", async () => {
    const banned = Array.from({ length: 19_000 }, (_, at): Review => {
      const skill = `skill-${at}`;
      return { kind: "violation", skill, notes: "No.", ...day };
    });
    const stated: Review = {
      ...{ kind: "statement", about: "owner", skill: "text-stats", until: "2027-01-01" },
      ...{ notes: "Ann.", ...day },
    };
    assert.deepEqual(await check([...banned, stated]), { items: [], asked: 0 });
    const { items, asked } = await check(banned, { "skill-7.skill-input.json": "{}" });
    assert.deepEqual([items[0]?.findings[0]?.rule, items.length, asked], ["violation", 1, 1]);
  });

  it("reports that there are more files than were read", async () => {
    const { items } = await check([], { "text-stats.skill-input.json": "{}" }, true);
    const { findings, state } = items.at(-1) ?? {};
    assert.deepEqual([state, findings?.map(({ rule }) => rule)], ["unknown", ["unread"]]);
    assert.match(findings?.[0]?.message ?? "", /^Only 1 payload files and suites were read\./);
  });

  it("reads as many versions as a policy can name, and counts skills that it skipped", async () => {
    const reviews = Array.from({ length: 2500 }, (_, at) => reviewOf(`skill-${at}`));
    const used = { "zebra.skill-input.json": "{}" };
    const { items, asked } = await check(reviews, used);
    assert.equal(asked, 2000);
    assert.equal(items.length, 2001);
    assert.ok(items.some(({ name }) => name === "zebra"));
    const last = items.at(-1);
    assert.deepEqual(
      [last?.state, last?.findings[0]?.message],
      ["unknown", "501 more skills were not compared: one check reads at most 2000 versions."],
    );
  });

  it("reports each skill at its last entry", async () => {
    const reviews = ["a", "b", "a"].map(reviewOf);
    const { items } = await check(reviews);
    assert.deepEqual(
      items.map(({ name, findings: [first] }) => [name, first?.start?.line]),
      [
        ["a", 29],
        ["b", 17],
      ],
    );
  });

  it("only notes a publisher that the registry's list may leave out, unless the policy says otherwise", async () => {
    const { publisher: _, ...summary } = reviewedSkill().summary;
    const cutOffPublishers = [{ name: "Plainworks", slug: "plainworks" }];
    const unlisted = reviewedSkill({ summary, cutOffPublishers });
    const files = reviewed(nothing);
    const checked = async (skill: SkillDetail, publisherUnknown?: "note" | "fail") => {
      const policy = { ...files.policy, ...(publisherUnknown && { publisherUnknown }) };
      const [item] = await checkTeam({
        files: { ...files, policy },
        reviewsText: writeTeamFile({ format: 1, reviews: files.reviews }),
        usingFiles: [],
        hasMoreFiles: false,
        readText: () => Promise.reject(new Error("There are no files.")),
        read: async () => ({ ok: true, value: skill }),
        digest,
        registry,
        today: "2026-11-22",
        language: english,
      });
      return [item?.state, item?.findings.map(({ severity }) => severity)];
    };
    assert.deepEqual(await checked(unlisted), ["good", ["warning"]]);
    assert.deepEqual(await checked(unlisted, "note"), ["good", ["warning"]]);
    assert.deepEqual(await checked(unlisted, "fail"), ["unknown", ["warning"]]);
    assert.deepEqual(await checked(reviewedSkill({ summary })), ["unknown", ["warning"]]);
    const raised = { ...unlisted, permissions: { ...none, network: true } };
    assert.equal((await checked(raised))[0], "findings");
  });

  it("does not skip an unreadable suite", async () => {
    const { items } = await check([], { "a.skill-suite.json": "" });
    assert.deepEqual(
      items.map(({ name, state }) => [name, state]),
      [["a.skill-suite.json", "unknown"]],
    );
  });
});
