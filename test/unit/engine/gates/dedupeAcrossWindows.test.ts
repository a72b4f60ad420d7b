import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { dedupeAcrossWindows } from "../../../../src/engine/gates/claim";

const call = { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" };

describe("one invocation per intent, over all windows", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "intent-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

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
    const claim = await lock();
    if (claim.kind === "taken") await claim.release(true);
    assert.equal((await lock()).kind, "held");
  });
});
