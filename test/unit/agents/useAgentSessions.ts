import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { afterEach, beforeEach } from "mocha";
import type { AgentToolName } from "../../../src/core/agents/agentTools";
import { type SessionOptions, testSession, yesClient } from "../../fixtures/agentSession";
import { wantedCall } from "../../fixtures/closedGates";

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** The call that sessions of these tests make unless a test names another one. */
export const wanted = wantedCall;

/** Opens agents' sessions in a folder of its own for each test. */
export function useAgentSessions() {
  let folder: string;
  const opened: Awaited<ReturnType<typeof testSession>>[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-registry-agents-"));
  });
  afterEach(async () => {
    mock.timers.reset();
    for (const one of opened.splice(0)) {
      // The record is written after the response.
      await one.session.finish();
      one.dispose();
    }
    await rm(folder, { recursive: true, force: true });
  });

  async function open(options: SessionOptions = {}) {
    const one = await testSession(folder, options);
    opened.push(one);
    const call = async (tool: AgentToolName, args: unknown = wanted, client = yesClient) => {
      const { text, isError } = await one.session.call(tool, args, client, never);
      const read: Record<string, unknown> = JSON.parse(text);
      return { isError, ...read } as Record<string, unknown> & { readonly isError: boolean };
    };
    return { ...one, call, invoke: (args?: unknown) => call("invoke_skill", args) };
  }
  return {
    get folder() {
      return folder;
    },
    open,
  };
}
