import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import type { InstalledSkill } from "../../../../src/core/project/project";
import { projectRows } from "../../../../src/core/project/projectRows";
import { skillActions } from "../../../../src/core/project/skillActions";
import type { OpenUpdate } from "../../../../src/core/project/updateInbox";
import { english } from "../../../../src/core/text/language";
import { isTrue } from "../../../inMemory/vscode/when";

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const titles: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("package.nls.json", "utf8"),
);
const entries: readonly { command: string; when: string; group: string }[] =
  contributes.menus["view/item/context"];

/** Returns the row of a skill in the Project view. */
function rowOf(skill: InstalledSkill, updates: readonly OpenUpdate[]) {
  const detail = {
    summary: { slug: "demo", name: "Demo" },
    ...{ skills: [skill], keys: [], updates: [], invocations: [], subscriptions: [] },
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
          const listed = skillActions(skill, updates, english).map(({ command }) => command);
          const { context } = rowOf(skill, updates);
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
      for (const { command, label } of skillActions(skill, [release], english)) {
        assert.equal(label, titles[`command.${command}`]);
      }
    }
  });
});
