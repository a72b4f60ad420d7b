import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { findTeamRoot } from "../../../../src/cli/files/teamFolder";
import { startDriftingRegistry } from "../driftingRegistry";
import { cliFolder } from "../runTestCli";

describe("skill-registry invoke", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  before(async () => {
    registry = await startDriftingRegistry();
    await writeFile(folder.path("a.json"), '{ "text": "Good morning." }');
    await writeFile(folder.path("bad.json"), '{ "text": 1 }');
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    await writeFile(folder.path("secret.json"), JSON.stringify({ text: secret }));
  });
  after(() => registry.close());
  const invoke = (...args: string[]) =>
    folder.run(["invoke", ...args, "--registry", registry.url], {
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    });

  it("prints the output to stdout and its facts to stderr", async () => {
    const { code, out, err } = await invoke("text-stats", "a.json", "--yes");
    assert.equal(code, 0, err);
    assert.equal(JSON.parse(out).words, 2);
    assert.match(err, /^text-stats: success, [\d.]+ m?s, invocation ID \S+\n$/);
    const json = JSON.parse(
      (await invoke("text-stats", "a.json", "--yes", "--format", "json")).out,
    );
    assert.deepEqual([json.status, json.version, json.output.words], ["success", "1.0.0", 2]);
  });

  it("prints an output with any white space as safe JSON", async () => {
    registry.changeAnswers((answer) =>
      JSON.stringify({ ...answer, output: { text: "a\rb" } }).replace(
        '{"text":',
        '{\r"text"\r\n:\r',
      ),
    );
    const outputs: unknown[] = [];
    for (const format of ["json", "text"]) {
      const { out } = await invoke("text-stats", "a.json", "--yes", "--format", format);
      assert.ok(!out.includes("\r"), out);
      outputs.push(JSON.parse(out));
    }
    registry.restore();
    const [asJson, asText] = outputs as [{ output: unknown }, unknown];
    assert.deepEqual([asJson.output, asText], [{ text: "a\rb" }, { text: "a\rb" }]);
  });

  const stops: readonly (readonly [args: string[], code: number, err: RegExp])[] = [
    [
      ["text-stats", "a.json"],
      1,
      /its terms have not been agreed to\.\n {2}Permissions: .*Accept them with --yes\.\n$/s,
    ],
    [
      ["text-stats", "bad.json", "--yes"],
      1,
      /^bad\.json:1:11: .* \(type\)\ntext-stats was not invoked: its payload is not valid\.\n$/,
    ],
    [
      ["text-stats", "secret.json", "--yes"],
      1,
      /appears to contain a credential\..*Send it anyway with --secrets\.\n$/s,
    ],
    [["draft-writer", "a.json", "--yes", "--unchecked"], 1, /^.*draft-writer was not invoked: /s],
    [
      ["redact-pii", "a.json", "--yes", "--max-cents", "0"],
      1,
      /one invocation costs more than the limit\.\n$/,
    ],
    [
      ["text-stats", "gone.json", "--yes"],
      2,
      /^gone\.json could not be read: no such file \(ENOENT\)\.\n$/,
    ],
    [
      ["no-such-skill", "a.json", "--yes"],
      4,
      /^no-such-skill was not invoked\. http:\S+: This registry has no skill “no-such-skill”\.\n$/,
    ],
  ];
  for (const [args, code, err] of stops) {
    it(`sends nothing and ends with ${code}: ${args.join(" ")}`, async () => {
      const sent = registry.invocations().length;
      const ended = await invoke(...args);
      assert.match(ended.err, err);
      assert.deepEqual([ended.code, ended.out], [code, ""]);
      assert.equal(registry.invocations().length, sent);
    });
  }

  it("decides nothing by a number in a schema that lost digits", async () => {
    const exact = "9007199254740993";
    registry.change("text-stats", (body) => {
      const text = JSON.stringify(body, (name, value) =>
        name === "inputSchema" ? { const: exact } : value,
      );
      return text.replaceAll(`"${exact}"`, exact);
    });
    const file = "text-stats.skill-input.json";
    await writeFile(folder.path(file), "9007199254740992");
    const sent = registry.invocations().length;
    const checked = await folder.run(["validate", file, "--registry", registry.url]);
    const invoked = await invoke("text-stats", file, "--yes");
    registry.restore();
    assert.equal(checked.code, 3, checked.out);
    assert.match(invoked.err, /could not be checked/);
    assert.equal(registry.invocations().length, sent);
  });

  it("ends with 1 if the skill fails or the project blocks it, in the editor's words", async () => {
    await writeFile(folder.path("status.json"), '{ "url": "https://example.com/" }');
    const failed = await invoke("flaky-fetch", "status.json", "--yes");
    assert.equal(failed.code, 1, failed.err);
    assert.match(failed.err, /flaky-fetch ran and failed|flaky-fetch was not/);
  });

  it("asks for more consent if the repository reviews skills but not this one", async () => {
    assert.equal(
      (await folder.run(["review", "csv-profile", "--registry", registry.url, "--who", "Ann"]))
        .code,
      0,
    );
    const { code, err } = await invoke("text-stats", "a.json", "--yes");
    assert.equal(code, 1);
    assert.match(
      err,
      /text-stats was not invoked: it is not reviewed in this repository\.\n {2}text-stats@1\.0\.0 is not reviewed for safe-to-try\..*--unreviewed\.\n$/s,
    );
    assert.equal((await invoke("text-stats", "a.json", "--yes", "--unreviewed")).code, 0);
  });

  it("follows the repository's reviews in its subfolders, and none outside", async () => {
    await mkdir(folder.path("deep", "er"), { recursive: true });
    assert.equal(await findTeamRoot(folder.path("deep", "er")), folder.path());
    await mkdir(folder.path("deep", ".git"));
    assert.equal(await findTeamRoot(folder.path("deep", "er")), folder.path("deep", "er"));
    await rm(folder.path("deep"), { recursive: true });
  });

  it("requires consent to a skill's terms even if the policy trusts its publisher", async () => {
    const file = folder.path(".skill-registry", "policy.json");
    const text = await readFile(file, "utf8");
    const trust = { publisher: "plainworks", criteria: ["safe-to-try"], reason: "Ours." };
    const trusting = {
      ...JSON.parse(text),
      trustedPublishers: [{ ...trust, from: "2026-01-01", until: "2026-12-31" }],
    };
    await writeFile(file, JSON.stringify(trusting));
    const { err } = await invoke("text-stats", "a.json");
    await writeFile(file, text);
    assert.match(err, /text-stats was not invoked: its terms have not been agreed to/);
  });
});
