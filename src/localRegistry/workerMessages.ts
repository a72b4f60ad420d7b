import type { LocalRegistryOptions } from "./startLocalRegistry";

/** What the registry's worker may be started with, as its workerData. */
export type LocalRegistryWorkerData = Pick<LocalRegistryOptions, "port" | "projectKey">;

/** What the worker posts once: where the registry is, or why there is none. */
export type LocalRegistryReport =
  | { readonly baseUrl: string; readonly projectKey: string }
  | { readonly error: string };

/** The message that closes the registry; the worker then ends. */
export const closeMessage = "close";
