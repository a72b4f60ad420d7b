import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { before, describe, it } from "mocha";
import { hasRelativeHome, machineFolder } from "../../../../src/engine/files/machine";
import { storeName } from "../../../../src/engine/store/operations";
import { atStore } from "../../../fixtures/machineStore";

describe("the folder that all programs of a machine share", () => {
  const bundle = resolve("out/test/machine.cjs");
  before(() =>
    esbuild.build({
      entryPoints: ["src/engine/files/machine.ts"],
      bundle: true,
      platform: "node",
      outfile: bundle,
    }),
  );
  const of = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    machineFolder(env, { platform, home: "/home/ida" });

  it("is the platform's folder for data", () => {
    assert.equal(of("linux"), join("/home/ida/.local/share/skill-registry"));
    assert.equal(of("linux", { XDG_DATA_HOME: "/data" }), join("/data/skill-registry"));
    assert.equal(of("darwin"), join("/home/ida/Library/Application Support/skill-registry"));
    assert.equal(of("win32"), join("/home/ida/AppData/Local/skill-registry/Data"));
    assert.equal(of("win32", { LOCALAPPDATA: "/local" }), join("/local/skill-registry/Data"));
  });

  it("can be set by the environment; an empty name sets none", () => {
    assert.equal(of("darwin", { SKILL_REGISTRY_HOME: "/elsewhere" }), "/elsewhere");
    assert.equal(of("linux", { SKILL_REGISTRY_HOME: "" }), of("linux"));
  });

  it("is never inside the repository where a program starts, whatever the environment says", () => {
    for (const relative of ["", ".", "data", "./data"]) {
      const env = { XDG_DATA_HOME: relative, XDG_CONFIG_HOME: relative, HOME: relative };
      assert.equal(of("linux", env), of("linux"));
      const named = { ...env, SKILL_REGISTRY_HOME: relative };
      assert.equal(of("linux", named), of("linux"));
      assert.equal(hasRelativeHome(named), relative !== "");
      const script = `const { machineFolder, configFolder } = require(${JSON.stringify(bundle)});
        console.log(machineFolder(process.env) + "\\n" + configFolder(process.env));`;
      const { stdout } = spawnSync(process.execPath, ["-e", script], {
        env: named,
        encoding: "utf8",
      });
      const folders = stdout.trim().split("\n");
      assert.ok(folders.length === 2 && folders.every((path) => isAbsolute(path)), stdout);
    }
  });

  it("can be read by its owner only", async function () {
    if (process.platform === "win32") this.skip();
    const folder = await mkdtemp(join(tmpdir(), "machine-"));
    const own = join(folder, "skill-registry");
    await atStore(own, (store) => store.keepValue("name", "text"));
    const modes = [own, join(own, storeName)].map(async (path) =>
      ((await stat(path)).mode & 0o777).toString(8),
    );
    assert.deepEqual(await Promise.all(modes), ["700", "600"]);
    await rm(folder, { recursive: true });
  });
});
