import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InstalledSkill } from "../../../../src/core/project/project";
import {
  attentionBadge,
  attentionOf,
  type OpenUpdate,
} from "../../../../src/core/project/updateInbox";
import type { FoundSkillFile } from "../../../../src/core/skillList/rows/skillFileRows";
import { english } from "../../../../src/core/text/language";

const skill = (slug: string, more: Partial<InstalledSkill> = {}): InstalledSkill => ({
  ...{ slug, name: slug, version: "1.0.0", status: "installed" },
  ...more,
});
const file = (use: FoundSkillFile["use"], ...slugs: string[]): FoundSkillFile => ({
  ...{ use, address: slugs.join(), path: slugs.join(), slugs },
});
const incident = (skillSlug: string, ...ids: string[]): OpenUpdate => ({
  ...{ skillSlug, skillName: skillSlug, eventType: "incident", title: "It is slow", ids },
});
const release = (skillSlug: string): OpenUpdate => ({
  ...{ skillSlug, skillName: skillSlug, eventType: "new_version", title: "", ids: ["r"] },
  targetVersion: "2.0.0",
});

describe("the attention badge of a project", () => {
  const facts = {
    skills: [skill("a"), skill("b"), skill("c", { usage: { openIncidents: 1 } }), skill("unused")],
    updates: [incident("a", "2", "1"), incident("b", "3"), release("b"), incident("unused", "4")],
    isBlocked: (slug: string) => slug === "b" || slug === "unused",
  };

  it("counts events of skills with files in the workspace, and no others", () => {
    const files = [file("payload", "a.label", "a"), file("suite", "b"), file("payload", "c")];
    const found = attentionOf({ ...facts, files });
    assert.deepEqual(found, {
      incidents: ["a", "b", "c"],
      blocked: ["b"],
      updates: ["b"],
      incidentsToReport: [{ slug: "a", id: "1", title: "It is slow" }],
    });
    assert.deepEqual(attentionBadge(found, english), {
      value: 3,
      tooltip: "Open incident: a, b, c\nBlocked: b\nUpdate available: b",
    });
  });

  it("is empty without files, and for skills that are not installed", () => {
    for (const files of [[], [file("payload", "elsewhere")]]) {
      assert.equal(attentionBadge(attentionOf({ ...facts, files }), english), undefined);
    }
  });
});
