import { registryName } from "../../core/invocation/record/invocationRecord";
import type { ProjectKeys } from "./projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";

/** Returns the registry in use, and shows nothing where there is none. Never rejects. */
export async function currentRegistry(
  connection: Pick<RegistryConnection, "current">,
): Promise<ConnectedRegistry | undefined> {
  const connected = await connection.current();
  return connected.ok ? connected.registry : undefined;
}

/** Names the registry in use as stored data does; empty where there is none. Never rejects. */
export async function currentRegistryName(connection: RegistryConnection): Promise<string> {
  const registry = await currentRegistry(connection);
  return registry === undefined ? "" : registryName(registry);
}

/** Returns the Project Key in use; undefined where there is none, or it cannot be read. Never rejects. */
export async function currentKey(
  connection: RegistryConnection,
  keys: ProjectKeys,
): Promise<string | undefined> {
  const registry = await currentRegistry(connection);
  return registry && keys.find(registry);
}
