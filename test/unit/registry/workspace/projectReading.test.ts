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
  const price = { billingModel: "per_call", unitAmountCents: 2, currency: "USD" };
  for (const status of ["installed", "suspended"]) {
    it(`is the pinned one, with its price, while the skill is ${status}`, async () => {
      const pin = pinIn(project({ ...skill, status, price }), "abc", read);
      assert.deepEqual([pin?.version, pin?.project, pin?.read], ["1.0.0", "Demo", read]);
      const paid = await pin?.readPrice?.(new AbortController().signal);
      assert.deepEqual(paid, { value: price, answered: true });
    });
  }

  it("is unknown if the project has no such skill, removed it, or does not name the version", () => {
    assert.equal(pinIn(project(skill), "abcd", read), undefined);
    assert.equal(pinIn(project({ ...skill, status: "removed" }), "abc", read), undefined);
    assert.equal(pinIn(project({ ...skill, version: "" }), "abc", read), undefined);
  });
});
