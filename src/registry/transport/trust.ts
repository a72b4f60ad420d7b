import { readFile } from "node:fs/promises";
import * as tls from "node:tls";
import type { NetworkSettings } from "../networkSettings";

/**
 * Decides which certificates are trusted: Node's own list and NODE_EXTRA_CA_CERTS first, the operating
 * system's, where the settings allow it, only when those did not suffice. Reading the system's store blocks
 * the thread (from a few to several hundred milliseconds), and most registries never need it.
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

  /** The certificates to check against. Undefined for Node's own list. */
  context(): Promise<tls.SecureContext | undefined> {
    this.#context ??= this.#build([]);
    return this.#context;
  }

  /** Adds the operating system's certificates. False where that added nothing new. */
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
      // A certificate that OpenSSL cannot read. Trusting fewer is safe.
      return undefined;
    }
  }
}

/** Returns whether a failed check means that the issuer is unknown, which other certificates can solve. */
export function isUnknownIssuer(code: string): boolean {
  return [
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
  ].includes(code);
}

/** A file that cannot be read adds nothing, as with Node itself. */
async function readExtra(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  try {
    return [await readFile(file, "utf8")];
  } catch {
    return [];
  }
}

/** Node.js has these lists since 22.15. Every supported editor includes that, and the command line runs from 22.13 on. */
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
