import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { firstPolicy } from "../../../../../src/core/review/newReview";
import { startDriftingRegistry } from "../../driftingRegistry";
import { cliFolder } from "../../runTestCli";
import { inManifest, set, skills } from "./reviewedSkills";

/** Returns a month that contains today. */
function aroundToday() {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return { from: day(-15), until: day(15) };
}

describe("skill-registry check, in a repository with ten reviewed skills", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  const check = (...args: string[]) => folder.run(["check", "--registry", registry.url, ...args]);
  before(async () => {
    registry = await startDriftingRegistry();
    for (const slug of skills) {
      const args = ["review", slug, "--registry", registry.url, "--who", "Ann <ann@example.com>"];
      const { code, err } = await folder.run(args);
      assert.equal(code, 0, err);
    }
  });
  after(() => registry.close());

  it("adds nothing if the same review is repeated", async () => {
    const reviews = folder.path(".skill-registry", "reviews.json");
    const before = await readFile(reviews, "utf8");
    const args = ["review", skills[0] ?? "", "--registry", registry.url];
    const { code, out } = await folder.run([...args, "--who", "Ann <ann@example.com>"]);
    assert.equal(code, 0);
    assert.match(out, /^Already reviewed: .+@.+\. Nothing was added\.\n$/);
    assert.equal(await readFile(reviews, "utf8"), before);
  });

  it("finds nothing while the registry returns the reviewed contract", async () => {
    assert.deepEqual(await check(), { code: 0, out: "10 passed.\n", err: "" });
  });

  it("reports the same in every format", async () => {
    registry.change("json-diff", set({ verificationStatus: "suspended" }));
    const message =
      "json-diff@2.1.0 is now “Suspended” at the registry; it was “Verified” when reviewed.";
    const texts = await Promise.all(
      ["text", "json", "sarif", "junit", "github"].map(async (format) => {
        const { code, out } = await check("--format", format);
        assert.equal(code, 1, format);
        return out;
      }),
    );
    registry.restore();
    for (const text of texts) assert.ok(text.includes(message), text);
    const [text = "", , sarif = "", junit = "", github = ""] = texts;
    assert.equal(
      text,
      `.skill-registry/reviews.json:58:7: error: ${message} (verification-lowered)\n9 passed, 1 with findings.\n`,
    );
    assert.equal(JSON.parse(sarif).runs[0].results.length, 1);
    assert.match(junit, /<testsuites tests="10" failures="1" errors="0">/);
    assert.equal(
      github,
      `::error file=.skill-registry/reviews.json,line=58,col=7,endLine=58,endColumn=27,title=verification-lowered::${message}\n9 passed, 1 with findings.\n`,
    );
  });

  it("reports a skill that has payloads but no review, at its first file", async () => {
    await writeFile(folder.path("status-notice.skill-input.json"), "{}");
    const { code, out } = await check();
    await rm(folder.path("status-notice.skill-input.json"));
    assert.equal(code, 1);
    assert.match(
      out,
      /^status-notice\.skill-input\.json: error: status-notice@\S+ is not reviewed for safe-to-try\. Review this version\. \(unreviewed\)$/m,
    );
  });

  it("ignores a label in a payload's name if there is no such skill", async () => {
    await writeFile(folder.path("csv-profile.orders.skill-input.json"), "{}");
    const { code, out } = await check();
    await rm(folder.path("csv-profile.orders.skill-input.json"));
    assert.deepEqual([code, out], [0, "10 passed.\n"]);
  });

  it("uses the version that a suite names", async () => {
    const suite = (skill: string) =>
      writeFile(
        folder.path("a.skill-suite.json"),
        JSON.stringify({ format: 1, skill, cases: [{ name: "a", payload: {} }] }),
      );
    await suite("csv-profile@1.0.0");
    const { code, out } = await check();
    assert.equal(code, 1);
    assert.match(
      out,
      /^a\.skill-suite\.json: error: csv-profile@1\.0\.0 is not reviewed for safe-to-try\./m,
    );
    await suite("csv-profile@2.0.0");
    assert.equal((await check()).code, 0);
    await rm(folder.path("a.skill-suite.json"));
  });

  it("ignores reviews of another registry, and reports that", async () => {
    const { code, out } = await folder.run(["check"]);
    assert.equal(code, 1);
    const origin = registry.url.replaceAll(".", "\\.");
    const message = `text-stats@1\\.0\\.0 is not reviewed at built-in, only 1\\.0\\.0 at ${origin}\\. Review it here, or connect to that registry\\.`;
    assert.match(out, new RegExp(`: error: ${message} \\(other-registry\\)\n`));
    assert.match(out, /\n10 with findings\.\n$/);
  });

  it("lists the worst drift first, in any order of names", async () => {
    registry.change("csv-profile", set({ verificationStatus: "submitted" }));
    registry.change("text-stats", inManifest({ outputSchema: { type: "object" } }));
    const { out } = await check();
    const rules = [...out.matchAll(/\((\S+)\)$/gm)].map(([, rule]) => rule);
    assert.deepEqual(rules, ["contract-changed", "verification-lowered"]);
    registry.restore();
  });

  it("keeps the different contracts that two registries have for one version", async () => {
    // A repository of its own: the reviews above it do not count in it.
    await mkdir(folder.path("two/.git"), { recursive: true });
    const here = ["--registry", registry.url];
    const run = (...args: string[]) => folder.run(args, {}, undefined, "two");
    const review = (...at: string[]) => run("review", "text-stats", "--who", "Ann", ...at);
    registry.change("text-stats", inManifest({ outputSchema: { type: "object" } }));
    assert.equal((await review(...here)).code, 0);
    assert.equal((await review()).code, 0);
    const [own, other] = await Promise.all([run("check", ...here), run("check")]);
    assert.deepEqual([own.out, other.out], ["1 passed.\n", "1 passed.\n"]);
    const contracts = folder.path("two/.skill-registry/contracts");
    assert.deepEqual(await readdir(contracts), [
      "text-stats@1.0.0.json",
      "text-stats@1.0.0@built-in.json",
    ]);
    registry.restore();
    const drifted = await run("check", ...here);
    assert.match(
      drifted.out,
      /under the same version: Output: .+ and \d+ more\. \(contract-changed\)$/m,
    );
    await rm(join(contracts, "text-stats@1.0.0@built-in.json"));
    const gone = await run("check");
    assert.match(gone.out, /text-stats@1\.0\.0@built-in\.json:1:1: .* is missing\./);
    assert.equal(gone.code, 2);
    await rm(folder.path("two"), { recursive: true });
  });

  it("is undecided without a response, and reports that", async () => {
    const { code, out } = await folder.run(["check", "--registry", "http://127.0.0.1:1"]);
    assert.equal(code, 3);
    assert.match(
      out,
      /warning: json-diff could not be compared with its review\. No server is listening/,
    );
    registry.change("json-diff", () => ({}));
    assert.equal((await check()).code, 3);
    registry.restore();
  });

  it("is undecided about a version with an unknown publisher if some publisher is trusted", async () => {
    // A repository of its own: the reviews above it do not count in it.
    await mkdir(folder.path("trusting/.git"), { recursive: true });
    await mkdir(folder.path("trusting/.skill-registry"));
    const publisher = "tidy-tables";
    const trust = { publisher, criteria: ["safe-to-try"], reason: "Ours.", ...aroundToday() };
    const policy = { ...firstPolicy(), trustedPublishers: [trust] };
    await writeFile(folder.path("trusting/.skill-registry/policy.json"), JSON.stringify(policy));
    const cases = [{ name: "a", payload: {} }];
    await writeFile(
      folder.path("trusting/a.skill-suite.json"),
      JSON.stringify({ format: 1, skill: "csv-profile@1.0.0", cases }),
    );
    const checkAt = (url: string) =>
      folder.run(["check", "--registry", url], {}, undefined, "trusting");

    const down = await checkAt("http://127.0.0.1:1");
    assert.deepEqual([down.code, down.out.match(/: (?:error|warning): /g)], [3, [": warning: "]]);
    assert.equal((await checkAt(registry.url)).code, 0);
    // It returns its newest version, whichever is requested.
    registry.change("csv-profile", inManifest({ version: "9.0.0", latestVersion: "9.0.0" }));
    const newest = await checkAt(registry.url);
    registry.restore();
    assert.equal(newest.code, 3, newest.out);
    assert.match(newest.out, /warning: csv-profile@1\.0\.0 .* does not return this version\./);
    await rm(folder.path("trusting"), { recursive: true });
  });

  it("fails if a contract is missing or not the reviewed one", async () => {
    const file = folder.path(".skill-registry/contracts/text-stats@1.0.0.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"network": false', '"network": true'));
    const changed = await check();
    assert.equal(changed.code, 2);
    assert.match(
      changed.out,
      /text-stats@1\.0\.0\.json:1:1: error: This is not the contract that was reviewed/,
    );
    await rm(file);
    assert.match((await check()).out, /The reviewed contract is missing/);
    await writeFile(file, text);
  });

  it("reports the line and column of a problem in a file", async () => {
    const file = folder.path(".skill-registry/policy.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"safe-to-try"\n  ]', '"safe-to-fly"\n  ]'));
    const { code, out } = await check();
    await writeFile(file, text);
    assert.equal(code, 2);
    assert.match(
      out,
      /^\.skill-registry\/policy\.json:\d+:\d+: error: require\[0\]: The criterion “safe-to-fly” is not defined in “criteria”\. \(review\)$/m,
    );
  });

  it("does not follow a link to a device", async () => {
    const file = folder.path(".skill-registry/policy.json");
    const text = await readFile(file, "utf8");
    await rm(file);
    await symlink("/dev/zero", file);
    const { code, out } = await check();
    await rm(file);
    await writeFile(file, text);
    assert.deepEqual(
      [code, out],
      [
        2,
        ".skill-registry/policy.json:1:1: error: This file is a link that leads out of the folder. Replace it with a file. (file)\n1 broken.\n",
      ],
    );
  });

  it("writes no review through a link that leads out of the repository", async () => {
    const outside = await mkdtemp(join(tmpdir(), "skill-registry-outside-"));
    await mkdir(folder.path("linked", ".git"), { recursive: true });
    await mkdir(folder.path("linked", ".skill-registry"));
    await symlink(outside, folder.path("linked", ".skill-registry", "contracts"));
    const args = ["review", "text-stats", "--registry", registry.url, "--who", "Bo"];
    const { code, err } = await folder.run(args, {}, undefined, "linked");
    const written = await readdir(outside);
    await rm(folder.path("linked"), { recursive: true });
    await rm(outside, { recursive: true });
    assert.deepEqual([code, written], [2, []], err);
  });

  it("uses the reviews of a parent folder, and adds to them", async () => {
    await mkdir(folder.path("deep", "down"), { recursive: true });
    const at = ["--registry", registry.url];
    const below = (...args: string[]) =>
      folder.run([...args, ...at], {}, undefined, join("deep", "down"));
    assert.equal((await below("check")).out, "10 passed.\n");
    const before = await readFile(folder.path(".skill-registry/reviews.json"), "utf8");
    assert.equal((await below("review", "json-diff", "--who", "Bo", "--whole")).code, 0);
    const after = await readFile(folder.path(".skill-registry/reviews.json"), "utf8");
    assert.equal(JSON.parse(after).reviews.length, JSON.parse(before).reviews.length + 1);
    await writeFile(folder.path(".skill-registry/reviews.json"), before);
    assert.match((await below("ready", "json-diff")).out, /is not reviewed for customer-facing/);
  });

  it("has nothing to check in a folder without reviews", async () => {
    const { code, err } = await folder.run(["check", "/"]);
    assert.deepEqual(
      [code, err],
      [4, "No .skill-registry/policy.json found. Create one with `skill-registry review SLUG`.\n"],
    );
  });

  it("accepts a review whose data no file can contain", async () => {
    const description = "x".repeat(4_000_000);
    registry.change("csv-profile", inManifest({ inputSchema: { type: "object", description } }));
    const args = ["review", "csv-profile", "--registry", registry.url, "--who", "Bo"];
    const { code, err } = await folder.run(args);
    registry.restore();
    assert.deepEqual(
      [code, err],
      [
        2,
        "Nothing was written: .skill-registry/contracts/csv-profile@2.0.0.json would be invalid. This file is too large: at most 4000000 characters are read.\n",
      ],
    );
    assert.equal((await check()).out, "10 passed.\n");
  });

  it("reviews a newer version as a step from the reviewed one", async () => {
    registry.change("slow-report", inManifest({ version: "9.0.0", latestVersion: "9.0.0" }));
    const args = ["review", "slow-report", "--registry", registry.url, "--who", "Bo"];
    const { out } = await folder.run(args);
    assert.match(
      out,
      /slow-report@9\.0\.0, the step from 0\.4\.0.*\nChanged since 0\.4\.0: nothing in the contract\.\n$/s,
    );
    assert.equal((await check()).code, 0);
    registry.restore();
    const { reviews } = JSON.parse(
      await readFile(folder.path(".skill-registry/reviews.json"), "utf8"),
    );
    assert.deepEqual(
      reviews.map(({ skill }: { skill: string }) => skill),
      [...skills, "slow-report"],
    );
  });
});
