import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { useWindow } from "../useWindow";

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
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root !== undefined);
    const folder = vscode.Uri.joinPath(root, ".skill-registry");
    window.atEnd(async () => {
      await vscode.workspace.fs.delete(folder, { recursive: true });
      // Nothing is reviewed any more, so that no problem stays.
      await vscode.commands.executeCommand("skillRegistry.checkReviews");
    });
    const reviewing = vscode.commands.executeCommand("skillRegistry.reviewSkill", "csv-profile");
    await window.quickPickRow("safe-to-try").waitFor();
    await window.page.keyboard.press("Enter");
    await window.quickInput.getByText("What did you look at?").waitFor();
    await window.answer("Schemas and permissions.");
    await window.quickInput.getByText("for everybody to read").waitFor();
    await window.answer("Ann <ann@example.com>");
    await reviewing;
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    const [review] = JSON.parse(text).reviews;
    assert.deepEqual(
      [review.skill, review.criteria, review.who, review.notes],
      ["csv-profile", ["safe-to-try"], "Ann <ann@example.com>", "Schemas and permissions."],
    );

    await vscode.commands.executeCommand("skillRegistry.checkReadiness", "csv-profile");
    const readiness = vscode.window.activeTextEditor?.document;
    assert.equal(readiness?.uri.scheme, "skill-readiness");
    const answers = readiness.getText();
    assert.match(
      answers,
      /^ {2}met +The publisher .* is active\.\n +csv-profile at the registry, /m,
    );
    assert.match(answers, /^ {2}not met +csv-profile@\S+ is not reviewed for customer-facing\./m);
    assert.match(answers, /^ {2}met +The Project Key is in no file of the workspace\.$/m);
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
});
