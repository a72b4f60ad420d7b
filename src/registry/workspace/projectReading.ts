import type { PolicyRow } from "../../core/project/project";
import {
  type InstalledSkill,
  installOf,
  installsOf,
  type ProjectDetail,
  withLists,
} from "../../core/project/project";
import type { Result } from "../../core/registry/registryFailure";
import type { RegistryClient } from "../registryClient";
import type { SkillPin } from "../routes/readSkill";
import type { WorkspaceRoutes } from "./workspaceRoutes";

/** Reads a project. Fails only if its detail cannot be read; a list that cannot be read is left out. */
export async function readProject(
  routes: WorkspaceRoutes,
  client: RegistryClient,
  slug: string,
  signal: AbortSignal,
): Promise<Result<ProjectDetail>> {
  const reading = routes.project(slug, signal);
  const [detail, policies, permissions, keys, offered] = await Promise.all([
    reading,
    routes.policies(slug, signal),
    routes.permissions(slug, signal),
    routes.keys(slug, signal),
    reading.then((read) => {
      const slugs = read.ok ? installsOf(read.value).map((skill) => skill.slug) : [];
      return slugs.length === 0 ? undefined : client.publicVersions(slugs, signal);
    }),
  ]);
  if (!detail.ok) return detail;
  const listed = <Value>(list: Result<Value>) => (list.ok ? list.value : undefined);
  const value = withLists(detail.value, {
    policies: listed(policies),
    permissions: listed(permissions),
    keys: listed(keys),
    offered,
  });
  return { ok: true, value };
}

/** An install and its whole policy, as the registry returned them. Either is missing if the project lacks it. */
interface ReadInstall {
  readonly skill?: InstalledSkill;
  readonly policy?: PolicyRow;
}

/** Reads one install of a project, for a change that needs all of it. */
export async function readInstall(
  routes: WorkspaceRoutes,
  project: string,
  slug: string,
  signal: AbortSignal,
): Promise<Result<ReadInstall>> {
  const [detail, policies] = await Promise.all([
    routes.project(project, signal),
    routes.policies(project, signal),
  ]);
  if (!detail.ok) return detail;
  if (!policies.ok) return policies;
  const { skills } = withLists(detail.value, { policies: policies.value });
  const skill = skills.find((item) => item.slug === slug);
  const policy = policies.value.get(slug)?.row;
  return { ok: true, value: { ...(skill && { skill }), ...(policy && { policy }) } };
}

/**
 * Returns the version of a skill that a project runs; `read` loads it. Undefined if the skill is not installed or the
 * registry does not name the version.
 */
export function pinIn(
  detail: ProjectDetail,
  slug: string,
  read: SkillPin["read"],
): SkillPin | undefined {
  const { version = "", price } = installOf(detail, slug) ?? {};
  const readPrice = async () => ({ value: price, answered: true });
  return version === "" ? undefined : { version, project: detail.summary.name, read, readPrice };
}
