/** The name of the built-in registry in records, since its address changes with each start. */
export const builtInRegistryName = "built-in";

/** The facts that identify a registry. */
export interface RegistryIdentity {
  readonly isBuiltIn: boolean;
  readonly baseUrl: string;
}

/** Names a registry in stored data: its base URL, or `built-in`. */
export function registryName(registry: RegistryIdentity): string {
  return registry.isBuiltIn ? builtInRegistryName : registry.baseUrl;
}
