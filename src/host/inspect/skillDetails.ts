import { isDeepStrictEqual } from "node:util";
import type * as vscode from "vscode";
import { registryName } from "../../core/invocation/record/invocationRecord";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import { type Language, localize } from "../../core/text/language";
import type { SkillPin, SkillReading } from "../../registry/routes/readSkill";
import type { RegistryConnection } from "../connect/registryConnection";

const maxKept = 50;
/** A part that the registry failed to give is asked for again after this time. */
const retryMs = 30_000;

/** Knows which versions the project in use runs. */
export interface PinnedVersions {
  /**
   * Answers what the project of an invocation has pinned of a skill, for a `version` what any project in use has;
   * undefined where there is no project, or nothing pinned.
   */
  readonly pinOf: (slug: string, version?: string) => Promise<SkillPin | undefined>;
  /** Fires when another version may be pinned. */
  readonly onDidChange: vscode.Event<void>;
}

/** What is kept of a skill, under one name or two: with the version that was asked for, and with its own. */
interface Kept {
  result: Promise<Result<SkillDetail>>;
  /** When parts that are not known may be asked for again, in milliseconds of a clock never set back. */
  retryAt: number;
}

/**
 * Answers skills in full and keeps the last ones, so that typing in a payload asks the registry
 * once. Forgets all when the registry changes, and one at a time on `forget` or when the project in use
 * pins another version. What money or permission depends on is read with `refresh`.
 */
export class SkillDetails {
  private readonly kept = new Map<string, Kept>();
  /** The registries that skills were read from, by their manifests. */
  private readonly registries = new WeakMap<object, string>();
  /** What was pinned of each skill that is kept. */
  private readonly pins = new Map<string, string>();
  private readonly subscriptions: readonly vscode.Disposable[];
  private readonly ended = new AbortController();

  /**
   * `changed` is told of a skill that is known better, or otherwise, than when it was answered, and
   * `wasRead` of each that was read.
   */
  constructor(
    private readonly connection: Pick<RegistryConnection, "current" | "onDidChange">,
    private readonly language: Language,
    private readonly changed: (slug: string) => void,
    private readonly wasRead: (skill: SkillDetail) => void = () => {},
    private readonly project?: PinnedVersions,
  ) {
    const repinned = project?.onDidChange(() => void this.forgetRepinned());
    this.subscriptions = [
      connection.onDidChange(() => this.kept.clear()),
      ...(repinned === undefined ? [] : [repinned]),
    ];
  }

  /**
   * Answers a version of a skill; without a version, the one the project in use has pinned, else the
   * registry's current one. Failures are not kept.
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
   * Reads a version of a skill from the registry now, with its price, and keeps what came back. A part
   * that did not come within three seconds is named in `unanswered`. Failures change nothing that is
   * kept, but for a skill that is gone.
   */
  async refresh(slug: string, version?: string): Promise<Result<SkillDetail>> {
    const before = await this.kept.get(nameOf(slug, version))?.result;
    return this.read(slug, version, before?.ok ? before.value : undefined);
  }

  /** Tells whether the registry has a skill of that slug; undefined where it cannot be asked. */
  async exists(slug: string): Promise<boolean | undefined> {
    if (this.kept.has(nameOf(slug, undefined))) return (await this.find(slug)).ok;
    if ((await this.project?.pinOf(slug)) !== undefined) return true;
    const connected = await this.connection.current();
    if (!connected.ok) return undefined;
    const own = await connected.registry.client.ownDetail(slug, this.ended.signal);
    return own.ok || (own.failure.kind === "notFound" ? false : undefined);
  }

  /** Names the registry that a skill was read from; empty for a skill from elsewhere. */
  registryOf(skill: SkillDetail): string {
    return this.registries.get(skill.manifest) ?? "";
  }

  /** Forgets all versions of a skill, so that the next question goes to the registry. */
  forget(slug: string): void {
    for (const name of this.kept.keys()) {
      if (name.startsWith(`${slug}@`)) this.kept.delete(name);
    }
  }

  /** Forgets all skills. */
  forgetAll(): void {
    this.kept.clear();
  }

  dispose(): void {
    this.ended.abort();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private load(name: string, slug: string, version?: string): Kept {
    const fillIn = (skill: SkillDetail) => {
      if (this.kept.get(name) !== loading) return;
      loading.result = Promise.resolve({ ok: true, value: skill });
      this.keepAnswer(name, loading, skill);
      this.changed(slug);
    };
    const result = this.ask(slug, version, { fillIn }).then((answer) => {
      if (this.kept.get(name) !== loading) return answer;
      if (answer.ok) this.keepAnswer(name, loading, answer.value);
      else this.kept.delete(name);
      return answer;
    });
    const loading: Kept = { result, retryAt: Number.POSITIVE_INFINITY };
    return loading;
  }

  /** Of what is known already, feedback and publisher are not asked for again. */
  private async read(
    slug: string,
    version: string | undefined,
    known: SkillDetail | undefined,
  ): Promise<Result<SkillDetail>> {
    const name = nameOf(slug, version);
    const kept = this.kept.get(name);
    const result = await this.ask(slug, version, { known });
    // Another registry may have been chosen meanwhile, which knows nothing of this answer.
    if (this.kept.get(name) !== kept) return result;
    if (!result.ok) {
      if (result.failure.kind === "notFound") this.forget(slug);
      return result;
    }
    const before = await kept?.result;
    if (before?.ok && isSameSkill(before.value, result.value)) return before;
    this.forget(slug);
    this.keepAnswer(name, { result: Promise.resolve(result), retryAt: 0 }, result.value);
    this.changed(slug);
    return result;
  }

  /** A part that is late is filled in when it comes; one that failed is asked for again later. */
  private keepAnswer(name: string, answer: Kept, skill: SkillDetail): void {
    const { summary, unanswered } = skill;
    this.wasRead(skill);
    const isWhole = unanswered === undefined;
    answer.retryAt = isWhole ? Number.POSITIVE_INFINITY : performance.now() + retryMs;
    this.keep(name, answer);
    this.keep(nameOf(summary.slug, summary.version), answer);
  }

  private keep(name: string, answer: Kept): void {
    this.kept.delete(name);
    this.kept.set(name, answer);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxKept) break;
      this.kept.delete(oldest);
    }
  }

  /** What is shown of a skill whose version in the project is another one now is read again. */
  private async forgetRepinned(): Promise<void> {
    for (const [slug, before] of this.pins) {
      const pin = await this.project?.pinOf(slug);
      if (pinText(pin) === before || this.pins.get(slug) !== before) continue;
      this.pins.delete(slug);
      this.forget(slug);
      this.changed(slug);
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
        this.project?.pinOf(slug),
        version === undefined ? undefined : this.project?.pinOf(slug, version),
      ]);
      this.pins.set(slug, pinText(pin));
      const asked = { ...reading, pin: version === undefined ? pin : other };
      const found = await registry.client.skill(slug, version, this.ended.signal, asked);
      // The built-in registry's port is another one each time; its skills are the same.
      const name = registryName(registry);
      if (found.ok) this.registries.set(found.value.manifest, name);
      return found;
    }
    const detail = localize(connection.problem, this.language);
    const failure: RegistryFailure = { kind: "unreachable", cause: "network", detail };
    return { ok: false, failure };
  }
}

/** Tells whether two readings of a skill say the same. Its numbers change with every invocation. */
export function isSameSkill(before: SkillDetail, now: SkillDetail): boolean {
  return isDeepStrictEqual(lastingParts(before), lastingParts(now));
}

/** The schemas nearly always are the manifest's own, which is compared as a whole. */
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
