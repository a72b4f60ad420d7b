import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type ManifestRegistry,
  plainManifest,
  startManifestRegistry,
} from "../../fixtures/registries/manifestRegistry";
import { eventually } from "../eventually";
import { someOf } from "../someOf";
import { useWindow } from "../window/useWindow";
import { axeViolations, beyondSides, pressByKey, tabTo } from "./openPage";

const run = (command: string, ...options: unknown[]) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, ...options);

describe("The page of a skill, whatever the registry does", () => {
  const window = useWindow();
  let registry: ManifestRegistry;
  before(async () => {
    registry = await startManifestRegistry({ steady: plainManifest("steady") });
    await window.connectTo(registry);
  });

  const heading = (name: string) =>
    window.webview.getByRole("heading", { name, level: 1, exact: true }).waitFor();
  const says = (words: string | RegExp) => window.webview.getByText(words).first().waitFor();
  const whole = () => window.webview.locator(".trust");
  const isWhole = () => whole().waitFor();
  /** Looks at what is shown now as those do who cannot see it, or have little room. */
  const look = async (picture: string) => {
    assert.deepEqual(await axeViolations(window), []);
    assert.deepEqual(await beyondSides(window), []);
    await window.picture(picture);
  };
  const heal = (slug: string) => registry.answers.set(slug, { body: plainManifest(slug) });

  it("says that it is being read, and shows it when it comes", async () => {
    registry.answers.set("late", "silent");
    await run("openSkill", "late");
    await heading("late");
    await says("Reading the skill from the registry…");
    await look("state-loading");
    heal("late");
    await run("refresh");
    await isWhole();
  });

  it("says that it is gone, and looks again by keyboard", async () => {
    await run("openSkill", "absent");
    await heading("absent is not in this registry");
    await look("state-gone");
    const isAsked = ({ path }: { path: string }) => path === "/v1/skills/absent";
    const asked = registry.requests.filter(isAsked).length;
    await tabTo(window, "Try again");
    await window.page.keyboard.press("Enter");
    // Else the answer to this very question would be the one that is good.
    await eventually("the question", async () => registry.requests.filter(isAsked).length > asked);
    await heading("absent is not in this registry");
    heal("absent");
    await pressByKey(window, "Try again", whole());
  });

  const failures = {
    broken: [{ status: 500, body: { error: "On fire [x](command:y) $(zap)" } }, /On fire/],
    gibberish: [{ body: [1, 2] }, /could not be read|not what/],
    empty: [{ body: {} }, /could not be read|not what/],
  } as const;
  // What is no answer is told by unit tests; the page is the same.
  for (const [slug, [answer, words]] of someOf(failures, ["broken"])) {
    it(`says that it failed, why, and tries again by keyboard, where the answer is ${slug}`, async () => {
      registry.answers.set(slug, answer as { body: never });
      await run("openSkill", slug);
      await heading(`${slug} could not be read`);
      await says(words);
      await look(`state-${slug}`);
      heal(slug);
      await pressByKey(window, "Try again", whole());
    });
  }

  it("leaves out what else could not be read, and says so", async () => {
    registry.sides = { status: 500, body: { error: "Later." } };
    await run("openSkill", "steady");
    await isWhole();
    const texts = {
      price: "Could not be loaded",
      feedback: "Could not be loaded",
      numbers: "Not provided by this registry.",
      publisher: "Not provided by this registry.",
    };
    for (const [part, text] of Object.entries(texts)) {
      await window.webview.locator(`#${part}`).getByText(text).waitFor();
    }
    await look("state-part");
  });

  it("makes an example of what is taken and returned where none is given", async () => {
    const object = (name: string) => ({ type: "object", properties: { [name]: { const: 7 } } });
    const schemas = { inputSchema: object("taken"), outputSchema: object("returned") };
    registry.answers.set("bare", { body: plainManifest("bare", schemas) });
    await run("openSkill", "bare");
    await isWhole();
    for (const [tab, name] of Object.entries({ input: "taken", output: "returned" })) {
      await window.webview.locator(`#${tab}-tab`).click();
      const example = window.webview.locator(`#${tab}-example`);
      await example.getByText("Made from the schema.").waitFor();
      assert.deepEqual(JSON.parse(await example.locator("pre").innerText()), { [name]: 7 });
    }
    await look("state-example");
  });

  it("says of a comparison which skill could not be read, and reads it again by keyboard", async () => {
    registry.answers.set("lame", { status: 500, body: { error: "Later." } });
    await run("compareSkills", ["steady", "lame"]);
    await heading("Compare 2 skills");
    await says(/Later\./);
    await look("state-comparison");
    heal("lame");
    await pressByKey(window, "Try again", window.webview.getByText("lame@1.0.0"));
    const again = window.webview.getByRole("button", { name: "Try again" });
    await again.waitFor({ state: "detached" });
  });

  it("shows again what it showed, with its time, when the registry is gone, and says so of others", async () => {
    await run("openSkill", "steady");
    await isWhole();
    await registry.close();
    await run("refresh");
    await says(/^From .* refresh failed\. No server is listening/);
    await look("state-stale");
    await tabTo(window, "Try again");
    await window.page.keyboard.press("Enter");
    await says(/^From .* refresh failed\. No server is listening/);
    await run("openSkill", "another");
    await heading("another could not be read");
    await says(/No server is listening/);
    await window.webview.getByRole("button", { name: "Show Log" }).waitFor();
    await look("state-offline");
    await pressByKey(window, "Connect to Registry…", window.quickInput);
    await window.leaveQuickInput();
    await tabTo(window, "Try again", "Shift+Tab");
    await window.page.keyboard.press("Enter");
    await heading("another could not be read");
  });
});
