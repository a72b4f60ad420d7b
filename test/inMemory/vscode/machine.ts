import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { EventEmitter } from "./values";

/** What the windows of one user share: secrets, what the extension keeps, a clipboard, a disk. */
export class Machine {
  readonly secrets = new Secrets();
  readonly globalState = new Memory();
  clipboard = "";

  /** `folder` is removed with \`dispose\`. Default: one of its own. */
  constructor(readonly folder = mkdtempSync(join(tmpdir(), "skill-registry-memory-"))) {}

  /** Where the extension keeps what all windows share. */
  get storage(): string {
    return join(this.folder, "globalStorage");
  }

  async dispose(): Promise<void> {
    // What the extension began in the background, such as the launcher for terminals, may still be written. Then all of
    // it is removed again; the synchronous function would try only the folder again.
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

/** What an extension keeps: copies of what it was given, as JSON can say it. */
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

/** What the extension adds to the environment of new terminals. */
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

  /** Returns the value that a terminal has, of a variable that the system has as `value`. */
  seen(name: string, value: string): string {
    return this.replaced.get(name) ?? `${this.prepended.get(name) ?? ""}${value}`;
  }
}
