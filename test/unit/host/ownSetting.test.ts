import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { ownSetting, type SettingValues, settingRows } from "../../../src/host/settingRows";

const isText = (value: unknown): value is string => typeof value === "string";

describe("the effective value of a setting", () => {
  const cases: readonly (readonly [string, SettingValues | undefined, string | undefined])[] = [
    ["the user's own", { defaultValue: "d", globalValue: "user" }, "user"],
    ["an empty text of the user", { defaultValue: "d", globalValue: "" }, ""],
    ["the default if the user has none", { defaultValue: "d" }, "d"],
    [
      "the default if the user's value is of another type",
      { defaultValue: "d", globalValue: 7 },
      "d",
    ],
    ["none if nothing defines one", undefined, undefined],
    [
      "never a workspace's, above the user's",
      { defaultValue: "d", globalValue: "user", workspaceValue: "evil" },
      "user",
    ],
    ["never a workspace's, above the default", { defaultValue: "d", workspaceValue: "evil" }, "d"],
    ["never a folder's", { defaultValue: "d", workspaceFolderValue: "evil" }, "d"],
    ["never a workspace's alone", { workspaceValue: "evil", workspaceFolderValue: "e" }, undefined],
  ];
  for (const [name, found, expected] of cases) {
    it(`is ${name}`, () => assert.equal(ownSetting(found, isText), expected));
  }
});

describe("a setting that guards money or permissions", () => {
  const { dailyLimitCents, agentsEnabled } = settingRows;
  for (const wrong of ["500", -1, null, {}]) {
    it(`asks about each cost if its ceiling is ${JSON.stringify(wrong)}`, () => {
      assert.equal(dailyLimitCents.read({ defaultValue: 0, globalValue: wrong }), 1);
    });
  }
  for (const wrong of ["false", "true", 1, null]) {
    it(`is off if it is ${JSON.stringify(wrong)}`, () => {
      assert.equal(agentsEnabled.read({ defaultValue: true, globalValue: wrong }), false);
    });
  }

  it("has its default if the user has none", () => {
    const found = { workspaceValue: "evil" };
    assert.equal(dailyLimitCents.read({ defaultValue: 0, ...found }), 0);
    assert.equal(agentsEnabled.read({ defaultValue: true, ...found }), true);
    assert.equal(dailyLimitCents.read({ defaultValue: 0, globalValue: 500 }), 500);
  });
});
