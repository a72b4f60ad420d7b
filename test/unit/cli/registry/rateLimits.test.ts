import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { rateLimits, type SignedIn } from "../../../../src/cli/registry/project";
import { movableClock } from "../movableClock";

const never = new AbortController().signal;

describe("the limit of invocations in a minute that a run follows", () => {
  const clock = movableClock();
  /** Returns a project whose limit can change or become unreadable. */
  function project() {
    const said = { limit: 60 as number | "unreadable", reads: 0 };
    const routes = {
      projects: async () => ({ ok: true, value: [{ slug: "p", name: "P" }] }),
      policies: async () => {
        said.reads += 1;
        return said.limit === "unreadable"
          ? { ok: false, failure: { kind: "timeout", seconds: 1 } }
          : { ok: true, value: new Map([["notes", { row: { rateLimitPerMinute: said.limit } }]]) };
      },
    };
    const who = { routes, where: "here" } as unknown as SignedIn;
    return { said, limits: () => rateLimits({ signedIn: () => who }, {}, never) };
  }

  it("is read once for all skills that are asked about within five minutes", async () => {
    const { said, limits } = project();
    const limitOf = await limits();
    assert.deepEqual(await Promise.all(["notes", "other"].map(limitOf)), [60, undefined]);
    assert.equal(said.reads, 1);
  });

  it("is read again after a long question", async () => {
    const { said, limits } = project();
    const limitOf = await limits();
    said.limit = 2;
    clock.pass(6);
    assert.deepEqual(await Promise.all([limitOf("notes"), limitOf("notes")]), [2, 2]);
    assert.equal(said.reads, 2);
  });

  it("keeps its last value if it can no longer be read", async () => {
    const { said, limits } = project();
    const limitOf = await limits();
    said.limit = "unreadable";
    clock.pass(6);
    assert.equal(await limitOf("notes"), 60);
  });

  it("is unknown if nobody is signed in", async () => {
    const limitOf = await rateLimits({ signedIn: () => undefined }, {}, never);
    assert.equal(await limitOf("notes"), undefined);
  });
});
