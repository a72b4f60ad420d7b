import { registryName } from "../../core/registry/registryName";
import type { ProjectKeys } from "../keys/projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";

/** Returns the registry in use. Shows nothing if there is none. Never rejects. */
export async function currentRegistry(
  connection: Pick<RegistryConnection, "current">,
): Promise<ConnectedRegistry | undefined> {
  const connected = await connection.current();
  return connected.ok ? connected.registry : undefined;
}

/** Returns the name of the registry in use for stored data; empty for none. Never rejects. */
export async function currentRegistryName(connection: RegistryConnection): Promise<string> {
  const registry = await currentRegistry(connection);
  return registry === undefined ? "" : registryName(registry);
}

/** Returns the Project Key in use; undefined for none, or if it cannot be read. Never rejects. */
export async function currentKey(
  connection: RegistryConnection,
  keys: ProjectKeys,
): Promise<string | undefined> {
  const registry = await currentRegistry(connection);
  return registry && keys.find(registry);
}
