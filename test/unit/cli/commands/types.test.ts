import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { clientFileName } from "../../../../src/core/clients/client";
import { startDriftingRegistry } from "../driftingRegistry";
import { cliFolder } from "../runTestCli";
import { inManifest } from "./review/reviewedSkills";

describe("skill-registry types", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  const types = (...args: string[]) => folder.run(["types", "--registry", registry.url, ...args]);
  before(async () => {
    registry = await startDriftingRegistry();
  });
  after(() => registry.close());

  it("prints the code of one skill in each language", async () => {
    const typescript = await types("csv-profile");
    assert.equal(typescript.code, 0, typescript.err);
    assert.match(typescript.out, /^\/\/ skill-registry: csv-profile@2\.0\.0 contract-v1:sha256-/);
    assert.match(typescript.out, /^export async function csvProfile\(input: Input/m);
    const python = await types("csv-profile", "--language", "python");
    assert.match(python.out, /^def invoke\(payload: "Input"/m);
  });

  it("tells about mistakes in the skill's schemas, which only its publisher can mend", async () => {
    const range = { type: "object", properties: { text: { minLength: 9, maxLength: 1 } } };
    const misspelled = { type: "object", propertes: {} };
    registry.change("text-stats", inManifest({ inputSchema: range, outputSchema: misspelled }));
    const { code, out, err } = await types("text-stats");
    registry.restore();
    assert.equal(code, 0);
    assert.match(out, /^export async function textStats/m);
    assert.deepEqual(err.match(/text-stats about its (input|output) schema at [^:]*/g), [
      "text-stats about its input schema at /properties/text/minLength",
      "text-stats about its output schema at /propertes",
    ]);
    assert.equal((await types("text-stats")).err, "");
  });

  it("refuses unsupported arguments and skills", async () => {
    for (const args of [[], ["a", "b"], ["text-stats", "--language", "cobol"]]) {
      const { code, out, err } = await types(...args);
      assert.deepEqual([code, out], [2, ""], args.join(" "));
      assert.match(err, /See: skill-registry types --help/);
    }
    assert.equal((await types("no-such-skill")).code, 4);
  });

  it("replaces only its own files", async () => {
    assert.equal((await types("text-stats", "--out", "own")).code, 0);
    assert.equal((await types("text-stats", "--out", "own")).code, 0);
    await writeFile(folder.path("own", "json-diff.ts"), "export const mine = 1;\n");
    const { code, err } = await types("json-diff", "--out", "own");
    assert.equal(code, 2);
    assert.match(err, /json-diff\.ts was not written by this command\./);
    assert.equal(
      await readFile(folder.path("own", "json-diff.ts"), "utf8"),
      "export const mine = 1;\n",
    );
  });

  it("replaces no code of another skill whose slug makes the same name", async () => {
    const names = ["text-stats", "json-diff"].map((slug) => clientFileName(slug, "python"));
    assert.equal((await types("text-stats", "--out", "py", "--language", "python")).code, 0);
    await rename(folder.path("py", names[0] ?? ""), folder.path("py", names[1] ?? ""));
    const { code, err } = await types("json-diff", "--out", "py", "--language", "python");
    assert.equal(code, 2);
    assert.match(err, /json_diff\.py is the code of text-stats\. Choose another --out\./);
  });

  it("writes the shared Python module once, and over no other file", async () => {
    const python = (...args: string[]) => types(...args, "--language", "python");
    const { out } = await python("text-stats", "csv-profile", "--out", "shared");
    assert.match(out, /skill_registry_runtime\.py: /);
    const client = await readFile(folder.path("shared", "text_stats.py"), "utf8");
    assert.match(client, /^ {4}from \.skill_registry_runtime import /m);
    assert.ok(client.split("\n").length < 90, client);
    assert.equal((await python("json-diff", "--out", "shared")).code, 0);
    await writeFile(folder.path("shared", "skill_registry_runtime.py"), "mine = 1\n");
    const { code, err } = await python("json-diff", "--out", "shared");
    assert.equal(code, 2);
    assert.match(err, /skill_registry_runtime\.py was not written by this command\./);
  });

  it("does not wait for the writer of a pipe in place of a file", async function () {
    if (process.platform === "win32") this.skip();
    await mkdir(folder.path("piped"));
    execFileSync("mkfifo", [folder.path("piped", "text-stats.ts")]);
    const { code, err } = await types("text-stats", "--out", "piped");
    assert.match(err, /text-stats\.ts could not be read: it is not a file \(EINVAL\)\./);
    assert.equal(code, 2);
  });

  it("writes through no link of the repository", async function () {
    if (process.platform === "win32") this.skip();
    await mkdir(folder.path("linked"), { recursive: true });
    await symlink(folder.path("elsewhere.ts"), folder.path("linked", "text-stats.ts"));
    assert.equal((await types("text-stats", "--out", "linked")).code, 0);
    await assert.rejects(readFile(folder.path("elsewhere.ts")));
    assert.match(await readFile(folder.path("linked", "text-stats.ts"), "utf8"), /text-stats@/);
  });

  it("writes through no folder that a link leads out of the repository, unless its user names it", async function () {
    if (process.platform === "win32") this.skip();
    await mkdir(folder.path("repository", "inside"), { recursive: true });
    await mkdir(folder.path("outside"));
    for (const [target, name] of [
      ["../outside", "clients"],
      ["../not-there", "new"],
      ["inside", "within"],
    ] as const) {
      await symlink(target, folder.path("repository", name));
    }
    const write = async (out: string) => {
      const args = ["types", "text-stats", "--registry", registry.url, "--out", out];
      return folder.run(args, {}, undefined, "repository");
    };
    for (const out of ["clients", "./clients/deep", "new", folder.path("repository", "clients")]) {
      const { code, err } = await write(out);
      assert.equal(code, 2, out);
      assert.match(err, /text-stats\.ts was not written: a link on its path leads out of /);
    }
    assert.deepEqual(await readdir(folder.path("outside")), []);
    await assert.rejects(readdir(folder.path("not-there")));
    for (const out of ["../outside", "within", ".", folder.path("elsewhere")]) {
      const { code, err } = await write(out);
      assert.equal(code, 0, out + err);
    }
    assert.deepEqual(await readdir(folder.path("outside")), ["text-stats.ts"]);
    assert.deepEqual(await readdir(folder.path("repository", "inside")), ["text-stats.ts"]);
  });

  it("checks files against the reviewed contract, else against the registry's", async () => {
    await types("csv-profile", "text-stats", "--out", "src/skills");
    const check = () => types("--out", "src/skills", "--check", "--format", "json");
    const rules = async () => {
      const { code, out } = await check();
      const { items } = JSON.parse(out) as { items: { findings: { rule: string }[] }[] };
      return [code, items.flatMap(({ findings }) => findings.map(({ rule }) => rule))];
    };
    assert.deepEqual(await rules(), [0, []]);
    const move = () =>
      registry.change("csv-profile", (body) => {
        const runtime = { type: "http", entrypoint: "https://elsewhere.example/run" };
        return { ...body, runtime, manifest: { ...(body["manifest"] as object), runtime } };
      });
    move();
    assert.deepEqual(await rules(), [1, ["code-outdated"]]);
    registry.restore();
    const reviewed = await folder.run([
      ...["review", "csv-profile", "--registry", registry.url],
      ...["--who", "Ann <ann@example.com>"],
    ]);
    assert.equal(reviewed.code, 0, reviewed.err);
    // Code follows the review; `check` reports that the registry differs.
    move();
    assert.deepEqual(await rules(), [0, []]);
    registry.restore();
    // Without --out, the file is found in any folder.
    const all = await types("--check", "--format", "json");
    const { items } = JSON.parse(all.out) as { items: { name: string }[] };
    assert.ok(items.some(({ name }) => name === "src/skills/csv-profile.ts"));
  });

  it("is not undecided about files that it could not compare with the current version", async () => {
    await mkdir(folder.path("gone"), { recursive: true });
    await writeFile(
      folder.path("gone", "gone.ts"),
      `// skill-registry: no-such-skill@1.0.0 contract-v1:sha256-${"0".repeat(64)}\n`,
    );
    const { code, out } = await types("--out", "gone", "--check");
    assert.equal(code, 3, out);
    assert.match(out, /contract-unknown/);
    await mkdir(folder.path("empty"), { recursive: true });
    assert.equal((await types("--out", "empty", "--check")).code, 4);
  });

  it("writes all other skills if one is missing or its file is the user's own", async () => {
    await mkdir(folder.path("some"), { recursive: true });
    await writeFile(folder.path("some", "json-diff.ts"), "export const mine = 1;\n");
    const named = ["no-such-skill", "json-diff", "text-stats"];
    const { code, out, err } = await types(...named, "--out", "some");
    assert.equal(code, 4);
    assert.match(
      err,
      /no skill “no-such-skill”.+\n.*json-diff\.ts was not written by this command/,
    );
    assert.match(out, /^some.text-stats\.ts: text-stats@/);
  });

  it("checks all other files if one cannot be read", async function () {
    if (process.platform === "win32" || process.getuid?.() === 0) this.skip();
    await types("text-stats", "json-diff", "--out", "closed");
    await chmod(folder.path("closed", "json-diff.ts"), 0o000);
    const { code, out } = await types("--out", "closed", "--check", "--format", "json");
    const { items } = JSON.parse(out) as { items: { name: string; state: string }[] };
    assert.deepEqual([code, items.map(({ state }) => state)], [3, ["unknown", "good"]]);
  });
});
