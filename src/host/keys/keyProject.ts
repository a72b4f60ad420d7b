import { isWrongRole } from "../../core/account/sessions";
import { minRemainingBudget } from "../../core/project/gateway/budget";
import {
  areAllKeysListed,
  hasKey,
  installOf,
  isKeyOfOtherProject,
  type ProjectDetail,
  type ProjectSummary,
} from "../../core/project/project";
import type { ProjectBudget } from "../../engine/gates/skillQueue";
import { readProject } from "../../registry/workspace/projectReading";
import type { ConnectedRegistry } from "../connect/registryConnection";
import type { CurrentProject } from "../workspace/currentProject";
import type { InProject, SignedIn } from "../workspace/signedIn";

/** The project of a Project Key, by the registry's lists of keys. */
export type KeyOwner =
  | { readonly kind: "here" }
  | { readonly kind: "elsewhere"; readonly who: SignedIn; readonly summary: ProjectSummary }
  /** Neither this project nor another that any signed-in user here may see. */
  | { readonly kind: "notHere" }
  /** A list of keys is incomplete or cannot be read. */
  | { readonly kind: "unknown" };

/** A project and the account that read it. */
export interface ProjectAsRead {
  readonly detail: ProjectDetail;
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
}

/** The project of a key, if it is not the chosen one. */
type Found = { readonly key: string } & (
  | { readonly kind: "known"; readonly who: SignedIn; readonly project: ProjectAsRead }
  /** No signed-in user here may see it, or it could not be read. */
  | { readonly kind: "notKnown" }
);

/** Tracks the project of the Project Key in use, if that project is known not to be the chosen one. */
export class KeyProject {
  private current: Found | undefined;
  private finding: Promise<Found | undefined> = Promise.resolve(undefined);
  /** The last key and its project. A key never changes its project, so the search is not repeated. */
  private last: { readonly key: string; readonly found: KeyOwner } | undefined;

  constructor(
    private readonly findKey: (registry: ConnectedRegistry) => Promise<string | undefined>,
    private readonly now: () => number,
  ) {}

  /**
   * Determines the project again, since the key or the chosen project may have changed. Resolves to whether
   * the result may have changed. Never rejects.
   */
  async follow(project: CurrentProject, signal: AbortSignal): Promise<boolean> {
    const finding = this.find(project, signal).catch(() => undefined);
    this.finding = finding;
    const found = await finding;
    if (this.finding !== finding) return false;
    const before = this.current;
    this.current = found;
    // A known project was read again, so its facts may have changed.
    return found?.kind === "known" || found?.kind !== before?.kind;
  }

  /** Returns the result of the running or last search. Never rejects. */
  found(): Promise<Found | undefined> {
    return this.finding;
  }

  /** Returns the last read state of a key's project; undefined if unknown. */
  read(key: string): ProjectAsRead | undefined {
    const { current } = this;
    return current?.kind === "known" && current.key === key ? current.project : undefined;
  }

  /** Returns whether a key belongs to an unknown project other than the chosen one. */
  isUnknown(key: string): boolean {
    return this.current?.kind === "notKnown" && this.current.key === key;
  }

  /** Drops the state, which belongs to another registry or user. */
  forget(): void {
    this.current = undefined;
    this.last = undefined;
    this.finding = Promise.resolve(undefined);
  }

  /**
   * Finds the project. Undefined if no key is in use, or if the key is not known to belong to another project than the
   * chosen one.
   */
  private async find(project: CurrentProject, signal: AbortSignal): Promise<Found | undefined> {
    const at = await project.inChosen();
    if (at === undefined) return undefined;
    const key = await this.findKey(at.registry);
    if (key === undefined || !isKeyOfOtherProject(at.detail, key)) return undefined;
    const found =
      this.last?.key === key
        ? this.last.found
        : await findKeyProject(key, at, await project.accounts.all(), signal);
    if (found.kind === "notHere" && !signal.aborted) this.last = { key, found };
    if (found.kind !== "elsewhere") {
      return found.kind === "notHere" ? { kind: "notKnown", key } : undefined;
    }
    this.last = { key, found };
    const { who, summary } = found;
    const read = await readProject(who.routes, who.registry.client, summary.slug, signal);
    if (!read.ok) return { kind: "notKnown", key };
    return { kind: "known", key, who, project: { detail: read.value, loadedAt: this.now() } };
  }
}

/**
 * Finds the project of a key: checks the project of `at` first, then those of every account in `everybody`. Compares
 * the last four characters, since no registry returns more of a key. If a list cannot be read and no other list has the
 * key, the project is unknown. The key itself is never sent.
 */
export async function findKeyProject(
  key: string,
  at: InProject,
  everybody: readonly SignedIn[],
  signal: AbortSignal,
): Promise<KeyOwner> {
  if (hasKey(at.detail, key)) return { kind: "here" };
  if (!areAllKeysListed(at.detail)) return { kind: "unknown" };
  let isWhole = true;
  for (const who of everybody) {
    const projects = await who.routes.projects(signal);
    isWhole &&= projects.ok || isWrongRole(projects.failure);
    for (const summary of projects.ok ? projects.value : []) {
      const keys = await who.routes.keys(summary.slug, signal);
      isWhole &&= keys.ok;
      if (keys.ok && hasKey({ keys: keys.value }, key)) return { kind: "elsewhere", who, summary };
    }
  }
  return { kind: isWhole ? "notHere" : "unknown" };
}

/**
 * Reads the chosen project's budget for a skill. Undefined if the key is not known to belong to that project. Never
 * rejects.
 */
export async function budgetLeft(
  project: Pick<CurrentProject, "remembered" | "ready" | "inChosen">,
  { baseUrl }: { readonly baseUrl: string },
  slug: string,
  key: string,
): Promise<ProjectBudget | undefined> {
  // Nothing is read if nobody chose a project.
  if ((await project.remembered()) === undefined) return undefined;
  await project.ready();
  const at = await project.inChosen();
  if (at === undefined || at.registry.baseUrl !== baseUrl) return undefined;
  if (!hasKey(at.detail, key)) return undefined;
  const { slug: chosen } = at.detail.summary;
  const read = await at.routes.project(chosen, new AbortController().signal);
  const skill = read.ok ? installOf(read.value, slug) : undefined;
  return { project: chosen, left: minRemainingBudget(skill) };
}
