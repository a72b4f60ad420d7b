import { type KeyFacts, keyDiagnosis } from "../../core/invocation/keyDiagnosis";
import { present, presentNoConnection } from "../words/present";
import type { KeyFinding, ProjectKeys } from "./projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";

/** Says how it is with the Project Key of the registry in use. Never shows or returns the key. */
export async function checkProjectKey(
  keys: ProjectKeys,
  connection: RegistryConnection,
): Promise<void> {
  const connected = await connection.current();
  if (!connected.ok) return presentNoConnection(connected.problem);
  const { registry } = connected;
  const found = await keys.examine(registry);
  void present(keyDiagnosis(factsOf(keys, registry, found)));
}

function factsOf(keys: ProjectKeys, registry: ConnectedRegistry, found: KeyFinding): KeyFacts {
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
