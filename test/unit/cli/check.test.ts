import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { type Change, startDriftingRegistry } from "./driftingRegistry";
import { cliFolder } from "./runTestCli";

const skills = [
  "burst-limited",
  "csv-profile",
  "draft-writer",
  "flaky-fetch",
  "json-diff",
  "market-data",
  "redact-pii",
  "slow-report",
  "sql-format",
  "text-stats",
];

const set =
  (changes: object): Change =>
  (body) => ({ ...body, ...changes });

const inManifest =
  (changes: object): Change =>
  (body) => ({
    ...body,
    ...changes,
    manifest: { ...(body["manifest"] as object), ...changes },
  });

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

  it("finds nothing while the registry says what was reviewed", async () => {
    assert.deepEqual(await check(), { code: 0, out: "10 good.\n", err: "" });
  });

  const drifts: readonly (readonly [
    rule: string,
    slug: string,
    change: Change,
    prices?: Change,
  ])[] = [
    ["contract-changed", "csv-profile", inManifest({ inputSchema: { type: "object" } })],
    [
      "permissions-raised",
      "text-stats",
      inManifest({
        permissions: { network: true, browser: false, filesystem: "none", secrets: [] },
      }),
    ],
    ["verification-lowered", "json-diff", set({ verificationStatus: "suspended" })],
    ["publisher-changed", "redact-pii", set({ publisher: { slug: "other", name: "Other" } })],
    [
      "price-changed",
      "sql-format",
      (body) => body,
      set({ prices: [{ billingModel: "per_call", unitAmountCents: 99, currency: "USD" }] }),
    ],
    ["version-unreviewed", "slow-report", inManifest({ version: "9.0.0", latestVersion: "9.0.0" })],
  ];
  for (const [rule, slug, change, prices] of drifts) {
    it(`finds ${rule}`, async () => {
      registry.change(slug, change, prices);
      const { code, out } = await check("--format", "json");
      registry.restore();
      const { items } = JSON.parse(out);
      const found = items.flatMap((item: { name: string; findings: { rule: string }[] }) =>
        item.findings.map((finding) => `${item.name} ${finding.rule}`),
      );
      assert.ok(found.includes(`${slug} ${rule}`), out);
      assert.ok(
        found.every((one: string) => one.startsWith(`${slug} `)),
        found.join("\n"),
      );
      assert.equal(code, 1);
    });
  }

  it("says the same in every format", async () => {
    registry.change("json-diff", set({ verificationStatus: "suspended" }));
    const message =
      "json-diff@2.1.0 is “Suspended” at the registry; when it was reviewed, it was “Verified”.";
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
      `.skill-registry/reviews.json:58:7: error: ${message} (verification-lowered)\n9 good, 1 with findings.\n`,
    );
    assert.equal(JSON.parse(sarif).runs[0].results.length, 1);
    assert.match(junit, /<testsuites tests="10" failures="1" errors="0">/);
    assert.equal(
      github,
      `::error file=.skill-registry/reviews.json,line=58,col=7,endLine=58,endColumn=27,title=verification-lowered::${message}\n`,
    );
  });

  it("finds a skill that a payload is for and nobody reviewed, by its first file", async () => {
    await writeFile(folder.path("status-notice.skill-input.json"), "{}");
    const { code, out } = await check();
    await rm(folder.path("status-notice.skill-input.json"));
    assert.equal(code, 1);
    assert.match(
      out,
      /^status-notice\.skill-input\.json: error: status-notice@\S+ is not reviewed for safe-to-try\. Review this version\. \(unreviewed\)$/m,
    );
  });

  it("takes the end of a payload's name for a label where there is no such skill", async () => {
    await writeFile(folder.path("csv-profile.orders.skill-input.json"), "{}");
    const { code, out } = await check();
    await rm(folder.path("csv-profile.orders.skill-input.json"));
    assert.deepEqual([code, out], [0, "10 good.\n"]);
  });

  it("goes by the version that a suite names", async () => {
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

  it("does not count reviews of another registry, and says so", async () => {
    const { code, out } = await folder.run(["check"]);
    assert.equal(code, 1);
    const origin = registry.url.replaceAll(".", "\\.");
    const message = `text-stats@1\\.0\\.0 was reviewed at ${origin}, not at built-in\\. Review it there\\.`;
    assert.match(out, new RegExp(`: error: ${message} \\(other-registry\\)\n`));
    assert.match(out, /\n10 with findings\.\n$/);
  });

  it("cannot decide without an answer, and says so", async () => {
    const { code, out } = await folder.run(["check", "--registry", "http://127.0.0.1:1"]);
    assert.equal(code, 3);
    assert.match(out, /warning: json-diff could not be compared with its review\. Nothing answers/);
    registry.change("json-diff", () => ({}));
    assert.equal((await check()).code, 3);
    registry.restore();
  });

  it("is broken where a contract is not the one that was reviewed, or gone", async () => {
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
    assert.match((await check()).out, /The contract that was reviewed is missing/);
    await writeFile(file, text);
  });

  it("names the line and column of what is wrong in a file", async () => {
    const file = folder.path(".skill-registry/policy.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"safe-to-try"\n  ]', '"safe-to-fly"\n  ]'));
    const { code, out } = await check();
    await writeFile(file, text);
    assert.equal(code, 2);
    assert.match(
      out,
      /^\.skill-registry\/policy\.json:\d+:\d+: error: The criterion “safe-to-fly” is not defined in “criteria”\. \(review\)$/m,
    );
  });

  it("has nothing to look at in a folder without reviews", async () => {
    const { code, err } = await folder.run(["check", "/"]);
    assert.deepEqual([code, err], [4, "There is no .skill-registry/policy.json here.\n"]);
  });

  it("reviews a further version as the step from the one before", async () => {
    registry.change("slow-report", inManifest({ version: "9.0.0", latestVersion: "9.0.0" }));
    const args = ["review", "slow-report", "--registry", registry.url, "--who", "Bo"];
    const { out } = await folder.run(args);
    assert.match(
      out,
      /slow-report@9\.0\.0, the step from 0\.4\.0.*\nChanged since 0\.4\.0: nothing of the contract\.\n$/s,
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
