import type * as vscode from "vscode";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import { readProjectKey } from "../../core/registry/credential";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { LocalizableText } from "../../core/text/language";
import type { ConnectedRegistry } from "./registryConnection";

const keyPrefix = "projectKey:";
const originsName = "projectKeyOrigins";

/** Where the key of a registry is stored, and so how long it lasts. */
export type KeyKeeping = "secretStorage" | "sessionOnly";

/** What was found in place of a registry's key. */
export type KeyFinding =
  | { readonly kind: "key"; readonly key: string; readonly keeping: KeyKeeping | "builtIn" }
  | { readonly kind: "none" }
  /** The stored value is no key; `problem` does not contain it. */
  | { readonly kind: "wrongKind"; readonly problem: LocalizableText }
  /** The secret storage fails or does not respond. */
  | { readonly kind: "storageFails" };

/** Remembers the registries with stored keys, whose addresses are no secret. */
export interface KeyMemory {
  readonly secrets: vscode.SecretStorage;
  readonly origins: vscode.Memento;
  /** Learns every key that is found or stored, and forgets none while the window is open. */
  readonly redactor: KeyRedactor;
}

/** Timeouts of the secret storage, in milliseconds. */
export interface SecretStorageTimeouts {
  /** For the first access. */
  readonly first: number;
  /** After it did not respond once. */
  readonly next: number;
  /** Before a registry's response is shown without knowing the key, where none is known to be stored. */
  readonly known: number;
}

/**
 * Stores one Project Key per registry origin: in the editor's secret storage, or in memory for the session
 * where that storage fails. Keys are never written anywhere else.
 */
export class ProjectKeys {
  private readonly session = new Map<string, string>();
  private readonly removedOwnKeys = new Set<string>();
  /** By origin: the registry's last response to which key. */
  private readonly answers = new Map<string, { key: string; answer: "accepted" | "refused" }>();
  private readonly subscription: vscode.Disposable;
  private readonly storage: SecretStorageWait;
  /** How often a key was set or removed. */
  private decisions = 0;

  constructor(
    private readonly memory: KeyMemory,
    private readonly patience: SecretStorageTimeouts = { first: 10_000, next: 1_000, known: 2_000 },
  ) {
    this.storage = new SecretStorageWait(patience);
    this.subscription = memory.secrets.onDidChange(({ key: name }) => {
      if (!name.startsWith(keyPrefix)) return;
      const origin = name.slice(keyPrefix.length);
      // Another window may have set or removed it: the session's key is older than that.
      this.session.delete(origin);
      void this.learn(origin);
    });
  }

  /**
   * Registers the key of this registry with the redactor, so that a registry that repeats it does not show it
   * in a list or page. Resolves after 2 seconds at most, or 10 where a key is stored: a storage that hangs
   * must not block a list. `learnedLate` is called where the key arrived after that. Never rejects.
   */
  async redactKey(
    { origin, isBuiltIn, ownKey = "" }: Omit<ConnectedRegistry, "client">,
    learnedLate: () => void,
  ): Promise<void> {
    this.memory.redactor.learn(ownKey);
    if (isBuiltIn) return;
    const { first, known } = this.patience;
    const wait = this.origins().includes(origin) ? first : known;
    await learnInTime(this.learn(origin), wait, learnedLate);
  }

  /** Returns the key for this registry, or undefined where there is none or it cannot be read. */
  async find(registry: ConnectedRegistry): Promise<string | undefined> {
    const found = await this.examine(registry);
    return found.kind === "key" ? found.key : undefined;
  }

  /** Looks up the key of this registry and describes what was found. Never rejects. */
  async examine(registry: ConnectedRegistry): Promise<KeyFinding> {
    const { origin, isBuiltIn, ownKey } = registry;
    const inSession = this.session.get(origin);
    if (inSession !== undefined) return { kind: "key", key: inSession, keeping: "sessionOnly" };
    if (isBuiltIn) {
      return ownKey === undefined || this.removedOwnKeys.has(origin)
        ? { kind: "none" }
        : { kind: "key", key: ownKey, keeping: "builtIn" };
    }
    let stored: string | undefined;
    try {
      stored = await this.storage.for(() => this.memory.secrets.get(keyPrefix + origin));
    } catch {
      return { kind: "storageFails" };
    }
    if (stored === undefined) return { kind: "none" };
    const read = readProjectKey(stored);
    this.memory.redactor.learn(read.ok ? read.key : stored);
    return read.ok
      ? { kind: "key", key: read.key, keeping: "secretStorage" }
      : { kind: "wrongKind", problem: read.problem };
  }

  /** Stores a key for this registry only. A key for the built-in registry lasts as long as that runs. */
  async keep(registry: ConnectedRegistry, key: string): Promise<KeyKeeping> {
    const { origin, isBuiltIn } = registry;
    this.memory.redactor.learn(key);
    this.session.delete(origin);
    this.decisions += 1;
    const decision = this.decisions;
    if (!isBuiltIn && (await this.write(origin, key))) return "secretStorage";
    // During a slow access, the user may have decided otherwise.
    if (decision === this.decisions) this.keepForSession(registry, key);
    return "sessionOnly";
  }

  /** Keeps a key for this registry only, until the window closes. */
  keepForSession({ origin }: ConnectedRegistry, key: string): void {
    this.memory.redactor.learn(key);
    this.session.set(origin, key);
  }

