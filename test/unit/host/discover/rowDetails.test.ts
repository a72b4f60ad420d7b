import assert from "node:assert/strict";
import { mock } from "node:test";
import { afterEach, describe, it } from "mocha";
import type * as vscode from "vscode";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import type { RegistryConnection } from "../../../../src/host/connect/registryConnection";
import { RowDetails } from "../../../../src/host/discover/rowDetails";
import { mockTimeouts } from "../../../fixtures/mockTimeouts";

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
  let noteWaiting = () => {};
  const client = {
    ownDetail: async (slug: string) => {
      asked.push(slug);
      if (slug === "slow") {
        await new Promise<void>((done) => {
          answers.push(done);
          noteWaiting();
        });
      }
      return { ok: true, value: { permissions, summary: row(slug) } };
    },
  };
  const connection = {
    current: async () => ({ ok: true, registry: { client } }),
    onDidChange: () => ({ dispose: () => undefined }),
  } as unknown as RegistryConnection;
  const details = new RowDetails(connection);
  afterEach(() => {
    mock.timers.reset();
    asked.splice(0);
  });
  /** Reads a row on which a pointer rests long enough to ask. */
  const rested = (slug: string, token = pointer().token) => {
    const reading = details.read(row(slug), token);
    mock.timers.tick(300);
    return reading;
  };

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
    mockTimeouts();
    for (const _ of [1, 2]) {
      assert.equal((await rested("writer")).permissions?.filesystem, "write");
    }
    assert.deepEqual(asked, ["writer"]);
  });

  it("are there for a pointer that comes back before the registry has answered", async () => {
    mockTimeouts();
    const first = pointer();
    const isWaiting = new Promise<void>((resolve) => {
      noteWaiting = resolve;
    });
    const left = rested("slow", first.token);
    await isWaiting;
    first.leave();
    mock.timers.tick(0);
    assert.equal((await left).permissions, undefined);
    const back = rested("slow");
    setImmediate(() => answers.splice(0).map((answer) => answer()));
    assert.equal((await back).permissions?.filesystem, "write");
    assert.deepEqual(asked, ["slow"]);
  });
});
