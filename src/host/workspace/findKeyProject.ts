import {
  activeKeys,
  isRowOf,
  type ProjectDetail,
  type ProjectSummary,
} from "../../core/workspace/project";
import type { SignedIn } from "./currentProject";

/** Which project a Project Key belongs to, as the registry's lists of keys say. */
export type KeyPlace =
  | { readonly kind: "here" }
  | { readonly kind: "elsewhere"; readonly who: SignedIn; readonly summary: ProjectSummary }
  /** Not to this one, nor to another that anybody signed in here may see. */
  | { readonly kind: "notHere" }
  /** The lists do not say. */
  | { readonly kind: "unknown" };

/**
 * Finds the project of a key: the one `at` hand, else among those of `everybody` signed in at the registry,
 * by the last four characters, since no registry tells more of a key. A list that cannot be read is passed
 * over, and so are all when aborted. The key itself is sent nowhere.
 */
export async function findKeyProject(
  key: string,
  at: SignedIn & { readonly detail: ProjectDetail },
  everybody: readonly SignedIn[],
  signal: AbortSignal,
): Promise<KeyPlace> {
  const { slug } = at.detail.summary;
  const isOf = (keys: ProjectDetail["keys"]) => activeKeys(keys).some((row) => isRowOf(row, key));
  if (isOf(at.detail.keys)) return { kind: "here" };
  // The project's detail has its newest keys alone.
  const all = await at.routes.keys(slug, signal);
  if (!all.ok || all.value.some(({ last4 }) => last4.length < 4)) return { kind: "unknown" };
  if (isOf(all.value)) return { kind: "here" };
  for (const who of everybody) {
    const projects = await who.routes.projects(signal);
    for (const summary of projects.ok ? projects.value : []) {
      const keys = await who.routes.keys(summary.slug, signal);
      if (keys.ok && isOf(keys.value)) return { kind: "elsewhere", who, summary };
    }
  }
  return { kind: "notHere" };
}
