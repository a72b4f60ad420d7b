import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type AgentSettings,
  noAgentSettings,
  readAgentSettings,
  withStopped,
} from "../core/agents/agentAgreements";
import { canonicalText, isJsonObject, parsedJson } from "../core/json/jsonValue";
import { ChangeEvent } from "../engine/changeEvent";
import { isWrittenByUserAlone } from "../engine/files/machine";
import { sha256 } from "../engine/sha256";
import { pollMs } from "../engine/store/operations";
import type { Store } from "../engine/store/store";
import { Timer } from "../registry/wait";

/** Secrets that only the editor knows: the key of the seal, and the newest revision that a window wrote. */
export interface SealSecrets {
  readonly key: string;
  readonly newest: number;
}

/** The protection against other writers: the editor's secrets, or the file permissions of the store. */
export type SettingsGuard =
  | {
      readonly kind: "seal";
      /** Returns the secrets. Undefined if they cannot be read; then no settings count. */
      readonly secrets: () => Promise<SealSecrets | undefined>;
      /** Keeps the newest revision. */
      readonly note: (revision: number) => Promise<void>;
    }
  | { readonly kind: "ownerOnly" };

/** The files of the settings. */
export interface SettingsFiles {
  /** The file of the store. */
  readonly path: string;
  /** A file whose existence stops agents as well. */
  readonly stopFile: string;
}

/**
 * The settings as stored. `seal` is an HMAC-SHA-256 over the canonical JSON of everything else. Each change raises the
 * revision, so an earlier state with a valid seal does not count.
 */
type SealedSettings = AgentSettings & { readonly seal?: string; readonly revision?: number };

/** The result of reading the settings. */
interface Reading {
  /** The stored text; undefined for none. */
  readonly text: string | undefined;
  readonly settings: AgentSettings;
  readonly revision: number;
}

const nothing = { settings: noAgentSettings, revision: 0 };

/**
 * The stored permissions of agents. The editor has one entry per seal key, and the command line has another. Damaged,
 * foreign or outdated settings allow nothing. A file stops agents too, because it can be written even when the store
 * cannot.
 */
export class KeptAgentSettings {
  private readonly changed = new ChangeEvent<void>();
  private readonly poll = new Timer();
  private secrets: SealSecrets | undefined;
  private isBrokenReported = false;
  /** Whether agents were stopped while the disk could not be written. */
  private isStoppedHere = false;
  private isDisposed = false;
  /** The last reading. */
  private lastReading:
    | { readonly text: string | undefined; readonly isStopped: boolean }
    | undefined;

  /** Fires when this or another program changed the settings. */
  readonly onDidChange = this.changed.event;

  /** `broken` is called once if settings exist but do not count. */
  constructor(
    private readonly store: Pick<Store, "value" | "keepValue" | "changes">,
    readonly files: SettingsFiles,
    private readonly guard: SettingsGuard,
    private readonly broken: () => void,
  ) {}

  /** Reads the settings, then follows changes by other programs. Never rejects. */
  async get(): Promise<AgentSettings> {
    const { text, settings, revision } = await this.read().catch(() => this.unreadable());
    // Another window wrote these settings and ended before it stored the revision.
    if (revision > (this.secrets?.newest ?? revision)) await this.note(revision);
    const isStopped = this.isStoppedHere || (await this.hasStopFile());
    this.remember(text, isStopped);
    return isStopped ? withStopped(settings, true) : settings;
  }

  /**
   * Changes the settings. Resolves to true once the change is stored and valid; false means that nothing changed. Never
   * rejects.
   */
  async change(change: (settings: AgentSettings) => AgentSettings): Promise<boolean> {
    const isKept = await this.changeKept(change).catch(() => false);
    this.changed.fire();
    return isKept;
  }

  /**
   * Stops agents. Resolves to whether the stop was stored; if not, agents are stopped only in this program. Never
   * rejects.
   */
  async stop(): Promise<boolean> {
    this.isStoppedHere = true;
    const isKept = await this.change((all) => withStopped(all, true));
    this.isStoppedHere = !isKept && !(await this.writeStopFile());
    this.changed.fire();
    return !this.isStoppedHere;
  }

  /** Lets agents continue. Resolves to whether the change was stored; if not, agents stay stopped. Never rejects. */
  async resume(): Promise<boolean> {
    const isKept = await this.change((all) => withStopped(all, false));
    const isDone =
      isKept &&
      (await rm(this.files.stopFile, { force: true }).then(
        () => true,
        () => false,
      ));
    if (isDone) this.isStoppedHere = false;
    this.changed.fire();
    return isDone;
  }

  dispose(): void {
    this.isDisposed = true;
    this.poll.dispose();
    this.changed.dispose();
  }

