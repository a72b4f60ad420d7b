import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { after, before, describe, it } from "mocha";

const outdir = "out/licenses";
/** A file in the folder from before the build. */
const left = "olderBundle.js";

describe("the package", () => {
  let bundled: readonly string[];
  let notices: string;
  before(async () => {
    const { buildExtension } = await program("esbuild.mjs");
    await mkdir(outdir, { recursive: true });
    await writeFile(join(outdir, left), "Left.");
    bundled = await buildExtension({ outdir });
    notices = await readFile(join(outdir, "THIRD_PARTY_NOTICES.txt"), "utf8");
  });
  after(() => rm(outdir, { recursive: true }));

  it("is built without files of an older build", async () => {
    const names = await readdir(outdir);
    assert.ok(names.includes("app.js"), names.join("\n"));
    assert.ok(!names.includes(left));
  });

  it("contains the license of every bundled package", async () => {
    assert.ok(bundled.length > 15, bundled.join("\n"));
    for (const folder of bundled) {
      const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const start = notices.indexOf(`\n${about.name} ${about.version} (`);
      assert.ok(start >= 0, folder);
      const text = notices.slice(start).split("-".repeat(80))[0] ?? "";
      assert.match(text, /permission|licen[cs]ed?/i, folder);
      assert.match(text, /copyright/i, folder);
    }
  });

  it("contains a reproducible bill of every bundled package", async () => {
    const { components } = JSON.parse(await readFile(join(outdir, "sbom.cdx.json"), "utf8"));
    const listed = components.map(
      ({ name, version }: Record<string, string>) => `${name}@${version}`,
    );
    const meant = await Promise.all(
      bundled.map(async (folder) => {
        const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
        return `${about.name}@${about.version}`;
      }),
    );
    assert.deepEqual([...listed].sort(), [...new Set(meant)].sort());
    for (const { purl, licenses } of components) {
      assert.match(purl, /^pkg:npm\/(?:%40[^/]+\/)?[^/@]+@\d/);
      assert.equal(licenses.length, 1, purl);
    }
  });

  it("requires the editor's API once in each bundle that needs it, and in no other", async () => {
    const counts: Record<string, number> = {};
    for (const name of (await readdir(outdir)).filter((one) => one.endsWith(".js"))) {
      const code = await readFile(join(outdir, name), "utf8");
      const { length } = code.match(/require\("vscode"\)/g) ?? [];
      if (length > 0) counts[name] = length;
    }
    assert.deepEqual(counts, {
      "app.js": 1,
      "extension.js": 1,
      "glanceAtReviews.js": 1,
      "offerTerminals.js": 1,
    });
  });

  it("has at most 20.6 KB of code that each window with a JSON file loads", async () => {
    // Every window parses them when it starts.
    const { size } = await stat(join(outdir, "extension.js"));
    assert.ok(size <= 20_600, `${size}`);
  });

  it("has one copy of the library that windows and their terminals speak through", async () => {
    const names = (await readdir(outdir)).filter((one) => one.endsWith(".js"));
    const codes = names.map(async (name) => [name, await readFile(join(outdir, name), "utf8")]);
    const having = (await Promise.all(codes)).filter(([, code]) =>
      code?.includes("$/cancelRequest"),
    );
    assert.deepEqual(
      having.map(([name]) => name),
      ["windowLink.js"],
    );
  });

  it("has one copy of the store, which thread and command line load", async () => {
    const names = (await readdir(outdir)).filter((one) => one.endsWith(".js"));
    const codes = names.map(async (name) => [name, await readFile(join(outdir, name), "utf8")]);
    const having = (await Promise.all(codes)).filter(([, code]) =>
      code?.includes("CREATE TABLE invocation"),
    );
    assert.deepEqual(
      having.map(([name]) => name),
      ["store.js"],
    );
  });

  it("uses no newer JavaScript than its oldest Node.js can read", async () => {
    const { engines } = JSON.parse(await readFile("package.json", "utf8"));
    assert.match(engines.node, /^>=\d+\.\d+\.\d+$/);
    const names = (await readdir(outdir)).filter((name) => name.endsWith(".js"));
    assert.ok(names.length > 8, names.join());
    for (const name of names) {
      const code = await readFile(join(outdir, name), "utf8");
      const written = await esbuild.transform(code, { target: "esnext" });
      const lowered = await esbuild.transform(code, { target: engines.node.replace(">=", "node") });
      assert.ok(written.code === lowered.code, name);
    }
  });

  it("has the Marketplace's metadata", async () => {
    const { categories, galleryBanner } = JSON.parse(await readFile("package.json", "utf8"));
    assert.deepEqual(categories, ["AI", "Testing"]);
    assert.match(galleryBanner.color, /^#[0-9a-f]{6}$/);
  });

  it("has a README for its users, without missing files", async () => {
    const { packagedReadme } = await program("scripts/packaging/packagedReadme.mjs");
    const whole = await readFile("README.md", "utf8");
    const readme: string = packagedReadme(whole, { version: "1.2.3" });
    assert.doesNotMatch(readme, /npm |\]\((?!https:)/);
    for (const kept of [
      "# Skill Registry",
      "## Five steps",
      "## What happens to your data",
      "## With a team",
    ]) {
      assert.ok(readme.includes(kept), kept);
    }
  });

  it("links the README's pictures to the tag of its version, or omits them without a repository address", async () => {
    const { packagedReadme } = await program("scripts/packaging/packagedReadme.mjs");
    const text = "# Name\n\n![What it does](media/film.webp)\n\nMore.\n";
    const repository = "git+https://forge.example/team/name.git";
    assert.equal(packagedReadme(text, { version: "1.2.3" }), "# Name\n\nMore.\n");
    assert.equal(
      packagedReadme(text, { repository, version: "1.2.3" }),
      "# Name\n\n![What it does](https://forge.example/team/name/raw/v1.2.3/media/film.webp)\n\nMore.\n",
    );
  });
});

/** Imports the functions of a script, which is not bundled with this test. */
function program(path: string) {
  return import(pathToFileURL(resolve(path)).href);
}
