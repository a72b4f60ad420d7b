import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { parse } from "yaml";
import {
  type CiService,
  ciServices,
  ciWorkflow,
  type PublishedCli,
  readPublishedCli,
} from "../../../../src/core/review/ciWorkflow";
import { skipWithout } from "../../../fixtures/tools";
import { startDriftingRegistry } from "../../cli/driftingRegistry";
import { cliFolder } from "../../cli/runTestCli";

interface Step {
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Github {
  readonly permissions: unknown;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly if?: string;
        readonly steps: readonly Step[];
      }
    >
  >;
}

const url = "https://registry.example/a/?b=$%7B%7B#'\":";
// Neither service may read a part of it as a variable or an expression.
const plainUrl = "https://registry.example/a/?b=%24%7B%7B#'%22:";
const cli: PublishedCli = {
  name: "skill-registry-cli",
  version: "1.2.3",
  file: { url: "https://sources.example/releases/cli.tgz", sha256: "ab".repeat(32) },
};
const githubFor = (registryUrl: string): Github =>
  parse(ciWorkflow("github", { registryUrl, cli }));

/** Returns the arguments of every command in a workflow, as the shell passes them. */
function commandsOf(service: CiService): readonly (readonly string[])[] {
  const text = ciWorkflow(service, { registryUrl: "built-in", cli });
  const commands = [...text.matchAll(/ npx --yes skill-registry-cli@1\.2\.3 (.*)$/gm)];
  return commands.map(([, args = ""]) => args.replace(/ > \w+\.xml$/, "").split(" "));
}