  private async changeKept(change: (settings: AgentSettings) => AgentSettings): Promise<boolean> {
    for (;;) {
      const { text, settings, revision } = await this.read();
      const name = this.name();
      // Without the key of its seal, the change could never be read again.
      if (name === undefined) this.reportBroken();
      if (name === undefined || !(await this.isOwnedByUser())) return false;
      const next = Math.max(revision, this.secrets?.newest ?? 0) + 1;
      const sealed = JSON.stringify(this.sealed(change(settings), next));
      // Another program may have changed it since it was read.
      if (!(await this.store.keepValue(name, sealed, { of: text }))) continue;
      await this.note(next);
      this.lastReading = { text: sealed, isStopped: this.lastReading?.isStopped ?? false };
      return true;
    }
  }

  /** Rejects with a `StoreProblem`. */
  private async read(): Promise<Reading> {
    await this.learnSecrets();
    const name = this.name();
    if (name === undefined) return { text: undefined, ...nothing };
    const text = await this.store.value(name);
    if (text === undefined) return { text, ...nothing };
    const value = parsedJson(text);
    const settings = readAgentSettings(value);
    const revision = isJsonObject(value) ? Number(value["revision"] ?? 0) : 0;
    const isOurs =
      settings !== undefined &&
      (await this.isOwnedByUser()) &&
      this.isOurs(value, settings, revision);
    if (isOurs) return { text, settings, revision };
    this.reportBroken();
    return { text, ...nothing };
  }

  private unreadable(): Reading {
    this.reportBroken();
    return { text: undefined, ...nothing };
  }

  private reportBroken(): void {
    if (!this.isBrokenReported) this.broken();
    this.isBrokenReported = true;
  }

  /** The name of the stored entry; undefined while the key of the seal is unknown. */
  private name(): string | undefined {
    if (this.guard.kind === "ownerOnly") return "agents";
    return this.secrets && `agents ${sha256(this.secrets.key).slice(0, 16)}`;
  }

  /** Remembers a reading, and fires when another program changed the settings. */
  private remember(text: string | undefined, isStopped: boolean): void {
    const { lastReading } = this;
    this.lastReading = { text, isStopped };
    this.follow();
    const hasChanged = lastReading?.text !== text || lastReading?.isStopped !== isStopped;
    if (lastReading !== undefined && hasChanged) this.changed.fire();
  }

  private follow(): void {
    // A read may end after `dispose`. Polling would then reopen the store and never close it.
    if (this.isDisposed || this.poll.isRunning) return;
    let last: number | undefined;
    this.poll.every(pollMs, async () => {
      const changes = await this.store.changes().catch(() => last);
      const isStopped = this.isStoppedHere || (await this.hasStopFile());
      const isSame = changes === last && isStopped === this.lastReading?.isStopped;
      if (isSame || this.isDisposed) return;
      last = changes;
      await this.get();
    });
  }

  private async learnSecrets(): Promise<void> {
    if (this.guard.kind !== "seal") return;
    const { secrets: before } = this;
    const now = await this.guard.secrets();
    const newest = Math.max(now?.newest ?? 0, before?.newest ?? 0);
    this.secrets = now && { ...now, newest };
  }

  private async note(revision: number): Promise<void> {
    if (this.guard.kind !== "seal" || this.secrets === undefined) return;
    this.secrets = { ...this.secrets, newest: revision };
    await this.guard.note(revision);
  }

  /** Returns whether the stop file exists. Returns true if that is unknown, so that agents stay stopped. */
  private async hasStopFile(): Promise<boolean> {
    return stat(this.files.stopFile).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
    );
  }

  private async writeStopFile(): Promise<boolean> {
    const { stopFile } = this.files;
    try {
      await mkdir(dirname(stopFile), { recursive: true });
      await writeFile(stopFile, "");
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Returns whether only this user may write the store's file. Without a seal, other users could write permissions that
   * nobody agreed to.
   */
  private async isOwnedByUser(): Promise<boolean> {
    return this.guard.kind === "seal" || isWrittenByUserAlone(this.files.path);
  }

  private isOurs(value: unknown, settings: AgentSettings, revision: number): boolean {
    if (this.guard.kind !== "seal") return true;
    const seal = isJsonObject(value) ? value["seal"] : undefined;
    const { secrets } = this;
    if (secrets === undefined || typeof seal !== "string") return false;
    if (!Number.isSafeInteger(revision) || revision < secrets.newest) return false;
    const valid = sealOf(settings, revision, secrets.key);
    const [given, expected] = [seal, valid].map((text) => Buffer.from(text));
    return (
      given !== undefined && expected?.length === given.length && timingSafeEqual(given, expected)
    );
  }

  private sealed(settings: AgentSettings, revision: number): SealedSettings {
    return this.guard.kind === "seal" && this.secrets !== undefined
      ? { ...settings, revision, seal: sealOf(settings, revision, this.secrets.key) }
      : settings;
  }
}

function sealOf(settings: AgentSettings, revision: number, key: string): string {
  return createHmac("sha256", key)
    .update(canonicalText({ ...settings, revision }))
    .digest("hex");
}
