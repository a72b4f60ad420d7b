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
        readonly steps: readonly Step[];
      }
    >
  >;
}

const url = "https://registry.example/a/?b=$%7B%7B#'\":";
// Neither service may take a part of it for a variable or an expression.
const plainUrl = "https://registry.example/a/?b=%24%7B%7B#'%22:";
const githubFor = (registryUrl: string): Github => parse(ciWorkflow("github", { registryUrl }));

/** The arguments of every command in a workflow, as the shell passes them. */
function commandsOf(service: CiService): readonly (readonly string[])[] {
  const text = ciWorkflow(service, { registryUrl: "built-in" });
  const commands = [...text.matchAll(/ node \.skill-registry\/bin\/cli\.js (.*)$/gm)];
  return commands.map(([, args = ""]) => args.replace(/ > \w+\.xml$/, "").split(" "));
}

describe("the workflow for a CI", () => {
  const withSuites = "hashFiles('**/*.skill-suite.json') != ''";
  const reviews = [".skill-registry/policy.json", ".skill-registry/reviews.json"];
  const withReviews = `hashFiles('${reviews.join("', '")}') != ''`;

  it("is YAML that runs check and the suites, and invokes only by hand", () => {
    const { jobs, env, permissions } = githubFor(url);
    assert.deepEqual(permissions, { contents: "read" });
    assert.deepEqual(env, { SKILL_REGISTRY_URL: plainUrl });
    assert.deepEqual(Object.keys(jobs), ["check", "test", "live"]);
    assert.equal(jobs["live"]?.if, "github.event_name == 'workflow_dispatch'");
    // A repository without suites has nothing to run, and one without reviews nothing to compare with.
    assert.deepEqual(
      Object.values(jobs).map(({ steps }) => steps.flatMap((step) => step.if ?? [])),
      [[withReviews], [withSuites], [withSuites]],
    );
  });

  it("runs for pushes to the repository's default branch, whatever it is called", () => {
    const text = ciWorkflow("github", { registryUrl: "built-in" });
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

  it("names the Project Key by its secret, where skills are invoked and nowhere else", () => {
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
    const read = parse(ciWorkflow("gitlab", { registryUrl: url }));
    assert.equal(read.variables.SKILL_REGISTRY_URL, plainUrl);
    const exists = ["**/*.skill-suite.json"];
    assert.deepEqual(read["skill-registry-test"].rules, [{ exists }]);
    assert.deepEqual(read["skill-registry-live"].rules, [
      { exists, when: "manual", allow_failure: true },
    ]);
    assert.deepEqual(read["skill-registry-check"].rules, [{ exists: reviews }]);
    assert.equal(read["skill-registry-check"].artifacts.reports.junit, "check.xml");
  });

  it("lets no address write a command or an expression into it", () => {
    for (const hostile of [
      'https://registry.example/"\n  evil: "x',
      `https://registry.example/$\{{ secrets.OTHER }}`,
      `https://registry.example/?$\{{ github.token }}#$\{{ x }}`,
    ]) {
      const text = ciWorkflow("github", { registryUrl: hostile });
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
    it(`are taken by the command line: ${service}`, async () => {
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

  it("run each case in one part where they are given one, and are good where it has none", async () => {
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
