import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "mocha";
import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { cliFolder } from "./runTestCli";

interface Installed {
  readonly skillSlug: string;
  readonly policy: object;
  readonly usage: object;
}

const spent = (one: Installed) => ({
  ...one,
  policy: { ...one.policy, monthlyBudgetCents: 10 },
  usage: { ...one.usage, grossCents: 4, currency: "USD" },
});

describe("the project's budget on the command line", () => {
  const folder = cliFolder();
  const ends: (() => unknown)[] = [];
  let [atOnce, most, together] = [0, 0, 1];
  let meet = () => {};
  let env: Record<string, string>;
  let server: TestRegistry;
  let project = "";
  beforeEach(async () => {
    const local = await startLocalRegistry();
    server = await startTestRegistry({}, { behind: local });
    ends.push(
      () => server.close(),
      () => local.close(),
    );
    [atOnce, most] = [0, 0];
    const haveMet = new Promise<void>((resolve) => {
      meet = resolve;
    });
    server.answer("/v1/runtime/invoke", async ({ passOn }) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      if (atOnce === together) meet();
      await haveMet;
      // Gives further invocations the time to arrive.
      await delay(20);
      const answer = await passOn();
      atOnce -= 1;
      return answer;
    });
    // An invocation costs 2 cents, and 4 of 10 cents are spent.
    const projects = "/v1/developer/projects";
    const listed = await fetch(`${local.baseUrl}${projects}`, {
      headers: { authorization: `Bearer ${local.userTokens.owner}` },
    });
    const [first] = ((await listed.json()) as { readonly projects: { readonly slug: string }[] })
      .projects;
    project = first?.slug ?? "";
    server.answer(`${projects}/${project}`, async ({ passOn }) => {
      const answer = await passOn();
      const body: unknown = JSON.parse(answer.body, (key, value) =>
        key === "installedSkills" ? (value as readonly Installed[]).map(spent) : value,
      );
      return { ...answer, body: JSON.stringify(body) };
    });
    env = {
      SKILL_REGISTRY_URL: server.baseUrl,
      SKILL_REGISTRY_PROJECT_KEY: local.projectKey,
      SKILL_REGISTRY_USER_TOKEN: local.userTokens.owner,
    };
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const texts = Array.from({ length: 12 }, (_, n) => `{"text":"Mail ${n}@example.com"}`);

  /** Answers once so many invocations are running at the same time. */
  const answerOnce = (count: number) => {
    together = count;
  };

  it("limits how many lines of run are in progress", async () => {
    answerOnce(3);
    await writeFile(folder.path("redact-pii.jsonl"), `${texts.join("\n")}\n`);
    const { err } = await folder.run(["run", "redact-pii.jsonl", "--yes", "--jobs", "8"], env);
    assert.equal(most, 3, err);
  });

  it("limits how many cases of a suite are in progress", async () => {
    answerOnce(3);
    const cases = texts.map((text, n) => ({ name: `case ${n}`, payload: JSON.parse(text) }));
    const suite = { format: 1, skill: "redact-pii", cases };
    await writeFile(folder.path("pii.skill-suite.json"), JSON.stringify(suite));
    const args = ["test", "pii.skill-suite.json", "--live", "--yes", "--jobs", "8"];
    const { err } = await folder.run(args, env);
    assert.equal(most, 3, err);
  });

  it("is unknown if nobody is signed in, so that lines are sent one at a time", async () => {
    answerOnce(1);
    await writeFile(folder.path("redact-pii.jsonl"), `${texts.join("\n")}\n`);
    const { SKILL_REGISTRY_USER_TOKEN: _, ...keyAlone } = env;
    const args = ["run", "redact-pii.jsonl", "--yes", "--journal", "alone.journal"];
    const { err } = await folder.run(args, keyAlone);
    assert.equal(most, 1, err);
  });

  it("is unknown if the key may belong to another project, so that lines are sent one at a time", async () => {
    answerOnce(1);
    await writeFile(folder.path("redact-pii.jsonl"), `${texts.join("\n")}\n`);
    server.answer("/mcp", { status: 404 });
    const { err } = await folder.run(
      ["run", "redact-pii.jsonl", "--yes", "--journal", "other.journal", "--project", project],
      {
        ...env,
        SKILL_REGISTRY_PROJECT_KEY: "skh_".padEnd(68, "0"),
      },
    );
    assert.equal(most, 1, err);
  });

  it("is found by the key's last characters if the registry lists nothing for the key", async () => {
    answerOnce(3);
    await writeFile(folder.path("redact-pii.jsonl"), `${texts.join("\n")}\n`);
    server.answer("/mcp", { status: 404 });
    const own = ["--journal", "own.journal", "--project", project];
    const args = ["run", "redact-pii.jsonl", "--yes", "--jobs", "8", ...own];
    const { err } = await folder.run(args, env);
    assert.equal(most, 3, err);
  });
});
