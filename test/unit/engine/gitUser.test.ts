import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "mocha";
import { gitUser } from "../../../src/engine/gitUser";

describe("the user that git knows", () => {
  let folder = "";
  const kept = { ...process.env };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-registry-git-"));
    // Records how it is started, and prints the name of the requested setting.
    const program = [
      "#!/bin/sh",
      `{ pwd; env; echo "$@"; } >> "${join(folder, "started")}"`,
      'echo "$4"',
    ].join("\n");
    await writeFile(join(folder, "git"), program);
    await chmod(join(folder, "git"), 0o755);
    process.env["PATH"] = folder + delimiter + kept["PATH"];
    process.env["SKILL_REGISTRY_PROJECT_KEY"] = "skh_secret";
    process.env["SKILL_REGISTRY_USER_TOKEN"] = "token_secret";
  });
  after(async () => {
    process.env = kept;
    await rm(folder, { recursive: true });
  });

  it("is read outside of the repository, without credentials", async function () {
    if (process.platform === "win32") this.skip();
    assert.equal(await gitUser("/repository"), "user.name <user.email>");
    const started = await readFile(join(folder, "started"), "utf8");
    assert.match(started, /^-C \/repository config user\.name$/m);
    assert.match(started, /^NoDefaultCurrentDirectoryInExePath=1$/m);
    assert.doesNotMatch(started, /_secret/);
    assert.ok(!started.split("\n").includes(folder) && !started.includes("\n/repository\n"));
  });
});
