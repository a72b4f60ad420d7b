import type * as vscode from "vscode";
import { readProjectKey } from "../../core/projectKey";
import type { ConnectedRegistry } from "./registryConnection";

const keyPrefix = "projectKey:";

/** Where the key of a registry is kept, and so how long it lasts. */
export type KeyKeeping = "secretStorage" | "sessionOnly";

/**
 * Keeps one Project Key per registry origin: in the editor's secret storage, or in memory for the
 * session where that storage fails. Keys are never written anywhere else.
 */
export class ProjectKeys {
  private readonly session = new Map<string, string>();
  private readonly removedOwnKeys = new Set<string>();

  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** Answers the key for this registry, or undefined where there is none or it cannot be read. */
  async find(registry: ConnectedRegistry): Promise<string | undefined> {
    const inSession = this.session.get(registry.origin);
    if (inSession !== undefined) return inSession;
    if (registry.isBuiltIn) {
      return this.removedOwnKeys.has(registry.origin) ? undefined : registry.ownKey;
    }
    const stored = await this.read(registry.origin);
    const checked = stored === undefined ? undefined : readProjectKey(stored);
    return checked?.ok ? checked.key : undefined;
  }

  /** Keeps a key for this registry alone. A key for the built-in registry lasts as long as it runs. */
  async keep(registry: ConnectedRegistry, key: string): Promise<KeyKeeping> {
    this.session.delete(registry.origin);
    if (!registry.isBuiltIn && (await this.write(registry.origin, key))) return "secretStorage";
    this.session.set(registry.origin, key);
    return "sessionOnly";
  }

  /** Forgets the key of this registry. Rejects where the secret storage cannot remove it. */
  async remove(registry: ConnectedRegistry): Promise<void> {
    this.session.delete(registry.origin);
    if (registry.isBuiltIn) this.removedOwnKeys.add(registry.origin);
    else await this.secrets.delete(keyPrefix + registry.origin);
  }

  private async read(origin: string): Promise<string | undefined> {
    try {
      return await inTime(this.secrets.get(keyPrefix + origin));
    } catch {
      return undefined;
    }
  }

  private async write(origin: string, key: string): Promise<boolean> {
    try {
      await inTime(this.secrets.store(keyPrefix + origin, key));
      return true;
    } catch {
      return false;
    }
  }
}

/** A keyring that waits for a dialog nobody sees must not hold a call for ever. */
const storageTimeoutMs = 10_000;

function inTime<Value>(work: Thenable<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("The secret storage does not answer.")),
      storageTimeoutMs,
    );
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
