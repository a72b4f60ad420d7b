import { type KeyFacts, keyDiagnosis } from "../../core/invocation/keyDiagnosis";
import { withCallProgress } from "../invoke/callProgress";
import { present, presentNoConnection } from "../words/present";
import type { ProjectKeys } from "./projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";

/**
 * Says how it is with the Project Key of the registry in use, asking the registry where that costs
 * nothing. Never shows or returns the key.
 */
export async function checkProjectKey(
  keys: ProjectKeys,
  connection: RegistryConnection,
): Promise<void> {
  const connected = await connection.current();
  if (!connected.ok) return presentNoConnection(connected.problem);
  const { registry } = connected;
  const key = await keys.find(registry);
  const facts = await keyFacts(keys, registry);
  if (key === undefined) return present(keyDiagnosis(facts));
  const reading = await withCallProgress("Checking the Project Key", (signal) =>
    registry.client.readKey(key, signal),
  );
  void present(keyDiagnosis(reading.kind === "unknown" ? facts : { ...facts, reading }));
}

/** Finds out what is known of the key for a registry. The key is no part of it. */
export async function keyFacts(keys: ProjectKeys, registry: ConnectedRegistry): Promise<KeyFacts> {
  const found = await keys.examine(registry);
  const known = {
    registryName: registry.isBuiltIn ? "the built-in registry" : registry.origin,
    elsewhere: keys.elsewhere(registry),
  };
  if (found.kind === "wrongKind") return { ...known, state: found.kind, problem: found.problem };
  if (found.kind !== "key") return { ...known, state: found.kind };
  const lastAnswer = keys.lastAnswer(registry, found.key);
  const state = found.keeping === "secretStorage" ? "stored" : found.keeping;
  return lastAnswer === undefined ? { ...known, state } : { ...known, state, lastAnswer };
}
