import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InstalledSkill, ProjectDetail } from "../../../../src/core/project/project";
import { pinIn } from "../../../../src/registry/workspace/projectReading";

const skill: InstalledSkill = { slug: "abc", name: "Abc", version: "1.0.0", status: "installed" };
const project = (installed: InstalledSkill): ProjectDetail => ({
  summary: { slug: "demo", name: "Demo" },
  skills: [installed],
  keys: [],
  updates: [],
  invocations: [],
  subscriptions: [],
});
const read = () => Promise.reject(new Error("Not read yet."));

describe("the version of a skill that a project runs", () => {
  it("is the pinned one, also while the skill is suspended", () => {
    const pin = { version: "1.0.0", project: "Demo", read };
    assert.deepEqual(pinIn(project(skill), "abc", read), pin);
    assert.deepEqual(pinIn(project({ ...skill, status: "suspended" }), "abc", read), pin);
  });

  it("is none where it has no such skill, removed it, or does not say which", () => {
    assert.equal(pinIn(project(skill), "abcd", read), undefined);
    assert.equal(pinIn(project({ ...skill, status: "removed" }), "abc", read), undefined);
    assert.equal(pinIn(project({ ...skill, version: "" }), "abc", read), undefined);
  });
});