  /** Removes the key of this registry. Rejects where the secret storage cannot remove it. */
  async remove({ origin, isBuiltIn }: ConnectedRegistry): Promise<void> {
    this.session.delete(origin);
    this.decisions += 1;
    this.answers.delete(origin);
    if (isBuiltIn) {
      this.removedOwnKeys.add(origin);
      return;
    }
    await this.storage.for(() => this.memory.secrets.delete(keyPrefix + origin));
    await this.rememberOrigins(this.origins().filter((known) => known !== origin));
  }

  /** Lists the origins of other registries with a stored key. */
  elsewhere({ origin }: ConnectedRegistry): readonly string[] {
    return this.origins().filter((known) => known !== origin);
  }

  /** Notes what the response to an invocation says about its key. */
  noteAnswer({ origin }: ConnectedRegistry, key: string, outcome: InvocationOutcome): void {
    const answer = answerAbout(outcome);
    if (answer !== undefined) this.answers.set(origin, { key, answer });
  }

  /** Returns the registry's last response to this key in this window. */
  lastAnswer({ origin }: ConnectedRegistry, key: string): "accepted" | "refused" | undefined {
    const last = this.answers.get(origin);
    return last?.key === key ? last.answer : undefined;
  }

  dispose(): void {
    this.subscription.dispose();
    this.session.clear();
    this.answers.clear();
  }

  /** Resolves to whether a stored key was unknown to the redactor. */
  private async learn(origin: string): Promise<boolean> {
    try {
      const stored = await this.memory.secrets.get(keyPrefix + origin);
      return stored !== undefined && this.memory.redactor.learn(stored);
    } catch {
      // No key is known that could be redacted.
      return false;
    }
  }

  private async write(origin: string, key: string): Promise<boolean> {
    try {
      await this.storage.for(() => this.memory.secrets.store(keyPrefix + origin, key));
    } catch {
      return false;
    }
    const origins = [...this.origins().filter((known) => known !== origin), origin];
    // Only the hint that other registries have a key depends on them.
    await this.rememberOrigins(origins).catch(() => undefined);
    return true;
  }

  private origins(): readonly string[] {
    const kept: unknown = this.memory.origins.get(originsName);
    return Array.isArray(kept) ? kept.filter((origin) => typeof origin === "string") : [];
  }

  private async rememberOrigins(origins: readonly string[]): Promise<void> {
    await this.memory.origins.update(originsName, origins.slice(-maxOrigins));
  }
}

/** Only a response after the registry's check of the key says something about it. */
function answerAbout(outcome: InvocationOutcome): "accepted" | "refused" | undefined {
  if (outcome.kind === "success" || outcome.kind === "skillError") return "accepted";
  if (outcome.kind !== "refused" || outcome.status === 0) return undefined;
  switch (outcome.reason) {
    case "unauthorized":
    case "missingKey":
      return "refused";
    case "policy":
    case "payment":
      return "accepted";
    default:
      return undefined;
  }
}

const maxOrigins = 50;

/**
 * Waits for the secret storage, less long after it did not respond once: several accesses in a row must not
 * add up to minutes. Rejects where the storage fails or times out.
 */
export class SecretStorageWait {
  private hangs = false;

  constructor(private readonly patience: Pick<SecretStorageTimeouts, "first" | "next">) {}

  async for<Value>(work: () => Thenable<Value>): Promise<Value> {
    const { first, next } = this.patience;
    try {
      const value = await endInTime(work(), this.hangs ? next : first);
      this.hangs = false;
      return value;
    } catch (error) {
      this.hangs = true;
      throw error;
    }
  }
}

/** Count ten short timers, so that a blocked event loop costs at most one of them. */
const partsOfWait = 10;

/**
 * Waits for the secret storage, rejecting after `milliseconds`: a keyring that waits for a dialog no one sees
 * must not block an invocation forever. Time in which this process was blocked, as while a window opens on a
 * busy machine, does not count.
 */
export function endInTime<Value>(work: Thenable<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    let left = partsOfWait;
    const ticking = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      clearInterval(ticking);
      reject(new Error("The secret storage does not answer."));
    }, milliseconds / partsOfWait);
    work.then(resolve, reject).then(() => clearInterval(ticking));
  });
}

/**
 * Waits until the redactor has learned what is stored, for `milliseconds` at most. `learning` resolves to
 * whether anything was new to the redactor; where it is after that time, what was shown meanwhile may contain it,
 * and `learnedLate` is called. Never rejects.
 */
export async function learnInTime(
  learning: Promise<boolean>,
  milliseconds: number,
  learnedLate: () => void,
): Promise<void> {
  let isLate = false;
  const learned = learning.then((isNew) => {
    if (isLate && isNew) learnedLate();
  });
  await endInTime(learned, milliseconds).catch(() => {
    isLate = true;
  });
}

/**
 * Caches the Project Key in use for checks, which must not wait for a keyring: each read returns the last
 * known key and refreshes it in the background.
 */
export class KeyInUse {
  private key: string | undefined;
  private isAsking = false;

  /** `changed` is called when the known key has changed. */
  constructor(
    private readonly find: () => Promise<string | undefined>,
    private readonly changed: () => void,
  ) {}

  /** The last known key, as a list of one or none. */
  known(): readonly string[] {
    void this.askAgain();
    return this.key === undefined ? [] : [this.key];
  }

  private async askAgain(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      const key = await this.find();
      if (key === this.key) return;
      this.key = key;
      this.changed();
    } finally {
      this.isAsking = false;
    }
  }
}
