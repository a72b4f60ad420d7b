import { eventually } from "../editor/eventually";
import type { Screen } from "../editor/window/screen";
import type { Step } from "./step";
import { visibleText } from "./visibleText";

const typedInput =
  '{"before": {"replicas": 2, "ports": [80, 443]}, "after": {"replicas": 3, "ports": [443]}}';

/** The main job, in order: from the list of skills to an invocation on record. */
export const steps: readonly Step[] = [
  {
    name: "discover",
    act: (screen) => screen.openContainer("Skill Registry"),
    see: async (screen) => {
      await screen.treeRow(/^Text statistics/).waitFor();
      return `the Skills view lists ${await screen.view("Skills").getByRole("treeitem").count()} skills or more`;
    },
  },
  {
    name: "filter",
    act: async (screen) => {
      await screen.runCommand("Skill Registry: Filter Skills…");
      await screen.typeIntoQuickInput("dev");
      await screen.choose("dev");
      await screen.page.keyboard.press("Enter");
    },
    see: async (screen) => {
      await screen.treeRow(/^Text statistics/).waitFor({ state: "detached" });
      await screen.treeRow(/^JSON diff/).waitFor();
      return "only skills for developers are left";
    },
  },
  {
    name: "inspect",
    act: (screen) => screen.pressRow(screen.treeRow(/^JSON diff/)),
    see: async (screen) => {
      const heading = screen.webview.getByRole("heading", { level: 1 });
      await heading.waitFor();
      await screen.webview.locator(".trust").getByText("Verified").waitFor();
      await screen.webview.locator(".trust").getByText("Low permissions").waitFor();
      return `the page of “${await heading.innerText()}”: verified, low permissions`;
    },
  },
  {
    name: "new-payload",
    // A row that is being redrawn ignores clicks.
    act: (screen) =>
      screen.pressUntil(
        screen.webview.getByRole("button", { name: "Open Payload" }).first(),
        screen.statusBarItem(/json-diff@[\d.]+: /),
      ),
    see: async (screen) => {
      await screen.statusBarItem(/json-diff@[\d.]+: valid/).waitFor();
      await screen.codeLens(/Invoke json-diff@/).waitFor();
      return "a payload made from the schema, which is valid";
    },
  },
  {
    name: "wrong-payload",
    act: (screen) =>
      screen.replaceText('{"before": 1, "after": 2, "arrays": "edits", "test": true}'),
    see: async (screen) => {
      await screen.statusBarItem(/json-diff@[\d.]+: 2 problems/).waitFor();
      await screen.editor.locator(".squiggly-error").first().waitFor();
      return "two problems, marked at their places";
    },
  },
  {
    name: "not-sent",
    act: (screen) => screen.runCommand("Skill Registry: Invoke Skill"),
    see: async (screen) => {
      await screen.notification("Not sent: the payload for json-diff has 2 problems.").waitFor();
      return "the invocation is refused here; nothing was sent";
    },
  },
  {
    name: "right-payload",
    act: async (screen) => {
      await screen.runCommand("Notifications: Clear All Notifications");
      await screen.replaceText(typedInput);
    },
    see: async (screen) => {
      await screen.statusBarItem(/json-diff@[\d.]+: valid/).waitFor();
      return "the payload is valid";
    },
  },
  {
    name: "invoke",
    act: (screen) =>
      screen.pressUntil(screen.codeLens(/Invoke json-diff@/), invocations(screen).first()),
    see: async (screen) => {
      await invocations(screen, /json-diff.*success/)
        .first()
        .waitFor();
      const result = screen.page.locator('.monaco-editor[data-uri^="skill-output"]');
      await result.getByText("/replicas").first().waitFor();
      await result.locator(".codelens-decoration a", { hasText: "Invocation ID" }).waitFor();
      return "the result stands beside the payload, and the invocation in the record";
    },
  },
  {
    name: "audit",
    act: (screen) => screen.chooseFromMenu(invocations(screen).first(), "Open Invocation"),
    see: async (screen) => {
      await screen.page.locator(".tab.active", { hasText: "json-diff success" }).waitFor();
      await screen.editor.getByText('"invocationId"').first().waitFor();
      const facts = await eventually("the record's facts", async () =>
        factsOf(await visibleText(screen.editor)),
      );
      return `the record\n   ${facts}`;
    },
  },
  {
    name: "output",
    act: async (screen) => {
      await screen.runCommand("Skill Registry: Open Output");
      await screen.quickPickRow("json-diff@2.1.0").first().click();
    },
    see: async (screen) => {
      await screen.page
        .locator(".editor-group-container.active .tab.active", { hasText: "output" })
        .waitFor();
      await screen.editor.getByText("replaced").first().waitFor();
      // The editor draws its lines one after another.
      const output = await eventually("the whole output", async () => {
        const shown = await visibleText(screen.editor);
        return JSON.stringify(JSON.parse(shown));
      });
      return `the output on record\n   output         ${output}`;
    },
  },
];

/** Returns the rows of the Invocations view whose label matches. */
function invocations(screen: Screen, name = /json-diff/) {
  return screen.view("Invocations").getByRole("treeitem", { name });
}

/** Returns the first lines of a record, which have its facts; the whole record is longer than the screen. */
function factsOf(record: string): string {
  const fact = (name: string) => {
    const [, value] = new RegExp(`"${name}": "([^"]+)"`).exec(record) ?? [];
    if (value === undefined) throw new Error(`The record on the screen has no ${name}.`);
    return value;
  };
  return [
    `skill          ${fact("skillSlug")}`,
    `version        ${fact("version")}`,
    `invocation ID  ${fact("invocationId")}`,
  ].join("\n   ");
}
