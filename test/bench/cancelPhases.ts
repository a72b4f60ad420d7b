import type { ServerResponse } from "node:http";
import * as vscode from "vscode";
import type { JsonObject } from "../../src/core/text/json";
import { eventually } from "../editor/eventually";
import type { Screen } from "../editor/screen";
import { foreignSkills } from "../fixtures/foreignSkills";
import { holdRateClock } from "../fixtures/holdRateClock";
import type { RecordedRequest } from "../fixtures/recordingServer";

/** Answers a request in its own way, or never, where it returns true. */
export type Intercept = (request: RecordedRequest, response: ServerResponse) => boolean;

/** When a phase was left, and when nothing of it was on the screen any more: milliseconds since 1970. */
export interface Left {
  readonly pressedAt: number;
  readonly goneAt: number;
}

/** A phase of a call: what holds a call there, and how a person leaves it. */
export interface CancelPhase {
  readonly intercept?: Intercept;
  /** Makes ready what the call meets; resolves to what undoes it. */
  readonly arrange?: () => Promise<() => unknown>;
  readonly leave: () => Promise<Left>;
}

const head = '{"invocationId":"inv-1","status":"success","output":';
// Bytes made once: the registry stands in the host that is measured, and is to take little of its time.
const unfinished = Buffer.from(`${head}${JSON.stringify("x".repeat(10_000_000))}`);
const piece = unfinished.subarray(head.length, head.length + 100_000);

/** The phase in which a call asks for consent. */
export function consentPhase(screen: Screen): CancelPhase {
  return { leave: () => pressAndWatch(screen, ".monaco-dialog-box", "Call word-tally") };
}

/** The phase in which a call that was agreed to asks for the key. */
export function keyPhase(screen: Screen): CancelPhase {
  return {
    // The box of an earlier call, which fades for a moment, takes no key any more.
    arrange: async () => {
      await screen.quickInput.waitFor({ state: "hidden" });
      return () => undefined;
    },
    leave: async () => {
      await screen.quickInput.getByText("Project Key for").waitFor();
      const pressed = await screen.page.evaluateHandle(watchEscape);
      await screen.page.keyboard.press("Escape");
      const pressedAt = await pressed.evaluate(({ at }) => at);
      // How long the box takes to fade is the editor's own affair.
      return { pressedAt, goneAt: pressedAt };
    },
  };
}

/** Lists the phases of a call that was agreed to and has its key, by what it is doing. */
export function phasesOfAnyCall(
  screen: Screen,
  write: (text: string) => Promise<void>,
): Readonly<Record<string, CancelPhase>> {
  const progress = (text: string, justBefore?: () => unknown) => () =>
    pressAndWatch(screen, ".notifications-toasts .notification-list-item", text, justBefore);
  let atEnd: () => unknown = () => undefined;
  return {
    "reading the skill": {
      intercept: ({ path }) => path.startsWith("/v1/skills/word-tally"),
      arrange: async () => {
        await refresh();
        return refresh;
      },
      leave: progress("Checking the input"),
    },
    "checking the input": {
      arrange: async () => {
        const manifest = foreignSkills[0]?.manifest as JsonObject;
        const schema = manifest["inputSchema"] ?? null;
        // Each pattern is read through all of a long text.
        const slow = Array.from({ length: 50 }, (_, index) => ({
          pattern: `^(a|b{${index + 1}})*$`,
        }));
        manifest["inputSchema"] = { type: "object", properties: { text: { allOf: slow } } };
        await refresh();
        await write("a".repeat(3_000_000));
        return () => {
          manifest["inputSchema"] = schema;
          return refresh();
        };
      },
      leave: progress("Checking the input"),
    },
    "waiting for another window at the rate clock": {
      arrange: holdClock,
      leave: progress("Preparing the call"),
    },
    "waiting for an answer": {
      intercept: posted(() => undefined),
      leave: progress("Invoking word-tally"),
    },
    "10 MB arrive": {
      intercept: posted((response) => {
        response.write(head);
        const sending = setInterval(() => response.write(piece), 20);
        response.once("close", () => clearInterval(sending));
      }),
      leave: progress("Invoking word-tally"),
    },
    "10 MB have arrived": {
      intercept: posted((response) => {
        response.write(unfinished);
        atEnd = () => response.end("}");
      }),
      leave: progress("Invoking word-tally", () => atEnd()),
    },
    "its end is noted": {
      intercept: posted((response) => {
        void holdClock().then((release) => {
          atEnd = release;
          response.write(unfinished);
          response.end("}");
        });
      }),
      arrange: async () => () => atEnd(),
      leave: progress("Invoking word-tally"),
    },
  };
}

function posted(answer: (response: ServerResponse) => unknown): Intercept {
  return ({ method }, response) => {
    if (method !== "POST") return false;
    answer(response);
    return true;
  };
}

function holdClock(): Promise<() => Promise<void>> {
  return holdRateClock(process.env["SKILL_REGISTRY_PROBE_STORAGE"] ?? "");
}

function refresh(): Thenable<unknown> {
  return vscode.commands.executeCommand("skillRegistry.refresh");
}

/** Watches, inside the page, for Escape. */
function watchEscape(): { at: Promise<number> } {
  const at = new Promise<number>((resolve) => {
    window.addEventListener("keydown", () => resolve(Date.now()), { capture: true, once: true });
  });
  return { at };
}

/**
 * Presses Cancel where it stands, inside the page, so that no time of the way there is counted.
 * `justBefore` is what happens at the same moment.
 */
async function pressAndWatch(
  screen: Screen,
  box: string,
  text: string,
  justBefore: () => unknown = () => undefined,
): Promise<Left> {
  const shown = screen.page.locator(box, { hasText: text });
  const cancel = shown.getByRole("button", { name: "Cancel" });
  await eventually(`Cancel in “${text}”`, async () => (await cancel.count()) > 0, 20);
  const button = await cancel.elementHandle();
  justBefore();
  const left = await button?.evaluate(async (element) => {
    const pressedAt = Date.now();
    if (element instanceof HTMLElement) element.click();
    while (element.isConnected) await new Promise(requestAnimationFrame);
    return { pressedAt, goneAt: Date.now() };
  });
  if (left === undefined) throw new Error(`There is nothing to press in “${text}”.`);
  return left;
}
