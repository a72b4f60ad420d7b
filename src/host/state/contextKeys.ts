import * as vscode from "vscode";
import { isJsonObject } from "../../core/json/jsonValue";
import { contextKeys } from "../ids";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";
import { LatestRequest } from "../ui/wait";

/** The name of a context key in the code. */
export type ContextKey = keyof typeof contextKeys;

/** A value of a context key. */
export type ContextValue = boolean | string | readonly string[];

/** A fact that `when` clauses depend on. */
export interface ContextFact {
  /** The events after which the fact may differ. */
  readonly on: readonly ((listener: () => unknown) => vscode.Disposable)[];
  /** Reads the fact, without a request to a registry. Undefined while it is unknown. The key then keeps its value. */
  readonly read: () => ContextValue | Promise<ContextValue | undefined> | undefined;
}

/** The storage that keeps a key's value over restarts: the user's, or the workspace's. */
export interface KeyMemories {
  readonly user: Memory;
  readonly workspace: Memory;
}

/**
 * The keys whose last value is restored at startup, before anything is read. They decide what the palette offers until
 * the extension is used.
 */
const keptKeys = {
  filtered: "workspace",
  recorded: "user",
  signedIn: "user",
  hasProject: "workspace",
  canTestRun: "workspace",
} as const satisfies Readonly<Partial<Record<ContextKey, keyof KeyMemories>>>;

const isKept = (key: ContextKey): key is keyof typeof keptKeys => Object.hasOwn(keptKeys, key);

/** Sets a context key. No other code runs `setContext`. */
export async function setContextKey(
  key: ContextKey,
  value: ContextValue | undefined,
): Promise<void> {
  await vscode.commands.executeCommand("setContext", contextKeys[key], value);
}

/** Sets the keys that are stored over restarts to their last values. */
export function restoreContextKeys(memories: KeyMemories): void {
  for (const [key, where] of Object.entries(keptKeys) as [
    keyof typeof keptKeys,
    keyof KeyMemories,
  ][]) {
    if (storedKeys(memories[where]).get()[key] === true) void setContextKey(key, true);
  }
}

/** Sets each context key when its fact becomes known, and at each change. */
export class ContextKeys extends Owner {
  private readonly known = new Map<ContextKey, string>();

  constructor(
    facts: Readonly<Partial<Record<ContextKey, ContextFact>>>,
    private readonly memories: KeyMemories,
  ) {
    super();
    for (const [key, fact] of Object.entries(facts) as [ContextKey, ContextFact][]) {
      this.follow(key, fact);
    }
  }

  private follow(key: ContextKey, { on, read }: ContextFact): void {
    const reads = this.own(new LatestRequest());
    const look = () => {
      const signal = reads.begin();
      const found = read();
      if (!(found instanceof Promise)) return this.set(key, found);
      // A fact that cannot be read is unknown.
      void found.then(
        (value) => !signal.aborted && this.set(key, value),
        () => undefined,
      );
    };
    for (const listen of on) this.own(listen(look));
    look();
  }

  private set(key: ContextKey, value: ContextValue | undefined): void {
    const text = JSON.stringify(value);
    if (value === undefined || this.known.get(key) === text) return;
    this.known.set(key, text);
    void setContextKey(key, value);
    if (!isKept(key)) return;
    const stored = storedKeys(this.memories[keptKeys[key]]);
    const values = stored.get();
    if (values[key] !== value) void stored.set({ ...values, [key]: value });
  }
}

type KeptKeys = Readonly<Record<string, unknown>>;

function storedKeys(memory: Memory): StoredValue<KeptKeys> {
  const read = (kept: unknown): KeptKeys => (isJsonObject(kept) ? kept : {});
  return new StoredValue(memory, "contextKeys", read);
}
