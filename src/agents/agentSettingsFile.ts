import { createHmac, timingSafeEqual } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  type AgentSettings,
  noAgentSettings,
  readAgentSettings,
} from "../core/agents/agentAgreements";
import { canonicalText, isJsonObject } from "../core/json/jsonValue";
import { ChangeEvent } from "../engine/changeEvent";
import { FollowedFolder } from "../engine/files/followedFolder";
import { SharedFile } from "../engine/files/sharedFile";

/** What keeps others from writing the file: a key that only the editor knows, or the rights of the file. */
export type SettingsGuard =
  | { readonly kind: "seal"; readonly key: () => Promise<string> }
  | { readonly kind: "ownerOnly" };

/** The settings as the file has them. `seal` is an HMAC-SHA-256 over the canonical JSON of all the rest. */
type StoredSettings = AgentSettings & { readonly seal?: string };

/** What a person lets agents do, in the file `agents.json`. Whatever is not whole, or not ours, lets them do nothing. */
export class AgentSettingsFile {
  private readonly file: SharedFile<StoredSettings>;
  private readonly changed = new ChangeEvent<void>();
  private readonly followed: FollowedFolder;
  private key = "";
  private isSaid = false;

  /** Fires when this or another program changed it. */
  readonly onDidChange = this.changed.event;

  /** `broken` is called once where there is a file that does not count. */
  constructor(
    path: string,
    private readonly guard: SettingsGuard,
    private readonly broken: () => void,
  ) {
    this.file = new SharedFile<StoredSettings>(
      path,
      (value) => this.read(value),
      readGuarded(guard),
    );
    this.followed = new FollowedFolder(dirname(path), (name) => {
      if (name === undefined || name === basename(path)) this.changed.fire();
    });
  }

  /** Reads the settings, and from then on follows changes of other programs. Never rejects. */
  async get(): Promise<AgentSettings> {
    await this.learnKey();
    this.followed.follow();
    const { seal: _, ...settings } = await this.file.get();
    return settings;
  }

  /** Changes the settings. Never rejects. */
  async change(change: (settings: AgentSettings) => AgentSettings): Promise<void> {
    await this.learnKey();
    // Without the key it could not be read again.
    if (this.guard.kind === "seal" && this.key === "") return this.broken();
    await this.file.change(({ seal: _, ...before }) => this.sealed(change(before)));
    this.changed.fire();
  }

  dispose(): void {
    this.followed.dispose();
    this.changed.dispose();
  }

  private async learnKey(): Promise<void> {
    if (this.guard.kind === "seal" && this.key === "") this.key = await this.guard.key();
  }

  private read(value: unknown): StoredSettings {
    const settings = readAgentSettings(value);
    if (settings !== undefined && this.isOurs(value, settings)) return settings;
    if (value !== undefined && !this.isSaid) {
      this.isSaid = true;
      this.broken();
    }
    return noAgentSettings;
  }

  private isOurs(value: unknown, settings: AgentSettings): boolean {
    if (this.guard.kind !== "seal") return true;
    const seal = isJsonObject(value) ? value["seal"] : undefined;
    if (this.key === "" || typeof seal !== "string") return false;
    const [given, own] = [seal, sealOf(settings, this.key)].map((text) => Buffer.from(text));
    return given !== undefined && own?.length === given.length && timingSafeEqual(given, own);
  }

  private sealed(settings: AgentSettings): StoredSettings {
    return this.guard.kind === "seal"
      ? { ...settings, seal: sealOf(settings, this.key) }
      : settings;
  }
}

function sealOf(settings: AgentSettings, key: string): string {
  return createHmac("sha256", key).update(canonicalText(settings)).digest("hex");
}

/** A file that others may write, or own, could hold what nobody agreed to. */
function readGuarded(guard: SettingsGuard): (path: string) => Promise<string> {
  return async (path) => {
    const text = await readFile(path, "utf8");
    if (guard.kind === "seal" || process.platform === "win32") return text;
    const all = await Promise.all([stat(path), stat(dirname(path))]);
    const isOwn = all.every(({ uid, mode }) => uid === process.getuid?.() && (mode & 0o022) === 0);
    return isOwn ? text : "others may write this file";
  };
}
