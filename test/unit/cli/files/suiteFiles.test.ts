import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import {
  plainManifest,
  startManifestRegistry,
} from "../../../fixtures/registries/manifestRegistry";
import { cliFolder } from "../runTestCli";

describe("a suite file on the command line", () => {
  const folder = cliFolder();

  it("is warned about for a credential in a payload or an expected output", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    for (const one of [
      { payload: { text: token } },
      {
        payload: { text: "a" },
        expect: { output: { "/title": "https://u:secret-word@example.com/" } },
      },
    ]) {
      const suite = { format: 1, skill: "text-stats", cases: [{ name: "a", ...one }] };
      await writeFile(folder.path("a.skill-suite.json"), JSON.stringify(suite, undefined, 2));
      const { code, out } = await folder.run(["test", "--registry", "built-in"]);
      assert.equal(code, 0, out);
      assert.match(out, /^a\.skill-suite\.json:\d+:\d+: warning: This looks like .* others will/m);
    }
  });

  it("is warned at its skill about what no payload satisfies", async () => {
    const range = { type: "object", properties: { n: { minimum: 10, maximum: 1 } } };
    const registry = await startManifestRegistry({
      odd: plainManifest("odd", { inputSchema: range }),
    });
    const suite = { format: 1, skill: "odd", cases: [{ name: "nothing", payload: {} }] };
    await writeFile(folder.path("a.skill-suite.json"), JSON.stringify(suite, undefined, 2));
    const { code, out } = await folder.run(["test", "--registry", registry.baseUrl]);
    await registry.close();
    assert.equal(code, 0, out);
    assert.match(
      out,
      /^a\.skill-suite\.json:3:3: warning: Tell the publisher of odd about its input schema at \/properties\/n\/minimum: /m,
    );
  });
});
