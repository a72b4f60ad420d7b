import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type AgentAgreement,
  type AgentSettings,
  noAgentSettings,
  withAgreementAbout,
  withStopped,
} from "../../../../src/core/agents/agentAgreements";
import { typedToolName, typedTools } from "../../../../src/core/agents/typedTools";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { assumedLevel } from "../../../../src/core/skill/permissions";
import { sha256 } from "../../../../src/engine/sha256";
import { agreedNow } from "../../../fixtures/agentFacts";
import { fullSkill } from "../../../fixtures/skillDetail";

const registry = "https://registry.example";
const today = new Date().toISOString().slice(0, 10);
const settings = withAgreementAbout(noAgentSettings, agreedNow());
const listed = (some: AgentSettings, at = registry) =>
  typedTools(some, at, today, sha256).map(({ name }) => name);

describe("a tool for each allowed skill", () => {
  it("has the agreed text and schema", () => {
    const [tool] = typedTools(settings, registry, today, sha256);
    assert.equal(tool?.name, "skill_csv-profile");
    const { $schema: _, ...written } = fullSkill.inputSchema as JsonObject;
    assert.deepEqual(tool?.inputSchema, written);
    assert.match(tool?.description ?? "", /Skill csv-profile@2\.1\.0\. Permission level medium\./);
    assert.equal(tool?.annotations.destructiveHint, true);
  });
  it("has the permission level that the gate uses", () => {
    const level = (agreement: AgentAgreement) => {
      const some = withAgreementAbout(noAgentSettings, agreement);
      const [tool] = typedTools(some, registry, today, sha256);
      return /Permission level (.+?)\./.exec(tool?.description ?? "")?.[1];
    };
    const { summary } = fullSkill;
    const stated = { ...fullSkill, summary: { ...summary, permissionLevel: "high" } };
    const unknown = {
      ...fullSkill,
      permissions: undefined,
      summary: { ...summary, permissionLevel: "low" },
    };
    for (const skill of [fullSkill, stated, unknown]) {
      assert.equal(level(agreedNow(skill)), assumedLevel(skill));
    }
    assert.equal(assumedLevel(stated), "high");
    const { level: _, ...earlier } = agreedNow(stated);
    assert.equal(level(earlier), "medium");
    const { level: __, ...hidden } = agreedNow(unknown);
    assert.equal(level(hidden), "high");
  });
  it("is listed only if the skill may be invoked", () => {
    assert.deepEqual(listed(settings, "built-in"), []);
    assert.deepEqual(listed(withStopped(settings, true)), []);
    const gone = { suspended: "2026-11-25", until: "2020-01-01" };
    for (const [name, value] of Object.entries(gone)) {
      const one = agreedNow(undefined, { [name]: value });
      assert.deepEqual(listed(withAgreementAbout(noAgentSettings, one)), [], name);
    }
  });
  it("is left out, like all others, if there are too many", () => {
    const slugs = Array.from({ length: 21 }, (_, index) => `skill-${index}`);
    const short = { ...agreedNow().contract, inputSchema: { type: "object" } };
    const many = (count: number) =>
      slugs
        .slice(0, count)
        .map((skill) => agreedNow(undefined, { skill, contract: short as never }))
        .reduce(withAgreementAbout, noAgentSettings);
    assert.equal(listed(many(20)).length, 20);
    assert.deepEqual(listed(many(21)), []);
  });
  it("has a unique name that every client accepts", () => {
    const long = "a".repeat(60);
    for (const slug of ["csv-profile", long, "a.b", "A_b"]) {
      assert.match(typedToolName(slug, sha256), /^[A-Za-z0-9_-]{1,40}$/);
    }
    assert.notEqual(typedToolName(`${long}1`, sha256), typedToolName(`${long}2`, sha256));
    assert.notEqual(typedToolName("a.b", sha256), typedToolName("a_b", sha256));
  });
});
