import { eventually } from "../../editor/eventually";
import type { Screen } from "../../editor/window/screen";
import { holdStore } from "../../fixtures/holdStore";
import type { Conduct } from "./cancelRegistry";
import type { MeasuredHost } from "./measuredHost";

/** When Cancel was pressed, and when the screen showed nothing of the phase any more, in milliseconds since 1970. */
interface Left {
  readonly pressedAt: number;
  readonly goneAt: number;
}

/** A phase of an invocation: what keeps the invocation in it, and how a person cancels there. */
export interface CancelPhase {
  /** Whether the window still shows megabytes of an output after the cancellation. */
  readonly isShownLater?: boolean;
  /** How the registry behaves meanwhile. Default: as usual. */
  readonly conduct?: Conduct;
  /** Prepares the phase. Resolves to a function that undoes the preparation. */
  readonly arrange?: () => Promise<() => unknown>;
  readonly leave: () => Promise<Left>;
}

/** The phase in which an invocation asks for consent. */
export function consentPhase(screen: Screen): CancelPhase {
  return { leave: () => pressAndWatch(screen, ".monaco-dialog-box", "Invoke word-tally") };
}

/** The phase in which an invocation asks for the key, after consent. */
export function keyPhase(screen: Screen): CancelPhase {
  return {
    // The box of an earlier invocation takes no key presses while it fades out.
    arrange: async () => {
      await screen.quickInput.waitFor({ state: "hidden" });
      return () => undefined;
    },
    leave: async () => {
      await screen.quickInput.getByText("Project Key for").waitFor();
      const pressed = await screen.page.evaluateHandle(watchEscape);
      await screen.page.keyboard.press("Escape");
      const pressedAt = await pressed.evaluate(({ at }) => at);
      // The time that the box takes to fade is the editor's own.
      return { pressedAt, goneAt: pressedAt };
    },
  };
}

const toasts = ".notifications-toasts .notification-list-item";

/** Cancels a progress notification with no work behind it, which measures the editor's own time. */
export function leaveNothing(screen: Screen, title: string): Promise<Left> {
  return pressAndWatch(screen, toasts, title);
}

/**
 * The parts of a phase: `storage` is the window's storage folder, and `finish` lets the registry complete what it
 * began.
 */
export interface PhaseParts {
  readonly screen: Screen;
  readonly host: MeasuredHost;
  readonly storage: string;
  readonly finish: () => Promise<unknown>;
}

/** Returns the phases of an invocation after consent and with a key, by what it does in them. */
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

/** Runs in the page: notes when Escape is pressed. */
function watchEscape(): { at: Promise<number> } {
  const at = new Promise<number>((resolve) => {
    window.addEventListener("keydown", () => resolve(Date.now()), { capture: true, once: true });
  });
  return { at };
}

/**
 * Clicks Cancel inside the page, so that the way there takes no measured time. `justBefore` is called right before the
 * click.
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
