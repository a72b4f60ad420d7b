import { eventually } from "../../editor/eventually";
import type { Screen } from "../../editor/window/screen";
import { holdStore } from "../../fixtures/holdStore";
import type { Conduct } from "./cancelRegistry";
import type { MeasuredHost } from "./measuredHost";

/** When a phase was left, and when nothing of it was on the screen any more: milliseconds since 1970. */
interface Left {
  readonly pressedAt: number;
  readonly goneAt: number;
}

/** A phase of an invocation: what holds an invocation there, and how a person leaves it. */
export interface CancelPhase {
  /** True where the window still shows megabytes of an output after it was left. */
  readonly isShownLater?: boolean;
  /** How the registry behaves meanwhile; as usual unless given. */
  readonly conduct?: Conduct;
  /** Makes ready what the invocation meets; resolves to what undoes it. */
  readonly arrange?: () => Promise<() => unknown>;
  readonly leave: () => Promise<Left>;
}

/** The phase in which an invocation asks for consent. */
export function consentPhase(screen: Screen): CancelPhase {
  return { leave: () => pressAndWatch(screen, ".monaco-dialog-box", "Invoke word-tally") };
}

/** The phase in which an invocation that was agreed to asks for the key. */
export function keyPhase(screen: Screen): CancelPhase {
  return {
    // The box of an earlier invocation, which fades for a moment, takes no key any more.
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

const toasts = ".notifications-toasts .notification-list-item";

/** Cancels a progress notification with nothing behind it: what the editor itself takes for that. */
export function leaveNothing(screen: Screen, title: string): Promise<Left> {
  return pressAndWatch(screen, toasts, title);
}

/** What phases are made of: `storage` is the window's, `finish` lets the registry end what it began. */
export interface PhaseParts {
  readonly screen: Screen;
  readonly host: MeasuredHost;
  readonly storage: string;
  readonly finish: () => Promise<unknown>;
}

/** Lists the phases of an invocation that was agreed to and has its key, by what it is doing. */
export function phasesOfAnyInvocation({
  screen,
  host,
  storage,
  finish,
}: PhaseParts): Readonly<Record<string, CancelPhase>> {
  const refresh = () => host.command("refresh");
  const progress = (text: string, justBefore?: () => unknown) => () =>
    pressAndWatch(screen, toasts, text, justBefore);
  return {
    "reading the skill": {
      conduct: "keepsSkill",
      arrange: async () => {
        await refresh();
        return refresh;
      },
      leave: progress("Checking the payload"),
    },
    "checking the input": {
      conduct: "slowSchema",
      arrange: async () => {
        await refresh();
        await host.write("a".repeat(3_000_000));
        return refresh;
      },
      leave: progress("Checking the payload"),
    },
    "waiting for another program at the store": {
      arrange: () => holdStore(storage),
      leave: progress("Preparing word-tally"),
    },
    "waiting for an answer": { conduct: "keepsAnswer", leave: progress("Invoking word-tally") },
    "10 MB arrive": { conduct: "drips", leave: progress("Invoking word-tally") },
    "10 MB have arrived": {
      conduct: "almostEnds",
      isShownLater: true,
      leave: progress("Invoking word-tally", finish),
    },
    "its end is noted": {
      conduct: "holdsStore",
      arrange: async () => finish,
      leave: progress("Invoking word-tally"),
    },
  };
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
