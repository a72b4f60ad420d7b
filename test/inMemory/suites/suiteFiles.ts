import { testControllerId } from "../../../src/host/ids";
import type { RecordedRequest } from "../../fixtures/network/recordingServer";
import type { MemoryEditor } from "../memoryEditor";
import type { MemoryController } from "../vscode/testing";

/** The cases of the suites. */
export const cases = [
  { name: "two words", payload: { text: "Good morning" }, expect: { output: { "/words": 2 } } },
  { name: "no text", payload: {}, expect: { invalid: ["required"] } },
  { name: "three words", payload: { text: "a b c" }, expect: { output: { "/words": 2 } } },
  { name: "wrong payload", payload: { text: 1 } },
];

/** Returns the text of a suite. */
export const suite = (skill: string, list: readonly object[] = cases) =>
  JSON.stringify({ format: 1, skill, cases: list }, undefined, 2);

/** Returns whether a request invokes a skill. */
export const isInvocation = ({ path }: RecordedRequest) => path === "/v1/runtime/invoke";

/** Waits until the suites of a window are listed. */
export async function suitesOf(editor: MemoryEditor): Promise<MemoryController> {
  const { controllers } = editor.parts;
  const tests = await editor.until("the entry", () => controllers.get(testControllerId));
  await tests.open();
  return tests;
}
