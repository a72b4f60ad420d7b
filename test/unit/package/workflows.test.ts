import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { parse } from "yaml";

const folder = ".github/workflows";

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Record<
    string,
    { permissions?: unknown; steps: readonly { uses?: string; run?: string }[] }
  >;
}

describe("the project's workflows", () => {
  const workflows = async () => {
    const names = await readdir(folder);
    return Promise.all(
      names.map(
        async (name) =>
          [name, parse(await readFile(join(folder, name), "utf8")) as Workflow] as const,
      ),
    );
  };

  it("pin every action to a commit, since a tag can be moved", async () => {
    let actions = 0;
    for (const [name, { jobs }] of await workflows()) {
      for (const { uses } of Object.values(jobs).flatMap(({ steps }) => steps)) {
        if (uses === undefined) continue;
        actions++;
        assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, name);
      }
    }
    assert.ok(actions > 3);
  });

  it("may write to the repository in one job only, which runs nothing that was installed", async () => {
    const writing: string[] = [];
    for (const [name, { permissions, jobs }] of await workflows()) {
      assert.deepEqual(permissions, { contents: "read" }, name);
      for (const [job, { permissions: own, steps }] of Object.entries(jobs)) {
        if (own === undefined) continue;
        writing.push(`${name} ${job}`);
        for (const { run = "" } of steps) assert.doesNotMatch(run, /\bnp[mx]\b|node_modules/);
      }
    }
    assert.deepEqual(writing, ["release.yml release"]);
  });

  it("run no package without a lock file", async () => {
    for (const [name, { jobs }] of await workflows()) {
      for (const { run = "" } of Object.values(jobs).flatMap(({ steps }) => steps)) {
        assert.doesNotMatch(run, /\bnpx\b|npm (?:exec|i|install)\b/, name);
      }
    }
  });
});
