import type { KeyRedactor } from "../core/registry/redactSecrets";
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
  /** Knows the keys to take out of answers, and learns those this client sends. Its own by default. */
  readonly redactor?: KeyRedactor;
  /** Takes a line about each exchange with the registry. The caller takes keys out of it. */
  readonly log?: (line: string) => void;
  /** Whether prices and numbers of this registry are invented; they are not by default. */
  readonly isSample?: boolean;
  /** Public answers are not read before this; never rejects. By default they are at once. */
  readonly keysKnown?: Promise<void>;
}
