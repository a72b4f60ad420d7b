import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { predictResponse } from "../../../../src/core/project/gateway/projectChecks";
import { projectRows } from "../../../../src/core/project/projectRows";
import { skillActions } from "../../../../src/core/project/skillActions";
import { english } from "../../../../src/core/text/language";
import { isTrue } from "../../../inMemory/vscode/when";

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const titles: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("package.nls.json", "utf8"),
);
const entries: readonly { command: string; when: string; group: string }[] =
  contributes.menus["view/item/context"];

const nothingElse = { invocations: [], subscriptions: [] };

/** Returns the row of a skill in the Project view. */
function rowOf({ skill, updates, isBlocked }: Parameters<typeof skillActions>[0]) {
  assert.equal(predictResponse({ skill, ...nothingElse, now: 0 }).kind === "blocked", isBlocked);
  const detail = {
    summary: { slug: "demo", name: "Demo" },
    ...{ skills: [skill], keys: [], updates: [], ...nothingElse },
  };
  const [group] = projectRows({
    ...{ detail, updates, isUsedHere: () => false, isSample: false, invocations: [] },
    ...{ loadedAt: 0, now: 0, language: english },
  });
  const [row] = group?.rows ?? [];
  assert.ok(row !== undefined);
  return row;
}

describe("the actions on a skill of a project", () => {
  const release = {
    ...{ skillSlug: "abc", skillName: "Abc", eventType: "new_version", title: "", ids: ["1"] },
    targetVersion: "2.0.0",
  };
  const incident = { ...release, eventType: "incident", targetVersion: undefined };
  const ofOther = { ...release, skillSlug: "other" };

  /** Those that a list has and the row of a skill has not. Rows of updates have it. */
  const onlyListed = "decideUpdate";

  for (const status of ["installed", "suspended", "removed", "unheard_of"]) {
    for (const approvalState of ["approved", "owner_required"]) {
      it(`are those of the row of a skill that is ${status} and ${approvalState}`, () => {
        const skill = { slug: "abc", name: "Abc", version: "1.0.0", status, approvalState };
        for (const update of [release, { ...incident, targetVersion: undefined }, ofOther]) {
          const { targetVersion, ...event } = update;
          const updates = [targetVersion === undefined ? event : { ...event, targetVersion }];
          const isBlocked = status !== "installed" || approvalState !== "approved";
          const situation = { skill, updates, isBlocked };
          const listed = skillActions(situation, english).map(({ command }) => command);
          const { context } = rowOf(situation);
          const keys = (name: string) => (name === "view" ? "skillRegistry.project" : context);
          const inMenu = entries
            .filter(
              ({ when, group }) =>
                when.includes("== skillRegistry.project") && !/^inline/.test(group),
            )
            .filter(({ when }) =>
              isTrue(when, (name) => (name === "viewItem" ? context : keys(name))),
            )
            .map(({ command }) => command.replace("skillRegistry.", ""));
          const others = ["openSkill", "openPayload", "installSkill"];
          assert.deepEqual(
            listed.filter((name) => name !== onlyListed).sort(),
            inMenu.filter((name) => !others.includes(name)).sort(),
          );
          assert.equal(listed.includes("showWhy"), isBlocked);
          assert.equal(listed.includes(onlyListed), update !== ofOther);
          assert.equal(inMenu.includes("installSkill"), status !== "installed");
        }
      });
    }
  }

  it("have the names of their commands", () => {
    for (const status of ["installed", "suspended", "removed"]) {
      const skill = {
        slug: "abc",
        name: "Abc",
        version: "1.0.0",
        status,
        approvalState: "pending",
      };
      const situation = { skill, updates: [release], isBlocked: true };
      for (const { command, label } of skillActions(situation, english)) {
        assert.equal(label, titles[`command.${command}`]);
      }
    }
  });
});
