import type * as vscode from "vscode";
import { ChangeEvent } from "../../engine/changeEvent";
import type { SkillPin } from "../../registry/routes/readSkill";
import { within } from "../../registry/wait";
import { currentRegistry } from "../connect/currentRegistry";
import type { PolicyCache } from "../connect/policyCache";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { Owner } from "../ui/owner";
import type { ProjectKeys } from "./projectKeys";

/** The age after which a list is read again, in milliseconds, since a project may adopt a version at any time. */
const freshMs = 15 * 60_000;
/**
 * The maximum time that reading a skill waits for the list, in milliseconds. If the list arrives later with another
 * version, the skill is read again.
 */
const waitMs = 3_000;

/** The sources that determine the versions of a Project Key. */
interface KeyVersionsParts {
  readonly connection: Pick<RegistryConnection, "current" | "onDidChange">;
  readonly keys: Pick<ProjectKeys, "find">;
  readonly policies: PolicyCache;
}

/** The last reading of a key's list. */
interface Reading {
  readonly origin: string;
  readonly key: string;
  readonly startedAt: number;
  readonly done: Promise<void>;
  /**
   * Whether the registry returned a list. If `policies` no longer has it, the key was forgotten, so the list is read
   * again.
   */
  isListed: boolean;
}

/** Finds the versions of the Project Key's project without a sign-in, from the registry's list for the key. */
export class KeyVersions extends Owner {
  private readonly changed = this.own(new ChangeEvent<void>());
  private last: Reading | undefined;

  /** Fires when a list was read. */
  readonly onDidChange: vscode.Event<void> = this.changed.event;

  constructor(
    private readonly parts: KeyVersionsParts,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.own(
      parts.connection.onDidChange(() => {
        this.last = undefined;
      }),
    );
  }

  /**
   * Returns the version of a skill that the key's project has installed. Undefined without a key, if the registry does
   * not list the skill, or if it does not respond within three seconds. Never rejects.
   */
  async pinOf(slug: string): Promise<SkillPin | undefined> {
    const registry = await currentRegistry(this.parts.connection);
    if (registry === undefined) return undefined;
    const key = await this.parts.keys.find(registry);
    if (key === undefined) return undefined;
    if (!this.isFresh(registry, key)) {
      await within(this.read(registry, key), waitMs);
    }
    const policy = this.parts.policies.policyFor(registry, key, slug);
    if (policy?.kind !== "listed") return undefined;
    const { version, projectSlug = "" } = policy.listed;
    if (version === undefined) return undefined;
    const read = (signal: AbortSignal) => registry.client.listedSkill(key, slug, signal);
    return { version, project: projectSlug, read };
  }

  private isFresh(registry: ConnectedRegistry, key: string): boolean {
    const at = this.parts.policies.readAt(registry, key);
    return at !== undefined && this.now() - at < freshMs;
  }

  /** Reads the list. If the registry failed or has no list, sends no further request until `freshMs` has passed. */
  private read(registry: ConnectedRegistry, key: string): Promise<void> {
    const { last } = this;
    const isSame = last?.origin === registry.origin && last.key === key;
    const isForgotten =
      last?.isListed === true && this.parts.policies.readAt(registry, key) === undefined;
    if (isSame && !isForgotten && this.now() - last.startedAt < freshMs) return last.done;
    const load = async () => {
      const reading = await registry.client.readKey(key, this.untilDisposed);
      await this.parts.policies.note(registry, key, reading);
      if (reading.kind !== "accepted") return;
      started.isListed = true;
      this.changed.fire();
    };
    const done = load().catch(() => undefined);
    const started = { origin: registry.origin, key, startedAt: this.now(), done, isListed: false };
    this.last = started;
    return done;
  }
}
