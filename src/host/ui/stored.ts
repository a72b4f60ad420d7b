import type * as vscode from "vscode";
import { isJsonObject } from "../../core/json/jsonValue";

/** The methods of the editor's memento that are used. */
export type Memory = Pick<vscode.Memento, "get" | "update">;

/**
 * A value that the editor stores over restarts. It is read each time, since other windows write it too. `read` returns
 * a valid value for any stored data, which an earlier version may have written.
 */
export class StoredValue<Value> {
  constructor(
    private readonly memory: Memory,
    private readonly name: string,
    private readonly read: (kept: unknown) => Value,
    private readonly write: (value: Value) => unknown = (value) => value,
  ) {}

  get(): Value {
    return this.read(this.memory.get(this.name));
  }

  /**
   * Stores a value. Never rejects: if the value cannot be written, as on a full disk, the editor keeps it until the
   * window closes.
   */
  async set(value: Value): Promise<void> {
    await this.memory.update(this.name, this.write(value)).then(undefined, () => undefined);
  }
}

/** The maximum number of names. All are in one value that the editor writes at each change. */
const maxNames = 20;

/** Values by name that the editor stores together. Keeps only the 20 names that were set last. */
export class StoredByName<Value> {
  private readonly all: StoredValue<Readonly<Record<string, unknown>>>;

  constructor(
    memory: Memory,
    name: string,
    private readonly read: (kept: unknown) => Value,
  ) {
    const readAll = (kept: unknown): Readonly<Record<string, unknown>> =>
      isJsonObject(kept) ? kept : {};
    this.all = new StoredValue(memory, name, readAll);
  }

  get(name: string): Value {
    return this.read(this.all.get()[name]);
  }

  async set(name: string, value: Value): Promise<void> {
    const others = Object.entries(this.all.get()).filter(([other]) => other !== name);
    const newest = [...others, [name, value] as const].slice(-maxNames);
    await this.all.set(Object.fromEntries(newest));
  }
}
