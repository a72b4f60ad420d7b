import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { keyNeedles } from "../../fixtures/keyForms";
import {
  type EchoingRegistry,
  startEchoingRegistry,
} from "../../fixtures/registries/echoingRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { isWholeSuite, itInWholeSuite } from "../../fixtures/wholeSuite";
import { dataFolder } from "../dataFolder";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { needsDialogs } from "../window/needsDialogs";
import { outputText } from "../window/outputText";
import { openSecondWindow } from "../window/secondWindow";
import { useWindow } from "../window/useWindow";
import { filesWith } from "./filesWith";
import { windowState } from "./windowState";

/** At `debug` the extension already logs everything. `trace` adds the editor's own lines and takes a third longer. */
const logLevel = isWholeSuite() ? "trace" : "debug";

/**
 * Has a session with a registry that returns the key wherever it can, then searches for the key. Tests in memory search
 * what the editor shows, copies, exports and posts to its pages.
 */
describe("A Project Key, after a session with a registry that returns it", () => {
  const window = useWindow({ steps: true, showsOutput: true });
  let registry: EchoingRegistry;
  const seen: string[] = [];

  before(async function () {
    needsDialogs(this);
    registry = await startEchoingRegistry();
    window.atEnd(() => vscode.commands.executeCommand("_extensionTests.setLogLevel", "info"));
    await vscode.commands.executeCommand("_extensionTests.setLogLevel", logLevel);
    await window.connectTo(registry);
  });

  async function haveSession(): Promise<void> {
    const { projectKey } = registry;
    await window.runCommand("Skill Registry: Project Key…");
    await window.quickPickRow("Set Project Key…").click();
    await window.quickInput.getByPlaceholder("sk_proj_").waitFor();
    await window.typeIntoQuickInput(`${projectKey} twice ${projectKey}`);
    await window.quickInput.getByText("no spaces or line breaks").waitFor();
    await window.answer(projectKey);
    await window.statusBarItem("Project Key set").waitFor();
    let blocks = 0;
    await openPayload(window, "word-tally");
    for (const [index, echoing] of invoked().entries()) {
      registry.answer("/v1/runtime/invoke", echoing);
      await writeValidInput(window, JSON.stringify({ text: `echo ${index}` }));
      const call = vscode.commands.executeCommand("skillRegistry.invoke");
      if (index === 0) await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
      await call;
      blocks = await eventually("the call's block", () => {
        const now = outputText().match(/^── /gm)?.length ?? 0;
        return now > blocks && now;
      });
      await look();
      await vscode.commands.executeCommand("notifications.clearAll");
    }
    await window.tidy();
    // From now on, its responses about the skill contain the key as well.
    window.atEnd(registry.echoInSkill());
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Word Tally \[Project Key\]/).waitFor();
    await vscode.commands.executeCommand("skillRegistry.openSkill", "word-tally");
    await window.webview.getByText("[Project Key]").first().waitFor();
    await look("[Project Key]");
    // Saves files and state now, so that everything the window would write later is on the disk.
    await vscode.commands.executeCommand("workbench.action.files.saveAll");
    await window.storeState();
  }

  /** Returns an output, a rejection and a failure; a test in memory tries every response. */
  function invoked(): readonly Answer[] {
    return isWholeSuite()
      ? registry.answers
      : registry.answers.filter((_, index) => [0, 2, 5].includes(index));
  }

  /**
   * Collects the text on the screen, in every frame, and every open document. A page that is open must show `inPage`.
   */
  async function look(inPage?: string): Promise<void> {
    // A page that is reloading is empty for a moment.
    await eventually(`${inPage} in a page`, async () => {
      const [first, ...others] = await window.readFrames((frame) => frame.evaluate(takeAll));
      seen.push(...(first === undefined ? [] : [first, ...others]));
      return inPage === undefined || others.some((text) => text.includes(inPage));
    });
    lookAtTexts();
  }

  /** Collects the text of every open document. */
  function lookAtTexts(): void {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isUntitled) seen.push(document.getText());
    }
  }

  it("is used for invocations and on a page", haveSession);

  itInWholeSuite(
    "is known to a window that opens afterwards, before its first invocation",
    async function () {
      // A desktop window cannot be opened from here.
      if (process.env["SKILL_REGISTRY_TEST_EDITOR"] === "desktop") return this.skip();
      const second = await openSecondWindow(window);
      await second.treeRow(/^Word Tally /).waitFor();
      seen.push(await second.page.evaluate(() => document.documentElement.outerHTML));
      await second.treeRow(/^Word Tally \[Project Key\]/).waitFor();
      await second.close();
    },
  );

  const needles = () => keyNeedles(registry.projectKey);

  it("appears in nothing that was shown", () => {
    assert.ok(seen.length > 10);
    assert.ok(seen.some((text) => text.includes("[Project Key]")));
    for (const text of seen) {
      for (const needle of needles()) assert.ok(!text.includes(needle), excerpt(text, needle));
    }
  });

  it("appears in no file of the window: storage, logs, channels, backups", async () => {
    // By now everything that the session wrote is on the disk.
    for (const known of [registry.baseUrl, "[Project Key]", "[debug] GET /v1/skills/search"]) {
      await eventually(`${known} on the disk`, async () => {
        return (await filesWith(dataFolder(), [known])).length > 0;
      });
    }
    assert.deepEqual(await filesWith(dataFolder(), needles()), []);
  });

  it("appears in the window's own storage only encrypted", async () => {
    const state = await windowState(window);
    assert.ok(state.includes("skillRegistry"), "this is not the window's state");
    for (const needle of needles()) assert.ok(!state.includes(needle), excerpt(state, needle));
  });

  it("was sent only as the credential of invocations and of the key's check", () => {
    const carriers = registry.requests.filter((request) => {
      const text = JSON.stringify(request);
      return needles().some((needle) => text.includes(needle));
    });
    const routes = new Set(carriers.map(({ method, path }) => `${method} ${path}`));
    assert.deepEqual([...routes].sort(), ["POST /mcp", "POST /v1/runtime/invoke"]);
    // The list of what the key may invoke is read at its check, and again once it is a quarter of an hour old.
    const invocations = carriers.filter(({ path }) => path === "/v1/runtime/invoke");
    assert.equal(invocations.length, invoked().length);
    for (const { path, headers, body } of carriers) {
      const { authorization, ...others } = headers;
      assert.equal(authorization, `Bearer ${registry.projectKey}`);
      const rest = JSON.stringify([path, others, body]);
      for (const needle of needles()) assert.ok(!rest.includes(needle), rest);
    }
  });
});

/** Runs in every frame: returns what it shows. The window's own head has a megabyte of colors. */
function takeAll(): string {
  const { title, body, documentElement } = document;
  const shown = window === window.top ? body : documentElement;
  return `${title}\n${shown.outerHTML}`;
}

function excerpt(text: string, needle: string): string {
  const at = text.indexOf(needle);
  return text.slice(Math.max(0, at - 200), at + needle.length + 50);
}
