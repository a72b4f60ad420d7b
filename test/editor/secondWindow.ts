import type { Page } from "playwright-core";
import { Screen } from "./screen";
import type { EditorWindow } from "./window";

/** Where the page of a window says which tests it runs. */
const testsPath = /,?&quot;extensionTestsPath&quot;:\{[^}]*\}/;

/** Another window of the same user, beside the one the tests run in. */
export class SecondWindow extends Screen {
  /** Loads the window anew, as the editor's own command does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /**
   * Waits until the Skills view shows rows. On a busy machine a window that opens beside another one
   * at times waits for its server in vain, so that it is loaded anew, twice at most.
   */
  async ready(): Promise<void> {
    const rows = this.view("Skills").getByRole("treeitem");
    for (let attempt = 1; ; attempt += 1) {
      await this.openContainer("Skill Registry");
      const found = await rows
        .first()
        .waitFor({ timeout: 20_000 })
        .then(() => true)
        .catch(() => attempt === 3);
      if (found) return;
      await this.page.reload();
    }
  }

  /** Opens a new input for a skill, from its first example, and waits until it was checked. */
  async openPayload(title: string, slug: string): Promise<void> {
    await this.runCommand("Skill Registry: New Payload for Skill…");
    await this.choose(title);
    await this.quickInput.getByText("What the skill requires").waitFor();
    await this.page.keyboard.press("Enter");
    await this.statusBarItem(new RegExp(`${slug}@.*: valid`)).waitFor();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/**
 * Opens a second window with nothing in it. No tests run there. `prepare` is called before the page
 * loads.
 */
export async function openSecondWindow(
  window: EditorWindow,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<SecondWindow> {
  const first = window.page;
  const page = await first.context().newPage();
  window.atEnd(() => page.close());
  await prepare?.(page);
  await page.route(
    ({ pathname }) => pathname === "/",
    async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(testsPath, "");
      await route.fulfill({ response: answer, body });
    },
  );
  const second = new SecondWindow(page);
  await page.goto(first.url());
  await second.ready();
  return second;
}
