import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  agreementAbout,
  agreementInForce,
  noAgentSettings,
  readAgentSettings,
  withAgreementAbout,
  withChanged,
  withoutAgreementsAbout,
  withStopped,
} from "../../../../src/core/agents/agentAgreements";
import { agentNote } from "../../../../src/core/agents/agentNote";
import {
  allowedAt,
  restrictedLimits,
  type WorkspacePolicies,
} from "../../../../src/core/agents/agentPolicy";
import { readPolicy } from "../../../../src/core/review/files/reviewFiles";
import { english } from "../../../../src/core/text/language";
import { agreedNow } from "../../../fixtures/agentFacts";

const registry = "https://registry.example";
const agreement = agreedNow();
const settings = withAgreementAbout(noAgentSettings, agreement);

describe("the settings for agents", () => {
  it("allow nothing at first, and have a spending limit of 0", () => {
    assert.deepEqual(noAgentSettings.skills, []);
    assert.equal(noAgentSettings.limits.centsPerDay, 0);
  });
  it("are read as they were written", () => {
    const written = withStopped(settings, true);
    assert.deepEqual(readAgentSettings(JSON.parse(JSON.stringify(written))), written);
  });
  it("allow nothing if a part of the file is damaged", () => {
    const broken = [
      undefined,
      [],
      { ...settings, format: 2 },
      { ...settings, stopped: "yes" },
      { ...settings, limits: { ...settings.limits, centsPerDay: -1 } },
      { ...settings, limits: { ...settings.limits, maxPermissionLevel: "any" } },
      { ...settings, skills: [{ ...agreement, mode: "always" }] },
      { ...settings, skills: [{ ...agreement, until: undefined }] },
      { ...settings, skills: [{ ...agreement, callsPerDay: 1.5 }] },
    ];
    for (const value of broken) assert.equal(readAgentSettings(value), undefined);
  });
  it("have one agreement per registry and skill, which a new one replaces", () => {
    assert.equal(agreementAbout(settings, registry, "csv-profile"), agreement);
    assert.equal(agreementAbout(settings, "built-in", "csv-profile"), undefined);
    const again = withAgreementAbout(settings, { ...agreement, mode: "ask" });
    assert.deepEqual(
      again.skills.map(({ mode }) => mode),
      ["ask"],
    );
    assert.deepEqual(withoutAgreementsAbout(again, "csv-profile", registry).skills, []);
  });
  it("allow a skill until its last day, unless it is suspended or agents are stopped", () => {
    const inForce = (one: typeof settings, day = agreement.until) =>
      agreementInForce(one, registry, "csv-profile", day) !== undefined;
    assert.equal(inForce(settings), true);
    assert.equal(inForce(settings, "9999-01-01"), false);
    assert.equal(inForce(withStopped(settings, true)), false);
    assert.equal(inForce(withChanged(settings, agreement, { suspended: "2026-11-25" })), false);
    assert.equal(inForce(noAgentSettings), false);
  });
  it("appear on the skill's page with limits, last day and contract", () => {
    const note = (one: typeof settings, day = agreement.until) => {
      const rows = agentNote(one, registry, "csv-profile", day, english)?.rows;
      return rows && Object.fromEntries(rows);
    };
    const rows = note(settings) ?? {};
    assert.equal(rows["Version"], agreement.version);
    assert.equal(rows["Mode"], "without asking, within limits");
    assert.match(rows["Limits"] ?? "", /a day, 50 invocations a day$/);
    const day = new Date(`${agreement.until}T12:00:00Z`).getDate();
    assert.match(rows["Allowed"] ?? "", new RegExp(`^until \\w+ ${day}, `));
    assert.match(rows["Contract"] ?? "", /^[0-9a-f]{12}$/);
    assert.equal(note(settings, "9999-01-01")?.["Allowed"], "expired");
    assert.equal(note(withStopped(settings, true))?.["Allowed"], "Agents are stopped.");
    const changed = withChanged(settings, agreement, { suspended: "2026-11-25" });
    assert.match(note(changed)?.["Allowed"] ?? "", /^suspended/);
    assert.equal(note(noAgentSettings), undefined);
  });
  it("suspend an agreement, unless it was renewed meanwhile", () => {
    const suspended = (one: typeof settings) =>
      withChanged(one, agreement, { suspended: "2026-11-25" }).skills.map(
        ({ suspended }) => suspended,
      );
    assert.deepEqual(suspended(settings), ["2026-11-25"]);
    const anew = { ...agreement, when: "2999-01-01T00:00:00.000Z" };
    assert.deepEqual(suspended(withAgreementAbout(settings, anew)), [undefined]);
  });
  it("contain the text that a model may read, without hidden characters", () => {
    assert.match(agreement.text.description, /^Reads a table/);
    assert.equal(agreement.until > agreement.when, true);
  });
});

describe("a team's policy for agents", () => {
  const limits = { callsPerSession: 20, centsPerDay: 100, maxPermissionLevel: "medium" } as const;
  it("can only lower limits", () => {
    const wide = {
      maxCallsPerSession: 99,
      maxCentsPerDay: 999,
      maxPermissionLevel: "high",
    } as const;
    assert.deepEqual(restrictedLimits(limits, [wide]), limits);
    const narrow = { maxCallsPerSession: 1, maxCentsPerDay: 2, maxPermissionLevel: "low" } as const;
    const lowered = { callsPerSession: 1, centsPerDay: 2, maxPermissionLevel: "low" };
    assert.deepEqual(restrictedLimits(limits, [wide, narrow]), lowered);
    assert.equal(restrictedLimits(limits, "unreadable").callsPerSession, 0);
  });
  it("can only remove skills, and removes all of them if a policy is unreadable", () => {
    const left = (policies: WorkspacePolicies) =>
      allowedAt(settings, policies, registry, agreement.until).map(({ skill }) => skill);
    assert.deepEqual(left([]), ["csv-profile"]);
    assert.deepEqual(left([{ allow: ["csv-profile", "other"] }]), ["csv-profile"]);
    assert.deepEqual(left([{}, { allow: ["other"] }]), []);
    assert.deepEqual(left([{ off: true }]), []);
    assert.deepEqual(left("unreadable"), []);
  });
  it("is read with the policy of reviews, and misspelled names are errors", () => {
    const policy = (agents: object) =>
      readPolicy(
        JSON.stringify({
          format: 1,
          criteria: { safe: { description: "x" } },
          require: ["safe"],
          agents,
        }),
        english,
      );
    const read = policy({ allow: ["csv-profile"], maxCentsPerDay: 5 });
    assert.ok(read.ok);
    assert.deepEqual(read.value.agents, { allow: ["csv-profile"], maxCentsPerDay: 5 });
    assert.equal(policy({ alow: [] }).ok, false);
    assert.equal(policy({ off: false }).ok, false);
  });
});
