import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import type { Page } from "playwright-core";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import { dataFolder } from "../dataFolder";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { someOf } from "../someOf";
import { needsDialogs } from "../window/needsDialogs";
import { openSecondWindow, type SecondWindow } from "../window/secondWindow";
import { useWindow } from "../window/useWindow";
import type { EditorWindow } from "../window/window";
import { filesWith } from "./filesWith";
import { windowState } from "./windowState";

const storedKey = "sk_proj_in-the-storage";

/** A page whose secret storage does not answer until it is told to. */
type SecretsPage = typeof globalThis & { releaseSecrets(): void };

/** The ways in which a secret storage fails, each as a change to the page of a new window. */
const failures: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "does not answer": async (page) => {
    await page.addInitScript(() => {
      if (sessionStorage.getItem("keys") === "come") return;
      const { fetch } = globalThis;
      const released = new Promise<void>((resolve) => {
        Object.assign(globalThis, { releaseSecrets: resolve });
      });
      globalThis.fetch = async (resource, options) => {
        if (String(resource).endsWith("/mint-key")) await released;
        return fetch(resource, options);
      };
    });
  },
  fails: async (page) => {
    await page.evaluate(() => sessionStorage.setItem("keys", "come"));
    await page.addInitScript(() => {
      const { getItem } = Storage.prototype;
      Storage.prototype.getItem = function (name) {
        if (name === "secrets.provider") throw new Error("No keyring.");
        return getItem.call(this, name);
      };
    });
  },
};

/**
 * A browser window reads its secrets once and does not notice changes by other windows. Unit tests of ProjectKeys
 * therefore test that a key follows other windows, and canary.test.ts tests that a new window redacts the key from the
 * start.
 */
describe("A secret storage that fails", () => {
  const window = useWindow();
  let registry: ForeignRegistry;
  let second: SecondWindow | undefined;

  before(async function () {
    needsDialogs(this);
    registry = await startForeignRegistry({ dialect: "camel" });
    repeatStoredKey(window);
    await window.connectTo(registry);
    await window.runCommand("Skill Registry: Project Key…");
    await window.quickPickRow("Set Project Key…").click();
    await window.quickInput.getByPlaceholder("sk_proj_").waitFor();
    await window.answer(storedKey);
    await window.statusBarItem("Project Key set").waitFor();
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "to agree to it" }');
    await window.runCommand("Skill Registry: Invoke Skill");
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
    await window.notification(/does not know this Project Key/).waitFor();
  });
  const posts = () => registry.requests.filter(({ path }) => path === "/v1/runtime/invoke");

  for (const [name, failing] of someOf(failures, ["does not answer"])) {
    it(`that ${name} is reported, a key is kept for the window only, and invocations work`, async () => {
      if (second === undefined) second = await openSecondWindow(window, failing);
      else {
        await failing(second.page);
        await second.page.reload({ waitUntil: "commit" });
        await second.ready();
      }
      const before = posts().length;
      await second.runCommand("Skill Registry: Project Key…");
      await second.quickPickRow("Check Project Key").click();
      await second.notification(/The editor's secret storage does not respond/).waitFor();
      await second.runCommand("Notifications: Clear All Notifications");
      await second.newPayload("Word Tally", "word-tally");
      await second.replaceText(JSON.stringify({ text: `in a window whose storage ${name}` }));
      await second.statusBarItem(/: valid/).waitFor();
      await second.runCommand("Skill Registry: Invoke Skill");
      await second.quickInput.getByText("Project Key for").waitFor();
      await second.answer(registry.projectKey);
      await second.notification(/kept until this window closes\. It is not written/).waitFor();
      await eventually("the call", () => posts().length === before + 1);
      assert.equal(posts().at(-1)?.headers.authorization, `Bearer ${registry.projectKey}`);
      assert.ok(!(await windowState(second)).includes(registry.projectKey));
      assert.deepEqual(await filesWith(dataFolder(), [registry.projectKey]), []);
    });

    if (name !== "does not answer") continue;
    it("that answers late makes the list reload, in which the key is then redacted", async () => {
      assert.ok(second !== undefined);
      await second.openContainer("Skill Registry");
      await second.treeRow(`Ledger Close ${storedKey}`).waitFor();
      await second.page.evaluate(() => (globalThis as SecretsPage).releaseSecrets());
      await second.treeRow("Ledger Close [Project Key]").waitFor();
    });
  }

  it("of another window does not affect this window's key", async () => {
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "with the stored key" }');
    await window.runCommand("Skill Registry: Invoke Skill");
    await window.notification(/does not know this Project Key/).waitFor();
    assert.equal(posts().at(-1)?.headers.authorization, `Bearer ${storedKey}`);
  });
});

/** Makes the registry return the stored key in a row. */
function repeatStoredKey(window: EditorWindow): void {
  const skill = foreignSkills.find(({ row }) => row.slug === "ledger-close");
  assert.ok(skill !== undefined);
  const { displayName = "" } = skill.row;
  Object.assign(skill.row, { displayName: `Ledger Close ${storedKey}` });
  window.atEnd(() => Object.assign(skill.row, { displayName }));
}
