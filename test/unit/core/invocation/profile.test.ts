import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { editorProfile } from "../../../../src/core/invocation/profile";

describe("the profile of an editor", () => {
  const cases: readonly (readonly [path: string, name: string])[] = [
    ["/home/a/.config/Code/User/globalStorage/skill-registry.skill-registry", "Code"],
    ["/home/a/.config/Code/User/profiles/-4f2a91c/globalStorage/x.y", "Code, profile -4f2a91c"],
    ["C:\\Users\\a\\Code\\User\\profiles\\12ab\\globalStorage\\x.y", "Code, profile 12ab"],
    ["/home/profiles/a/Code/User/globalStorage/x.y", "Code"],
  ];
  for (const [path, name] of cases) {
    it(`is ${name} if its data is in ${path}`, () =>
      assert.equal(editorProfile("Code", path), name));
  }
});
