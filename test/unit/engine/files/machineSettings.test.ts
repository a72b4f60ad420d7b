import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { contributes } from "../../../../package.json";
import {
  defaultMachineSettings,
  keepMachineSettings,
  keepsTexts,
  readMachineSettings,
} from "../../../../src/engine/files/machineSettings";

describe("the settings for all programs of a machine", () => {
  it("are the manifest's defaults where no editor has run", () => {
    const { properties } = contributes.configuration;
    assert.deepEqual(defaultMachineSettings, {
      maxEntries: properties["skillRegistry.history.maxEntries"].default,
      maxDays: properties["skillRegistry.history.maxDays"].default,
      keepTexts: properties["skillRegistry.history.keepTexts"].default,
      keepTextsOf: {},
      dailyLimitCents: properties["skillRegistry.cost.dailyCeilingCents"].default,
      auditExport: properties["skillRegistry.audit.export"].default,
      auditEndpoint: properties["skillRegistry.audit.otlpEndpoint"].default,
    });
  });

  it("are what an editor said last", async () => {
    const folder = await mkdtemp(join(tmpdir(), "settings-"));
    const path = join(folder, "settings.json");
    assert.deepEqual(await readMachineSettings(path), defaultMachineSettings);
    const settings = {
      ...defaultMachineSettings,
      keepTexts: "never",
      keepTextsOf: { r: true },
      dailyLimitCents: 5,
      auditExport: "otlp",
      auditEndpoint: "https://collector.example",
    } as const;
    await keepMachineSettings(path, settings);
    assert.deepEqual(await readMachineSettings(path), settings);
    await rm(folder, { recursive: true });
  });

  it("keep texts as is set, else as a person answered for the registry", () => {
    const texts = (keepTexts: "ask" | "always" | "never", registry: string) =>
      keepsTexts({ keepTexts, keepTextsOf: { yes: true, no: false } }, registry);
    const registries = ["built-in", "yes", "no", "other", "constructor"];
    const kept = (setting: "ask" | "always" | "never") =>
      registries.map((registry) => texts(setting, registry));
    assert.deepEqual(kept("ask"), [true, true, false, undefined, undefined]);
    assert.deepEqual(kept("always"), Array(5).fill(true));
    assert.deepEqual(kept("never"), Array(5).fill(false));
  });
});
