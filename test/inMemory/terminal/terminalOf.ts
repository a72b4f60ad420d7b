import { after } from "mocha";
import { windowVariable } from "../../../src/core/agents/agentSetup";
import { readWindowAddress, writeWindowAddress } from "../../../src/window/windowAddress";
import { type SocketTap, tapSocket } from "../../fixtures/network/socketTap";
import type { MemoryEditor } from "../memoryEditor";

/** The variables of a new terminal of a window, and a tap that records everything on its socket. */
export interface TestTerminal {
  readonly env: Record<string, string>;
  readonly tap: SocketTap;
}

/** Opens a terminal of a window, whose connections to it are tapped. */
export async function terminalOf(editor: MemoryEditor): Promise<TestTerminal> {
  editor.parts.terminalOpened.fire({} as never);
  const seen = () => editor.parts.variables.seen(windowVariable, "");
  const variable = await editor.until("the window's variable", () => seen() || undefined);
  const address = readWindowAddress(variable);
  if (address === undefined) throw new Error("The variable cannot be read.");
  const tap = await tapSocket(address.path);
  after(() => tap.close());
  const tapped = writeWindowAddress({ ...address, path: tap.path });
  return { env: { SKILL_REGISTRY_URL: "", [windowVariable]: tapped }, tap };
}
