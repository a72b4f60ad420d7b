import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, it } from "mocha";
import { atStore } from "../../../fixtures/machineStore";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../../fixtures/registries/foreignRegistry";
import { cliFolder } from "../runTestCli";

const canary = 'canary-"s3cret\\9f27';
const payload = '{ "text": "{{customer}}: {{mailToken}}", "top": "{{limit}}" }';

describe("an environment on the command line", () => {
  const { path, run } = cliFolder();
  let staging: ForeignRegistry;
  let other: ForeignRegistry;

  before(async () => {
    const echo = ({ body }: { readonly body: string }) => {
      const { skillSlug, input } = JSON.parse(body) as { skillSlug: string; input: object };
      const answer = {
        invocationId: "inv-1",
        skillSlug,
        status: "success",
        output: { echo: input },
      };
      return { body: answer as never };
    };
    staging = await startForeignRegistry({ dialect: "camel" }, { "/v1/runtime/invoke": echo });
    other = await startForeignRegistry({ dialect: "camel" });
  });
  after(() => Promise.all([staging.close(), other.close()]));
  beforeEach(async () => {
    await writeEnvironments(staging.baseUrl);
    await write("word-tally.skill-input.json", payload);
  });

  const write = async (name: string, text: string) => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  };
  const writeEnvironments = (registry: string) =>
    write(
      ".skill-registry/environments.json",
      JSON.stringify({
        format: 1,
        environments: {
          staging: { registry, values: { customer: "c-17", limit: 20 }, secrets: ["mailToken"] },
          production: { registry: "https://registry.invalid", values: { customer: "c-1" } },
        },
      }),
    );
  const credentials = () => ({
    SKILL_REGISTRY_PROJECT_KEY: staging.projectKey,
    SKILL_REGISTRY_SECRET_MAILTOKEN: canary,
  });
  const ofCi = () => ({ ...credentials(), SKILL_REGISTRY_URL: staging.baseUrl, CI: "true" });
  const invoke = (env: Record<string, string>, ...more: string[]) =>
    run(["invoke", "word-tally.skill-input.json", "--yes", "--keep-texts", ...more], env);
  const sentTo = ({ requests }: ForeignRegistry) =>
    requests.filter((one) => one.path.startsWith("/v1/runtime/invoke"));

  it("sends its values, and records its name and the payload as written and as sent", async () => {
    const { code, out, err } = await invoke(ofCi(), "--environment", "staging");
    assert.equal(code, 0, err);
    const body = sentTo(staging).at(-1)?.body ?? "";
    assert.deepEqual(JSON.parse(body).input, { text: `c-17: ${canary}`, top: 20 });
    const [record] = (await atStore(path("machine"), (store) => store.list({}))).records;
    assert.equal(record?.environment, "staging");
    assert.equal(record?.requestSha256, createHash("sha256").update(body).digest("hex"));
    const texts = await atStore(path("machine"), (store) => store.texts(record?.id ?? ""));
    assert.equal(texts?.inputText, payload);
    assert.deepEqual(JSON.parse(out), { echo: { text: "c-17: [Secret]", top: 20 } });
    assert.match(
      err,
      /^Environment staging: http:\S+ \(\.skill-registry\/environments\.json\)\.\n/,
    );
  });

  it("leaks its secret into no output, record or other file, in whatever form it is returned", async () => {
    const { out, err } = await invoke(
      ofCi(),
      "--environment",
      "staging",
      "--format",
      "json",
      "--twice",
    );
    const all = [out, err, ...(await filesBelow(path("machine")))].join("\n");
    for (const form of ["s3cret", Buffer.from(canary).toString("base64").slice(2, 20)]) {
      assert.ok(!all.includes(form), form);
    }
  });

  const moved =
    /Environment staging is for (\S+), and (\S+) is set\. A file of the repository does not decide/;

  it("sends no key and no secret to a registry that a pull request adds to the file", async () => {
    await writeEnvironments(other.baseUrl);
    const before = other.requests.length;
    const { code, err } = await invoke(ofCi(), "--environment", "staging");
    assert.equal(code, 2);
    assert.deepEqual(moved.exec(err)?.slice(1), [other.baseUrl, staging.baseUrl]);
    assert.equal(other.requests.length, before);
  });

  it("names the variable to set if no registry is set beside the file", async () => {
    const env = { ...credentials(), SKILL_REGISTRY_URL: "" };
    const { code, err } = await invoke(env, "--environment", "staging");
    assert.equal(code, 2);
    assert.match(err, /no registry is set\..* set SKILL_REGISTRY_URL or --registry to http/);
  });

  it("checks at the file's registry without any credential if nothing is invoked", async () => {
    await writeEnvironments(other.baseUrl);
    const { code, err } = await run(["validate", ".", "--environment", "staging"], ofCi());
    assert.equal(code, 0, err);
    assert.match(err, /without any key/);
    assert.ok(other.requests.length > 0);
    const sent = JSON.stringify(other.requests);
    for (const secret of [staging.projectKey, "s3cret"]) assert.ok(!sent.includes(secret));
    assert.ok(other.requests.every(({ headers }) => headers.authorization === undefined));
  });

  for (const command of [
    ["validate", "."],
    ["show", "word-tally"],
  ]) {
    it(`lets ${command[0]} read no project with a token that a file would send elsewhere`, async () => {
      await writeEnvironments(other.baseUrl);
      const before = other.requests.length;
      const env = {
        SKILL_REGISTRY_URL: "",
        SKILL_REGISTRY_USER_TOKEN: `shub_user_${"0123456789abcdef".repeat(4)}`,
      };
      const args = [...command, "--environment", "staging", "--project", "shop"];
      const { code, err } = await run(args, env);
      assert.equal(code, 2);
      assert.match(err, /no registry is set\..* set SKILL_REGISTRY_URL or --registry to http/);
      assert.doesNotMatch(err, /USER_TOKEN/);
      assert.equal(other.requests.length, before);
    });
  }

  for (const args of [["search"], ["show", "word-tally"], ["types", "word-tally"], ["check"]]) {
    it(`lets ${args[0]} read the file's registry without any credential`, async () => {
      await writeEnvironments(other.baseUrl);
      await write(
        ".skill-registry/policy.json",
        '{ "format": 1, "criteria": { "safe": { "description": "Safe" } }, "require": ["safe"] }',
      );
      const before = other.requests.length;
      const token = { SKILL_REGISTRY_USER_TOKEN: `shub_user_${"0123456789abcdef".repeat(4)}` };
      const { err } = await run([...args, "--environment", "staging"], { ...ofCi(), ...token });
      await rm(path(".skill-registry/policy.json"));
      assert.match(err, /Environment staging: .*, without any key/);
      const asked = other.requests.slice(before);
      assert.ok(asked.length > 0, err);
      assert.ok(asked.every(({ headers }) => headers.authorization === undefined));
    });
  }

  it("mentions on a terminal where the address comes from, and nothing elsewhere", async () => {
    const url = staging.baseUrl;
    const env = { SKILL_REGISTRY_URL: url };
    const atTerminal = (args: string[], env: Record<string, string>) =>
      run(args, env, undefined, "", undefined, []);
    const byVariable = await atTerminal(["search"], env);
    assert.ok(
      byVariable.err.startsWith(`Registry: ${url} (SKILL_REGISTRY_URL).\n`),
      byVariable.err,
    );
    const byOption = await atTerminal(["search", "--registry", url], {});
    assert.ok(byOption.err.startsWith(`Registry: ${url} (--registry).\n`), byOption.err);
    assert.equal((await run(["search"], env)).err, "");
  });

  it("runs suites with its values", async () => {
    const suite = {
      format: 1,
      skill: "word-tally",
      cases: [
        {
          name: "a",
          payload: { text: "{{customer}}" },
          expect: { output: { "/echo/text": "c-17" } },
        },
      ],
    };
    await write("suites/word-tally.skill-suite.json", JSON.stringify(suite));
    const args = [
      "test",
      "suites",
      "--environment",
      "staging",
      "--live",
      "--yes",
      "--format",
      "json",
    ];
    const { code, out, err } = await run(args, ofCi());
    assert.equal(code, 0, out + err);
    assert.deepEqual(JSON.parse(sentTo(staging).at(-1)?.body ?? "").input, { text: "c-17" });
  });

  it("sends its values with each line of a run, whose journal has no secret", async () => {
    await write("lines.jsonl", `${payload}\n`);
    const args = [
      "run",
      "lines.jsonl",
      "--skill",
      "word-tally",
      "--environment",
      "staging",
      "--yes",
    ];
    const { code, err } = await run([...args, "--journal", "run.journal"], ofCi());
    assert.equal(code, 0, err);
    const { text } = JSON.parse(sentTo(staging).at(-1)?.body ?? "").input;
    assert.equal(text, `c-17: ${canary}`);
    assert.ok(!(await readFile(path("run.journal"), "utf8")).includes("s3cret"));
  });

  const doubtful = { text: "{{custmer}} {{greeting}}" };
  const casesOf = (...payloads: object[]) =>
    JSON.stringify({
      format: 1,
      skill: "word-tally",
      cases: payloads.map((payload, index) => ({ name: `case ${index}`, payload })),
    });
  for (const [command, file, text] of [
    ["validate", "word-tally.skill-input.json", JSON.stringify(doubtful)],
    ["invoke --yes", "word-tally.skill-input.json", JSON.stringify(doubtful)],
    ["run --yes --skill word-tally", "doubts.jsonl", `${JSON.stringify(doubtful)}\n`.repeat(3)],
    ["test", "doubts/word-tally.skill-suite.json", casesOf(doubtful, doubtful)],
  ] as const) {
    it(`names the words that ${command.split(" ")[0]} sends as text, each once`, async () => {
      await write(file, text);
      const args = [...command.split(" "), file, "--environment", "staging"];
      const { code, out, err } = await run(args, ofCi());
      assert.equal(code, 0, out + err);
      const found = `${out}${err}`.split("\n").filter((line) => line.includes("sent as text"));
      assert.deepEqual(
        found.map((line) => /(warning|note): .*?(\{\{\w+\}\}) is sent/.exec(line)?.slice(1)),
        [
          ["warning", "{{custmer}}"],
          ["note", "{{greeting}}"],
        ],
      );
      assert.ok(
        found.every((line) => line.startsWith(`${file}:1:`)),
        found.join("\n"),
      );
    });
  }

  const refusals: readonly (readonly [
    string,
    readonly string[],
    Record<string, string>,
    RegExp,
  ])[] = [
    ["without an environment", [], {}, /Choose an environment, such as staging/],
    [
      "whose secret has no value",
      ["--environment", "staging"],
      { SKILL_REGISTRY_SECRET_MAILTOKEN: "" },
      /The secret mailToken has no value of at least 8 characters in SKILL_REGISTRY_SECRET_MAILTOKEN/,
    ],
    [
      "whose secret is too short to be redacted",
      ["--environment", "staging"],
      { SKILL_REGISTRY_SECRET_MAILTOKEN: "short" },
      /The secret mailToken has no value of at least 8 characters/,
    ],
  ];
  for (const [title, args, env, problem] of refusals) {
    it(`sends no payload with placeholders ${title}`, async () => {
      const before = sentTo(staging).length;
      const { code, err } = await invoke({ ...ofCi(), ...env }, ...args);
      assert.equal(code, 1);
      assert.match(err, problem);
      assert.equal(sentTo(staging).length, before);
    });
  }

  it("is an error with the existing names if the file does not have it", async () => {
    const { code, err } = await invoke(ofCi(), "--environment", "stagin");
    assert.equal(code, 2);
    assert.match(err, /has no environment stagin\. Did you mean staging\?/);
  });

  it("of a broken file is an error with its line; without --environment, placeholders are not sent as text", async () => {
    await write(".skill-registry/environments.json", '{ "format": 1,\n  "environments": [] }');
    const asked = await invoke(ofCi(), "--environment", "staging");
    assert.equal(asked.code, 2);
    assert.match(asked.err, /environments\.json:2:\d+/);
    const { code, err } = await invoke(ofCi());
    assert.equal(code, 1);
    assert.match(err, /environments\.json, line 2: /);
  });

  it("does not change a payload without declared names, byte for byte", async () => {
    const text = '{ "text" : "{{other}} {{ customer }}\\u0041" }';
    await write("word-tally.skill-input.json", text);
    const { code, err } = await invoke(ofCi());
    assert.equal(code, 0, err);
    assert.ok(sentTo(staging).at(-1)?.body.includes(text));
  });
});

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile());
  return Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), "latin1")));
}
