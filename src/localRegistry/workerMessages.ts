import type { LocalRegistry, LocalRegistryOptions } from "./startLocalRegistry";

/** What the registry's worker may be started with, as its workerData. */
export interface LocalRegistryWorkerData
  extends Pick<LocalRegistryOptions, "port" | "portRange" | "projectKey"> {
  /** Prints the codes for signing in by e-mail. Default: no codes are sent. */
  readonly printCodes?: boolean;
}

/** What the worker posts once: where the registry is, or why there is none. */
export type LocalRegistryReport =
  | Pick<LocalRegistry, "baseUrl" | "projectKey" | "userTokens">
  | { readonly error: string };

/** The message that closes the registry; the worker then ends. */
export const closeMessage = "close";
