import { strict as assert } from "node:assert";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { describe, it } from "mocha";

describe("a page's reports to its test host", () => {
  it("are repeated after failures and timeouts, in order", async () => {
    const sent: string[] = [];
    await new Promise<void>((heardAll, reject) => {
      const post = async (_path: string, { body, signal }: Post) => {
        sent.push(body);
        if (sent.length === 1) return untilAborted(signal);
        if (sent.length === 2) throw new Error("The connection was reset.");
        if (body.includes("code")) heardAll();
        return "heard";
      };
      openPage(post).then((page) => {
        page.codeAutomationLog("log", ["one"]);
        page.codeAutomationLog("log", ["two"]);
        page.codeAutomationExit(0);
      }, reject);
    });
    const first = '[{"type":"log","args":["one"]}]';
    assert.deepEqual(sent, [first, first, first, '[{"type":"log","args":["two"]},{"code":0}]']);
  });

  it("are sent by the window, not by the frames in it", async () => {
    const frame = await openPage(() => assert.fail("A frame posted."), "{}");
    assert.equal(frame.codeAutomationLog, undefined);
    assert.equal(frame.codeAutomationExit, undefined);
  });
});

interface Post {
  readonly body: string;
  readonly signal?: AbortSignal;
}

interface Page {
  codeAutomationLog(type: string, args: unknown[]): void;
  codeAutomationExit(code: number): void;
}

/** Opens a page that only contains the script, added as text like Playwright does. */
async function openPage(fetch: unknown, top = "globalThis"): Promise<Page> {
  const file = pathToFileURL(resolve("scripts/editor/browser/tellHost.mjs")).href;
  const { tellHost } = await import(file);
  const page = createContext({ fetch, AbortSignal, setTimeout });
  runInContext(
    `window = globalThis; top = ${top}; (${tellHost})({ path: "/tell", limit: 20 })`,
    page,
  );
  return page as unknown as Page;
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}
