import { readFile } from "node:fs/promises";
import * as tls from "node:tls";
import type { NetworkSettings } from "../networkSettings";

/**
 * Decides which certificates are trusted. Node's own list and NODE_EXTRA_CA_CERTS come first. The operating system's
 * store is added only if they did not suffice and the settings allow it: reading it blocks the thread for up to several
 * hundred milliseconds, and most registries never need it.
 */
export class Trust {
  readonly #extraFile: string | undefined;
  readonly #readSystem: () => readonly string[];
  #context: Promise<tls.SecureContext | undefined> | undefined;
  #widened = false;

  constructor(
    {
      environment,
      systemCertificates,
    }: Pick<NetworkSettings, "environment" | "systemCertificates">,
    readSystem: () => readonly string[] = systemAuthorities,
  ) {
    this.#extraFile = environment["NODE_EXTRA_CA_CERTS"] || undefined;
    this.#readSystem = systemCertificates ? readSystem : () => [];
  }

  /** Returns the trusted certificates. Undefined for Node's own list. */
  context(): Promise<tls.SecureContext | undefined> {
    this.#context ??= this.#build([]);
    return this.#context;
  }

  /** Adds the operating system's certificates. Returns false if none was new. */
  async widen(): Promise<boolean> {
    if (this.#widened) return false;
    this.#widened = true;
    const system = this.#readSystem();
    if (system.length === 0) return false;
    this.#context = this.#build(system);
    await this.#context;
    return true;
  }

  async #build(system: readonly string[]): Promise<tls.SecureContext | undefined> {
    const extra = await readExtra(this.#extraFile);
    if (extra.length === 0 && system.length === 0) return undefined;
    try {
      return tls.createSecureContext({ ca: [...defaultCertificates(), ...extra, ...system] });
    } catch {
      // OpenSSL cannot read this certificate. Trusting fewer is safe.
      return undefined;
    }
  }
}

/** Returns whether a check failed because the issuer is unknown, so that more certificates may help. */
export function isUnknownIssuer(code: string): boolean {
  return [
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
  ].includes(code);
}

/** Reads NODE_EXTRA_CA_CERTS. Like Node.js, ignores a file that cannot be read. */
async function readExtra(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  try {
    return [await readFile(file, "utf8")];
  } catch {
    return [];
  }
}

/**
 * Returns Node's default certificates. Their API exists since 22.15, which every supported editor has; the command line
 * runs from 22.13 on.
 */
function defaultCertificates(): readonly string[] {
  return tls.getCACertificates?.("default") ?? tls.rootCertificates;
}

function systemAuthorities(): readonly string[] {
  try {
    return tls.getCACertificates?.("system") ?? [];
  } catch {
    return [];
  }
}
