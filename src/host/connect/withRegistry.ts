import { showNoConnection } from "../messages/showNotice";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";

/** Does something with the registry in use; where there is none, tells why and offers another. */
export async function withRegistry(
  connection: RegistryConnection,
  work: (registry: ConnectedRegistry) => Promise<void>,
): Promise<void> {
  const connected = await connection.current();
  if (connected.ok) await work(connected.registry);
  else void showNoConnection(connected.problem);
}
