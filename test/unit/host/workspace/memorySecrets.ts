import type * as vscode from "vscode";

/** A secret storage that several windows of an editor share, with a switch for its failures. */
export class MemorySecrets {
  readonly values = new Map<string, string>();
  behavior: "works" | "throws" | "hangs" = "works";
  private readonly listeners = new Set<(event: vscode.SecretStorageChangeEvent) => void>();

  /** The storage of one window. */
  readonly storage = {
    get: (name: string) => this.does(() => this.values.get(name)),
    store: (name: string, value: string) =>
      this.does(() => {
        this.values.set(name, value);
        this.tell(name);
      }),
    delete: (name: string) =>
      this.does(() => {
        this.values.delete(name);
        this.tell(name);
      }),
    onDidChange: (listener: (event: vscode.SecretStorageChangeEvent) => void) => {
      this.listeners.add(listener);
      return { dispose: () => void this.listeners.delete(listener) };
    },
  } as unknown as vscode.SecretStorage;

  private tell(key: string): void {
    for (const listener of this.listeners) listener({ key });
  }

  private does<Value>(work: () => Value): Promise<Value> {
    if (this.behavior === "throws") return Promise.reject(new Error("No keyring."));
    if (this.behavior === "hangs") return new Promise(() => undefined);
    return Promise.resolve().then(work);
  }
}

/** Returns a memento that stores plain data. If writing fails, it still returns the new value, like the editor's. */
export function memento(kept: Record<string, unknown> = {}, fails = false): vscode.Memento {
  return {
    keys: () => Object.keys(kept),
    get: (name: string) => kept[name],
    update: async (name: string, value: unknown) => {
      kept[name] = structuredClone(value);
      if (fails) throw new Error("No space left on device.");
    },
  } as unknown as vscode.Memento;
}
