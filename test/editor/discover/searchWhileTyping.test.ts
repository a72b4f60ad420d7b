import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { type RecordingServer, startRecordingServer } from "../../fixtures/network/recordingServer";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

const row = (slug: string) => ({
  slug,
  displayName: slug,
  description: "One of three.",
  tags: [],
  version: "1.0.0",
  verificationStatus: "verified",
  permissionLevel: "low",
});

describe("A list of skills that answers more slowly than one types", () => {
  const window = useWindow();
  let server: RecordingServer;
  /** Searches that are not answered yet, by their text: a tooltip may search for a name as well. */
  const held = new Map<string, () => void>();
  const release = (text: string) => held.get(text)?.();
  before(async () => {
    server = await startRecordingServer(({ path }, response) => {
      const url = new URL(path, "http://registry");
      const isSearch = url.pathname === "/v1/skills/search";
      const text = url.searchParams.get("q") ?? "";
      const answer = () => {
        const skills = ["first-skill", "other-skill", "third-skill"].filter((slug) =>
          slug.includes(text),
        );
        response.writeHead(isSearch ? 200 : 404, { "content-type": "application/json" });
        response.end(
          JSON.stringify(isSearch ? { skills: skills.map(row) } : { error: "Nothing." }),
        );
      };
      const fail = () => {
        response.writeHead(503, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: "Down until noon." }));
      };
      if (text === "broken") fail();
      else if (isSearch && text !== "") held.set(text, answer);
      else answer();
    });
    await window.connectTo(server);
  });

  const rows = () => window.quickInput.locator(".monaco-list-row");
  const searches = () => server.requests.filter(({ path }) => path.includes("q="));
  /** Returns a function that tells whether a text was searched for since. */
  const searched = (text: string) => {
    const before = searches().length;
    return () =>
      searches()
        .slice(before)
        .some(({ path }) => path.includes(`q=${text}&`));
  };

  it("takes no row of an older text; the skill that was typed is taken when it is there", async () => {
    const document = await vscode.workspace.openTextDocument({ language: "json", content: "{}" });
    await vscode.window.showTextDocument(document);
    const bound = vscode.commands.executeCommand("skillRegistry.bindPayload");
    await rows().filter({ hasText: "first-skill" }).waitFor();
    const isSearched = searched("other");
    await window.page.keyboard.type("other");
    await window.page.keyboard.press("Enter");
    await eventually("the search", isSearched);
    assert.equal(await window.quickInput.isVisible(), true);
    release("other");
    await bound;
    await window.statusBarItem(/other-skill/).waitFor();
  });

  it("keeps what was checked for a comparison while its answers change", async () => {
    const compared = vscode.commands.executeCommand("skillRegistry.compareSkills");
    await rows().filter({ hasText: "first-skill" }).first().waitFor();
    await window.page.keyboard.press("ArrowDown");
    await window.page.keyboard.press("Space");
    await window.quickInput.getByText(/1 selected/).waitFor();
    const isSearched = searched("other");
    // The row has the focus that the space bar checked.
    await window.typeIntoQuickInput("other");
    await eventually("the search", isSearched);
    release("other");
    await rows().filter({ hasText: "third-skill" }).waitFor({ state: "detached" });
    await rows().filter({ hasText: "other-skill" }).first().waitFor();
    const checked = rows().filter({ has: window.page.locator(".monaco-checkbox.checked") });
    await eventually("the one that was checked", async () => {
      const texts = await checked.allInnerTexts();
      return texts.length === 1 && /first-skill/.test(texts[0] ?? "");
    });
    await window.leaveQuickInput();
    await compared;
  });

  it("asks for what is typed in one go, not for each letter", async () => {
    await window.runCommand("Skill Registry: Search Skills…");
    await rows().filter({ hasText: "first-skill" }).waitFor();
    const before = searches().length;
    const isSearched = searched("other-skill");
    // Letter by letter, each before the one before it was heard of: on a busy machine keys take longer.
    await window.quickInput
      .locator("input:not([type=checkbox])")
      .first()
      .evaluate((input, text) => {
        for (let end = 1; end <= text.length; end += 1) {
          (input as HTMLInputElement).value = text.slice(0, end);
          input.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }
      }, "other-skill");
    await eventually("the search", isSearched);
    const asked = searches().slice(before);
    assert.ok(asked.length <= 3, asked.map(({ path }) => path).join("\n"));
    release("other-skill");
    await rows().filter({ hasText: "first-skill" }).waitFor({ state: "detached" });
    await rows().filter({ hasText: "other-skill" }).first().waitFor();
  });

  it("opens what Enter meant when it is there, as it does where it was there before", async () => {
    await window.runCommand("Skill Registry: Search Skills…");
    await rows().filter({ hasText: "first-skill" }).waitFor();
    const isSearched = searched("other");
    await window.typeIntoQuickInput("other");
    await eventually("the search", isSearched);
    await window.page.keyboard.press("Enter");
    release("other");
    await eventually("its page", () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes("other-skill"),
    );
    assert.equal(await window.quickInput.isVisible(), false);
  });

  it("says that the registry failed, and shows what it finds when it does again", async () => {
    await window.runCommand("Skill Registry: Search Skills…");
    await rows().filter({ hasText: "first-skill" }).waitFor();
    await window.typeIntoQuickInput("broken");
    const failure = rows().filter({ hasText: /HTTP 503\): Down until noon/ });
    await failure.waitFor();
    await rows().filter({ hasText: "first-skill" }).waitFor({ state: "detached" });
    const isSearched = searched("first");
    await window.typeIntoQuickInput("first");
    await eventually("the search", isSearched);
    release("first");
    await rows().filter({ hasText: "first-skill" }).waitFor();
    await failure.waitFor({ state: "detached" });
  });
});
