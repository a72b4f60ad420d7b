import type { LocalRegistry, LocalRegistryOptions } from "./startLocalRegistry";

/** The options for starting the registry's worker, as its workerData. */
export interface LocalRegistryWorkerData
  extends Pick<LocalRegistryOptions, "port" | "portRange" | "projectKey"> {
  /** Prints codes for signing in by email. Default: no codes are sent. */
  readonly printCodes?: boolean;
}

/** The worker's only message: the registry's address and credentials, or an error. */
export type LocalRegistryReport =
  | Pick<LocalRegistry, "baseUrl" | "projectKey" | "userTokens">
  | { readonly error: string };

/** The message that closes the registry and ends the worker. */
export const closeMessage = "close";
