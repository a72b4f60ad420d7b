import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { sep } from "node:path";
import { after, before, describe, it } from "mocha";
import { exitCodeOf, type ReportItem } from "../../../../../src/core/findings/report";
import { brokenItem, checkTeam } from "../../../../../src/core/review/checkTeam";
import { loadReviewFolder } from "../../../../../src/core/review/files/reviewFolder";
import { runSync } from "../../../../../src/core/text/chunked";
import { english } from "../../../../../src/core/text/language";
import { clientFor, never } from "../../../../fixtures/registries/clientFor";
import { isWholeSuite } from "../../../../fixtures/wholeSuite";
import { type Change, startDriftingRegistry } from "../../driftingRegistry";
import { cliFolder } from "../../runTestCli";
import { inManifest, set, skills } from "./reviewedSkills";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

/** Compares what every front end reports about one repository at one registry. */
describe("a repository with ten reviewed skills, in the editor and on the command line", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  const reviewsFile = () => folder.path(".skill-registry", "reviews.json");
  const policyFile = () => folder.path(".skill-registry", "policy.json");
  before(async () => {
    registry = await startDriftingRegistry();
    for (const slug of skills) {
      await folder.run(["review", slug, "--registry", registry.url, "--who", "Ann"]);
    }
    await mkdir(folder.path("inputs"));
    await writeFile(folder.path("inputs", "text-stats.skill-input.json"), "{}");
  });
  after(() => registry.close());

  /** Checks like the editor: with its own client and its own reading of the folder. */
  async function inEditor(): Promise<readonly ReportItem[]> {
    const path = (name: string) => folder.path(".skill-registry", ...name.split("/"));
    const { reviews: read, reviewsText } = await loadReviewFolder(
      {
        list: (name) => readdir(path(name)),
        read: async (name) => ({ kind: "text", text: await readFile(path(name), "utf8") }),
        work: async (work) => runSync(work),
      },
      digest,
      english,
    );
    if (read.kind === "broken") return read.broken.map(brokenItem);
    assert.ok(read.kind === "read");
    const client = clientFor(registry.url);
    try {
      return await checkTeam({
        files: read.files,
        reviewsText,
        usingFiles: (await readdir(folder.path(), { recursive: true })).map((name) =>
          name.split(sep).join("/"),
        ),
        readText: (file) => readFile(folder.path(file), "utf8"),
        read: async ({ slug, version }) =>
          client.skill(slug, version || undefined, never, { withinSeconds: 5 }),
        digest,
        registry: registry.url,
        today: new Date().toISOString().slice(0, 10),
        language: english,
      });
    } finally {
      client.close();
    }
  }

  const appended = (review: object) => async () => {
    const { reviews, ...rest } = JSON.parse(await readFile(reviewsFile(), "utf8"));
    const entry = { who: "Ann", when: "2026-01-01T00:00:00Z", ...review };
    await writeFile(reviewsFile(), JSON.stringify({ ...rest, reviews: [...reviews, entry] }));
  };
  const expiring = async () => {
    const { reviews, ...rest } = JSON.parse(await readFile(reviewsFile(), "utf8"));
    const ended = reviews.map((one: { skill: string }) =>
      one.skill === "market-data" ? { ...one, until: "2026-01-01" } : one,
    );
    await writeFile(reviewsFile(), JSON.stringify({ ...rest, reviews: ended }));
  };
  const atRegistry = (slug: string, change: Change, prices?: Change) => async () =>
    registry.change(slug, change, prices);

  const kinds: readonly (readonly [rule: string, code: number, make: () => Promise<void>])[] = [
    ["", 0, async () => {}],
    [
      "violation",
      1,
      appended({ kind: "violation", skill: "flaky-fetch", notes: "Loses what it fetches." }),
    ],
    [
      "contract-changed",
      1,
      atRegistry("csv-profile", inManifest({ inputSchema: { type: "object" } })),
    ],
    [
      "permissions-raised",
      1,
      atRegistry(
        "text-stats",
        inManifest({
          permissions: { network: true, browser: false, filesystem: "none", secrets: [] },
        }),
      ),
    ],
    ["verification-lowered", 1, atRegistry("json-diff", set({ verificationStatus: "suspended" }))],
    [
      "publisher-changed",
      1,
      atRegistry("redact-pii", set({ publisher: { slug: "other", name: "Other" } })),
    ],
    [
      "price-changed",
      1,
      atRegistry(
        "sql-format",
        (body) => body,
        set({ prices: [{ billingModel: "per_call", unitAmountCents: 99, currency: "USD" }] }),
      ),
    ],
    [
      "version-unreviewed",
      1,
      atRegistry("slow-report", inManifest({ version: "9.0.0", latestVersion: "9.0.0" })),
    ],
    ["expired", 1, expiring],
    [
      "unreviewed",
      1,
      () => writeFile(folder.path("inputs", "status-notice.skill-input.json"), "{}"),
    ],
    ["unknown", 3, atRegistry("burst-limited", () => ({}))],
    [
      "review",
      2,
      async () => {
        const text = await readFile(policyFile(), "utf8");
        await writeFile(policyFile(), text.replace('"safe-to-try"\n  ]', '"safe-to-fly"\n  ]'));
      },
    ],
  ];
  const others = ["text", "sarif", "junit", "github"];
  for (const [index, [rule, code, make]] of kinds.entries()) {
    it(`report the same ${rule === "" ? "without drift" : rule}`, async () => {
      const [reviews, policy] = await Promise.all([
        readFile(reviewsFile(), "utf8"),
        readFile(policyFile(), "utf8"),
      ]);
      await make();
      const items = await inEditor();
      // Every format is always tested, with some of the cases.
      const formats = isWholeSuite() ? others : [others[index % others.length] ?? ""];
      const runs = await Promise.all(
        ["json", ...formats].map((format) =>
          folder.run(["check", "--registry", registry.url, "--format", format]),
        ),
      );
      registry.restore();
      await writeFile(reviewsFile(), reviews);
      await writeFile(policyFile(), policy);
      await rm(folder.path("inputs", "status-notice.skill-input.json"), { force: true });

      assert.deepEqual(
        runs.map((run) => run.code),
        runs.map(() => code),
        runs[1]?.out,
      );
      assert.equal(exitCodeOf(items), code);
      const findings = items.flatMap((item) => item.findings);
      const departing = items.filter(({ state }) => state !== "good");
      assert.equal(departing.length, rule === "" ? 0 : 1, runs[1]?.out);
      assert.deepEqual(rule === "" ? [] : [rule], [
        ...new Set(findings.map((one) => one.rule).filter((one) => one === rule)),
      ]);
      const said = JSON.parse(runs[0]?.out ?? "").items.map((item: ReportItem) => [
        item.name,
        item.file,
        item.state,
        item.findings.map((one) => [one.rule, one.severity, one.message, one.file]),
      ]);
      assert.deepEqual(
        items.map((item) => [
          item.name,
          item.file,
          item.state,
          item.findings.map((one) => [one.rule, one.severity, one.message, one.file]),
        ]),
        said,
      );
      for (const { out } of runs.slice(1)) {
        const plain = out.replaceAll("&quot;", '"').replaceAll('\\"', '"').replaceAll("&amp;", "&");
        for (const { message } of findings)
          assert.ok(plain.includes(message), `${message}\n${out}`);
      }
    });
  }
});
