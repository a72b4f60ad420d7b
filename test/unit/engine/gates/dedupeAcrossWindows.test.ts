import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { afterEach, beforeEach, describe, it } from "mocha";
import { dedupeAcrossWindows, doubleClickMs } from "../../../../src/engine/gates/claim";
import { holdTime } from "../../../fixtures/mockTimeouts";

const call = { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" };

describe("one invocation per intent, over all windows", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "intent-"));
  });
  afterEach(async () => {
    mock.reset();
    mock.timers.reset();
    await rm(folder, { recursive: true, force: true });
  });

  const lock = (changes: Partial<typeof call> = {}, registry = "built-in") =>
    dedupeAcrossWindows(folder, registry, { ...call, ...changes }, Date.now() + 60_000);

  it("is claimed once", async () => {
    assert.equal((await lock()).kind, "taken");
    assert.equal((await lock()).kind, "held");
  });

  it("is another one with another input, skill, version or registry", async () => {
    await lock();
    assert.equal((await lock({ inputText: "{ }" })).kind, "taken");
    assert.equal((await lock({ skillSlug: "csv-profile" })).kind, "taken");
    assert.equal((await lock({ version: "1.0.1" })).kind, "taken");
    assert.equal((await lock({}, "https://registry.example.com")).kind, "taken");
  });

  it("stays claimed for the moment of a double click, however fast the invocation was", async () => {
    holdTime();
    const claim = await lock();
    if (claim.kind === "taken") await claim.release(true);
    mock.timers.tick(doubleClickMs - 1);
    assert.equal((await lock()).kind, "held");
  });
});
