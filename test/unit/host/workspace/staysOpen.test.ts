import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "mocha";

const folders = ["src/host/account", "src/host/ui", "src/host/workspace"];

/**
 * What a signed-in user is asked comes after something was read from the registry, when the focus may be on
 * its way elsewhere, and a code or a token has to be fetched from another window.
 */
describe("what is asked of a signed-in user", () => {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const asked =
      text.match(/\b(showQuickPick|showInputBox|createInputBox|createQuickPick)\(/g) ?? [];
    if (asked.length === 0) continue;
    it(`stays open while another window has the focus: ${basename(file)}`, () => {
      assert.equal(text.match(/\bignoreFocusOut(: | = )true\b/g)?.length, asked.length);
    });
  }
});
