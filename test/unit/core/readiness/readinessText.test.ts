import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  readinessOf,
  readinessReport,
  readinessText,
} from "../../../../src/core/readiness/readiness";
import { english, l10nText } from "../../../../src/core/text/language";
import { facts, team } from "./readinessFacts";

describe("the readiness of a skill", () => {
  it("is written as text whose links are its evidence, at the line of an entry", async () => {
    const readiness = readinessOf(await facts(), english);
    const { text, links } = readinessText(readiness, english);
    assert.match(
      text,
      /^Ready for customers\? text-stats@1\.0\.0\nhttps:\/\/registry\.example, 2026-11-22 05:00 UTC\n5 yes\.\n\nOwnership: .*\n {2}yes {8}/,
    );
    const labels = links.map(({ start, end }) => text.slice(start, end));
    assert.ok(labels.includes("Key Production …c0de of the project shop"), labels.join("\n"));
    assert.ok(labels.includes("docs/runbook.md"));
    const lines = links.flatMap(({ target: one }) =>
      typeof one === "object" && "file" in one && one.line !== undefined ? [one.line] : [],
    );
    const entries = (await team()).reviewsText.split("\n");
    assert.deepEqual(
      lines.map((line) => entries[line]?.trim()),
      ["owner", "retry-rule", "logs", "runbook", "runbook"].map((about) => `"about": "${about}",`),
    );
    const report = readinessReport(readiness);
    assert.ok(report.every((item) => item.state === "good" && item.findings.length === 0));
  });

  it("is written with a version on one line, whatever its text", async () => {
    const readiness = { ...readinessOf(await facts(), english), version: "1\n  yes  \u202eAll." };
    assert.match(readinessText(readiness, english).text, /^.*text-stats@1 yes \\u202EAll\.\nhttps/);
  });

  it("names the remedy of what is not known, if links are shown", async () => {
    const missing = { why: l10nText("There is no policy."), act: "reviewSkill" } as const;
    const absent = { why: l10nText("Not signed in."), act: "signIn" } as const;
    const readiness = readinessOf(await facts({ team: missing, project: absent }), english);
    const { text, links } = readinessText(readiness, english, { hasActs: true });
    assert.match(text, /^5 not known\.$/m);
    assert.match(text, /^Manual fallback: .*\n {2}not known {2}There is no policy\.\n/m);
    const added = links.filter(({ target }) => typeof target === "string");
    assert.deepEqual(
      added.map(({ start, end }) => text.slice(start, end)),
      ["Review This Skill…", "Sign In…", "Review This Skill…", "Sign In…", "Review This Skill…"],
    );
    assert.doesNotMatch(readinessText(readiness, english).text, /Review This Skill/);
  });
});
