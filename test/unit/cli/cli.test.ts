import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { commands } from "../../../src/cli/cli";
import { findTeamRoot } from "../../../src/cli/files/teamFolder";
import { runCommand } from "../../../src/cli/program/runCommand";
import { threadsIn } from "../../../src/cli/program/threads";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";
import { startDriftingRegistry } from "./driftingRegistry";
import { buildProgram, cliFolder } from "./runTestCli";

describe("the command line", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  before(async () => {
    registry = await startDriftingRegistry();
  });
  after(() => registry.close());
  const run = (...args: string[]) => folder.run([...args, "--registry", registry.url]);

  const wrong: readonly (readonly [args: string[], code: number, err: RegExp])[] = [
    [
      ["serch"],
      2,
      /^Unknown command "serch"\. Did you mean search\?\nSee: skill-registry --help\n$/,
    ],
    [
      ["--registry", "built-in", "search"],
      2,
      /^Unknown command "--registry"\. Options come after the command\.\nSee: skill-registry --help\n$/,
    ],
    [
      ["search", "--limit", "0"],
      2,
      /^--limit expects a whole number of at least 1\.\nSee: skill-registry search --help\n$/,
    ],
    [["search", "--nope"], 2, /^Unknown option --nope\.\nSee: skill-registry search --help\n$/],
    [["search", "-q"], 2, /^Unknown option -q\.\n/],
    [["check", "--fromat=json"], 2, /^Unknown option --fromat\. Did you mean --format\?\n/],
    [["search", "--limit"], 2, /^--limit needs a value: --limit N\n/],
    [
      ["review", "text-stats", "--notes", "--whole"],
      2,
      /^--notes needs a value: --notes TEXT \(or --notes=--whole\)\.\n/,
    ],
    [["invoke", "text-stats", "a.json", "--yes=no"], 2, /^--yes does not take a value\.\n/],
    [["check", "gone"], 2, /^gone could not be read: no such file \(ENOENT\)\.\n$/],
    [["check", ".", "."], 2, /^Specify one folder\.\n/],
    [["search", "--format", "xml"], 2, /^--format expects one of text, json\./],
    [["show"], 2, /^Specify a skill: SLUG or SLUG@VERSION\./],
    [["show", "../etc"], 2, /^Specify a skill/],
    [
      ["show", "text-stats", "--registry", "http://example.com"],
      2,
      /^--registry: Use https:\/\/ for this registry/,
    ],
    [
      ["show", "text-stats", "--registry", "http://127.0.0.1:1"],
      3,
      /^text-stats at http:\/\/127\.0\.0\.1:1: No server is listening at the registry's address/,
    ],
    [["search", "--registry", "registry.example"], 2, /^--registry: Start the address with https:/],
    [["validate"], 2, /^Specify files or folders\./],
    [["validate", "gone.json"], 2, /^gone\.json could not be read: no such file \(ENOENT\)\./],
  ];
  for (const [args, code, err] of wrong) {
    it(`ends with ${code} for: ${args.join(" ")}`, async () => {
      const ended = await folder.run(args);
      assert.match(ended.err, err);
      assert.deepEqual([ended.code, ended.out], [code, ""]);
    });
  }

  for (const word of ["::error::a", "  ::add-mask::a", "##vso[task.setvariable]a", "x ##[a]"]) {
    it(`writes nothing that a CI machine would run as a command: ${word}`, async () => {
      for (const args of [
        ["validate", word],
        ["validate", `a\r${word}`],
        ["check", word],
      ]) {
        const { code, out, err } = await folder.run(args);
        assert.equal(code, 2);
        assert.doesNotMatch(out + err, /^\s*::|##\w*\[/m);
        assert.match(out + err, /error|add-mask|vso|\[a\]/);
      }
    });
  }

  it("writes no carriage return into JUnit", async () => {
    await writeFile(folder.path("a\r::error::b.skill-input.json"), "[");
    const { out } = await run("validate", ".", "--format", "junit");
    await rm(folder.path("a\r::error::b.skill-input.json"));
    assert.ok(out.includes("a&#13;::error::b"), out);
    assert.ok(!out.includes("\r"));
  });

  for (const [name, secret] of [
    ["SKILL_REGISTRY_PROJECT_KEY", "skh_bearer_0123456789"],
    ["SKILL_REGISTRY_USER_TOKEN", "shub_user_bearer_0123456789"],
  ] as const) {
    for (const given of [secret, `Bearer ${secret}`, ` bearer  ${secret} `]) {
      it(`redacts its whole output: ${name}=${JSON.stringify(given)}`, async () => {
        const { err } = await folder.run([secret], { [name]: given });
        assert.match(err, /^Unknown command "\[(Project Key|User Token)\]"/);
      });
    }
  }

  it("redacts unexpected errors, and ends with 2", async () => {
    const key = "skh_bug_0123456789abcdef";
    let err = "";
    const code = await runCommand(commands, ["--help"], {
      env: { SKILL_REGISTRY_PROJECT_KEY: key },
      cwd: folder.path(),
      program: [],
      threads: threadsIn(""),
      out: () => {
        throw new Error(`About ${key}`);
      },
      err: (text) => {
        err += text;
      },
      signal: new AbortController().signal,
    });
    assert.match(err, /^An unexpected error occurred: Error: About \[Project Key\]\n\s+at /);
    assert.equal(code, 2);
  });

  it("has help for every command that fits a terminal", async () => {
    const { out } = await folder.run(["--help"]);
    const names = [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = ""]) => name);
    assert.ok(names.length > 4);
    for (const name of names) {
      const help = await folder.run([name, "--help"]);
      assert.equal(help.code, 0);
      assert.match(help.out, new RegExp(`^Usage: skill-registry ${name} `));
      assert.match(help.out, new RegExp(`^Examples:\n {2}# .+\n {2}.*skill-registry ${name}`, "m"));
      assert.deepEqual(await folder.run(["help", name]), help);
      for (const line of `${out}${help.out}`.split("\n")) assert.ok(line.length <= 100, line);
      const [, formats] =
        /--format FORMAT [^.]+\. One of ([^.]*)\./.exec(help.out.replace(/\s+/g, " ")) ?? [];
      if (formats === undefined) continue;
      const other = await folder.run([name, "--format", "other"]);
      assert.match(other.err, new RegExp(`^--format expects one of ${formats}\\.`));
    }
  });

  it("lists skills by their filters, and ends with 4 if none fits", async () => {
    const found = await run("search", "csv", "--permission", "low");
    assert.match(found.out, /^SLUG +VERSION .*\ncsv-profile +2\.0\.0 +verified +low /);
    const { skills } = JSON.parse((await run("search", "--limit", "3", "--format", "json")).out);
    assert.equal(skills.length, 3);
    assert.deepEqual(await run("search", "no such thing"), {
      code: 4,
      out: "Nothing matched.\n",
      err: "",
    });
  });

  it("names the most similar skill, and the parts that the registry does not return", async () => {
    const misspelt = await run("show", "txt-stats");
    assert.match(misspelt.err, /^txt-stats at .* Did you mean text-stats\?$/m);
    assert.equal(misspelt.code, 4);
    const version = await run("show", "text-stats@9.9.9");
    assert.match(version.err, /text-stats has no such version/);
    assert.doesNotMatch(version.err, /Did you mean/);
    assert.doesNotMatch((await run("show", "nothing-like-it")).err, /Did you mean/);
  });

  it("mentions once that there is no file to check", async () => {
    const { path } = folder;
    await mkdir(path("none"), { recursive: true });
    for (const [name, kind] of [
      ["validate", "input"],
      ["test", "suite"],
    ] as const) {
      const { code, out, err } = await folder.run([name, "none"]);
      assert.deepEqual([code, out, err], [4, `No *.skill-${kind}.json files in none.\n`, ""]);
      const here = await folder.run([name, "."], {}, undefined, "none");
      assert.equal(here.out, `No *.skill-${kind}.json files in this folder.\n`);
    }
  });

  it("prints its version for each way to ask for it", async () => {
    const shown = await Promise.all(
      ["--version", "-v", "-V", "version"].map((option) => run(option)),
    );
    assert.equal(new Set(shown.map(({ out }) => out)).size, 1);
    assert.match(shown[0]?.out ?? "", /^\d+\.\d+\.\d+\n$/);
  });

  it("names the usual values if a filter has an unusual one and nothing matches", async () => {
    const { code, err } = await run("search", "--permission", "lo", "--verification", "verified");
    assert.deepEqual(
      [code, err],
      [4, "Unusual --permission lo. Usual values: low, medium or high.\n"],
    );
  });

  it("shows a skill with the hash of its contract", async () => {
    const { out } = await run("show", "text-stats");
    assert.match(out, /^Permissions: +compute only$/m);
    assert.match((await run("show", "draft-writer")).out, /^Author: +\S/m);
    assert.match(out, /^Contract: +contract-v1:sha256-[0-9a-f]{64}$/m);
    const shown = JSON.parse((await run("show", "text-stats", "--format", "json")).out);
    assert.equal(shown.contract.contract.publisher, "plainworks");
    assert.equal((await run("show", "text-stats@7.0.0")).code, 4);
  });

  it("lists the permissions' level beside the registry's own, and in JSON its basis", async () => {
    registry.change("search", (body) => ({
      ...body,
      skills: (body["skills"] as object[]).map((skill, at) =>
        at === 0
          ? { ...skill, permissionLevel: "low", permissions: { filesystem: "write" } }
          : { ...skill, permissionLevel: "low" },
      ),
    }));
    const table = await run("search");
    const listed = JSON.parse((await run("search", "--format", "json")).out);
    registry.restore();
    assert.match(table.out, / high \(registry: low\) /);
    const [first, second] = listed.skills;
    assert.deepEqual([first.permissionLevel, first.permissionLevelFrom], ["high", "permissions"]);
    assert.deepEqual([second.permissionLevel, second.permissionLevelFrom], ["low", "listing"]);
  });

  it("escapes control sequences of a registry", async () => {
    registry.change("json-diff", (body) => ({
      ...body,
      displayName: "\u001b[2Jgone",
      publisher: { name: "\u202eevil" },
    }));
    const { out } = await run("show", "json-diff");
    registry.restore();
    assert.ok(out.includes("\\u001B[2Jgone") && out.includes("\\u202E"), out);
    assert.ok(!out.includes("\u001b") && !out.includes("\u202e"));
  });

  const hostile = "\u009b2J\u202e\u2066\u200f\u001b]0;x\u0007\u007f\r\nspoofed\rspoofed";
  const written: readonly (readonly [args: string[], exact: boolean])[] = [
    [["show", "json-diff", "--format", "json"], true],
    [["search", "json", "--format", "json"], true],
    [["search", "json"], false],
    [["ready", "json-diff"], false],
    [["ready", "json-diff", "--format", "junit"], false],
  ];
  for (const [args, isExact] of written) {
    it(`writes no control sequences: ${args.join(" ")}`, async () => {
      const renamed = { displayName: hostile, version: hostile, category: hostile };
      registry.change("json-diff", (body) => ({ ...body, ...renamed }));
      registry.change("search", (body) => ({
        ...body,
        skills: (body["skills"] as object[]).map((skill) => ({ ...skill, ...renamed })),
      }));
      const { out, err } = await run(...args);
      registry.restore();
      assert.ok(out.length > 100, `${out}${err}`);
      assert.doesNotMatch(
        `${out}${err}`,
        /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u,
      );
      assert.doesNotMatch(`${out}${err}`, /^spoofed/m);
      if (isExact) assert.ok(JSON.stringify(JSON.parse(out)).includes(hostile.slice(0, 2)));
    });
  }

  it("never writes a secret of the environment, whatever its source", async () => {
    const key = "skh_0123456789abcdef0123456789abcdef";
    registry.change("json-diff", (body) => ({
      ...body,
      displayName: key,
      description: `x ${key}`,
    }));
    const env = { SKILL_REGISTRY_PROJECT_KEY: key };
    for (const format of ["text", "json"]) {
      const args = ["show", "json-diff", "--registry", registry.url, "--format", format];
      const { out, err } = await folder.run(args, env);
      assert.ok(out.length > 100 && !`${out}${err}`.includes(key), out);
    }
    registry.restore();
    assert.doesNotMatch((await folder.run(["show", key, key], env)).err, /0123456789abcdef/);
  });

  it("uses the registry of the environment variable, or else starts the built-in one", async () => {
    const env = { SKILL_REGISTRY_URL: registry.url };
    assert.equal((await folder.run(["show", "text-stats"], env)).code, 0);
    assert.equal((await folder.run(["show", "text-stats"])).code, 0);
    const elsewhere = { SKILL_REGISTRY_URL: "http://127.0.0.1:1" };
    assert.equal((await folder.run(["show", "text-stats"], elsewhere)).code, 3);
    const chosen = ["show", "text-stats", "--registry", "built-in"];
    assert.equal((await folder.run(chosen, elsewhere)).code, 0);
  });

  describe("validate", () => {
    before(async () => {
      await mkdir(folder.path("data/node_modules"), { recursive: true });
      const write = (name: string, text: string) => writeFile(folder.path(`data/${name}`), text);
      await write("text-stats.skill-input.json", '{ "text": "a" }');
      await write("text-stats.bad.skill-input.json", '{\n  "text": 1,\n  "topWord": 2\n}\n');
      await write("node_modules/text-stats.skill-input.json", "[");
      await write("other.json", "[1]");
    });

    it("prints file, line, column, problem and keyword", async () => {
      const { code, out } = await run("validate", "data");
      assert.equal(code, 1);
      assert.match(out, /^data\/text-stats\.bad\.skill-input\.json:2:11: error: .* \(type\)$/m);
      assert.match(
        out,
        /^data\/text-stats\.bad\.skill-input\.json:3:3: error: .* \(additionalProperties\)$/m,
      );
      assert.match(out, /\n1 passed, 1 with findings\.\n$/);
    });

    it("writes annotations at line and column", async () => {
      const { out } = await run("validate", "data", "--format", "github");
      assert.match(
        out,
        /^::error file=data\/text-stats\.bad\.skill-input\.json,line=2,col=11,endLine=2,endColumn=12,title=type::/m,
      );
      const sarif = JSON.parse((await run("validate", "data", "--format", "sarif")).out);
      assert.deepEqual(sarif.runs[0].results[0].locations[0].physicalLocation.region, {
        startLine: 2,
        startColumn: 11,
        endLine: 2,
        endColumn: 12,
      });
    });

    it("writes annotations relative to the repository, from any folder", async () => {
      await mkdir(folder.path(".git"));
      const below = (format: string) =>
        folder.run(
          ["validate", ".", "--format", format, "--registry", registry.url],
          {},
          undefined,
          "data",
        );
      const [github, sarif, text] = await Promise.all(["github", "sarif", "text"].map(below));
      await rm(folder.path(".git"), { recursive: true });
      assert.match(github?.out ?? "", /^::error file=data\/text-stats\.bad\.skill-input\.json,/m);
      const [first] = JSON.parse(sarif?.out ?? "").runs[0].results;
      assert.equal(
        first.locations[0].physicalLocation.artifactLocation.uri,
        "data/text-stats.bad.skill-input.json",
      );
      assert.match(text?.out ?? "", /^text-stats\.bad\.skill-input\.json:2:11: /m);
    });

    it("requests the skill alone, since only its schema is needed", async () => {
      const runtime = { type: "http", entrypoint: "https://run.example/" };
      const schemas = { inputSchema: { type: "object" }, outputSchema: true };
      const server = await startTestRegistry({
        "/v1/skills/text-stats": {
          body: { name: "text-stats", version: "1.0.0", runtime, ...schemas },
        },
        "**": "never",
      });
      const file = "data/text-stats.skill-input.json";
      const { code } = await folder.run(["validate", file, "--registry", server.baseUrl]);
      await server.close();
      const asked = server.requests.map(({ path }) => path);
      assert.deepEqual([code, asked], [0, ["/v1/skills/text-stats"]]);
    });

    it("reads the standard input for a named skill", async () => {
      const unnamed = await run("validate", "-");
      assert.equal(unnamed.code, 2);
      assert.match(unnamed.err, /^Name the skill of the standard input with --skill\./);
      const program = await buildProgram();
      const check = (input: string, ...more: string[]) => {
        const args = [program, "validate", "-", "--skill", "text-stats", "--registry", "built-in"];
        return spawnSync(process.execPath, [...args, ...more], { input, encoding: "utf8" });
      };
      assert.equal(check('{"text":"a"}').status, 0);
      const wrong = check('{"text":1}', "--format", "github");
      assert.equal(wrong.status, 1);
      assert.match(wrong.stdout, /^::error line=1,col=9,/);
    });

    const states: readonly (readonly [args: string[], code: number])[] = [
      [["data/*stats.skill-input.json"], 0],
      [["data/text-stats.skill-input.json"], 0],
      [["data/other.json"], 2],
      [["data/other.json", "--skill", "text-stats"], 1],
      [["data/other.json", "--skill", "no-such-skill"], 3],
      [["data/node_modules/text-stats.skill-input.json"], 1],
      [["."], 1],
      [["data", "--offline"], 2],
    ];
    for (const [args, code] of states) {
      it(`ends with ${code} for ${args.join(" ")}`, async () => {
        assert.equal((await run("validate", ...args)).code, code);
      });
    }

    it("names the command that checks a suite", async () => {
      await writeFile(folder.path("data/a.skill-suite.json"), "{}");
      const { code, out } = await run("validate", "data/a.skill-suite.json");
      await rm(folder.path("data/a.skill-suite.json"));
      assert.equal(code, 2);
      assert.match(out, /This is a suite\. Check it with `skill-registry test`\. \(file\)/);
    });

    it("uses the schema of the reviewed contract if the registry is unreachable", async () => {
      assert.equal((await run("review", "text-stats", "--who", "Ann")).code, 0);
      const { code, out } = await folder.run(["validate", "data", "--offline"], {
        SKILL_REGISTRY_URL: "http://127.0.0.1:1",
      });
      assert.equal(code, 1);
      assert.match(out, /\(additionalProperties\)/);
    });
  });
});

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
      /seems to hold a credential\..*Send it anyway with --secrets\.\n$/s,
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
      /^no-such-skill was not invoked\. http:\S+: Skill not found\.\n$/,
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

  it("makes no decision by a number of a schema that lost digits", async () => {
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
