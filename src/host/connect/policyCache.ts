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
 * Caches what registries returned for a project when its key was checked, by registry and key, so that pages
 * can show it without sending the key again. Of the key it stores 32 bits of a digest.
 */
export class PolicyCache extends Owner {
  private readonly changed = this.own(new ChangeEvent<void>());
  private readonly policies: StoredValue<ReturnType<typeof readCachedPolicies>>;

  /** Fires when something was stored or forgotten here. */
  readonly onDidChange = this.changed.event;

  constructor(memory: Memory) {
    super();
    this.policies = new StoredValue(memory, "cachedPolicies", readCachedPolicies);
  }

  /** Stores the result of a check of the key; an unknown or failed one changes nothing. */
  async note({ origin }: KnownRegistry, key: string, reading: KeyReading): Promise<void> {
    if (reading.kind === "unknown" || reading.kind === "failed") return;
    const asked = { origin, fingerprint: fingerprintOf(origin, key), at: Date.now() };
    await this.policies.set(withPolicies(this.policies.get(), asked, reading));
    this.changed.fire();
  }

  /** Forgets what a registry returned. */
  async forget({ origin }: KnownRegistry): Promise<void> {
    await this.policies.set(withoutPolicies(this.policies.get(), origin));
    this.changed.fire();
  }

  /** When the registry last returned something for this key, in milliseconds since 1970; undefined for never. */
  readAt({ origin }: KnownRegistry, key: string): number | undefined {
    const fingerprint = fingerprintOf(origin, key);
    return this.policies
      .get()
      .find((one) => one.origin === origin && one.fingerprint === fingerprint)?.at;
  }

  /** Returns what the registry last returned for a skill with this key. */
  about({ origin }: KnownRegistry, key: string, slug: string): CachedPolicy | undefined {
    const asked = { origin, fingerprint: fingerprintOf(origin, key), slug };
    return cachedPolicyFor(this.policies.get(), asked, Date.now());
  }
}

/** Too short to recover a key, long enough to distinguish a user's keys. */
function fingerprintOf(origin: string, key: string): string {
  return sha256(`${origin}\n${key}`).slice(0, 8);
}
