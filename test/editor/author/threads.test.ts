import { strict as assert } from "node:assert";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { english, localize } from "../../../src/core/text/language";
import { LanguageClient } from "../../../src/language/languageClient";
import { whyNoAnswer } from "../../../src/language/languageThread";

const never = new AbortController().signal;

/** The thread's bundle as it was packaged, in the Node that this editor brings. */
describe("The checking thread inside this editor", () => {
  let client: LanguageClient;
  before(() => {
    client = new LanguageClient({ workerPath: worker(), memoryLimitMb: 24, deadlineMs: 20_000 });
  });
  after(() => client.dispose());

  const stateOf = async (schema: unknown, text: string) => {
    const check = await client.check({ schema, text }, never);
    return check.reason ?? check.state;
  };

  it("gives up what takes too much memory, and continues with the next task", async () => {
    const items = Array.from({ length: 400_000 }, (_, index) => ({ index }));
    const tooMuch = localize(whyNoAnswer({ kind: "tooMuchMemory" }), english);
    for (let time = 0; time < 2; time += 1) {
      assert.equal(await stateOf({ uniqueItems: true }, JSON.stringify(items)), tooMuch);
      assert.equal(await stateOf({ type: "object" }, "{}"), "valid");
      assert.equal(await stateOf({ type: "object" }, "1"), "invalid");
    }
  });

  it("gives up what takes too long, and continues with the next task", async () => {
    const quick = new LanguageClient({ workerPath: worker(), deadlineMs: 800 });
    const text = JSON.stringify(`${"a".repeat(60)}!`);
    const stuck = await quick.check({ schema: { pattern: "^((a+)\\2?)+$" }, text }, never);
    assert.equal(stuck.state, "unchecked");
    const next = await quick.check({ schema: {}, text }, never);
    assert.equal(next.state, "valid");
    quick.dispose();
  });
});

function worker(): string {
  const extension = vscode.extensions.getExtension("skill-registry.skill-registry");
  assert.ok(extension !== undefined);
  return join(extension.extensionPath, "dist/languageWorker.js");
}
