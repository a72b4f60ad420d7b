import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { contributes } from "../../../../package.json";
import {
  defaultMachineSettings,
  keepMachineSettings,
  keepsTexts,
  readMachineSettings,
  settingsKeeper,
} from "../../../../src/engine/files/machineSettings";
import { storeName } from "../../../../src/engine/store/operations";
import { atStore, openTestStore } from "../../../fixtures/machineStore";

describe("the settings for all programs of a machine", () => {
  it("are the manifest's defaults if no editor has run", () => {
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

  it("are the editor's last settings", async () => {
    const folder = await mkdtemp(join(tmpdir(), "settings-"));
    const { store, close } = openTestStore(folder);
    assert.deepEqual(await readMachineSettings(store), defaultMachineSettings);
    const settings = {
      ...defaultMachineSettings,
      keepTexts: "never",
      keepTextsOf: { r: true },
      dailyLimitCents: 5,
      auditExport: "otlp",
      auditEndpoint: "https://collector.example",
    } as const;
    await keepMachineSettings(store, settings);
    assert.deepEqual(await readMachineSettings(store), settings);
    await close();
    await rm(folder, { recursive: true });
  });

  it("are those of the editor, even if it changed them and changed them back at once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "settings-"));
    const { store, close } = openTestStore(folder);
    let dailyLimitCents = 5;
    const keep = settingsKeeper(store, () => ({ ...defaultMachineSettings, dailyLimitCents }));
    await keep();
    dailyLimitCents = 500;
    const first = keep();
    dailyLimitCents = 5;
    await Promise.all([first, keep()]);
    assert.equal((await readMachineSettings(store)).dailyLimitCents, 5);
    await close();
    await rm(folder, { recursive: true });
  });

  it("have an unknown daily limit if they are lost or unreadable", async () => {
    const folder = await mkdtemp(join(tmpdir(), "settings-"));
    const unknown = { ...defaultMachineSettings, dailyLimitCents: "unknown" };
    await writeFile(join(folder, storeName), "damaged");
    assert.deepEqual(await atStore(folder, readMachineSettings), unknown);
    const unreadable = join(folder, "folder");
    await mkdir(join(unreadable, storeName), { recursive: true });
    assert.deepEqual(await atStore(unreadable, readMachineSettings), unknown);
    const { store, close } = openTestStore(join(folder, "other"));
    for (const text of ["{", "[]", "{}", '{"dailyLimitCents":"5"}', '{"dailyLimitCents":-1}']) {
      await store.keepValue("settings", text);
      assert.deepEqual(await readMachineSettings(store), unknown, text);
    }
    await close();
    await rm(folder, { recursive: true });
  });

  it("store texts as configured, or as a person answered for the registry", () => {
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
