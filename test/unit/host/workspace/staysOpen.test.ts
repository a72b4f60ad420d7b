import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "mocha";

const folder = "src/host/workspace";

/**
 * What a signed-in user is asked comes after something was read from the registry, when the focus may be on
 * its way elsewhere, and a code or a token has to be fetched from another window.
 */
describe("what is asked of a signed-in user", () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    const asked =
      text.match(/\b(showQuickPick|showInputBox|createInputBox|createQuickPick)\(/g) ?? [];
    if (asked.length === 0) continue;
    it(`stays open while another window has the focus: ${name}`, () => {
      assert.equal(text.match(/\bignoreFocusOut(: | = )true\b/g)?.length, asked.length);
    });
  }
});
