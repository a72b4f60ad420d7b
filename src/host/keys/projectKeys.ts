import type * as vscode from "vscode";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import {
  answerAboutKey,
  type KeyAnswer,
  type KeyFacts,
  type KeyKeeping,
  type KeyMissing,
} from "../../core/invocation/permission/keyDiagnosis";
import { readProjectKey } from "../../core/registry/credential";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { ChangeEvent } from "../../engine/changeEvent";
import type { KnownRegistry } from "../connect/registryConnection";
import { learnInTime, SecretStorageWait, storageTimeouts } from "../connect/secretStorageWait";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";

const keyPrefix = "projectKey:";

/** The result of looking up a registry's key. */
export type KeyFinding =
  | { readonly kind: "key"; readonly key: string; readonly keeping: KeyKeeping | "builtIn" }
  | KeyMissing;

/** Returns whether there is a key; undefined if the secret storage does not respond. */
export function isKeyFound({ kind }: KeyFinding): boolean | undefined {
  return kind === "storageFails" ? undefined : kind === "key";
}

/** The storages of the keys. The origins for which keys are stored are not secret. */
export interface KeyMemory {
  readonly secrets: vscode.SecretStorage;
  readonly origins: Memory;
  /** Learns every key that is found or stored, and forgets none while the window is open. */
  readonly redactor: KeyRedactor;
}

/** Facts about the projects of keys. */
interface KeyProjects {
  /** Returns the ID of the project of this workspace at a registry; undefined for none. */
  idAt(registry: KnownRegistry): string | undefined;
  /** Returns whether somebody is signed in at a registry, or was in this workspace. */
  hasAccount(registry: KnownRegistry): Promise<boolean>;
  /** Returns whether a key certainly belongs to another project than this workspace's. */
  isOfOtherProject(registry: KnownRegistry, key: string): boolean;
}

/**
 * Stores one Project Key per project of a registry, and one for users without a chosen project: in the editor's secret
 * storage, or in memory for the session if that storage fails. Keys are never written anywhere else.
 */
export class ProjectKeys extends Owner {
  private readonly changed = this.own(new ChangeEvent<void>());
  /** The session's keys by slot, as `slotOf` names it. */
  private readonly session = new Map<string, string>();
  /** The last values of the secret storage, by slot. An event reports when they change. */
  private readonly read = new Map<string, string | undefined>();
  /** The slots whose last read failed. */
  private readonly failed = new Set<string>();
  private readonly removedOwnKeys = new Set<string>();
  /** The registry's last response for a key, by origin. */
  private readonly answers = new Map<string, { key: string; answer: KeyAnswer }>();
  private readonly storage: SecretStorageWait;
  /** Without projects, keys belong to no project. */
  private projects: KeyProjects | undefined;
  /**
   * The slots with a stored key, the newest last. The editor's secret storage may have lost a key that is listed here.
   */
  private readonly slots: StoredValue<readonly string[]>;
  /** The number of times that this window set or removed a key. */
  private decisions = 0;
  /** The number of times that a stored key may have changed, in any window. */
  private changes = 0;

  /** Fires when a key may have been set or removed, in any window, or becomes readable. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memory: KeyMemory,
    private readonly timeouts = storageTimeouts,
  ) {
    super();
    this.storage = new SecretStorageWait(timeouts);
    this.slots = new StoredValue(memory.origins, "projectKeyOrigins", readSlots);
    this.own(
      memory.secrets.onDidChange(({ key: name }) => {
        if (!name.startsWith(keyPrefix)) return;
        const slot = name.slice(keyPrefix.length);
        // Another window may have set or removed the key, so the session's key is outdated.
        this.session.delete(slot);
        this.forgetRead(slot);
        void this.learn(slot);
        this.changed.fire();
      }),
    );
  }

  /**
   * Registers the keys of this registry with the redactor, so that a registry that returns one does not show it in a
   * list or page. Resolves after 2 seconds at most, or 10 if a key is stored, since a hanging storage must not block a
   * list. Calls `learnedLate` if a key arrived after that. Never rejects.
   */
  async redactKey(
    { origin, isBuiltIn, ownKey = "" }: KnownRegistry,
    learnedLate: () => void,
  ): Promise<void> {
    this.memory.redactor.learn(ownKey);
    if (isBuiltIn) return;
    const { first, unexpected } = this.timeouts;
    const stored = this.slots.get().filter((slot) => originOf(slot) === origin);
    const all = [...new Set([origin, ...stored])];
    const learning = Promise.all(all.map((slot) => this.learn(slot)));
    const isAnyNew = learning.then((areNew) => areNew.includes(true));
    await learnInTime(isAnyNew, stored.length > 0 ? first : unexpected, learnedLate);
  }

