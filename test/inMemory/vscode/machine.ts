import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { EventEmitter } from "./values";

/** The parts that windows of one user share: secrets, stored state, a clipboard, a disk. */
export class Machine {
  readonly secrets = new Secrets();
  readonly globalState = new Memory();
  clipboard = "";

  /** `folder` is removed by `dispose`. Default: a new one. */
  constructor(readonly folder = mkdtempSync(join(tmpdir(), "skill-registry-memory-"))) {}

  /** The folder of the state that all windows share. */
  get storage(): string {
    return join(this.folder, "globalStorage");
  }

  async dispose(): Promise<void> {
    // Background work of the extension, such as the launcher for terminals, may still write. The asynchronous function
    // then removes everything again; the synchronous one would only retry the folder itself.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Secret storage. */
class Secrets implements vscode.SecretStorage {
  private readonly held = new Map<string, string>();
  private readonly changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.changed.event;

  async keys(): Promise<string[]> {
    return [...this.held.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    return this.held.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.held.set(key, value);
    this.changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.held.delete(key);
    this.changed.fire({ key });
  }
}

/** The state that an extension stores: copies, as JSON. */
export class Memory implements vscode.Memento {
  private readonly held = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.held.keys()];
  }

  get<T>(key: string, otherwise?: T): T {
    const found = this.held.get(key);
    return (found === undefined ? otherwise : found) as T;
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.held.delete(key);
    else this.held.set(key, JSON.parse(JSON.stringify(value)));
  }

  setKeysForSync(): void {}
}

/** The extension's changes to the environment of new terminals. */
export class TerminalVariables {
  description: string | undefined;
  private readonly prepended = new Map<string, string>();
  private readonly replaced = new Map<string, string>();

  constructor(private readonly changed: () => void) {}

  prepend(name: string, value: string): void {
    this.prepended.set(name, value);
    this.changed();
  }

  replace(name: string, value: string): void {
    this.replaced.set(name, value);
    this.changed();
  }

  delete(name: string): void {
    this.prepended.delete(name);
    this.replaced.delete(name);
    this.changed();
  }

  clear(): void {
    this.prepended.clear();
    this.replaced.clear();
    this.changed();
  }

  /** Returns the value of a variable in a terminal, whose system value is `value`. */
  seen(name: string, value: string): string {
    return this.replaced.get(name) ?? `${this.prepended.get(name) ?? ""}${value}`;
  }
}
