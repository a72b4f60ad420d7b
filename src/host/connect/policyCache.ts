import type { KeyReading } from "../../core/invocation/permission/canInvoke";
import {
  type CachedPolicy,
  cachedPolicyFor,
  readCachedPolicies,
  withoutPolicies,
  withPolicies,
} from "../../core/invocation/permission/canInvoke";
import { ChangeEvent } from "../../engine/changeEvent";
import { sha256 } from "../../engine/sha256";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";
import type { KnownRegistry } from "./registryConnection";

/**
 * Caches the results of Project Key checks, by registry and key, so that pages can show a skill's policy without sending
 * the key again. Stores only 32 bits of a digest of each key.
 */
export class PolicyCache extends Owner {
  private readonly changed = this.own(new ChangeEvent<void>());
  private readonly policies: StoredValue<ReturnType<typeof readCachedPolicies>>;

  /** Fires when the cache changed. */
  readonly onDidChange = this.changed.event;

  constructor(memory: Memory) {
    super();
    this.policies = new StoredValue(memory, "cachedPolicies", readCachedPolicies);
  }

  /** Stores the result of a key's check. An unknown or failed result changes nothing. */
  async note({ origin }: KnownRegistry, key: string, reading: KeyReading): Promise<void> {
    if (reading.kind === "unknown" || reading.kind === "failed") return;
    const asked = { origin, fingerprint: fingerprintOf(origin, key), at: Date.now() };
    await this.policies.set(withPolicies(this.policies.get(), asked, reading));
    this.changed.fire();
  }

  /** Removes a registry's responses. */
  async forget({ origin }: KnownRegistry): Promise<void> {
    await this.policies.set(withoutPolicies(this.policies.get(), origin));
    this.changed.fire();
  }

  /** Returns when the registry last responded for this key, in milliseconds since 1970; undefined if it never did. */
  readAt({ origin }: KnownRegistry, key: string): number | undefined {
    const fingerprint = fingerprintOf(origin, key);
    return this.policies
      .get()
      .find((policy) => policy.origin === origin && policy.fingerprint === fingerprint)?.at;
  }

  /** Returns the registry's last response about a skill for this key. */
  policyFor({ origin }: KnownRegistry, key: string, slug: string): CachedPolicy | undefined {
    const asked = { origin, fingerprint: fingerprintOf(origin, key), slug };
    return cachedPolicyFor(this.policies.get(), asked, Date.now());
  }
}

/** Returns a digest of the key: too short to recover it, long enough to distinguish a user's keys. */
function fingerprintOf(origin: string, key: string): string {
  return sha256(`${origin}\n${key}`).slice(0, 8);
}
