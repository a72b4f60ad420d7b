import type * as vscode from "vscode";
import { jsonEqual } from "../../core/json/jsonValue";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { registryName } from "../../core/registry/registryName";
import type { OwnDetail } from "../../core/skill/mergeSkill";
import type { SkillDetail } from "../../core/skill/skill";
import { type Language, type LocalizableText, localize } from "../../core/text/language";
import { setNewest } from "../../core/text/setNewest";
import { ChangeEvent } from "../../engine/changeEvent";
import type { SkillPin, SkillReading } from "../../registry/routes/readSkill";
import type { RegistryConnection } from "../connect/registryConnection";
import { Owner } from "../ui/owner";

/** The maximum number of cached skills. Each may be as large as a response. */
const maxKept = 50;
/**
 * Parts that the registry failed to return are requested again after this time, in milliseconds, unless a user asks for
 * them.
 */
const retryMs = 30_000;

/** The versions in the current project. */
export interface PinnedVersions {
  /**
   * Returns the version of a skill that the project of an invocation has pinned: the Project Key's project, else the
   * chosen one. With `version`, prefers the chosen project if it has pinned that version. Undefined without a project
   * or a pin.
   */
  readonly pinOf: (slug: string, version?: string) => Promise<SkillPin | undefined>;
  /** Fires when another version may be pinned. */
  readonly onDidChange: vscode.Event<void>;
}

/**
 * Combines two sources of versions: `project`, and if that has none, the registry's list for the Project Key (`ofKey`).
 */
export function versionsInUse(
  project: PinnedVersions,
  ofKey: { readonly pinOf: PinnedVersions["pinOf"]; readonly onDidChange: vscode.Event<void> },
): PinnedVersions {
  return {
    pinOf: async (slug, version) =>
      (await project.pinOf(slug, version)) ?? (await ofKey.pinOf(slug, version)),
    onDidChange: (listener) => {
      const subscriptions = [project, ofKey].map(({ onDidChange }) => onDidChange(listener));
      return { dispose: () => subscriptions.map((subscription) => subscription.dispose()) };
    },
  };
}

/** The part of a skill that checks and rows need. */
type OwnPart = Pick<OwnDetail, "summary" | "permissions" | "inputSchema" | "lossyNumbers">;

/** A cached skill. It has one or two keys in the cache: with the requested version, and with its own. */
interface CachedSkill {
  result: Promise<Result<SkillDetail>>;
  /** When unknown parts may be requested again, on a monotonic clock in milliseconds. */
  retryAt: number;
  /** The sequence number of its reading. */
  readonly began: number;
}

/**
 * Returns complete skills and caches the last ones, so that typing in a payload queries the registry once. Clears the
 * cache when the registry changes, and single skills on `forget` or when the project pins another version. Decisions
 * about money or permissions read with `refresh`.
 */
export class SkillDetails extends Owner {
  private readonly kept = new Map<string, CachedSkill>();
  private readings = 0;
  /** The registry that each skill was read from, by the skill's manifest. */
  private readonly registries = new WeakMap<object, string>();
  /** The failure of each skill, and until when checks do not repeat the request, on a monotonic clock. */
  private readonly failures = new Map<string, { failure: RegistryFailure; until: number }>();
  /** The results of `readOwn`. Clearing replaces the map, so that late responses go to the old one. */
  private ownParts = new Map<string, OwnPart>();
  /** The pinned version of each cached skill. */
  private readonly pins = new Map<string, string>();

  private readonly changed = this.own(new ChangeEvent<string>());
  /** Fires with the slug of a skill whose returned data is outdated. */
  readonly onDidChange = this.changed.event;

  /** `wasRead` is called for each skill that was read. */
  constructor(
    private readonly connection: Pick<RegistryConnection, "current" | "onDidChange">,
    private readonly language: Language,
    private readonly wasRead: (skill: SkillDetail) => void,
    private readonly project: PinnedVersions,
  ) {
    super();
    this.own(
      project.onDidChange(() => void this.forgetRepinned()),
      connection.onDidChange(() => this.forgetAll()),
    );
  }

  /**
   * Returns a version of a skill; without a version, the project's pinned one, else the registry's current one.
   * Requests it again after a failure.
   */
  find(slug: string, version?: string): Promise<Result<SkillDetail>> {
    const name = nameOf(slug, version);
    const found = this.kept.get(name) ?? this.load(name, slug, version);
    this.keep(name, found);
    if (performance.now() > found.retryAt) {
      found.retryAt = Number.POSITIVE_INFINITY;
      void this.read(slug, version, undefined);
    }
    return found.result;
  }