describe("the CI workflow", () => {
  const withSuites = "hashFiles('**/*.skill-suite.json') != ''";
  const reviews = [".skill-registry/policy.json", ".skill-registry/reviews.json"];
  const withReviews = `hashFiles('${reviews.join("', '")}') != ''`;

  it("is YAML that runs check and the suites, and invokes only on demand", () => {
    const { jobs, env, permissions } = githubFor(url);
    assert.deepEqual(permissions, { contents: "read" });
    assert.deepEqual(env, { SKILL_REGISTRY_URL: plainUrl });
    assert.deepEqual(Object.keys(jobs), ["check", "test", "live"]);
    assert.equal(jobs["live"]?.if, "github.event_name == 'workflow_dispatch'");
    // These steps are conditional, since a repository may have no suites or no reviews.
    assert.deepEqual(
      Object.values(jobs).map(({ steps }) => steps.flatMap((step) => step.if ?? [])),
      [[withReviews], [withSuites], [withSuites]],
    );
  });

  it("runs for pushes to the repository's default branch of any name", () => {
    const text = ciWorkflow("github", { registryUrl: "built-in", cli });
    assert.equal(parse(text).on.push, null);
    const { jobs } = githubFor("built-in");
    for (const name of ["check", "test"]) {
      assert.equal(
        jobs[name]?.if,
        "github.event_name != 'push' || github.ref_name == github.event.repository.default_branch",
      );
    }
    assert.doesNotMatch(text, /\bmain\b/);
  });

  it("names the Project Key's secret only where skills are invoked", () => {
    const { jobs } = githubFor("built-in");
    const withKey = Object.entries(jobs).filter(([, { steps }]) =>
      steps.some(({ env }) => env !== undefined),
    );
    assert.deepEqual(
      withKey.map(([name]) => name),
      ["live"],
    );
    assert.deepEqual(jobs["live"]?.steps.at(-1)?.env, {
      SKILL_REGISTRY_PROJECT_KEY: `$\{{ secrets.SKILL_REGISTRY_PROJECT_KEY }}`,
    });
    assert.deepEqual(githubFor("built-in").env, { SKILL_REGISTRY_URL: "built-in" });
  });

  it("is YAML for GitLab too", () => {
    const read = parse(ciWorkflow("gitlab", { registryUrl: url, cli }));
    assert.equal(read.variables.SKILL_REGISTRY_URL, plainUrl);
    const exists = ["**/*.skill-suite.json"];
    assert.deepEqual(read["skill-registry-test"].rules, [{ exists }]);
    assert.deepEqual(read["skill-registry-live"].rules, [
      { exists, when: "manual", allow_failure: true },
    ]);
    assert.deepEqual(read["skill-registry-check"].rules, [{ exists: reviews }]);
    assert.equal(read["skill-registry-check"].artifacts.reports.junit, "check.xml");
  });

  it("downloads the command line without npm, and fails if the file has another hash", async function () {
    skipWithout(this, "bash", "curl");
    const folder = await mkdtemp(join(tmpdir(), "workflow-"));
    try {
      await mkdir(join(folder, "package/dist"), { recursive: true });
      await writeFile(join(folder, "package/dist/cli.js"), "console.log(process.argv[2])");
      spawnSync("tar", ["-czf", "cli.tgz", "package"], { cwd: folder });
      const sha256 = createHash("sha256")
        .update(await readFile(join(folder, "cli.tgz")))
        .digest("hex");
      for (const service of ciServices) {
        const run = (hash: string) => {
          const file = { url: "https://sources.example/cli.tgz", sha256: hash };
          const options = { registryUrl: "built-in", cli: { ...cli, file }, isDownloaded: true };
          const text = ciWorkflow(service, options);
          assert.doesNotMatch(text, /npx/);
          const workflow = parse(text);
          const lines: readonly string[] =
            service === "github"
              ? workflow.jobs.check.steps.flatMap((step: Step) => step.run ?? [])
              : [
                  ...workflow["skill-registry-check"].before_script,
                  ...workflow["skill-registry-check"].script,
                ];
          const shell = lines
            .join("\n")
            .replaceAll("/tmp/skill-registry", join(folder, "setup"))
            .replaceAll("https://", "file://")
            .replaceAll("sources.example", folder);
          return spawnSync("bash", ["-ec", shell], { cwd: folder, encoding: "utf8" });
        };
        const good = run(sha256);
        assert.equal(good.status, 0, good.stderr);
        assert.notEqual(run("0".repeat(64)).status, 0);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("uses a name, a version, an address and a hash of the build that are safe in a shell", () => {
    assert.deepEqual(readPublishedCli(JSON.stringify(cli)), cli);
    const { file: _, ...unreleased } = cli;
    assert.deepEqual(readPublishedCli(JSON.stringify(unreleased)), unreleased);
    for (const bad of [
      { name: "a; b" },
      { version: "1.2.3; b" },
      { version: undefined },
      { file: { url: "https://a.example/$(b)", sha256: "ab".repeat(32) } },
      { file: { url: "http://a.example/b", sha256: "ab".repeat(32) } },
      { file: { url: "https://a.example/b", sha256: "ab" } },
    ]) {
      assert.equal(readPublishedCli(JSON.stringify({ ...cli, ...bad })), undefined);
    }
    assert.equal(readPublishedCli("{"), undefined);
  });

  it("lets no address inject a command or an expression", () => {
    for (const hostile of [
      'https://registry.example/"\n  evil: "x',
      `https://registry.example/$\{{ secrets.OTHER }}`,
      `https://registry.example/?$\{{ github.token }}#$\{{ x }}`,
    ]) {
      const text = ciWorkflow("github", { registryUrl: hostile, cli });
      assert.deepEqual(
        [...text.matchAll(/\$\{\{.*?\}\}/g)].map(([one]) => one),
        [`$\{{ secrets.SKILL_REGISTRY_PROJECT_KEY }}`],
      );
      assert.equal(Object.keys(parse(text)).length, 5);
    }
  });
});

describe("the commands of a workflow", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  before(async () => {
    registry = await startDriftingRegistry();
    await folder.run(["review", "text-stats", "--registry", registry.url, "--who", "Ann"]);
    const cases = Array.from({ length: 9 }, (_, index) => ({
      name: `case ${index}`,
      payload: { text: "a b" },
    }));
    const suite = { format: 1, skill: "text-stats", cases };
    await writeFile(folder.path("a.skill-suite.json"), JSON.stringify(suite));
  });
  after(() => registry.close());
  const run = (args: readonly string[]) =>
    folder.run(args, {
      SKILL_REGISTRY_URL: registry.url,
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    });

  for (const service of ciServices) {
    it(`are accepted by the command line: ${service}`, async () => {
      const commands = commandsOf(service);
      assert.deepEqual(
        commands.map(([name]) => name),
        ["check", "types", "test", "test"],
      );
      for (const args of commands) {
        const { code, out, err } = await run(args);
        assert.equal(code, 0, `${args.join(" ")}\n${out}${err}`);
      }
    });
  }

  it("run each case in one shard, and succeed in a shard without cases", async () => {
    const parts = [1, 2, 3].map((part) =>
      run(["test", "--shard", `${part}/3`, "--format", "json"]),
    );
    const names = (await Promise.all(parts)).flatMap(({ out }) =>
      JSON.parse(out).items.map(({ name }: { name: string }) => name),
    );
    assert.deepEqual(
      names.toSorted(),
      Array.from({ length: 9 }, (_, index) => `a.skill-suite.json: case ${index}`),
    );
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, part) => run(["test", "--shard", `${part + 1}/30`])),
    );
    assert.ok(codes.every(({ code }) => code === 0));
    assert.equal((await run(["test", "--shard", "4/3"])).code, 2);
  });
});
