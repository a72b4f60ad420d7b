import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { type Contract, contractHash } from "../../../src/core/review/contract";
import { firstPolicy, newReview, reviewFileTexts } from "../../../src/core/review/newReview";
import { writeTeamFile } from "../../../src/core/review/reviewFiles";
import { sha256 } from "../../../src/engine/sha256";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import type { EditorWindow } from "../window/window";

describe("Reviewed skills of a folder", () => {
  const window = useWindow();

  /** Every problem of ours with reviews, as `file code`. */
  const problems = () =>
    vscode.languages
      .getDiagnostics()
      .flatMap(([uri, all]) =>
        all
          .filter(({ source }) => source === "skill-registry")
          .map(({ code }) => `${uri.path.split("/").at(-1)} ${String(code)}`),
      )
      .filter((one) => /(?:unreviewed|file)$/.test(one))
      .toSorted();

  it("are recorded by a command, and compared with the registry by another", async () => {
    const folder = await reviewEarlierVersion(window);
    const reviewing = vscode.commands.executeCommand("skillRegistry.reviewSkill", "csv-profile");
    await window.quickPickRow("safe-to-try").waitFor();
    const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
    await eventually("the difference", async () =>
      /^csv-profile: 0\.9\.0 ↔ \d/.test(activeTab()?.label ?? ""),
    );
    const compared = activeTab();
    assert.ok(compared?.input instanceof vscode.TabInputTextDiff);
    const [old, now] = await Promise.all(
      [compared.input.original, compared.input.modified].map(async (uri) =>
        JSON.parse((await vscode.workspace.openTextDocument(uri)).getText()),
      ),
    );
    assert.deepEqual([old.inputSchema, now.inputSchema.type], [null, "object"]);
    // The comparison beside it may still take the focus.
    await window.quickInput.locator("input:not([type=checkbox])").first().press("Enter");
    await window.quickInput.getByText("What did you check?").waitFor();
    await window.answer("Schemas and permissions.");
    await window.quickInput.getByText("Anyone who sees the file can read it.").waitFor();
    await window.answer("Ann <ann@example.com>");
    await reviewing;
    const text = await eventually("the file of reviews", () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.path.endsWith("/reviews.json") && shown.getText();
    });
    const review = JSON.parse(text).reviews.at(-1);
    const entry = vscode.window.activeTextEditor?.selection.active;
    assert.ok(entry && entry.line > 4 && text.split("\n")[entry.line] === "    {");
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

    await vscode.commands.executeCommand("skillRegistry.checkReadiness", "csv-profile");
    const readiness = await eventually("the readiness", () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === "skill-readiness" && shown;
    });
    const answers = readiness.getText();
    assert.match(
      answers,
      /^ {2}met +The publisher .* is active\.\n +csv-profile at the registry, /m,
    );
    assert.match(answers, /^ {2}not met +csv-profile@\S+ is not reviewed for customer-facing\./m);
    assert.match(answers, /^ {2}met +No file of the workspace contains the Project Key\.$/m);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      "vscode.executeLinkProvider",
      readiness.uri,
    );
    const targets = links.map(({ range, target }) => [
      readiness.getText(range),
      decodeURIComponent(String(target)),
    ]);
    assert.deepEqual(targets.slice(0, 1), [
      ["csv-profile at the registry", 'command:skillRegistry.openSkill?["csv-profile"]'],
    ]);
    const file = targets.find(([label]) => label === ".skill-registry/reviews.json");
    assert.ok(file?.[1]?.endsWith("/.skill-registry/reviews.json"), String(file));

    await vscode.commands.executeCommand("skillRegistry.checkReviews");
    const unreviewed = "text-stats.slow-reader.skill-input.json unreviewed";
    await eventually("what is not reviewed", async () => problems().join() === unreviewed);

    const contract = vscode.Uri.joinPath(folder, "contracts", `csv-profile@${review.version}.json`);
    await vscode.workspace.fs.delete(contract);
    await vscode.commands.executeCommand("skillRegistry.checkReviews");
    const missing = `csv-profile@${review.version}.json file`;
    await eventually("the contract that is missing", async () => problems().join() === missing);
  });

  it("keep what others reviewed while a question is open", async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root !== undefined);
    const { fs } = vscode.workspace;
    const folder = vscode.Uri.joinPath(root, ".skill-registry");
    window.atEnd(() => remove(folder));
    // What the test before left there is broken.
    await remove(folder);
    for (const [name, text] of reviewedBefore()) {
      const file = vscode.Uri.joinPath(folder, ...name.split("/"));
      await fs.writeFile(file, new TextEncoder().encode(text));
    }
    const reviewing = vscode.commands.executeCommand("skillRegistry.reviewSkill", "text-stats");
    // Nothing of this skill is reviewed, so that no comparison opens beside the question.
    await window.quickPickRow("safe-to-try").waitFor();
    await window.quickInput.locator("input:not([type=checkbox])").first().press("Enter");
    await window.quickInput.getByText("What did you check?").waitFor();
    await window.answer("Schemas and permissions.");
    await window.quickInput.getByText("Anyone who sees the file can read it.").waitFor();
    const reviewsFile = vscode.Uri.joinPath(folder, "reviews.json");
    const { reviews, ...rest } = JSON.parse(
      new TextDecoder().decode(await fs.readFile(reviewsFile)),
    );
    const violation = {
      ...{ kind: "violation", skill: "json-diff", who: "Bo", when: "2026-01-02T00:00:00Z" },
      notes: "Pulled meanwhile.",
    };
    const pulled = JSON.stringify({ ...rest, reviews: [...reviews, violation] });
    await fs.writeFile(reviewsFile, new TextEncoder().encode(pulled));
    await window.answer("Ann <ann@example.com>");
    await reviewing;
    const written = JSON.parse(new TextDecoder().decode(await fs.readFile(reviewsFile)));
    assert.deepEqual(
      written.reviews.map(({ skill, who }: { skill: string; who: string }) => [skill, who]),
      [
        ["csv-profile", "Ann"],
        ["json-diff", "Bo"],
        ["text-stats", "Ann <ann@example.com>"],
      ],
    );
  });

  it("are told on page and row as the files change, and asked for before an invocation", async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root !== undefined);
    const { fs } = vscode.workspace;
    const folder = vscode.Uri.joinPath(root, ".skill-registry");
    window.atEnd(() => remove(folder));
    // What the tests before left there would count.
    await remove(folder);
    const payload = vscode.Uri.joinPath(root, "inputs", "text-stats.skill-input.json");
    await fs.writeFile(payload, new TextEncoder().encode('{ "text": "Good morning" }'));
    window.atEnd(() => fs.delete(payload));
    await vscode.window.showTextDocument(payload);
    await window.statusBarItem(/text-stats(@1\.0\.0)?: valid/).waitFor();
    const policy = new TextEncoder().encode(writeTeamFile(firstPolicy()));
    await fs.writeFile(vscode.Uri.joinPath(folder, "policy.json"), policy);
    // No word of the new file has come yet.
    const invoking = vscode.commands.executeCommand("skillRegistry.invoke");
    const question = "is not reviewed in this workspace. Invoke it unreviewed?";
    await window.dialog.getByRole("button", { name: "Invoke Unreviewed", exact: true }).waitFor();
    await window.pressInDialog(question, "Cancel");
    await invoking;

    await window.openContainer("Skill Registry");
    const row = window.treeRow(/^Text statistics, .*, not reviewed$/);
    await row.waitFor();
    await vscode.commands.executeCommand("skillRegistry.openSkill", "text-stats");
    await window.webview.getByText("is not reviewed for safe-to-try").waitFor();
    const review = window.webview.getByRole("button", { name: "Review This Skill…" });
    await window.pressUntil(review, window.quickPickRow("safe-to-try"));
    await window.leaveQuickInput();

    await remove(folder);
    await row.waitFor({ state: "detached" });
    await window.webview.getByText("Team review").first().waitFor({ state: "detached" });
  });

  it("get a workflow for CI that is neither saved nor put over another one", async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root !== undefined);
    const file = vscode.Uri.joinPath(root, ".github", "workflows", "skill-registry.yml");
    const adding = vscode.commands.executeCommand("skillRegistry.addCiWorkflow");
    await window.choose("GitHub Actions");
    await window.pressInDialog("Add the command line to this repository?", "Add Command Line");
    window.atEnd(() => remove(vscode.Uri.joinPath(root, ".skill-registry", "bin")));
    await adding;
    const shown = await eventually("the workflow", () => {
      const active = vscode.window.activeTextEditor?.document;
      return active?.uri.path === file.path && active;
    });
    assert.equal(shown.isUntitled, true);
    assert.match(shown.getText(), /node \.skill-registry\/bin\/cli\.js check --format github\n/);
    await window.tidy();

    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode("name: Ours\n"));
    window.atEnd(() => remove(vscode.Uri.joinPath(root, ".github")));
    const again = vscode.commands.executeCommand("skillRegistry.addCiWorkflow");
    await window.choose("GitHub Actions");
    await window.pressInDialog("exists already", "Cancel");
    await again;
    assert.equal((await vscode.workspace.fs.readFile(file)).length, "name: Ours\n".length);
    assert.equal(await window.page.locator(".tabs-container .tab").count(), 0);
  });
});

