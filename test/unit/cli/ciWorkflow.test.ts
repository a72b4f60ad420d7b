import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { parse } from "yaml";
import { type CiService, ciServices, ciWorkflow } from "../../../src/core/review/ciWorkflow";
import { startDriftingRegistry } from "./driftingRegistry";
import { cliFolder } from "./runTestCli";

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
        readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
        readonly steps: readonly Step[];
      }
    >
  >;
}

const version = "1.2.3";
const url = "https://registry.example/a/?b=$%7B%7B#'\":";
// Neither service may take a part of it for a variable or an expression.
const plainUrl = "https://registry.example/a/?b=%24%7B%7B#'%22:";
const githubFor = (registryUrl: string): Github =>
  parse(ciWorkflow("github", { version, registryUrl }));

/** The arguments of every command in a workflow, as the shell passes them for one part of three. */
function commandsOf(service: CiService): readonly (readonly string[])[] {
  const text = ciWorkflow(service, { version, registryUrl: "" });
  const commands = [...text.matchAll(/skill-registry" ?|" skill-registry (.*)$/gm)].flatMap(
    ([, args]) => (args === undefined ? [] : [args]),
  );
  return commands.map((args) =>
    args
      .replace(`$\{{ matrix.shard }}`, "1")
      .replace("$CI_NODE_INDEX/$CI_NODE_TOTAL", "1/3")
      .replace(/ > \w+\.xml$/, "")
      .split(" "),
  );
}

describe("the workflow for a CI", () => {
  const withSuites = "hashFiles('**/*.skill-suite.json') != ''";

  it("is YAML that runs check, the suites in parts, and invokes only by hand", () => {
    const { jobs, env, permissions } = githubFor(url);
    assert.deepEqual(permissions, { contents: "read" });
    assert.deepEqual(env, {
      SKILL_REGISTRY_PACKAGE: "file:.skill-registry/skill-registry-1.2.3.tgz",
      SKILL_REGISTRY_URL: plainUrl,
    });
    assert.deepEqual(Object.keys(jobs), ["check", "test", "live"]);
    assert.deepEqual(jobs["test"]?.strategy?.matrix.shard, [1, 2, 3]);
    assert.equal(jobs["live"]?.if, "github.event_name == 'workflow_dispatch'");
    // A repository without suites has nothing to run.
    assert.deepEqual(
      Object.values(jobs).map(({ steps }) => steps.at(-1)?.if),
      [undefined, withSuites, withSuites],
    );
  });

  it("names the Project Key by its secret, where skills are invoked and nowhere else", () => {
    const { jobs } = githubFor("");
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
    assert.ok(!("SKILL_REGISTRY_URL" in githubFor("").env), "the built-in registry needs none");
  });

  it("is YAML for GitLab too, with a job for each part", () => {
    const read = parse(ciWorkflow("gitlab", { version, registryUrl: url }));
    assert.equal(read.variables.SKILL_REGISTRY_URL, plainUrl);
    assert.equal(read["skill-registry-test"].parallel, 3);
    const exists = ["**/*.skill-suite.json"];
    assert.deepEqual(read["skill-registry-test"].rules, [{ exists }]);
    assert.deepEqual(read["skill-registry-live"].rules, [
      { exists, when: "manual", allow_failure: true },
    ]);
    assert.equal(read["skill-registry-check"].artifacts.reports.junit, "check.xml");
  });

  it("lets no address write a command or an expression into it", () => {
    for (const hostile of [
      'https://registry.example/"\n  evil: "x',
      `https://registry.example/$\{{ secrets.OTHER }}`,
      `https://registry.example/?$\{{ github.token }}#$\{{ x }}`,
    ]) {
      const text = ciWorkflow("github", { version, registryUrl: hostile });
      assert.deepEqual(
        [...text.matchAll(/\$\{\{.*?\}\}/g)].map(([one]) => one),
        [`$\{{ matrix.shard }}`, `$\{{ secrets.SKILL_REGISTRY_PROJECT_KEY }}`],
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
    it(`are taken by the command line: ${service}`, async () => {
      const commands = commandsOf(service);
      assert.deepEqual(
        commands.map(([name]) => name),
        ["check", "test", "test"],
      );
      for (const args of commands) {
        const { code, out, err } = await run(args);
        assert.equal(code, 0, `${args.join(" ")}\n${out}${err}`);
      }
    });
  }

  it("run each case in one part, and are good where a part has none", async () => {
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
