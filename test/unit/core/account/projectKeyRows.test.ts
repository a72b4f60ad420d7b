import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { projectKeyRows } from "../../../../src/core/account/projectKeyRows";
import { english } from "../../../../src/core/text/language";

const commands = (hasKey: boolean | undefined, isSignedIn: boolean) =>
  projectKeyRows({ hasKey, isSignedIn }, english)
    .map(({ command }) => command.replace("ProjectKey", ""))
    .join(" ");

describe("the commands about Project Keys", () => {
  const cases: readonly (readonly [string, boolean | undefined, boolean, string])[] = [
    ["without a key", false, false, "set"],
    ["with a key", true, false, "set check remove"],
    ["with a key that cannot be read", undefined, false, "set check remove"],
    ["without a key, for a signed-in user", false, true, "set create revoke"],
    ["with a key, for a signed-in user", true, true, "set check remove create rotate revoke"],
  ];
  for (const [situation, hasKey, isSignedIn, expected] of cases) {
    it(`are those that can do something ${situation}`, () => {
      assert.equal(commands(hasKey, isSignedIn), expected);
    });
  }
});
