import { type CallabilityFacts, recentOf } from "../../core/invocation/permission/callabilityFacts";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../core/invocation/record/recordQuery";
import { registryName } from "../../core/registry/registryName";
import type { PolicyCache } from "../connect/policyCache";
import type { RegistryConnection } from "../connect/registryConnection";
import { isKeyFound, type ProjectKeys } from "../keys/projectKeys";

/** The sources of facts about whether a skill would run. They do not reveal the key. */
interface CallabilitySources {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly policies: PolicyCache;
  /** Lists the invocations that match a query, newest first. */
  readonly invocations: (selected: RecordQuery) => Promise<readonly InvocationRecord[]>;
  /** Returns the verdict of a key's project on a skill; without a key, of the chosen project. Undefined if unknown. */
  readonly project: (slug: string, key: string | undefined) => CallabilityFacts["project"];
  /** Returns whether a key belongs to an unknown project other than the chosen one. */
  readonly isOfUnknownProject: (key: string) => boolean;
}

/** Collects the known facts about whether a skill would run here. Facts that cannot be determined count as unknown. */
export async function callabilityFacts(
  sources: CallabilitySources,
  slug: string,
): Promise<CallabilityFacts> {
  const now = Date.now();
  const nothing = { hasKey: undefined, invocations: [], now };
  const connection = await sources.connection.current();
  if (!connection.ok) return nothing;
  const { registry } = connection;
  const { isBuiltIn } = registry;
  try {
    const [found, invocations] = await Promise.all([
      sources.keys.examine(registry),
      sources.invocations(recentOf(registryName(registry), slug)),
    ]);
    const project = sources.project(slug, found.kind === "key" ? found.key : undefined);
    const facts = {
      hasKey: isKeyFound(found),
      invocations,
      isBuiltIn,
      now,
      ...(project !== undefined && { project }),
    };
    if (found.kind !== "key") return facts;
    const isOfUnknownProject = sources.isOfUnknownProject(found.key);
    const withKey = { ...facts, isOfUnknownProject };
    const policy = sources.policies.policyFor(registry, found.key, slug);
    return policy === undefined ? withKey : { ...withKey, policy };
  } catch {
    return nothing;
  }
}
