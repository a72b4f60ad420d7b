import type * as vscode from "vscode";
import type { Result } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import { localize } from "../../core/text/localizableText";
import type { RegistryConnection } from "../connect/registryConnection";
import { hostLanguage } from "../words/hostLanguage";

const maxKept = 50;

/**
 * Answers skills in full and keeps the last ones, so that typing in a payload asks the registry
 * once. Forgets all when the registry changes, and one at a time on `forget`.
 */
export class SkillDetails {
  private readonly kept = new Map<string, Promise<Result<SkillDetail>>>();
  private readonly subscription: vscode.Disposable;
  private readonly ended = new AbortController();

  constructor(private readonly connection: RegistryConnection) {
    this.subscription = connection.onDidChange(() => this.kept.clear());
  }

  /** Answers a version of a skill; without a version, the registry's current one. Failures are not kept. */
  find(slug: string, version?: string): Promise<Result<SkillDetail>> {
    const name = `${slug}@${version ?? ""}`;
    const found = this.kept.get(name) ?? this.load(name, slug, version);
    this.kept.delete(name);
    this.kept.set(name, found);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxKept) break;
      this.kept.delete(oldest);
    }
    return found;
  }

  /** Tells whether the registry has a skill of that slug; undefined where it cannot be asked. */
  async exists(slug: string): Promise<boolean | undefined> {
    const found = await this.find(slug);
    return found.ok || (found.failure.kind === "notFound" ? false : undefined);
  }

  /** Forgets all versions of a skill, so that the next question goes to the registry. */
  forget(slug: string): void {
    for (const name of this.kept.keys()) {
      if (name.startsWith(`${slug}@`)) this.kept.delete(name);
    }
  }

  /** Reads a version of a skill from the registry anew; answers the one given where that fails. */
  async readAgain(skill: SkillDetail): Promise<SkillDetail> {
    const { slug, version } = skill.summary;
    this.forget(slug);
    const found = await this.find(slug, version);
    return found.ok ? found.value : skill;
  }

  /** Forgets all skills. */
  forgetAll(): void {
    this.kept.clear();
  }

  dispose(): void {
    this.ended.abort();
    this.subscription.dispose();
  }

  private load(name: string, slug: string, version?: string): Promise<Result<SkillDetail>> {
    const loading = this.ask(slug, version).then((result) => {
      if (this.kept.get(name) !== loading) return result;
      if (result.ok) this.kept.set(`${slug}@${result.value.summary.version}`, loading);
      else this.kept.delete(name);
      return result;
    });
    return loading;
  }

  private async ask(slug: string, version?: string): Promise<Result<SkillDetail>> {
    const connection = await this.connection.current();
    if (connection.ok) return connection.registry.client.skill(slug, version, this.ended.signal);
    return {
      ok: false,
      failure: {
        kind: "unreachable",
        cause: "network",
        detail: localize(connection.problem, hostLanguage()),
      },
    };
  }
}