  /** Returns the key to use for this registry; undefined for none, or if it cannot be read. */
  async find(registry: KnownRegistry): Promise<string | undefined> {
    const found = await this.examine(registry);
    return found.kind === "key" ? found.key : undefined;
  }

  /** Returns whether there is a key to use for this registry; undefined if the storage cannot be read. Never rejects. */
  async isSet(registry: KnownRegistry): Promise<boolean | undefined> {
    return isKeyFound(await this.examine(registry));
  }

  /** Returns whether any key for a registry is stored, for any project, without reading it. */
  hasStored(origin: string): boolean {
    return this.slots.get().some((slot) => originOf(slot) === origin);
  }

  /** Stores and finds keys by the chosen project from now on. */
  follow(projects: KeyProjects): void {
    this.projects = projects;
  }

  /**
   * Finds the key for this registry: that of the chosen project, else one that was set without a project and may belong
   * to it. A signed-in user without a chosen project gets no project's key, since it may belong to another
   * organization. Never rejects.
   */
  async examine(registry: KnownRegistry): Promise<KeyFinding> {
    const { origin } = registry;
    const project = this.slotOf(registry);
    for (const slot of new Set([project, origin, ...(await this.slotsOfNobody(registry))])) {
      const found = await this.examineAt(registry, slot);
      if (found.kind === "none") continue;
      const isOther =
        found.kind === "key" &&
        slot !== project &&
        this.projects?.isOfOtherProject(registry, found.key);
      if (!isOther) return found;
    }
    return { kind: "none" };
  }

  /**
   * Stores a key for this registry only: for `project`, else for the chosen one, if any. A key for the built-in
   * registry lasts until that registry ends.
   */
  async keep(registry: KnownRegistry, key: string, project?: string): Promise<KeyKeeping> {
    const slot = this.slotOf(registry, project);
    this.memory.redactor.learn(key);
    this.session.delete(slot);
    this.decisions += 1;
    const decision = this.decisions;
    const isStored = !registry.isBuiltIn && (await this.write(slot, key));
    // While the secret storage was slow, the user may have set or removed a key.
    if (!isStored && decision === this.decisions) this.session.set(slot, key);
    // The editor fires an event for a stored key.
    if (!isStored) this.changed.fire();
    return isStored ? "secretStorage" : "sessionOnly";
  }

  /** Stores a key for this registry only, until the window closes. */
  keepForSession(registry: KnownRegistry, key: string): void {
    this.memory.redactor.learn(key);
    this.session.set(this.slotOf(registry), key);
    this.changed.fire();
  }

  /** Removes the key in use of this registry. Rejects if the secret storage cannot remove it. */
  async remove(registry: KnownRegistry): Promise<void> {
    const { origin, isBuiltIn } = registry;
    const inUse = await this.find(registry);
    this.decisions += 1;
    this.answers.delete(origin);
    if (isBuiltIn && inUse === registry.ownKey) this.removedOwnKeys.add(origin);
    try {
      // The same key may be stored in several slots, and must not come back from one of them.
      for (const slot of new Set([this.slotOf(registry), origin, ...this.slots.get()])) {
        if (originOf(slot) !== origin) continue;
        const found = await this.examineAt(registry, slot);
        const isThis = found.kind !== "key" || found.key === inUse;
        if (isThis && found.kind !== "none") await this.removeAt(slot, isBuiltIn);
      }
    } finally {
      this.changed.fire();
    }
  }

  /** Returns the known facts about a found key, without the key. */
  factsOf({ origin, isBuiltIn }: KnownRegistry, found: KeyFinding): KeyFacts {
    const isKey = found.kind === "key";
    const last = this.answers.get(origin);
    const others = this.slots.get().map(originOf);
    return {
      origin: isBuiltIn ? undefined : origin,
      found: isKey ? { kind: "key", keeping: found.keeping } : found,
      elsewhere: [...new Set(others)].filter((other) => other !== origin),
      lastAnswer: isKey && last?.key === found.key ? last.answer : undefined,
    };
  }

