import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  changeNotice,
  installChanges,
  installProblem,
  installQuestion,
  isChangeable,
  projectNameProblem,
  reasonProblem,
  renameWarning,
} from "../../../../src/core/project/changes";
import type { InstalledSkill, ProjectDetail } from "../../../../src/core/project/project";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";
import { bareSkill } from "../../../fixtures/skillDetail";

const installed: InstalledSkill = {
  slug: "abc",
  name: "Abc",
  version: "1.0.0",
  status: "installed",
};
const lists = { keys: [], updates: [], invocations: [], subscriptions: [] };
const project = (...skills: InstalledSkill[]): ProjectDetail => ({
  summary: { slug: "demo", name: "Demo" },
  skills,
  ...lists,
});

function skill(version: string, level: string): SkillDetail {
  const detail = bareSkill;
  const permissions = {
    network: true,
    browser: false,
    filesystem: "none",
    secretCount: level === "high" ? 1 : 0,
    secretNames: [],
  } as const;
  const prices = [
    { billingModel: "per_call", unitAmountCents: 2, currency: "USD", status: "active" },
    { billingModel: "per_call", unitAmountCents: 9, currency: "USD", status: "archived" },
  ];
  const summary = { ...detail.summary, slug: "abc", version, permissionLevel: level };
  return { ...detail, summary, permissions, prices };
}

describe("the question before an install", () => {
  const ask = (detail: SkillDetail, at: ProjectDetail, role = "developer") =>
    installQuestion(detail, at, role, english);

  it("marks a sample price", () => {
    const detail = skill("1.1.0", "medium");
    const sample = { ...detail, summary: { ...detail.summary, isSample: true } } as const;
    const costs = ask(sample, project()).detail.at(-1);
    assert.equal(costs, "Price: $0.02 per invocation (sample).");
  });

  it("shows a price without a response as unknown", () => {
    const detail = { ...skill("1.1.0", "medium"), prices: undefined };
    const costs = ask({ ...detail, unanswered: ["prices"] }, project()).detail.at(-1);
    assert.equal(costs, "Price: unknown.");
  });

  it("names skill, version, project, permissions and price", () => {
    assert.deepEqual(ask(skill("1.1.0", "medium"), project()), {
      message: "Install abc@1.1.0 in Demo?",
      detail: [
        "Permissions: Connects to other services over the network.",
        "Price: $0.02 per invocation.",
      ],
      agree: "Install",
    });
  });

  it("names the version it replaces, and the effect of a second install", () => {
    const first = (version: string, installed: InstalledSkill, level = "medium") =>
      ask(skill(version, level), project(installed)).detail.flat()[0];
    assert.equal(first("1.1.0", installed), "Replaces the installed version 1.0.0.");
    assert.equal(first("1.0.0", installed), "This version is installed already.");
    assert.match(first("1.0.0", installed, "high") ?? "", /resets its approval/);
    assert.match(first("1.0.0", { ...installed, status: "removed" }) ?? "", /^Permissions/);
  });

  it("is refused for a skill that cannot be installed", () => {
    const problem = (verificationStatus?: string) => {
      const { summary, ...rest } = skill("1.0.0", "low");
      const { verificationStatus: _, ...others } = summary;
      const status = verificationStatus === undefined ? {} : { verificationStatus };
      return installProblem({ ...rest, summary: { ...others, ...status } }, english);
    };
    const text = "abc@1.0.0 is “Submitted”. Only verified skills can be installed in a project.";
    assert.equal(problem("submitted"), text);
    assert.match(problem("deprecated") ?? "", /^abc@1\.0\.0 is “Deprecated”/);
    assert.deepEqual(
      [problem("verified"), problem("curated"), problem()],
      [undefined, undefined, undefined],
    );
  });

  it("names who must approve high permissions", () => {
    const last = (role: string) =>
      ask(skill("1.0.0", "high"), project(), role).detail.flat().at(-1);
    assert.match(last("developer") ?? "", /once an owner or admin approves it/);
    assert.match(last("admin") ?? "", /once you or another owner or admin approve it/);
  });

  it("reports that the project may be renamed", () => {
    const at = { ...project(), summary: { slug: "demo", name: "Démo" } };
    assert.match(
      ask(skill("1.0.0", "low"), at).detail.flat().at(-1) ?? "",
      /from “Démo” to “Demo”/,
    );
  });
});

describe("the changes of an install", () => {
  const all = ["installed", "suspended", "removed", "odd"].map((status) => ({
    ...installed,
    status,
  }));
  const rows = [
    ["suspend", ["installed"]],
    ["restore", ["suspended", "removed"]],
    ["remove", ["installed", "suspended"]],
  ] as const;
  for (const [name, from] of rows) {
    it(`${name} those that are ${from.join(" or ")}`, () => {
      const found = all.filter((one) => isChangeable(one, installChanges[name]));
      assert.deepEqual(
        found.map(({ status }) => status),
        from,
      );
    });
  }
});

describe("the input before a change", () => {
  it("needs a reason of six characters", () => {
    assert.equal(reasonProblem("enough", english), "");
    assert.notEqual(reasonProblem("  five5   ", english), "");
  });

  it("needs a name from which a slug can be made", () => {
    for (const name of ["ab", "My project", "日本 a1"]) {
      assert.equal(projectNameProblem(name, english), "", name);
    }
    for (const name of ["", "a", " a ", "日本語", "a".repeat(91)]) {
      assert.notEqual(projectNameProblem(name, english), "", name);
    }
  });

  it("warns that a project may be renamed to its slug", () => {
    const warning = (slug: string, name: string) => renameWarning({ slug, name }, english);
    assert.match(warning("n-code-t-am-2", "Ünïcode Tëam 2"), /to “N Code T Am 2”/);
    assert.equal(warning("n-code", "N Code"), "");
  });
});

describe("a failed change", () => {
  it("shows whether the change may have been made", () => {
    const error = (status: number): RegistryFailure => ({ kind: "errorAnswer", status });
    const text = (failure: RegistryFailure) => changeNotice(failure, english).message;
    assert.match(text(error(503)), /^It is not known whether this was changed/);
    assert.match(text(error(403)), /^Your role does not allow this/);
    assert.match(text(error(401)), /^You were signed out/);
    assert.match(
      text({ kind: "errorAnswer", status: 400, message: "No." }),
      /^The registry rejected this: No\.$/,
    );
  });
});
