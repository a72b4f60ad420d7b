import type { UserSession } from "../../core/account/sessions";
import type { ProjectDetail } from "../../core/project/project";
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
