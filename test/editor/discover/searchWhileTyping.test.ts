import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";
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

describe("A list of skills with slow responses", () => {
  const window = useWindow();
  /** Answers the search for "other", which waits for that: a tooltip may search for a name as well. */
  let release: (() => void) | undefined;
  before(async () => {
    const server = await startTestRegistry({
      "/v1/skills/search": ({ query }) => {
        const text = query.get("q") ?? "";
        const slugs = ["first-skill", "other-skill", "third-skill"];
        const found = { body: { skills: slugs.filter((slug) => slug.includes(text)).map(row) } };
        if (text !== "other") return found;
        return new Promise((resolve) => {
          release = () => resolve(found);
        });
      },
    });
    await window.connectTo(server);
  });

  const rows = () => window.quickInput.locator(".monaco-list-row");

  it("keeps checked skills for a comparison while responses arrive", async () => {
    const compared = vscode.commands.executeCommand("skillRegistry.compareSkills");
    await rows().filter({ hasText: "first-skill" }).first().waitFor();
    await window.page.keyboard.press("ArrowDown");
    await window.page.keyboard.press("Space");
    await window.quickInput.getByText(/1 selected/).waitFor();
    // The row has the focus that the space bar checked.
    await window.typeIntoQuickInput("other");
    (await eventually("the search", () => release))();
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
});