  /**
   * Finds a skill for an automatic check, such as while typing. Returns a failure again for half a minute, so that not
   * every keystroke sends a request.
   */
  async findForCheck(slug: string, version?: string): Promise<Result<SkillDetail>> {
    const failure = this.recentFailure(nameOf(slug, version));
    return failure === undefined ? this.find(slug, version) : { ok: false, failure };
  }

  /**
   * Reads a version of a skill from the registry, with its price, and caches it. Lists a part that did not arrive
   * within three seconds in `unanswered`. A failure keeps the cache, except for a deleted skill.
   */
  async refresh(slug: string, version?: string): Promise<Result<SkillDetail>> {
    const before = await this.kept.get(nameOf(slug, version))?.result;
    return this.read(slug, version, before?.ok ? before.value : undefined);
  }

  /**
   * Returns whether the registry has a skill with that slug; undefined if the registry is unreachable, or another one is
   * in use by then. Reads as `findForCheck` does.
   */
  async exists(slug: string): Promise<boolean | undefined> {
    const { ownParts } = this;
    const failure = await this.whyMissing(slug);
    if (this.ownParts !== ownParts) return undefined;
    if (failure === undefined) return true;
    return failure.kind === "notFound" ? false : undefined;
  }

  /** Returns the failure of a skill's own route; undefined if the skill exists. */
  private async whyMissing(slug: string): Promise<RegistryFailure | undefined> {
    const name = nameOf(slug, undefined);
    if (this.kept.has(name)) {
      const found = await this.find(slug);
      return found.ok ? undefined : found.failure;
    }
    const recent = this.recentFailure(name);
    if (recent !== undefined) return recent;
    const { ownParts } = this;
    if ((await this.project.pinOf(slug)) !== undefined) return undefined;
    const connected = await this.connection.current();
    if (!connected.ok) return this.noConnection(connected.problem);
    const own = await connected.registry.client.ownDetail(slug, this.untilDisposed);
    if (own.ok) return undefined;
    if (this.ownParts === ownParts) this.noteFailure(name, own.failure);
    return own.failure;
  }

  /** Returns whether `readOwn` has a skill without a request. */
  hasOwn(slug: string): boolean {
    return this.kept.has(nameOf(slug, undefined)) || this.ownParts.has(slug);
  }

  /**
   * Returns the data of a skill's own route, in the version that `find(slug)` returns. Reads a pinned version with
   * `find`; any other takes one request. Caches the results apart from those of `find`, so that a caller that reads a
   * whole list does not evict the skills in use.
   */
  async readOwn(slug: string, signal: AbortSignal): Promise<Result<OwnPart>> {
    if (this.kept.has(nameOf(slug, undefined))) return this.find(slug);
    if ((await this.project.pinOf(slug)) !== undefined) return this.find(slug);
    const { ownParts: owns } = this;
    const known = owns.get(slug);
    if (known !== undefined) return { ok: true, value: known };
    const connected = await this.connection.current();
    if (!connected.ok) return { ok: false, failure: this.noConnection(connected.problem) };
    const own = await connected.registry.client.ownDetail(slug, signal);
    if (own.ok) setNewest(owns, slug, own.value, maxKept);
    return own;
  }

  /** Returns the name of the registry that a skill was read from; empty for a skill from elsewhere. */
  registryOf(skill: SkillDetail): string {
    return this.registries.get(skill.manifest) ?? "";
  }

  /** Removes all versions of a skill from the cache. */
  forget(slug: string): void {
    this.ownParts.delete(slug);
    for (const cache of [this.kept, this.failures]) {
      for (const name of cache.keys()) {
        if (name.startsWith(`${slug}@`)) cache.delete(name);
      }
    }
  }

  /** Clears the cache. */
  forgetAll(): void {
    this.ownParts = new Map();
    this.kept.clear();
    this.failures.clear();
  }

  private load(name: string, slug: string, version?: string): CachedSkill {
    const fillIn = (skill: SkillDetail) => {
      if (this.kept.get(name) !== loading) return;
      loading.result = Promise.resolve({ ok: true, value: skill });
      this.keepAnswer(name, loading, skill);
      this.changed.fire(slug);
    };
    const began = this.nextReading();
    const result = this.ask(slug, version, { fillIn }).then((answer) => {
      if (this.kept.get(name) !== loading) return answer;
      if (answer.ok) this.keepAnswer(name, loading, answer.value);
      else this.noteFailure(name, answer.failure);
      return answer;
    });
    const loading: CachedSkill = { result, retryAt: Number.POSITIVE_INFINITY, began };
    return loading;
  }

  private noteFailure(name: string, failure: RegistryFailure): void {
    this.kept.delete(name);
    const failed = { failure, until: performance.now() + retryMs };
    setNewest(this.failures, name, failed, maxKept);
  }

