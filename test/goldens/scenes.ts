import type { Locator } from "playwright-core";
import type { Screen } from "../editor/window/screen";

/** The part of the window in a picture, and the masked parts of it that differ in each run. */
export interface Picture {
  /** The part of the window. */
  part(screen: Screen): Locator;
  /** The height of the picture from the top of the part, in pixels. */
  readonly height: number;
  /** The width of the picture from the left of the part, in pixels. Default: the whole part. */
  readonly width?: number;
  /** The pixels that are left out at the left, top and right edge, since round corners show the background. */
  readonly inset?: number;
  readonly volatile?: readonly (keyof typeof volatileParts)[];
}

/** A state of the window that is photographed in every theme and width. */
export interface Scene {
  /** Changes the window from the previous scene to this one. */
  open(screen: Screen): Promise<void>;
  readonly pictures: Readonly<Record<string, Picture>>;
}

/** The parts that differ in each run, by name. */
export const volatileParts = {
  "date of a key's check": (screen: Screen) =>
    screen.webview.getByText(/^Source: the Project Key,/),
  "ID of a Project Key": (screen: Screen) =>
    screen.treeRow(/^Built-in key/).locator(".label-description"),
} as const;

/** The widths of the window and of its side bar, in pixels. */
export const widths = {
  wide: { window: 1100, views: 320 },
  narrow: { window: 640, views: 200 },
} as const;

/** The states, in their order. */
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
      // Two editors side by side cannot become as narrow as the window.
      await result(screen).locator(".view-line").first().click();
      await screen.page.keyboard.press("ControlOrMeta+k");
      await screen.page.keyboard.press("ControlOrMeta+m");
      await toggle(screen, "Skills");
    },
    pictures: {
      project: {
        part: (screen) => screen.view("Project"),
        // Only the part above the recent invocations, whose number changes when the registry responds.
        height: 418,
        volatile: ["ID of a Project Key"],
      },
      result: {
        part: result,
        height: 300,
        // The duration and invocation ID above the first line differ in each run.
        inset: 20,
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
