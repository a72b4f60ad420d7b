import type * as vscode from "vscode";
import { isOfOneSkill, type RegistryFailure } from "../../core/registry/registryFailure";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import type { OwnDetail } from "../../core/skill/mergeSkill";
import { withPermissions } from "../../core/skill/permissions";
import type { SkillSummary } from "../../core/skill/skill";
import { ChangeEvent } from "../../engine/changeEvent";
import { orAbort, pause, within } from "../../registry/wait";
import type { RegistryConnection } from "../connect/registryConnection";
import { Owner } from "../ui/owner";
import { unlessCancelled } from "../ui/wait";

/** A pointer that moves over rows rests less than this on each. */
const restMs = 300;
/** A tooltip is not worth a longer wait; later responses are kept for the next one. */
const timeoutMs = 1500;
/** Tooltips that may query at the same time. */
const maxAsking = 2;
/** How long a registry that did not respond, or limits requests, is not queried. */
const pauseMs = 60_000;
/** More rows than anybody looks at in a session; what was learned first is read again. */
const maxKnown = 2000;

/** The details a row may lack; absent where its skill has none either. */
type Known = Pick<SkillSummary, "permissions" | "author">;

/**
 * Completes rows with details they lack: permissions and author. It learns from every skill that is read in
 * full, and for a tooltip reads a skill's own route, and nothing else.
 */
export class RowDetails extends Owner {
  private known = new Map<string, Known>();
  private readonly completed = new WeakMap<SkillSummary, { from: Known; skill: SkillSummary }>();
  /** Slug → when it may be read again, on the clock of `performance`. */
  private readonly failed = new Map<string, number>();
  private readonly asking = new Map<string, Promise<void>>();
  private pausedUntil = 0;
  private readonly changed = this.own(new ChangeEvent<void>());

  /** Fires when permissions turn out to amount to more than a registry states. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly connection: Pick<RegistryConnection, "current" | "onDidChange">) {
    super();
    this.own(connection.onDidChange(() => this.forget()));
  }

  /** Completes a row from known details, without a request. The same row returns the same object again. */
  complete(skill: SkillSummary): SkillSummary {
    const from = this.known.get(nameOf(skill));
    if (from === undefined) return skill;
    const before = this.completed.get(skill);
    if (before?.from === from) return before.skill;
    const { permissions = skill.permissions, author = skill.author } = from;
    const named = author === undefined ? skill : { ...skill, author };
    const complete = permissions === undefined ? named : withPermissions(named, permissions);
    this.completed.set(skill, { from, skill: complete });
    return complete;
  }

  /** Completes a row for its tooltip; queries the registry where the pointer rests on it long enough. */
  async read(skill: SkillSummary, token: vscode.CancellationToken): Promise<SkillSummary> {
    if (this.isKnown(skill)) return this.complete(skill);
    await unlessCancelled(token, async (left) => {
      await pause(restMs, left);
      if (!left.aborted) await orAbort(within(this.ask(skill), timeoutMs), left);
    });
    return this.complete(skill);
  }

  /** Stores a skill's own details for the row it was read for, and for its own version. */
  learn(row: SkillSummary, own: Pick<OwnDetail, "permissions" | "author" | "summary">): void {
    const { author, permissions } = own;
    const { version } = own.summary;
    const known: Known = {
      ...(permissions !== undefined && { permissions }),
      ...(author !== undefined && { author }),
    };
    const isOfRow = version === "" || row.version === "" || isSameVersion(version, row.version);
    const names = new Set([nameOf(own.summary), nameOf(isOfRow ? row : own.summary)]);
    const isNew = !this.known.has(nameOf(row));
    for (const name of names) {
      this.known.delete(name);
      this.known.set(name, known);
    }
    for (const oldest of this.known.keys()) {
      if (this.known.size <= maxKnown) break;
      this.known.delete(oldest);
    }
    if (isNew && this.complete(row).understatedLevel !== undefined) this.changed.fire();
  }

  /** Forgets everything, since a registry's data may have changed. */
  forget(): void {
    this.known = new Map();
    this.failed.clear();
    this.pausedUntil = 0;
  }

  private isKnown(skill: SkillSummary): boolean {
    return skill.permissions !== undefined || this.known.has(nameOf(skill));
  }

  /** Goes on where the pointer leaves: it may be back before the response is. */
  private ask(skill: SkillSummary): Promise<void> {
    const { slug } = skill;
    const running = this.asking.get(slug);
    if (running !== undefined) return running;
    const mayAskAt = Math.max(this.pausedUntil, this.failed.get(slug) ?? 0);
    if (this.asking.size >= maxAsking || performance.now() < mayAskAt) return Promise.resolve();
    const asked = this.load(skill, this.untilDisposed).finally(() => this.asking.delete(slug));
    this.asking.set(slug, asked);
    return asked;
  }

  private async load(skill: SkillSummary, signal: AbortSignal): Promise<void> {
    const connected = await this.connection.current();
    if (!connected.ok || signal.aborted) return;
    const { known } = this;
    const own = await connected.registry.client.ownDetail(skill.slug, signal);
    // The response is from a registry that is no longer in use.
    if (signal.aborted || known !== this.known) return;
    if (own.ok) this.learn(skill, own.value);
    if (!this.isKnown(skill)) this.waitBeforeNext(skill.slug, own.ok ? undefined : own.failure);
  }

  private waitBeforeNext(slug: string, failure: RegistryFailure | undefined): void {
    const until = performance.now() + pauseMs;
    if (this.failed.size >= maxKnown) this.failed.clear();
    this.failed.set(slug, until);
    if (failure !== undefined && !isOfOneSkill(failure)) this.pausedUntil = until;
  }
}

function nameOf({ slug, version }: SkillSummary): string {
  return `${slug}@${version}`;
}
