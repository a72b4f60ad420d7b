import type { Result } from "../../core/registry/registryFailure";
import type { UserSession } from "../../core/workspace/account";
import { type ProjectDetail, withLists } from "../../core/workspace/project";
import type { WorkspaceRoutes } from "../../registry/workspace/workspaceRoutes";
import type { ConnectedRegistry } from "../connect/registryConnection";

/** Somebody signed in at the registry in use, and what they may ask there. */
export interface SignedIn {
  readonly registry: ConnectedRegistry;
  readonly session: UserSession;
  readonly routes: WorkspaceRoutes;
}

/** Whose session it is, with what they may ask. */
export function signedInWith(registry: ConnectedRegistry, session: UserSession): SignedIn {
  const { origin, token } = session;
  const routes = registry.client.workspace({ kind: "userToken", origin, text: token });
  return { registry, session, routes };
}

/** Reads a project. Only its detail must be there: the lists say what of an invocation's answer is not known. */
export async function readProject(
  routes: WorkspaceRoutes,
  slug: string,
  signal: AbortSignal,
): Promise<Result<ProjectDetail>> {
  const [detail, policies, permissions] = await Promise.all([
    routes.project(slug, signal),
    routes.policies(slug, signal),
    routes.permissions(slug, signal),
  ]);
  if (!detail.ok) return detail;
  const value = withLists(
    detail.value,
    policies.ok ? policies.value : undefined,
    permissions.ok ? permissions.value : undefined,
  );
  return { ok: true, value };
}
