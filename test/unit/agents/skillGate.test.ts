import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { changesSinceAllowed } from "../../../src/agents/skillGate";
import {
  agreementFor,
  noAgentSettings,
  readAgentSettings,
  withAgreementAbout,
} from "../../../src/core/agents/agentAgreements";
import { closedForSkill, readForAgents } from "../../../src/core/agents/gates/agentGates";
import {
  type Contract,
  readContract,
  readContractAs,
} from "../../../src/core/skill/compare/contract";
import { permissionLevelOf } from "../../../src/core/skill/permissions";
import type { SkillDetail } from "../../../src/core/skill/skill";
import { english } from "../../../src/core/text/language";
import { sha256 } from "../../../src/engine/sha256";
import { agreedNow, openFacts } from "../../fixtures/agentFacts";
import { fullSkill } from "../../fixtures/skillDetail";

const longSkill: SkillDetail = {
  ...fullSkill,
  inputSchema: { description: "x".repeat(200_000) },
};

describe("the change since a person allowed a skill", () => {
  for (const [name, skill] of Object.entries({ short: fullSkill, long: longSkill })) {
    const written = JSON.stringify(withAgreementAbout(noAgentSettings, agreedNow(skill)));
    const agreement = readAgentSettings(JSON.parse(written))?.skills[0];
    const now = (entry: string | undefined, args: readonly string[] = []) => {
      const type = skill.runtime?.type ?? "";
      const runtime = { type, args, ...(entry !== undefined && { entry }) };
      return changesSinceAllowed({ ...skill, runtime }, agreement, english);
    };
    const { entry = "" } = skill.runtime ?? {};

    it(`is empty for a ${name} contract if only the query of the skill's address differs, or nothing`, () => {
      assert.deepEqual(now(entry), []);
      assert.deepEqual(now(`${entry}?sig=2`), []);
    });
    it(`is the address for a ${name} contract if the path of the address differs`, () => {
      const [change, ...others] = now(`${entry}/other`);
      assert.match(change ?? "", /^Where it runs: .*profile\/other \(was: /);
      assert.deepEqual(others, []);
    });
  }

  it("is found for a long contract although only its address is stored", () => {
    const { contract, entry } = agreedNow(longSkill);
    assert.deepEqual([contract, entry], [undefined, fullSkill.runtime?.entry]);
  });
});

describe("a skill that only a Project Key shows to agents", () => {
  const { permissions, runtime, ...shown } = fullSkill;
  const level = permissions && permissionLevelOf(permissions);
  /** The skill as a Project Key lists it: schemas, level and kind of runtime. */
  const listed = (
    changes: Partial<SkillDetail> = {},
    summary: Partial<SkillDetail["summary"]> = {},
  ): SkillDetail => ({
    ...shown,
    permissions: undefined,
    runtime: undefined,
    isManifestUnknown: true,
    ...changes,
    summary: {
      ...shown.summary,
      permissionLevel: level ?? "",
      runtimeType: runtime?.type ?? "",
      ...summary,
    },
  });
  const agreement = agreedNow();
  /** Returns the gate that is closed for a skill after a person agreed to the whole contract. */
  const closedBy = (skill: SkillDetail, agreed = agreement) => {
    const { contract, contractHash: hash } = agreed;
    const reading = readContractAs(skill, contract && { contract, hash }, sha256);
    const changes = changesSinceAllowed(skill, agreed, english);
    const read = readForAgents(skill, reading, changes);
    const facts = openFacts();
    return closedForSkill({ ...facts, agreement: agreed, callerHash: hash, read });
  };

  const cases: readonly (readonly [what: string, skill: SkillDetail, code: string | undefined])[] =
    [
      ["stays allowed if everything shown equals the agreement", listed(), undefined],
      ["is closed with another input schema", listed({ inputSchema: true }), "contractChanged"],
      [
        "is closed with another kind of runtime",
        listed({}, { runtimeType: "other" }),
        "contractChanged",
      ],
      ["is closed with another version", listed({}, { version: "9.9.9" }), "contractChanged"],
      [
        "is closed if its level may mean other permissions",
        listed({}, { permissionLevel: level === "high" ? "low" : "high" }),
        "contractMissing",
      ],
    ];
  for (const [what, skill, code] of cases) {
    it(what, () => assert.equal(closedBy(skill)?.code, code));
  }

  it("names the user token if a part is missing", () => {
    const { contract: _, ...agreed } = agreement;
    assert.match(closedBy(listed(), agreed)?.message ?? "", /SKILL_REGISTRY_USER_TOKEN/);
  });

  const chosen = { mode: "auto", centsPerDay: 100, callsPerDay: 50, who: "Ida" } as const;
  const terms = { ...chosen, registry: "https://registry.example", now: Date.now() };
  const whole = readContract(fullSkill, sha256);
  const reviewed = whole.ok ? { contract: whole.contract, hash: whole.hash } : undefined;

  it("can be allowed by its reviewed contract, and stays allowed once all of it is visible", () => {
    const made = agreementFor(listed(), terms, sha256, reviewed);
    if ("unknown" in made) assert.fail(made.unknown);
    assert.deepEqual([made.contractHash, made.level], [reviewed?.hash, level]);
    assert.deepEqual([closedBy(listed(), made), closedBy(fullSkill, made)], [undefined, undefined]);
  });

  it("cannot be allowed without a review, or with a review of another contract", () => {
    const other = reviewed && {
      ...reviewed,
      contract: { ...reviewed.contract, outputSchema: false } satisfies Contract,
    };
    assert.deepEqual(
      [undefined, other].map((one) => agreementFor(listed(), terms, sha256, one)),
      [{ unknown: "manifest" }, { unknown: "manifest" }],
    );
  });
});
