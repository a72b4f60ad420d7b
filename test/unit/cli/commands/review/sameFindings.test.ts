import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { sep } from "node:path";
import { after, before, describe, it } from "mocha";
import { exitCodeOf, type ReportItem } from "../../../../../src/core/findings/report";
import { brokenItem, checkTeam } from "../../../../../src/core/review/checkTeam";
import { loadReviewFolder } from "../../../../../src/core/review/files/reviewFolder";
import { runSync } from "../../../../../src/core/text/chunked";
import { english } from "../../../../../src/core/text/language";
import { clientFor, never } from "../../../../fixtures/registries/clientFor";
import { startDriftingRegistry } from "../../driftingRegistry";
import { cliFolder } from "../../runTestCli";
import { inManifest, skills } from "./reviewedSkills";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

/** Compares what every front end reports about one repository at one registry. */
describe("a repository with ten reviewed skills, in the editor and on the command line", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
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

  /** One kind for each exit code, with the format it is compared in; `core/review` tests every rule. */
  const kinds: readonly (readonly [
    rule: string,
    code: number,
    format: string,
    make: () => unknown,
  ])[] = [
    ["", 0, "text", () => undefined],
    [
      "contract-changed",
      1,
      "sarif",
      () => registry.change("csv-profile", inManifest({ inputSchema: { type: "object" } })),
    ],
    ["unknown", 3, "junit", () => registry.change("burst-limited", () => ({}))],
    [
      "review",
      2,
      "github",
      async () => {
        const text = await readFile(policyFile(), "utf8");
        await writeFile(policyFile(), text.replace('"safe-to-try"\n  ]', '"safe-to-fly"\n  ]'));
      },
    ],
  ];
  for (const [rule, code, format, make] of kinds) {
    it(`report the same ${rule === "" ? "without drift" : rule}`, async () => {
      const policy = await readFile(policyFile(), "utf8");
      await make();
      const items = await inEditor();
      const runs = await Promise.all(
        ["json", format].map((one) =>
          folder.run(["check", "--registry", registry.url, "--format", one]),
        ),
      );
      registry.restore();
      await writeFile(policyFile(), policy);

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
