import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { writeTeamFile } from "../../../src/core/review/files/reviewFiles";
import { firstPolicy, newReview, reviewFileTexts } from "../../../src/core/review/newReview";
import { type Contract, contractHash } from "../../../src/core/skill/compare/contract";
import { sha256 } from "../../../src/engine/sha256";
import type { RecordingServer } from "../../fixtures/network/recordingServer";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import type { MemoryEditor } from "../memoryEditor";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { CodeActionKind } from "../vscode/languageValues";
import { Range, TabInputTextDiff } from "../vscode/values";

const payloads = {
  "inputs/csv-profile.orders.skill-input.json": '{ "csv": "a,b" }',
  "inputs/text-stats.skill-input.json": '{ "text": "One." }',
};

/** Every problem of reviews, as `file code`. */
const problemsIn = ({ parts }: MemoryEditor) =>
  parts.languages
    .allProblems()
    .flatMap(([uri, all]) =>
      all
        .filter(({ source }) => source === "skill-registry")
        .map(({ code }) => `${uri.path.split("/").at(-1)} ${String(code)}`),
    )
    .filter((one) => /(?:unreviewed|file)$/.test(one))
    .toSorted();

/** Answers the questions of a review, except the last one. */
async function reviewUntilWho(editor: MemoryEditor): Promise<void> {
  (await editor.pick("safe-to-try")).accept();
  await editor.input("What did you check?");
  await editor.answer("Schemas and permissions.");
  await editor.input("Anyone who sees the file can read it.");
}

describe("A folder in which an earlier version of a skill is reviewed", () => {
  const folder = useFolder({ ...payloads, ...reviewedBefore() });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let version = "";

  it("Quick fixes of its problem show and review the differences", async () => {
    await editor.run("checkReviews");
    const uri = folder.uri("inputs/csv-profile.orders.skill-input.json");
    await editor.vscode.window.showTextDocument(uri);
    const { document } = editor;
    const start = document.positionAt(0);
    const kind = CodeActionKind.QuickFix;
    const range = new Range(start, start);
    const actions = await editor.parts.languages.actionsAt(document, range, kind);
    const titles = ["Show What Changed", "Review csv-profile…"];
    const found = titles.map((title) => actions.find((action) => action.title === title));
    assert.deepEqual(
      found.map((action) => action?.diagnostics?.map(({ code }) => code).includes("unreviewed")),
      [false, false],
    );
    const [show, review] = found.map((action) => action?.command);
    await editor.run("reviewSkill", ...(show?.arguments ?? []));
    await editor.until("the difference", () =>
      editor.parts.tabs.all.find(({ label }) => /^csv-profile: 0\.9\.0 ↔ \d/.test(label)),
    );
    const reviewing = editor.run("reviewSkill", ...(review?.arguments ?? []));
    (await editor.pick("safe-to-try")).leave();
    await reviewing;
    await editor.tidy();
  });

  it("Its next review shows current differences, and is written beside the others", async () => {
    const reviewing = editor.run("reviewSkill", "csv-profile");
    await editor.pick("safe-to-try");
    const compared = await editor.until("the difference", () =>
      editor.parts.tabs.all.find(({ label }) => /^csv-profile: 0\.9\.0 ↔ \d/.test(label)),
    );
    assert.ok(compared.input instanceof TabInputTextDiff);
    const [old, now] = await Promise.all(
      [compared.input.original, compared.input.modified].map(async (uri) =>
        JSON.parse((await editor.parts.documents.get(uri)).getText()),
      ),
    );
    assert.deepEqual([old.inputSchema, now.inputSchema.type], [null, "object"]);
    await reviewUntilWho(editor);
    await editor.answer("Ann <ann@example.com>");
    await reviewing;
    assert.match(editor.document.uri.path, /\/\.skill-registry\/reviews\.json$/);
    const text = editor.document.getText();
    const review = JSON.parse(text).reviews.at(-1);
    version = review.version;
    const line = editor.vscode.window.activeTextEditor?.selection.active.line ?? 0;
    assert.ok(line > 4 && text.split("\n")[line] === "    {");
    assert.deepEqual(
      [review.skill, review.from, review.criteria, review.who, review.notes],
      [
        "csv-profile",
        "0.9.0",
        ["safe-to-try"],
        "Ann <ann@example.com>",
        "Schemas and permissions.",
      ],
    );
  });

  it("Its readiness answers five questions, with links to the evidence", async () => {
    await editor.run("checkReadiness", "csv-profile");
    const { document } = editor;
    assert.equal(document.uri.scheme, "skill-readiness");
    const answers = document.getText();
    assert.match(
      answers,
      /^ {2}no {9}csv-profile@\S+ is not reviewed for customer-facing\. Review this version\.\n/m,
    );
    const signIn = "command:skillRegistry.signIn?[]";
    const links = await editor.parts.languages.linksOf(document);
    const targets = links.map(({ range, target }) => [
      document.getText(range),
      decodeURIComponent(String(target)),
    ]);
    assert.ok(targets.some(([label, to]) => label === "Sign In…" && to === signIn));
    const file = targets.find(([label]) => label === ".skill-registry/reviews.json");
    assert.ok(file?.[1]?.endsWith("/.skill-registry/reviews.json"), String(file));
  });

  it("A check marks files that use an unreviewed skill, and a missing contract", async () => {
    await editor.run("checkReviews");
    assert.deepEqual(problemsIn(editor), ["text-stats.skill-input.json unreviewed"]);
    const contract = `csv-profile@${version}.json`;
    await editor.parts.files.remove(folder.uri(`.skill-registry/contracts/${contract}`));
    await editor.run("checkReviews");
    assert.deepEqual(problemsIn(editor), [`${contract} file`]);
  });
});

