import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import type * as vscode from "vscode";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import type { RegistryConnection } from "../../../../src/host/connect/registryConnection";
import { RowDetails } from "../../../../src/host/discover/rowDetails";

const row = (slug: string): SkillSummary => ({
  slug,
  displayName: slug,
  description: "",
  tags: [],
  version: "1.0.0",
  numbers: {},
});
const permissions = { network: false, browser: false, filesystem: "write", secrets: [] };

/** A pointer on a row, which can leave it. */
function pointer() {
  const listeners = new Set<() => void>();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const leave = () => {
    token.isCancellationRequested = true;
    for (const listener of listeners) listener();
  };
  return { token: token as unknown as vscode.CancellationToken, leave };
}

describe("the details of rows, for tooltips", () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const client = {
    ownDetail: async (slug: string) => {
      asked.push(slug);
      if (slug === "slow") await new Promise<void>((done) => answers.push(done));
      return { ok: true, value: { permissions, summary: row(slug) } };
    },
  };
  const connection = {
    current: async () => ({ ok: true, registry: { client } }),
    onDidChange: () => ({ dispose: () => undefined }),
  } as unknown as RegistryConnection;
  const details = new RowDetails(connection);
  afterEach(() => asked.splice(0));

  it("are not asked for where the pointer only passes", async () => {
    const passing = ["a", "b", "c", "d"].map(async (slug) => {
      const { token, leave } = pointer();
      // Far less than what a row has to be rested on.
      setTimeout(leave, 50);
      return details.read(row(slug), token);
    });
    await Promise.all(passing);
    assert.deepEqual(asked, []);
  });

  it("are asked for once where it rests, and known from then on", async () => {
    const { token } = pointer();
    for (const _ of [1, 2]) {
      const complete = await details.read(row("writer"), token);
      assert.equal(complete.permissions?.filesystem, "write");
    }
    assert.deepEqual(asked, ["writer"]);
  });

  it("are there for a pointer that comes back before the registry has answered", async () => {
    const first = pointer();
    const left = details.read(row("slow"), first.token);
    while (answers.length === 0) await new Promise((done) => setTimeout(done, 10));
    first.leave();
    assert.equal((await left).permissions, undefined);
    const back = details.read(row("slow"), pointer().token);
    setTimeout(() => answers.splice(0).map((answer) => answer()), 400);
    assert.equal((await back).permissions?.filesystem, "write");
    assert.deepEqual(asked, ["slow"]);
  });
});
