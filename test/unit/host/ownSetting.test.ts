import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { ownSetting, type SettingValues } from "../../../src/host/settingRows";

const isText = (value: unknown): value is string => typeof value === "string";

describe("the effective value of a setting", () => {
  const cases: readonly (readonly [string, SettingValues | undefined, string | undefined])[] = [
    ["the user's own", { defaultValue: "d", globalValue: "user" }, "user"],
    ["an empty one of the user's", { defaultValue: "d", globalValue: "" }, ""],
    ["the default where the user has none", { defaultValue: "d" }, "d"],
    ["the default where the user's is of another type", { defaultValue: "d", globalValue: 7 }, "d"],
    ["none where there is none", undefined, undefined],
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
