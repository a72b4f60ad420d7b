import { eventually } from "../../editor/eventually";
import type { Screen } from "../../editor/window/screen";
import { atStore } from "../../fixtures/machineStore";
import {
  type CancelPhase,
  consentPhase,
  keyPhase,
  leaveNothing,
  phasesOfAnyInvocation,
} from "./cancelPhases";
import type { CancelRegistry, Conduct } from "./cancelRegistry";
import type { MeasuredHost } from "./measuredHost";

/** A window to measure in, and the registry its invocations go to; `storage` is where it keeps its record. */
export interface CancelWindow {
  readonly screen: Screen;
  readonly host: MeasuredHost;
  readonly registry: CancelRegistry;
  readonly storage: string;
}

/** How long canceling took, in milliseconds. */
export interface CancelTimes {
  readonly byPhase: Readonly<Record<string, readonly number[]>>;
  /**
   * The time for a progress notification with no work behind it, measured after each phase that leaves the window idle.
   */
  readonly ofNothing: readonly number[];
}

/** Starts invocations in a window, `rounds` for each phase, and cancels them there as a person does. */
export async function cancelTimes(window: CancelWindow, rounds: number): Promise<CancelTimes> {
  const { screen, host, registry, storage } = window;
  await host.set("history.keepTexts", "always");
  await host.set("maxResponseMegabytes", 20);
  await host.command("connect", registry.baseUrl);
  await host.command("newPayload", "word-tally");
  const steer = (order: Conduct | "finish") =>
    fetch(`${registry.baseUrl}/conduct/${order}`, { method: "POST" });
  const byPhase: Record<string, readonly number[]> = {};
  const ofNothing: number[] = [];
  const measure = async (name: string, phase: CancelPhase) => {
    const ofPhase: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await host.write(`${name} ${round}`);
      await screen.statusBarItem(/word-tally@.*: valid/).waitFor();
      await steer(phase.conduct ?? "usual");
      const undo = await phase.arrange?.();
      const ended = host.command("invoke");
      const { pressedAt, goneAt } = await phase.leave();
      ofPhase.push(Math.max(goneAt, await ended) - pressedAt);
      await steer("usual");
      await undo?.();
      await host.clearNotifications();
      await eventually("the record's end", async () =>
        (await atStore(storage, (store) => store.list({}))).records.every(
          ({ status }) => status !== "running",
        ),
      );
      if (phase.isShownLater) continue;
      const title = `Nothing ${name} ${round}`;
      const waited = host.wait(title);
      const left = await leaveNothing(screen, title);
      ofNothing.push(Math.max(left.goneAt, await waited) - left.pressedAt);
    }
    byPhase[name] = ofPhase;
    await host.print(`${name}: ${ofPhase.join(", ")} ms`);
  };
  await measure("asking for consent", consentPhase(screen));
  await host.write("the first that is agreed to");
  const first = host.command("invoke");
  await screen.pressInDialog("Invoke word-tally", "Invoke");
  await keyPhase(screen).leave();
  await first;
  await measure("asking for the key", keyPhase(screen));
  await host.write("the first that is sent");
  await screen.quickInput.waitFor({ state: "hidden" });
  const sent = host.command("invoke");
  await screen.answer(registry.projectKey);
  await sent;
  for (const [name, phase] of Object.entries(
    phasesOfAnyInvocation({ ...window, finish: () => steer("finish") }),
  )) {
    await measure(name, phase);
  }
  return { byPhase, ofNothing };
}
