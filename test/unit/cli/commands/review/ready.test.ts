import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { pastInvocation } from "../../../../fixtures/pastInvocation";
import { startDriftingRegistry } from "../../driftingRegistry";
import { cliFolder } from "../../runTestCli";

const inManifest = (changes: object) => (body: Record<string, unknown>) => ({
  ...body,
  ...changes,
  manifest: { ...(body["manifest"] as object), ...changes },
});

describe("skill-registry ready", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  let env: Record<string, string>;
  const ready = (...args: string[]) =>
    folder.run(["ready", "csv-profile", "--registry", registry.url, ...args], env);
  const answers = async (...args: string[]) => {
    const { code, out, err } = await ready("--format", "json", ...args);
    assert.notEqual(out, "", err);
    const { items } = JSON.parse(out) as { items: { name: string; answer: string }[] };
    return {
      code,
      of: Object.fromEntries(
        items.map((one) => [one.name.replace("csv-profile: ", ""), one.answer]),
      ),
    };
  };
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const state = async (about: string, more: object) => {
    const file = folder.path(".skill-registry/reviews.json");
    const { format, reviews } = JSON.parse(await readFile(file, "utf8"));
    const entry = {
      kind: "statement",
      skill: "csv-profile",
      about,
      who: "Ann",
      when: `${day(0)}T00:00:00Z`,
      until: day(30),
      notes: "Because.",
      ...more,
    };
    await writeFile(file, JSON.stringify({ format, reviews: [...reviews, entry] }, undefined, 2));
  };
  before(async () => {
    registry = await startDriftingRegistry();
    env = {
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
      SKILL_REGISTRY_USER_TOKEN: registry.userToken,
    };
  });
  after(() => registry.close());

  it("knows nothing about a team or a project without its files and a token", async () => {
    env = {};
    const { code, of } = await answers();
    env = {
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
      SKILL_REGISTRY_USER_TOKEN: registry.userToken,
    };
    assert.equal(code, 3);
    assert.deepEqual(new Set(Object.values(of)), new Set(["notKnown"]));
  });

  it("uses the team's files, the project, the key and the record", async () => {
    const who = ["--who", "Ann", "--registry", registry.url];
    const review = ["review", "csv-profile", "--criteria", "customer-facing", ...who];
    assert.equal((await folder.run(review)).code, 0);
    await mkdir(folder.path("docs"));
    await writeFile(folder.path("docs/runbook.md"), "Do it by hand.\n");
    for (const about of ["owner", "retry-rule", "logs"]) await state(about, {});
    await state("runbook", { file: "docs/runbook.md", tried: day(-10) });
    const record = pastInvocation(Date.now() - 1000, {
      id: "01795000000000-abcd",
      endsBefore: Date.now(),
      registry: registry.url,
      skillSlug: "csv-profile",
      version: "2.0.0",
      status: "success",
      durationMs: 5,
    });
    await writeFile(folder.path("record.jsonl"), `${JSON.stringify(record)}\n`);
    const { code, of } = await answers("--record", "record.jsonl");
    assert.deepEqual(of, {
      ownership: "yes",
      "key-scope": "yes",
      "retry-behavior": "yes",
      logs: "yes",
      "manual-fallback": "yes",
    });
    assert.equal(code, 0);
  });

  it("reads the skill's own invocations from the record of this machine", async () => {
    const repeats = async () => {
      const { out } = await ready("--format", "json");
      const { items } = JSON.parse(out) as { items: { name: string; message: string }[] };
      return items.find(({ name }) => name.endsWith("retry-behavior"))?.message ?? "";
    };
    const invoke = async (slug: string, payload: string, at: string) => {
      const { code, err } = await folder.run(
        ["invoke", slug, payload, "--registry", at, "--yes", "--unreviewed"],
        env,
      );
      assert.equal(code, 0, err);
    };
    assert.match(await repeats(), /No invocation is recorded on this machine/);
    await invoke("text-stats", "text=Good morning.", "built-in");
    assert.match(await repeats(), /^Ann states, until /);
  });

  it("finds the key in a file, also in a hidden folder, and never prints it", async () => {
    await mkdir(folder.path(".vscode"));
    await writeFile(folder.path(".vscode/settings.json"), `{\n"key": "${registry.projectKey}"}`);
    const texts = await Promise.all(
      ["text", "json", "sarif", "junit", "github"].map(async (format) => {
        const { code, out } = await ready("--format", format);
        assert.equal(code, 1, format);
        return out;
      }),
    );
    await rm(folder.path(".vscode"), { recursive: true });
    for (const text of texts) {
      assert.ok(text.includes("A file contains the Project Key."), text);
      assert.ok(!text.includes(registry.projectKey) && !text.includes(registry.userToken));
    }
    const [text = "", , , , github = ""] = texts;
    assert.match(
      text,
      /^ {2}no +A file contains the Project Key.*\n +→ \.vscode\/settings\.json:2, 2/m,
    );
    assert.match(github, /^::error file=\.vscode\/settings\.json,line=2,col=1,title=key-scope::/m);
  });

  it("reports drifted, expired and missing skills", async () => {
    await rm(folder.path("docs/runbook.md"));
    await state("owner", { until: day(-1) });
    registry.change("csv-profile", inManifest({ supportUrl: "" }));
    const { code, of } = await answers();
    registry.restore();
    assert.equal(code, 1);
    const failed = Object.entries(of).filter(([, answer]) => answer === "no");
    assert.deepEqual(
      failed.map(([id]) => id),
      ["ownership", "manual-fallback"],
    );
  });

  const ends: readonly (readonly [args: string[], code: number, err: RegExp])[] = [
    [["no-such-skill"], 4, /^http:\S+: This registry has no skill “no-such-skill”\./],
    [
      ["csv-profile", "--record", "gone.jsonl"],
      2,
      /^gone\.jsonl could not be read: no such file \(ENOENT\)\./,
    ],
    [
      ["csv-profile", "--record", "docs.jsonl"],
      2,
      /^docs\.jsonl:1: Not an exported invocation\. Export the record as JSON Lines\./,
    ],
    [
      ["csv-profile", "--registry", "http://127.0.0.1:1"],
      3,
      /^csv-profile at http:\S+: No server is listening/,
    ],
    [[], 2, /^Specify a skill/],
  ];
  for (const [args, code, err] of ends) {
    it(`ends with ${code} for: ${["ready", ...args].join(" ")}`, async () => {
      await writeFile(folder.path("docs.jsonl"), "{}\n");
      const ended = await folder.run(["ready", "--registry", registry.url, ...args], env);
      assert.match(ended.err, err);
      assert.deepEqual([ended.code, ended.out], [code, ""]);
    });
  }

  it("ends if a named token or project is unusable", async () => {
    const unknown = await ready("--project", "no-such-project");
    assert.match(unknown.err, /^There is no project "no-such-project"\.$/m);
    assert.equal(unknown.code, 4);
    const ended = await folder.run(["ready", "csv-profile", "--registry", registry.url], {
      SKILL_REGISTRY_USER_TOKEN: registry.projectKey,
    });
    assert.equal(ended.code, 2);
    assert.match(
      ended.err,
      /^SKILL_REGISTRY_USER_TOKEN: This is a Project Key\. Paste a user token/,
    );
  });
});