describe("A folder that others review as well", () => {
  const folder = useFolder(reviewedBefore());
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("Its reviews keep the entries that others added during a question", async () => {
    const reviewing = editor.run("reviewSkill", "text-stats");
    await reviewUntilWho(editor);
    const { reviews, ...rest } = JSON.parse(await folder.read(".skill-registry/reviews.json"));
    const violation = {
      ...{ kind: "violation", skill: "json-diff", who: "Bo", when: "2026-01-02T00:00:00Z" },
      notes: "Pulled meanwhile.",
    };
    const pulled = JSON.stringify({ ...rest, reviews: [...reviews, violation] });
    await folder.write(".skill-registry/reviews.json", pulled);
    await editor.answer("Ann <ann@example.com>");
    await reviewing;
    const written = JSON.parse(await folder.read(".skill-registry/reviews.json"));
    assert.deepEqual(
      written.reviews.map(({ skill, who }: { skill: string; who: string }) => [skill, who]),
      [
        ["csv-profile", "Ann"],
        ["json-diff", "Bo"],
        ["text-stats", "Ann <ann@example.com>"],
      ],
    );
  });
});

describe("A folder that gets a policy", () => {
  const folder = useFolder(payloads);
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const policy = ".skill-registry/policy.json";

  it("It asks before an invocation even without a file event, and shows it on row and page afterwards", async () => {
    await editor.vscode.window.showTextDocument(folder.uri("inputs/text-stats.skill-input.json"));
    await editor.checked();
    await folder.write(policy, writeTeamFile(firstPolicy()));
    const invoking = editor.run("invoke");
    await editor.press(/is not reviewed in this workspace\. Invoke it unreviewed\?/, "Cancel");
    await invoking;
    assert.equal(editor.output, "");

    await editor.run("openSkill", "text-stats");
    const page = await editor.page("Text statistics");
    await page.shows("is not reviewed for safe-to-try");
    const skills = await editor.view("skills");
    const isMarked = () => /^Text statistics.*not reviewed/m.test(skills.text);
    await editor.until("the mark of the row", isMarked);
    page.send({ type: "runCommand", command: "reviewSkill" });
    (await editor.pick("safe-to-try")).leave();

    await editor.parts.files.remove(folder.uri(".skill-registry"));
    await editor.clock.advance(1_000);
    await editor.until("a row without a mark", () => !isMarked());
    await editor.until("a page without a review", () => !/reviewed for/.test(page.text));
  });
});

describe("A folder that gets a workflow for CI", () => {
  const folder = useFolder();
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const file = ".github/workflows/skill-registry.yml";

  it("It gets an unsaved document, and an existing workflow is not replaced", async () => {
    const adding = editor.run("addCiWorkflow");
    await editor.choose("GitHub Actions");
    await adding;
    const { document } = editor;
    assert.deepEqual([document.uri.path, document.isUntitled], [folder.uri(file).path, true]);
    const run = /npx --yes skill-registry-cli@\d+\.\d+\.\d+ check --format github\n/;
    assert.match(document.getText(), run);
    await editor.tidy();

    await folder.write(file, "name: Ours\n");
    const again = editor.run("addCiWorkflow");
    await editor.choose("GitHub Actions");
    await editor.press("exists already", "Cancel");
    await again;
    assert.equal(await folder.read(file), "name: Ours\n");
    assert.deepEqual(editor.parts.tabs.all, []);
  });
});

describe("A canceled check of reviewed skills", () => {
  const folder = useFolder({ ...payloads, ...reviewedBefore() });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: RecordingServer;
  before(async () => {
    // It responds for one of the skills, and never for the other.
    registry = await startSchemaRegistry({ "text-stats": {} }, ["csv-profile"]);
  });
  after(() => registry.close());

  it("It keeps the marks of the last check, and reports nothing", async () => {
    await editor.run("checkReviews");
    const before = problemsIn(editor);
    assert.ok(before.length > 0);
    await editor.tidy();
    await editor.connectTo(registry);
    const checking = editor.run("checkReviews");
    await registry.heard(({ path }) => path.startsWith("/v1/skills/csv-profile"));
    (await editor.progress("Comparing skills with their reviews")).cancel();
    await checking;
    assert.deepEqual(problemsIn(editor), before);
    assert.deepEqual(editor.parts.notices, []);
  });
});

/** The files of a folder where an earlier version of csv-profile is reviewed, by their paths. */
function reviewedBefore(): Readonly<Record<string, string>> {
  const contract: Contract = {
    inputSchema: null,
    outputSchema: null,
    permissions: null,
    runtime: null,
    publisher: null,
    prices: [],
  };
  const hash = contractHash(contract, sha256);
  const nothing = { policy: firstPolicy(), reviews: [], contracts: new Map() };
  const made = newReview(nothing, {
    slug: "csv-profile",
    registry: "built-in",
    skill: { version: "0.9.0", contract: { ok: true, contract, hash } },
    criteria: ["safe-to-try"],
    who: "Ann",
    when: "2026-01-01T00:00:00Z",
    isWhole: true,
  });
  assert.ok(made !== undefined);
  const texts = reviewFileTexts(nothing, made);
  const policy = writeTeamFile(firstPolicy());
  const all = [texts.contract, ["reviews.json", texts.reviews], ["policy.json", policy]] as const;
  return Object.fromEntries(all.map(([name, text]) => [`.skill-registry/${name}`, text]));
}
