import type { InvocationRecord } from "../../core/invocation/invocationRecord";
import type { RunFacts } from "../../core/skill/runAdvice";
import {
  type ConnectedRegistry,
  type RegistryConnection,
  registryName,
} from "../connect/registryConnection";

/** Where facts about running a skill come from. The key itself stays where it is. */
export interface RunFactSources {
  readonly connection: RegistryConnection;
  readonly hasKey: (registry: ConnectedRegistry) => Promise<boolean>;
  /** Lists past calls, newest first. */
  readonly calls: () => Promise<readonly InvocationRecord[]>;
}

const maxCalls = 20;

/** Finds out what is known of running a skill here. What cannot be found out counts as not known. */
export async function runFacts(sources: RunFactSources, slug: string): Promise<RunFacts> {
  const now = Date.now();
  const nothing = { hasKey: undefined, calls: [], now };
  const connection = await sources.connection.current();
  if (!connection.ok) return nothing;
  const { registry } = connection;
  try {
    const [hasKey, all] = await Promise.all([sources.hasKey(registry), sources.calls()]);
    const name = registryName(registry);
    const calls = all.filter((call) => call.skillSlug === slug && call.registry === name);
    return { hasKey, calls: calls.slice(0, maxCalls), now };
  } catch {
    return nothing;
  }
}
