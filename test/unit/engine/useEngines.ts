import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "mocha";
import type { Stop } from "../../../src/core/invocation/permission/question";
import type { Asker } from "../../../src/engine/asker";
import type {
  Ending,
  EngineParts,
  InvocationRequest,
  SentPayload,
} from "../../../src/engine/attempt";
import {
  agreeingAsker,
  payloadOf,
  type TestEngine,
  testEngine,
  wantedOnce,
} from "../../fixtures/testEngine";
import { movableClock } from "../cli/movableClock";

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** A way to close a gate, and the resulting reason why nothing is sent. In the order of the gates. */
export interface ClosedGate {
  readonly stop: Stop["kind"] | `no to ${string}`;
  readonly payload?: SentPayload;
  readonly parts?: Partial<EngineParts>;
  readonly wanted?: Partial<InvocationRequest>;
  readonly asker?: Asker;
}

/** Returns why an invocation was not sent, or `sent`. */
export const whyOf = (ending: Ending) =>
  ending.kind === "sent"
    ? "sent"
    : ending.stop.kind === "declined"
      ? `no to ${ending.stop.question.kind}`
      : ending.stop.kind;

/** Creates engines in a folder of its own for each test, with one clock. */
export function useEngines() {
  let folder: string;
  const clock = movableClock();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-"));
  });
  const engines: TestEngine[] = [];
  afterEach(async () => {
    for (const { history } of engines.splice(0)) history.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const engineAt = (
    ...how: Parameters<typeof testEngine> extends [string, ...infer Rest] ? Rest : never
  ) => {
    const one = testEngine(folder, ...how);
    engines.push(one);
    return one;
  };

  /** Returns a new payload each time, so that none is the second click of a double click. */
  let count = 0;
  const fresh = () => {
    count += 1;
    return payloadOf(`{"n":${count}}`);
  };
  const invoke = (
    { engine }: { readonly engine: TestEngine["engine"] },
    { wanted = {}, payload = fresh(), asker = agreeingAsker() }: Partial<ClosedGate> = {},
    signal = never,
  ) => engine.invoke({ ...wantedOnce, ...wanted }, payload, asker, signal);
  return { clock, engineAt, fresh, invoke };
}
