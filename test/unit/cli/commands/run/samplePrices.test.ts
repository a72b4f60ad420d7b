import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { cliFolder } from "../../runTestCli";

describe("skill-registry run, at the built-in registry", () => {
  const folder = cliFolder();

  it("reports that its prices are samples, and that nothing is billed", async () => {
    await writeFile(folder.path("redact-pii.jsonl"), '{"text":"a@example.com"}\n');
    const { code, out, err } = await folder.run([
      ...["run", "redact-pii.jsonl", "--registry", "built-in", "--yes"],
    ]);
    assert.equal(code, 0, err);
    assert.match(err, /at most \$\S+ \(sample price; the built-in registry bills nothing\)/);
    assert.match(out, /Sample cost, not billed: \$/);
  });
});
