import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { commands } from "../../../src/cli/cli";
import { runCommand } from "../../../src/cli/program/runCommand";
import { threadsIn } from "../../../src/cli/program/threads";
import { driftingCli } from "./driftingCli";

describe("the command line", () => {
  const bench = driftingCli();
  const { folder, run } = bench;

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
    [["work", "text-stats"], 2, /^A run no longer uses a queue: .*docs\/scale\.md explains\.\n$/],
    [
      ["run", "a.jsonl", "--queue=redis://a"],
      2,
      /^A run no longer uses a queue: .*docs\/scale\.md/,
    ],
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

  it("has help for every command, in lines of at most 100 characters", async () => {
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
    assert.match(
      misspelt.err,
      /: This registry has no skill “txt-stats”\. Did you mean text-stats\?$/m,
    );
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
    bench.registry.change("search", (body) => ({
      ...body,
      skills: (body["skills"] as object[]).map((skill, at) =>
        at === 0
          ? { ...skill, permissionLevel: "low", permissions: { filesystem: "write" } }
          : { ...skill, permissionLevel: "low" },
      ),
    }));
    const table = await run("search");
    const listed = JSON.parse((await run("search", "--format", "json")).out);
    bench.registry.restore();
    assert.match(table.out, / high \(registry: low\) /);
    const [first, second] = listed.skills;
    assert.deepEqual([first.permissionLevel, first.permissionLevelFrom], ["high", "permissions"]);
    assert.deepEqual([second.permissionLevel, second.permissionLevelFrom], ["low", "listing"]);
  });

  it("escapes control sequences of a registry", async () => {
    bench.registry.change("json-diff", (body) => ({
      ...body,
      displayName: "\u001b[2Jgone",
      publisher: { name: "\u202eevil" },
    }));
    const { out } = await run("show", "json-diff");
    bench.registry.restore();
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
      bench.registry.change("json-diff", (body) => ({ ...body, ...renamed }));
      bench.registry.change("search", (body) => ({
        ...body,
        skills: (body["skills"] as object[]).map((skill) => ({ ...skill, ...renamed })),
      }));
      const { out, err } = await run(...args);
      bench.registry.restore();
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
    bench.registry.change("json-diff", (body) => ({
      ...body,
      displayName: key,
      description: `x ${key}`,
    }));
    const env = { SKILL_REGISTRY_PROJECT_KEY: key };
    for (const format of ["text", "json"]) {
      const args = ["show", "json-diff", "--registry", bench.registry.url, "--format", format];
      const { out, err } = await folder.run(args, env);
      assert.ok(out.length > 100 && !`${out}${err}`.includes(key), out);
    }
    bench.registry.restore();
    assert.doesNotMatch((await folder.run(["show", key, key], env)).err, /0123456789abcdef/);
  });

  it("uses the registry of the environment variable, or else starts the built-in one", async () => {
    const env = { SKILL_REGISTRY_URL: bench.registry.url };
    assert.equal((await folder.run(["show", "text-stats"], env)).code, 0);
    assert.equal((await folder.run(["show", "text-stats"])).code, 0);
    const elsewhere = { SKILL_REGISTRY_URL: "http://127.0.0.1:1" };
    assert.equal((await folder.run(["show", "text-stats"], elsewhere)).code, 3);
    const chosen = ["show", "text-stats", "--registry", "built-in"];
    assert.equal((await folder.run(chosen, elsewhere)).code, 0);
  });
});
