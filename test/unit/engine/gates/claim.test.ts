import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { afterEach, beforeEach, describe, it } from "mocha";
import { claimInvocation } from "../../../../src/engine/gates/claim";
import { RateClocks } from "../../../../src/engine/gates/rateClock";
import { holdTime } from "../../../fixtures/mockTimeouts";

const scope = { registry: "built-in", project: "p", skillSlug: "s" };

describe("claiming an invocation among windows", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "claim-"));
  });
  afterEach(async () => {
    mock.reset();
    mock.timers.reset();
    await rm(folder, { recursive: true, force: true });
  });

  /** Another window: it shares nothing with this one but the disk. */
  const claim = (inputText: string, twice = false) => {
    const clocks = new RateClocks(join(folder, "rateClock.json"));
    const call = { skillSlug: "s", version: "1.0.0", inputText };
    const options = { twice, endsBefore: Date.now() + 60_000 };
    return claimInvocation({ clocks, lockFolder: folder }, scope, call, options);
  };
  const allow = (limit: number) => {
    const entry = { ...scope, calls: [], limit };
    return writeFile(join(folder, "rateClock.json"), JSON.stringify([entry]));
  };

  it("leaves the same invocation to the window that has it, unless it is wanted twice", async () => {
    assert.equal((await claim("1")).kind, "acquired");
    assert.equal((await claim("1")).kind, "inProgress");
    assert.equal((await claim("1", true)).kind, "acquired");
  });

  it("holds an invocation beyond the rate, and keeps no claim to it", async () => {
    await allow(1);
    const first = await claim("1");
    assert.equal((await claim("2")).kind, "rateLimited");
    assert.equal((await claim("2")).kind, "rateLimited");
    assert.equal(first.kind, "acquired");
  });

  it("gives call and place back where nothing was sent", async () => {
    await allow(1);
    const first = await claim("1");
    if (first.kind === "acquired") await first.release("notSent");
    assert.equal((await claim("1")).kind, "acquired");
  });

  it("keeps the place of an invocation that was canceled after it left, and lets it be started anew", async () => {
    await allow(2);
    const first = await claim("1");
    if (first.kind === "acquired") await first.release("cancelled");
    assert.equal((await claim("1")).kind, "acquired");
    assert.equal((await claim("2")).kind, "rateLimited");
  });

  it("keeps the same invocation for the second click of a double click where it was sent", async () => {
    holdTime();
    const first = await claim("1");
    if (first.kind === "acquired") await first.release("done");
    assert.equal((await claim("1")).kind, "inProgress");
  });

  it("keeps the place of an invocation that was sent", async () => {
    await allow(1);
    const first = await claim("1");
    if (first.kind === "acquired") await first.release("done");
    assert.equal((await claim("2")).kind, "rateLimited");
  });
});
