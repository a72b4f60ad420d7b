import type { NetworkSettings } from "./networkSettings";

/** Where a client calls and what it allows an answer to cost. */
export interface RegistryClientOptions {
  /** As `readRegistryOrigin` gives it: no slash at the end, a path prefix is allowed. */
  readonly baseUrl: string;
  readonly network: NetworkSettings;
  /** From the call to the last byte, for the public routes. */
  readonly requestTimeoutSeconds: number;
  /** The same for an invocation. */
  readonly invokeTimeoutSeconds: number;
  /** Of one answer, after decompression. */
  readonly maxResponseBytes: number;
}