  /** Records the registry's judgment of a key in the response to an invocation. */
  noteAnswer({ origin }: KnownRegistry, key: string, outcome: InvocationOutcome): void {
    const answer = answerAboutKey(outcome);
    if (answer !== undefined) this.answers.set(origin, { key, answer });
  }

  /** Returns the slot of a project's key, or of the key without a project. */
  private slotOf(registry: KnownRegistry, project = this.projects?.idAt(registry)): string {
    return project === undefined ? registry.origin : `${registry.origin} ${project}`;
  }

  /** Lists the slots for a user who never signed in: the key that was stored last counts, whatever its project. */
  private async slotsOfNobody(registry: KnownRegistry): Promise<readonly string[]> {
    const { origin } = registry;
    const last = this.slots.get().findLast((slot) => originOf(slot) === origin);
    if (last === undefined || last === origin || this.slotOf(registry) !== origin) return [];
    return (await this.projects?.hasAccount(registry)) ? [] : [last];
  }

  private async examineAt(registry: KnownRegistry, slot: string): Promise<KeyFinding> {
    const { origin, isBuiltIn, ownKey } = registry;
    const inSession = this.session.get(slot);
    if (inSession !== undefined) return { kind: "key", key: inSession, keeping: "sessionOnly" };
    if (isBuiltIn) {
      return slot !== origin || ownKey === undefined || this.removedOwnKeys.has(origin)
        ? { kind: "none" }
        : { kind: "key", key: ownKey, keeping: "builtIn" };
    }
    let stored = this.read.get(slot);
    if (stored === undefined && !this.read.has(slot)) {
      const { changes } = this;
      try {
        stored = await this.storage.for(() => this.memory.secrets.get(keyPrefix + slot));
      } catch {
        this.failed.add(slot);
        return { kind: "storageFails" };
      }
      if (changes === this.changes) this.read.set(slot, stored);
      if (this.failed.delete(slot)) this.changed.fire();
    }
    if (stored === undefined) return { kind: "none" };
    const read = readProjectKey(stored);
    this.memory.redactor.learn(read.ok ? read.key : stored);
    return read.ok
      ? { kind: "key", key: read.key, keeping: "secretStorage" }
      : { kind: "wrongKind", problem: read.problem };
  }

  private forgetRead(slot: string): void {
    this.changes += 1;
    this.read.delete(slot);
  }

  private async removeAt(slot: string, isBuiltIn: boolean): Promise<void> {
    this.session.delete(slot);
    if (isBuiltIn) return;
    try {
      await this.storage.for(() => this.memory.secrets.delete(keyPrefix + slot));
    } finally {
      this.forgetRead(slot);
    }
    await this.slots.set(this.slots.get().filter((other) => other !== slot));
  }

  /** Reads a slot for the redactor. Resolves to whether the key was unknown to it. */
  private async learn(slot: string): Promise<boolean> {
    try {
      const stored = await this.memory.secrets.get(keyPrefix + slot);
      return stored !== undefined && this.memory.redactor.learn(stored);
    } catch {
      // A key that cannot be read cannot be redacted.
      return false;
    }
  }

  private async write(slot: string, key: string): Promise<boolean> {
    try {
      await this.storage.for(() => this.memory.secrets.store(keyPrefix + slot, key));
    } catch {
      return false;
    } finally {
      this.forgetRead(slot);
    }
    const others = this.slots.get().filter((other) => other !== slot);
    await this.slots.set([...others, slot].slice(-maxSlots));
    return true;
  }
}

function readSlots(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.filter((slot) => typeof slot === "string") : [];
}

/** Returns the origin of a slot. A slot is an origin; for a project, a space and the project's ID follow it. */
function originOf(slot: string): string {
  return slot.split(" ", 1)[0] ?? slot;
}

/** The maximum number of slots, far above the keys of one person. Limited because all slots are stored as one value. */
const maxSlots = 200;

/**
 * Caches the Project Key in use for checks, which must not wait for a keyring. Each read returns the last known key and
 * refreshes it in the background.
 */
export class KeyInUse {
  private key: string | undefined;
  private isAsking = false;

  /** `changed` is called when the known key has changed. */
  constructor(
    private readonly find: () => Promise<string | undefined>,
    private readonly changed: () => void,
  ) {}

  /** Returns the last known key, as a list of one or none, and reads it again. */
  lastKnown(): readonly string[] {
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
