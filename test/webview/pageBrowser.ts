import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { textsIn } from "../../scripts/packaging/pageTexts.mjs";
import type { InvocationRecord } from "../../src/core/invocation/record/invocationRecord";
import { groupOf, type UsageGroup } from "../../src/core/invocation/usage/usage";
import { messageBetween } from "../../src/protocol/pageChange";
import { pageHtml } from "../../src/protocol/pageHtml";
import type {
  ComparisonState,
  FormPart,
  PageState,
  SkillPage,
  SkillPageSnapshot,
  TryIt,
  UsagePart,
  UsageState,
} from "../../src/protocol/pageMessages";
import type { PageMessage } from "../../src/protocol/readPageMessage";
import { type ThemeName, themes } from "./themes";

/** The built page in a browser, with a stand-in for the editor that only records. */
export interface PageBrowser {
  open(options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Options for opening a page. Default: dark and 900 pixels wide. */
export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** The content embedded in the page. */
  readonly first?: SkillPageSnapshot;
  /** The page's own texts. Default: English. */
  readonly words?: Readonly<Record<string, string>>;
  /** Default: `en`. */
  readonly lang?: string;
  readonly kept?: PageState | ComparisonState | UsageState;
  /** Whether it is the page of charts. */
  readonly isUsage?: boolean;
  /** Whether to remove the features that Safari lacks. */
  readonly likeSafari?: boolean;
}

/** A page that is open. */
export interface OpenPage {
  readonly page: Page;
  /** Sends the changes like the host, and waits until they are shown. */
  show(shown: SkillPage): Promise<void>;
  /** Sends the form of a payload like the host. */
  showForm(part: Omit<FormPart, "type">): Promise<void>;
  /** Makes the page show its form, like the host. */
  tryIt(): Promise<void>;
  /**
   * Sends invocations like the host, and waits until they are drawn. Resolves to the duration in milliseconds. `groups`
   * are those of the records as a store adds them up; by default, one for each record.
   */
  showUsage(
    records: readonly InvocationRecord[],
    head: Omit<Extract<SkillPage, { kind: "usage" }>, "kind">,
    days?: readonly [from: string, to: string],
    groups?: readonly UsageGroup[],
  ): Promise<number>;
  /** Resolves to the messages that the page has sent, except requests for days of invocations. */
  sent(): Promise<unknown[]>;
  /** Resolves to the requested days. */
  askedDays(): Promise<unknown[]>;
  /** Resolves to the state that the page asked the editor to store. */
  kept(): Promise<unknown>;
  /** The problems of the page: violated policies, script errors, requests to other places. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

const origin = "https://page.test";
const scriptAddress = `${origin}/page.js`;

/** Starts a browser and builds the page once. */
export async function startPageBrowser(): Promise<PageBrowser> {
  const [browser, files] = await Promise.all([launch(), buildPage()]);
  // Pages store nothing in the browser. The first one keeps the process that shows all of them.
  const context = await browser.newContext();
  await openPage(context, files, {});
  return {
    open: (options = {}) => openPage(context, files, options),
    close: () => browser.close(),
  };
}

/** Sends a message like the host, and waits until the page has received it. */
function tell(page: Page, message: FormPart | TryIt): Promise<void> {
  return page.evaluate(
    (told) =>
      new Promise<void>((heard) => {
        const hear = () => requestAnimationFrame(() => heard());
        window.addEventListener("message", hear, { once: true });
        window.postMessage(told);
      }),
    message,
  );
}

async function launch(): Promise<Browser> {
  // Loaded from its own place, since it finds its folder by that.
  const module = pathToFileURL(resolve("scripts/editor/browser/findChromium.mjs")).href;
  const { findChromium } = (await import(module)) as {
    findChromium: () => Promise<{
      executable: string;
      env: Record<string, string>;
      fewProcesses: string[];
    }>;
  };
  const { executable, env, fewProcesses } = await findChromium();
  return chromium.launch({
    executablePath: executable,
    env: { ...process.env, ...env } as Record<string, string>,
    args: [...fewProcesses, "--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
}

interface PageFiles {
  readonly script: string;
  readonly style: string;
}

type PageBuild = Readonly<Record<"skillPage" | "usagePage", PageFiles>>;

async function buildPage(): Promise<PageBuild> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: process.cwd(),
    entryPoints: ["skillPage", "usagePage"].map((name) => resolve(`webview/${name}.ts`)),
    outdir: "/",
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    logLevel: "warning",
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const filesOf = (name: string) => ({
    script: textOf(`${name}.js`),
    style: textOf(`${name}.css`),
  });
  return { skillPage: filesOf("skillPage"), usagePage: filesOf("usagePage") };
}

async function openPage(
  context: BrowserContext,
  build: PageBuild,
  {
    theme = "dark",
    width = 900,
    height = 800,
    kept,
    first,
    words = {},
    lang = "en",
    likeSafari = false,
    isUsage = false,
  }: OpenOptions,
): Promise<OpenPage> {
  const files = build[isUsage ? "usagePage" : "skillPage"];
  // As the build lets the host choose them.
  const said = Object.fromEntries(
    textsIn(files.script, Object.keys(words)).map((text) => [text, words[text] ?? ""]),
  );
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (line) => {
    if (line.type() === "error" || line.type() === "warning") problems.push(line.text());
  });
  await page.route("**/*", async (route) => {
    const url = route.request().url();
    if (url === `${origin}/`) {
      await route.fulfill({
        body: frameHtml(files, { ...(first && { first }), words: said, lang }),
        contentType: "text/html",
      });
    } else if (url === scriptAddress) {
      await route.fulfill({ body: files.script, contentType: "text/javascript" });
    } else if (url.startsWith("data:")) {
      // Content of the page itself; its policy decides whether it may show that.
      await route.continue();
    } else {
      problems.push(`request: ${url}`);
      await route.abort();
    }
  });
  await page.addInitScript(playEditor, { ...themes[theme], kept });
  if (likeSafari) await page.addInitScript(playSafari);
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => "isReady" in window);
  let last: SkillPage | undefined;
  return {
    page,
    problems,
    show: async (shown) => {
      const sent = messageBetween(last, shown) ?? { type: "change", changed: {}, removed: [] };
      last = shown;
      // The page receives it first.
      await page.evaluate(
        (message) =>
          new Promise<void>((heard) => {
            const listen = ({ data }: MessageEvent) => {
              if (data?.type !== "snapshot" && data?.type !== "change") return;
              window.removeEventListener("message", listen);
              heard();
            };
            window.addEventListener("message", listen);
            window.postMessage(message);
          }),
        sent,
      );
      await page.waitForSelector(selectorOf(shown));
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
    },
    showForm: (part) => tell(page, { type: "form", ...part }),
    tryIt: () => tell(page, { type: "tryIt" }),
    showUsage: (
      records,
      head,
      days = ["0000-01-01", "9999-12-31"],
      groups = records.map(groupOf),
    ) => {
      const since = records.reduce((first, { startedAt }) => Math.min(first, startedAt), Infinity);
      const [from, to] = days;
      const part: UsagePart = {
        ...{ type: "usage", from, to, groups: JSON.stringify(groups), count: records.length },
        ...(records.length > 0 && { since }),
      };
      const snapshot = { type: "snapshot", page: { kind: "usage", ...head } };
      return page.evaluate(
        async (messages) => {
          const start = performance.now();
          const editor = window as unknown as FakeEditor;
          editor.hasSentAll = false;
          const { prototype } = Element;
          const { replaceChildren } = prototype;
          await new Promise<void>((drawn) => {
            // The page draws at once, or after its rest.
            prototype.replaceChildren = function (...parts) {
              replaceChildren.apply(this, parts);
              if (editor.hasSentAll) drawn();
            };
            for (const message of messages) window.postMessage(message);
          });
          prototype.replaceChildren = replaceChildren;
          await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
          return performance.now() - start;
        },
        [snapshot, part],
      );
    },
    sent: () => page.evaluate(() => (window as unknown as FakeEditor).sent),
    askedDays: () => page.evaluate(() => (window as unknown as FakeEditor).askedDays),
    kept: () => page.evaluate(() => (window as unknown as FakeEditor).keptState),
    close: () => page.close(),
  };
}

function selectorOf(shown: SkillPage): string {
  if (shown.kind === "comparison" && shown.comparison !== undefined) return ".compared";
  return shown.kind === "ready" ? ".name-line" : ".empty";
}

function frameHtml(files: PageFiles, { first, words = {}, lang = "en" }: OpenOptions): string {
  return pageHtml({
    script: scriptAddress,
    style: files.style,
    nonce: "0123456789abcdef0123456789abcdef",
    lang,
    title: "Skill",
    first,
    words,
  });
}

interface FakeEditor {
  sent: unknown[];
  keptState: unknown;
  /** Whether the last part of the record has been sent, which the page then receives. */
  hasSentAll: boolean;
  askedDays: string[];
}

// Runs in the page before its own script: sets the theme like the editor, and records.
function playEditor(setup: { kind: string; colors: Record<string, string>; kept: unknown }): void {
  const fake: FakeEditor = { sent: [], askedDays: [], keptState: setup.kept, hasSentAll: false };
  Object.assign(window, fake, {
    acquireVsCodeApi: () => ({
      postMessage: (message: PageMessage) => {
        if (message.type === "ready") Object.assign(window, { isReady: true });
        else {
          const { sent, askedDays } = window as unknown as FakeEditor;
          if (message.type === "readUsage") askedDays.push(`${message.from} ${message.to}`);
          else sent.push(message);
        }
      },
      getState: () => (window as unknown as FakeEditor).keptState,
      setState: (state: unknown) => {
        (window as unknown as FakeEditor).keptState = state;
      },
    }),
  });
  window.addEventListener("message", ({ data }) => {
    if (data?.type === "usage") Object.assign(window, { hasSentAll: true });
  });
  document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
  document.addEventListener("readystatechange", () => {
    // The editor inserts its own script before all others, which the page's policy does not name.
    document.head.prepend(document.createElement("script"));
    const style = document.documentElement.style;
    style.setProperty("--vscode-font-family", "system-ui, sans-serif");
    style.setProperty("--vscode-font-size", "13px");
    style.setProperty("--vscode-editor-font-family", "monospace");
    style.setProperty("--vscode-editor-font-size", "12px");
    for (const [name, value] of Object.entries(setup.colors)) {
      style.setProperty(`--vscode-${name}`, value);
    }
    document.body.className = setup.kind;
    document.body.dataset["vscodeThemeKind"] = setup.kind;
  });
}

/** Runs in the page before its scripts. */
function playSafari(): void {
  Object.assign(globalThis, { requestIdleCallback: undefined });
  window.addEventListener("scrollend", (event) => event.stopImmediatePropagation(), {
    capture: true,
  });
}
