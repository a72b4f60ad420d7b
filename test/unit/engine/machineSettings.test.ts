import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { contributes } from "../../../package.json";
import {
  defaultMachineSettings,
  keepMachineSettings,
  readMachineSettings,
} from "../../../src/engine/machineSettings";

describe("the settings for all programs of a machine", () => {
  it("are the manifest's defaults where no editor has run", () => {
    const { properties } = contributes.configuration;
    assert.deepEqual(defaultMachineSettings, {
      maxEntries: properties["skillRegistry.history.maxEntries"].default,
      maxDays: properties["skillRegistry.history.maxDays"].default,
      keepTexts: properties["skillRegistry.history.keepTexts"].default,
      dailyLimitCents: properties["skillRegistry.cost.dailyCeilingCents"].default,
    });
  });

  it("are what an editor said last", async () => {
    const folder = await mkdtemp(join(tmpdir(), "settings-"));
    const path = join(folder, "settings.json");
    assert.deepEqual(await readMachineSettings(path), defaultMachineSettings);
    const settings = { ...defaultMachineSettings, keepTexts: "never", dailyLimitCents: 5 } as const;
    await keepMachineSettings(path, settings);
    assert.deepEqual(await readMachineSettings(path), settings);
    await rm(folder, { recursive: true });
  });
});