  private recentFailure(name: string): RegistryFailure | undefined {
    const failed = this.failures.get(name);
    return failed !== undefined && performance.now() < failed.until ? failed.failure : undefined;
  }

  /** Reads a skill. Reuses known feedback and publisher. */
  private async read(
    slug: string,
    version: string | undefined,
    known: SkillDetail | undefined,
  ): Promise<Result<SkillDetail>> {
    const name = nameOf(slug, version);
    const began = this.nextReading();
    const isFirst = !this.kept.has(name);
    const { ownParts: owns } = this;
    const result = await this.ask(slug, version, { previous: known });
    const cached = this.kept.get(name);
    // A later reading has returned, or the response is from an earlier registry.
    if (this.ownParts !== owns || (cached === undefined ? !isFirst : cached.began > began)) {
      return result;
    }
    if (!result.ok) {
      if (result.failure.kind === "notFound") this.forget(slug);
      return result;
    }
    const before = await cached?.result;
    if (before?.ok && isSameSkill(before.value, result.value)) return before;
    this.forget(slug);
    this.keepAnswer(name, { result: Promise.resolve(result), retryAt: 0, began }, result.value);
    this.changed.fire(slug);
    return result;
  }

  /** Stores a response, and the time at which its missing parts may be requested again. */
  private keepAnswer(name: string, answer: CachedSkill, skill: SkillDetail): void {
    const { summary, unanswered } = skill;
    this.wasRead(skill);
    const isWhole = unanswered === undefined;
    answer.retryAt = isWhole ? Number.POSITIVE_INFINITY : performance.now() + retryMs;
    this.keep(name, answer);
    const own = nameOf(summary.slug, summary.version);
    if ((this.kept.get(own)?.began ?? 0) <= answer.began) this.keep(own, answer);
    for (const one of new Set([name, own])) {
      // A check that failed without the skill can run now.
      if (this.failures.delete(one)) this.changed.fire(summary.slug);
    }
  }

  private nextReading(): number {
    this.readings += 1;
    return this.readings;
  }

  private keep(name: string, answer: CachedSkill): void {
    this.kept.delete(name);
    this.kept.set(name, answer);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxKept) break;
      this.kept.delete(oldest);
    }
  }

  /** Forgets the skills whose pinned version has changed, so that they are read again. */
  private async forgetRepinned(): Promise<void> {
    for (const [slug, before] of this.pins) {
      const pin = await this.project.pinOf(slug);
      if (pinText(pin) === before || this.pins.get(slug) !== before) continue;
      this.pins.delete(slug);
      this.forget(slug);
      this.changed.fire(slug);
    }
  }

  private async ask(
    slug: string,
    version: string | undefined,
    reading: SkillReading,
  ): Promise<Result<SkillDetail>> {
    const connection = await this.connection.current();
    if (connection.ok) {
      const { registry } = connection;
      const [pin, other] = await Promise.all([
        this.project.pinOf(slug),
        version === undefined ? undefined : this.project.pinOf(slug, version),
      ]);
      this.pins.set(slug, pinText(pin));
      const asked = { ...reading, pin: version === undefined ? pin : other };
      const found = await registry.client.skill(slug, version, this.untilDisposed, asked);
      // The built-in registry has another port each time, but the same skills.
      const name = registryName(registry);
      if (found.ok) this.registries.set(found.value.manifest, name);
      return found;
    }
    return { ok: false, failure: this.noConnection(connection.problem) };
  }

  private noConnection(problem: LocalizableText): RegistryFailure {
    return { kind: "unreachable", cause: "network", detail: localize(problem, this.language) };
  }
}

/** Returns whether two readings of a skill are equal, ignoring numbers, which change with every invocation. */
export function isSameSkill(before: SkillDetail, now: SkillDetail): boolean {
  return jsonEqual(lastingParts(before), lastingParts(now));
}

/** Returns the parts to compare. The schemas are nearly always the manifest's own, which is compared as a whole. */
function lastingParts(skill: SkillDetail) {
  const { summary, inputSchema, outputSchema, ...others } = skill;
  const { numbers: _numbers, updatedAt: _updatedAt, ...lasting } = summary;
  const { manifest } = others;
  return {
    ...others,
    summary: lasting,
    ...(inputSchema !== manifest["inputSchema"] && { inputSchema }),
    ...(outputSchema !== manifest["outputSchema"] && { outputSchema }),
  };
}

function pinText(pin: SkillPin | undefined): string {
  return pin === undefined ? "" : `${pin.version} ${pin.project}`;
}

function nameOf(slug: string, version: string | undefined): string {
  return `${slug}@${version ?? ""}`;
}
