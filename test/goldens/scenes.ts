import type { Locator } from "playwright-core";
import type { Screen } from "../editor/window/screen";

/** What a picture shows of the window, and what of it is masked since it differs from run to run. */
export interface Picture {
  /** The part of the window that is meant. */
  part(screen: Screen): Locator;
  /** How much of the part, from its top, in pixels. */
  readonly height: number;
  /** How much of the part, from its left, in pixels; all of it unless given. */
  readonly width?: number;
  /** How many pixels of its left, top and right edge are left out, as round corners show what is behind. */
  readonly inset?: number;
  readonly volatile?: readonly (keyof typeof volatileParts)[];
}

/** A state of the window, of which pictures are taken in every theme and width. */
export interface Scene {
  /** Brings the window into this state from the scene before. */
  open(screen: Screen): Promise<void>;
  readonly pictures: Readonly<Record<string, Picture>>;
}

/** What differs from run to run, by name. */
export const volatileParts = {
  "date of a key's check": (screen: Screen) =>
    screen.webview.getByText(/^Source: the Project Key,/),
  "duration, time and invocation ID of a result": (screen: Screen) =>
    result(screen).locator(".view-line").filter({ hasText: /^\/\// }),
  "ID of a Project Key": (screen: Screen) =>
    screen.treeRow(/^Built-in key/).locator(".label-description"),
} as const;

/** A width of the window and, below its activity bar, of the views; both in pixels. */
export const widths = {
  wide: { window: 1100, views: 320 },
  narrow: { window: 640, views: 200 },
} as const;

/** The states in the order in which they are gone through. */
export const scenes: readonly Scene[] = [
  {
    open: async (screen) => {
      await screen.openContainer("Skill Registry");
      await screen.treeRow(/^Text statistics/).waitFor();
      await toggle(screen, "Invocations");
      await screen.treeRow(/^Redact personal data/).click();
      await screen.webview.getByRole("heading", { level: 1 }).waitFor();
      await screen.webview.locator(".trust").getByText("Yes", { exact: true }).waitFor();
    },
    pictures: {
      tree: { part: (screen) => screen.view("Skills"), height: 330 },
      page: {
        part: (screen) => screen.page.locator(".editor-group-container.active"),
        height: 600,
        volatile: ["date of a key's check"],
      },
    },
  },
  {
    open: async (screen) => {
      await screen.runCommand("Skill Registry: Sign In…");
      await screen.choose("developer@local.example");
      await screen.treeRow(/^Installed Skills/).waitFor();
      await screen.runCommand("View: Close All Editors");
      await screen.newPayload("JSON diff", "json-diff");
      await screen.codeLens(/Invoke json-diff@/).click();
      await result(screen).locator(".codelens-decoration a", { hasText: "Copy" }).waitFor();
      // Two editors side by side do not become as narrow as the window.
      await result(screen).locator(".view-line").first().click();
      await screen.page.keyboard.press("ControlOrMeta+k");
      await screen.page.keyboard.press("ControlOrMeta+m");
      await toggle(screen, "Skills");
    },
    pictures: {
      project: {
        part: (screen) => screen.view("Project"),
        // Above the recent invocations, whose number comes when the registry is asked again.
        height: 418,
        volatile: ["ID of a Project Key"],
      },
      result: {
        part: result,
        height: 300,
        // The mask is as long as the line, which a longer time makes longer.
        width: 600,
        volatile: ["duration, time and invocation ID of a result"],
      },
    },
  },
  {
    open: async (screen) => {
      await screen.newPayload("Slow report", "slow-report");
      await screen.runCommand("Skill Registry: Invoke Skill");
      await screen.dialog.waitFor();
    },
    pictures: { consent: { part: (screen) => screen.dialog, height: 176, inset: 8 } },
  },
];

function result(screen: Screen): Locator {
  return screen.page.locator('.monaco-editor[data-uri^="skill-output"]');
}

/** Opens or closes a view by its header. */
function toggle(screen: Screen, title: string): Promise<void> {
  return screen.view(title).locator(".pane-header").click();
}