describe("A check of reviewed skills that is canceled", () => {
  const window = useWindow();

  it("keeps the marks of the last one, and says nothing", async () => {
    await reviewEarlierVersion(window);
    const marks = () =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([uri, all]) =>
          all.flatMap(({ source, message }) =>
            source === "skill-registry" && /review|compared/.test(message)
              ? [`${uri.path} ${message}`]
              : [],
          ),
        )
        .toSorted();
    await vscode.commands.executeCommand("skillRegistry.checkReviews");
    const before = await eventually("what differs", () => marks().length > 0 && marks());
    await vscode.commands.executeCommand("notifications.clearAll");
    // It answers for one of them, and never for the other, nor does the editor give it up.
    await window.set("skillRegistry.requestTimeoutSeconds", 300);
    await window.connectTo(await startSchemaRegistry({ "text-stats": {} }, ["csv-profile"]));
    let isOver = false;
    const checking = vscode.commands.executeCommand("skillRegistry.checkReviews").then(() => {
      isOver = true;
    });
    const progress = window.notification("Comparing skills with their reviews");
    const cancel = progress.getByRole("button", { name: "Cancel", exact: true }).first();
    // The editor leaves the notification of the check before standing for a moment.
    await eventually("the end of the check", async () => {
      if (!isOver && (await cancel.count()) > 0) await cancel.click({ timeout: 5_000 });
      return isOver;
    });
    await checking;
    assert.deepEqual(marks(), before);
    // Messages are shown in the order in which they come.
    void vscode.window.showInformationMessage("The check is over.");
    await window.notification("The check is over.").waitFor();
    assert.equal(await window.notification(/reviews|reviewed/).count(), 0);
  });
});

/** Has an earlier version of csv-profile reviewed until the tests of this block end. Resolves to the folder of reviews. */
async function reviewEarlierVersion(window: EditorWindow): Promise<vscode.Uri> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(root !== undefined);
  const folder = vscode.Uri.joinPath(root, ".skill-registry");
  window.atEnd(async () => {
    await remove(folder);
    // Nothing is reviewed any more, so that no problem stays.
    await vscode.commands.executeCommand("skillRegistry.checkReviews");
  });
  for (const [name, text] of reviewedBefore()) {
    const file = vscode.Uri.joinPath(folder, ...name.split("/"));
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  }
  return folder;
}

/** The files of a folder where an earlier version of csv-profile is reviewed. */
function reviewedBefore(): ReadonlyMap<string, string> {
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
  return new Map([texts.contract, ["reviews.json", texts.reviews], ["policy.json", policy]]);
}

/** Removes a folder that may be gone already. */
async function remove(folder: vscode.Uri): Promise<void> {
  const { fs } = vscode.workspace;
  await fs.delete(folder, { recursive: true }).then(undefined, () => undefined);
}
