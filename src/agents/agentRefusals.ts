import type { AgentRefusalCode } from "../core/agents/agentGates";
import type { Caller } from "../core/invocation/record/invocationRecord";
import { isJsonObject } from "../core/json/jsonValue";
import { SharedFile } from "../engine/sharedFile";

/** An invocation that an agent wanted and did not get. Neither its payload nor its reason is kept. */
export interface AgentRefused {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly registry: string;
  readonly skill: string;
  readonly code: AgentRefusalCode | "replayed";
  readonly caller: Caller;
}

const maxRefused = 500;

/** What agents of this machine were refused, the newest 500. */
export class AgentRefusals {
  private readonly file: SharedFile<readonly AgentRefused[]>;

  constructor(path: string) {
    this.file = new SharedFile<readonly AgentRefused[]>(path, (value) =>
      Array.isArray(value) ? value.filter(isRefused).slice(-maxRefused) : [],
    );
  }

  /** Adds one. Never rejects. */
  note(refused: AgentRefused): Promise<void> {
    return this.file.change((all) => [...all, refused].slice(-maxRefused));
  }

  /** Lists them, the oldest first. Never rejects. */
  list(): Promise<readonly AgentRefused[]> {
    return this.file.get();
  }
}

function isRefused(value: unknown): value is AgentRefused {
  if (!isJsonObject(value)) return false;
  const { at, registry, skill, code, caller } = value;
  return (
    typeof at === "number" &&
    [registry, skill, code].every((text) => typeof text === "string") &&
    isJsonObject(caller)
  );
}
