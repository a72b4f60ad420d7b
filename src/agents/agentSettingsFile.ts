import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type AgentSettings,
  noAgentSettings,
  readAgentSettings,
  withStopped,
} from "../core/agents/agentAgreements";
import { canonicalText, isJsonObject } from "../core/json/jsonValue";
import { ChangeEvent } from "../engine/changeEvent";
import { FollowedFolder } from "../engine/files/followedFolder";
import { SharedFile } from "../engine/files/sharedFile";

/** What only the editor knows: the key of the seal, and the newest revision of the file that a window wrote. */
export interface SealSecrets {
  readonly key: string;
  readonly newest: number;
}

/** What keeps others from writing the file: secrets of the editor, or the rights of the file. */
export type SettingsGuard =
  | {
      readonly kind: "seal";
      /** Returns the secrets; undefined where they cannot be read, so that nothing counts. */
      readonly secrets: () => Promise<SealSecrets | undefined>;
      /** Keeps the newest revision. */
      readonly note: (revision: number) => Promise<void>;
    }
  | { readonly kind: "ownerOnly" };

/**
 * The settings as the file has them. `seal` is an HMAC-SHA-256 over the canonical JSON of all the rest. Each change
 * raises the revision, so that an earlier file with its right seal does not count.
 */
type StoredSettings = AgentSettings & { readonly seal?: string; readonly revision?: number };

/**
 * What a person lets agents do, in the file `agents.json`. Whatever is not whole, not ours or not the newest lets them
 * do nothing. A file `agents.stopped` beside it stops them too: it can be written where `agents.json` cannot.
 */
export class AgentSettingsFile {
  private readonly file: SharedFile<StoredSettings>;
  private readonly changed = new ChangeEvent<void>();
  private readonly followed: FollowedFolder;
  private readonly stopFile: string;
  private secrets: SealSecrets | undefined;
  /** Whether the file as it was read last counts; one that is not there does. */
  private doesCount = true;
  private isSaid = false;
  /** Agents were stopped here, which could be written nowhere. */
  private isStoppedHere = false;

  /** Fires when this or another program changed it. */
  readonly onDidChange = this.changed.event;

  /** `broken` is called once where there is a file that does not count. */
  constructor(
    readonly path: string,
    private readonly guard: SettingsGuard,
    private readonly broken: () => void,
  ) {
    this.stopFile = join(dirname(path), "agents.stopped");
    this.file = new SharedFile<StoredSettings>(
      path,
      (value) => this.read(value),
      readGuarded(guard),
    );
    const names = [path, this.stopFile].map((one) => basename(one));
    this.followed = new FollowedFolder(dirname(path), (name) => {
      if (name === undefined || names.includes(name)) this.changed.fire();
    });
  }

  /** Reads the settings, and from then on follows changes of other programs. Never rejects. */
  async get(): Promise<AgentSettings> {
    await this.learnSecrets();
    this.followed.follow();
    const { seal: _, revision = 0, ...settings } = await this.file.get();
    // Another window wrote it, and ended before it could note that.
    if (revision > (this.secrets?.newest ?? revision)) await this.note(revision);
    const isStopped = this.isStoppedHere || (await this.hasStopFile());
    return isStopped ? withStopped(settings, true) : settings;
  }

  /** Changes the settings. Resolves to whether that is on the disk and counts; else nothing changed. Never rejects. */
  async change(change: (settings: AgentSettings) => AgentSettings): Promise<boolean> {
    await this.learnSecrets();
    // Without its key it could not be read again.
    if (this.guard.kind === "seal" && this.secrets === undefined) {
      this.broken();
      return false;
    }
    await this.file.change(({ seal: _, revision = 0, ...before }) =>
      this.sealed(change(before), Math.max(revision, this.secrets?.newest ?? 0) + 1),
    );
    const isWritten = this.file.isWritten;
    if (!isWritten) this.file.discard();
    const { revision = 0 } = await this.file.get();
    if (isWritten && this.doesCount) await this.note(revision);
    this.changed.fire();
    return isWritten && this.doesCount;
  }

  /** Stops agents. Resolves to whether that is on the disk; else it holds in this program alone. Never rejects. */
  async stop(): Promise<boolean> {
    this.isStoppedHere = true;
    const isWritten = await this.change((all) => withStopped(all, true));
    this.isStoppedHere = !isWritten && !(await this.writeStopFile());
    this.changed.fire();
    return !this.isStoppedHere;
  }

  /** Lets agents go on. Resolves to whether that is on the disk; else they stay stopped. Never rejects. */
  async resume(): Promise<boolean> {
    const isWritten = await this.change((all) => withStopped(all, false));
    const isDone =
      isWritten &&
      (await rm(this.stopFile, { force: true }).then(
        () => true,
        () => false,
      ));
    if (isDone) this.isStoppedHere = false;
    this.changed.fire();
    return isDone;
  }

  dispose(): void {
    this.followed.dispose();
    this.changed.dispose();
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

  /** What cannot be looked for may be there. */
  private async hasStopFile(): Promise<boolean> {
    return stat(this.stopFile).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
    );
  }

  private async writeStopFile(): Promise<boolean> {
    try {
      await mkdir(dirname(this.stopFile), { recursive: true });
      await writeFile(this.stopFile, "");
      return true;
    } catch {
      return false;
    }
  }

  private read(value: unknown): StoredSettings {
    const settings = readAgentSettings(value);
    const revision = isJsonObject(value) ? Number(value["revision"] ?? 0) : 0;
    const isOurs = settings !== undefined && this.isOurs(value, settings, revision);
    this.doesCount = isOurs || value === undefined;
    if (isOurs) return { ...settings, revision };
    if (value !== undefined && !this.isSaid) {
      this.isSaid = true;
      this.broken();
    }
    return noAgentSettings;
  }

  private isOurs(value: unknown, settings: AgentSettings, revision: number): boolean {
    if (this.guard.kind !== "seal") return true;
    const seal = isJsonObject(value) ? value["seal"] : undefined;
    const { secrets } = this;
    if (secrets === undefined || typeof seal !== "string") return false;
    if (!Number.isSafeInteger(revision) || revision < secrets.newest) return false;
    const own = sealOf(settings, revision, secrets.key);
    const [given, expected] = [seal, own].map((text) => Buffer.from(text));
    return (
      given !== undefined && expected?.length === given.length && timingSafeEqual(given, expected)
    );
  }

  private sealed(settings: AgentSettings, revision: number): StoredSettings {
    return this.guard.kind === "seal" && this.secrets !== undefined
      ? { ...settings, revision, seal: sealOf(settings, revision, this.secrets.key) }
      : settings;
  }
}

/** Files of earlier versions have no revision. */
function sealOf(settings: AgentSettings, revision: number, key: string): string {
  const sealed = revision === 0 ? settings : { ...settings, revision };
  return createHmac("sha256", key).update(canonicalText(sealed)).digest("hex");
}

/** A file that others may write, or own, could hold what nobody agreed to. */
function readGuarded(guard: SettingsGuard): (path: string) => Promise<string> {
  return async (path) => {
    const text = await readFile(path, "utf8");
    if (guard.kind === "seal" || process.platform === "win32") return text;
    const all = await Promise.all([stat(path), stat(dirname(path))]);
    const isOwn = all.every(({ uid, mode }) => uid === process.getuid?.() && (mode & 0o022) === 0);
    return isOwn ? text : '"Others may write this file."';
  };
}
