import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Skill } from "../catalog/sampleSkill";
import type { Install, Policy, Subscription, Use } from "./policy";

/** A Project Key as the registry keeps it: its digest, and what may be shown. ISO times. */
export interface KeptKey {
  readonly id: string;
  readonly name: string;
  readonly keyLast4: string;
  readonly digest: string;
  readonly createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** A row of a project's update inbox. ISO times; a `targetVersion` of null is no version update. */
export interface Update {
  readonly id: string;
  readonly skill: Skill;
  readonly eventType: "new_version" | "deprecated";
  readonly severity: "info" | "warning";
  readonly title: string;
  readonly body: string;
  readonly targetVersion: string | null;
  readonly createdAt: string;
  actionStatus: "open" | "acknowledged" | "scheduled" | "adopted" | "ignored";
  actionNote: string | null;
  scheduledFor: string | null;
  resolvedAt: string | null;
  actionUpdatedAt: string | null;
}

const windowMs = 60_000;

/** A project: its installs, policies and keys, and what it used so far. */
export class Project {
  readonly id = randomUUID();
  readonly installs = new Map<string, Install>();
  readonly policies = new Map<string, Policy>();
  readonly subscriptions = new Map<string, Subscription>();
  /** Newest first. */
  readonly keys: KeptKey[] = [];
  /** Newest first. */
  readonly updates: Update[] = [];
  /** All that was ever spent. */
  spentCents = 0;
  readonly #invokedAt = new Map<string, readonly number[]>();
  readonly #spentCents = new Map<string, number>();

  constructor(
    readonly slug: string,
    public name: string,
    readonly createdAt: string,
  ) {}

  /** Keeps a key, which is `skh_` and 64 hexadecimal digits unless it is given, and returns it. */
  addKey(name: string, now: number, key = `skh_${randomBytes(32).toString("hex")}`) {
    const kept: KeptKey = {
      id: randomUUID(),
      name,
      keyLast4: key.slice(-4),
      digest: digestOf(key),
      createdAt: new Date(now).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    };
    this.keys.unshift(kept);
    return { key, kept };
  }

  /** Counts an invocation made now (milliseconds) and returns what was used before it. */
  use(skillSlug: string, now: number): Use {
    const recent = this.#invokedAt.get(skillSlug) ?? [];
    const inWindow = recent.filter((time) => now - time < windowMs);
    this.#invokedAt.set(skillSlug, [...inWindow, now]);
    const spentCents = this.#spentCents.get(monthOf(skillSlug, now)) ?? 0;
    const subscription = this.subscriptions.get(skillSlug);
    return { inWindow: inWindow.length, spentCents, subscription, now };
  }

  /** Adds what an invocation cost. */
  spend(skillSlug: string, cents: number, now: number): void {
    const month = monthOf(skillSlug, now);
    this.spentCents += cents;
    this.#spentCents.set(month, (this.#spentCents.get(month) ?? 0) + cents);
  }
}

function monthOf(skillSlug: string, now: number): string {
  return `${skillSlug} ${new Date(now).toISOString().slice(0, 7)}`;
}

/** The digest keys and tokens are kept and looked up by, so that looking one up leaks nothing of it. */
export function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
