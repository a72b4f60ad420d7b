import { beforeEach } from "mocha";
import type * as vscode from "vscode";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";
import { type KeyMemory, ProjectKeys } from "../../../../src/host/keys/projectKeys";

/** A Project Key that no text may contain. */
export const canary = "skh_canary0123456789canary0123456789canary";

/** Returns a connected registry at an origin. */
export function registry(
  origin: string,
  changes: Partial<ConnectedRegistry> = {},
): ConnectedRegistry {
  const client = {} as ConnectedRegistry["client"];
  return { baseUrl: origin, origin, name: origin, isBuiltIn: false, client, ...changes };
}

/** An editor's secret storage with a switch for its failures. */
class Storage {
  readonly values = new Map<string, string>();
  readonly kept: Record<string, unknown> = {};
  behavior: "works" | "throws" | "hangs" = "works";
  private held: Promise<void> | undefined;
  private readonly listeners: ((event: vscode.SecretStorageChangeEvent) => void)[] = [];

  readonly redactor = new KeyRedactor();
  reads = 0;
  readonly memory = {
    secrets: {
      get: (name: string) => {
        this.reads += 1;
        return this.does(() => this.values.get(name));
      },
      store: (name: string, value: string) => this.does(() => void this.values.set(name, value)),
      delete: (name: string) => this.does(() => void this.values.delete(name)),
      onDidChange: (listener: (event: vscode.SecretStorageChangeEvent) => void) => {
        this.listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    origins: {
      get: (name: string) => this.kept[name],
      update: async (name: string, value: unknown) => {
        this.kept[name] = value;
      },
    },
    redactor: this.redactor,
  } as unknown as KeyMemory;

  /** Changes a secret like another window. */
  change(name: string, value: string | undefined): void {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, value);
    for (const listener of this.listeners) listener({ key: name });
  }

  /** Does not respond until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  private async does<Value>(work: () => Value): Promise<Value> {
    await this.held;
    if (this.behavior === "throws") return Promise.reject(new Error("No keyring."));
    if (this.behavior === "hangs") return new Promise(() => undefined);
    return Promise.resolve(work());
  }
}

/** Starts the Project Keys of two registries with a new secret storage for each test. */
export function useProjectKeys() {
  const here = registry("https://here.example");
  const there = registry("https://there.example");
  let storage: Storage;
  let keys: ProjectKeys;
  beforeEach(() => {
    storage = new Storage();
    keys = new ProjectKeys(storage.memory);
  });
  return {
    here,
    there,
    get storage() {
      return storage;
    },
    get keys() {
      return keys;
    },
    set keys(next: ProjectKeys) {
      keys = next;
    },
  };
}
