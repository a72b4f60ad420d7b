import type { UserSession } from "../../core/account/sessions";
import type { PolicyRow } from "../../core/project/policies";
import { type InstalledSkill, type ProjectDetail, withLists } from "../../core/project/project";
import type { Result } from "../../core/registry/registryFailure";
import type { WorkspaceRoutes } from "../../registry/workspace/workspaceRoutes";
import type { ConnectedRegistry } from "../connect/registryConnection";

/** A user signed in at the registry in use, and their routes. */
export interface SignedIn {
  readonly registry: ConnectedRegistry;
  readonly session: UserSession;
  readonly routes: WorkspaceRoutes;
}

/** A signed-in user, and the last read state of their project. */
export interface InProject extends SignedIn {
  readonly detail: ProjectDetail;
  /** The role when the project was read; empty where the registry did not return it. */
  readonly role: string;
}

/** Combines a session with its routes. */
export function signedInWith(registry: ConnectedRegistry, session: UserSession): SignedIn {
  const { origin, token } = session;
  const routes = registry.client.workspace({ kind: "userToken", origin, text: token });
  return { registry, session, routes };
}

/** Reads a project. Only its detail is required: the lists refine what is said of it. */
export async function readProject(
  { routes, registry }: SignedIn,
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
      const skills = read.ok ? read.value.skills.filter(({ status }) => status !== "removed") : [];
      const slugs = skills.map((skill) => skill.slug);
      return slugs.length === 0 ? undefined : registry.client.publicVersions(slugs, signal);
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

/** An install as the registry has it, and its whole policy. Parts that the project lacks are left out. */
interface ReadInstall {
  readonly skill?: InstalledSkill;
  readonly policy?: PolicyRow;
}

/** Reads one install of a project, for a change that depends on all of it. */
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
  const skill = skills.find((one) => one.slug === slug);
  const policy = policies.value.get(slug)?.row;
  return { ok: true, value: { ...(skill && { skill }), ...(policy && { policy }) } };
}
