import {
  sessionAt,
  sessionsToRevoke,
  type UserSession,
  withForgotten,
} from "../../core/account/sessions";
import type { ProjectDetail } from "../../core/project/project";
import type { WorkspaceRoutes } from "../../registry/workspace/workspaceRoutes";
import { currentRegistry } from "../connect/currentRegistry";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import type { UserSessions } from "./account/userSessions";
import type { ProjectMemory } from "./projectMemory";

/** A user signed in at the registry in use, and their routes. */
export interface SignedIn {
  readonly registry: ConnectedRegistry;
  readonly session: UserSession;
  readonly routes: WorkspaceRoutes;
}

/** A signed-in user, and the last read state of their project. */
export interface InProject extends SignedIn {
  readonly detail: ProjectDetail;
  /** The role when the project was read; empty if the registry did not return it. */
  readonly role: string;
}

/** Identifies a project among all of a registry, like `CurrentProject.idAt`. */
export function projectIdOf({ session, detail }: InProject): string {
  return `${session.organizationId}/${detail.summary.slug}`;
}

/** The signed-in accounts at the current registry. One of them is in use in this workspace. */
export class SignedInAccounts {
  constructor(
    private readonly connection: Pick<RegistryConnection, "current">,
    private readonly sessions: UserSessions,
    private readonly memory: ProjectMemory,
    private readonly now: () => number,
  ) {}

  /** Returns the current account; undefined without a sign-in or a registry. */
  async inUse(): Promise<SignedIn | undefined> {
    // Without a session nobody is signed in, so no registry needs to be started to find out.
    const sessions = await this.sessions.list();
    if (sessions.length === 0) return undefined;
    const registry = await currentRegistry(this.connection);
    if (registry === undefined) return undefined;
    const session = sessionAt(sessions, registry.origin, this.memory.accountAt(registry));
    return session && signedInWith(registry, session);
  }

  async all(): Promise<readonly SignedIn[]> {
    const registry = await currentRegistry(this.connection);
    if (registry === undefined) return [];
    const sessions = await this.sessions.list();
    const here = sessions.filter(({ origin }) => origin === registry.origin);
    return here.map((session) => signedInWith(registry, session));
  }

  /** Returns whether a user is still signed in, at the registry that is still in use. */
  async isStillHere({ registry, session }: SignedIn): Promise<boolean> {
    return (await this.all()).some(
      (item) => item.registry.baseUrl === registry.baseUrl && item.session.token === session.token,
    );
  }

  /**
   * Stores a new session, uses it, and revokes sessions that were signed out before. Resolves to whether it is stored
   * beyond this window.
   */
  async signIn(registry: ConnectedRegistry, session: UserSession): Promise<boolean> {
    // Set the account first: storing the session fires an event that reads the account's project.
    await this.memory.useAccount(registry, session);
    const isStored = await this.sessions.keep(session, registry.isBuiltIn);
    const { routes } = signedInWith(registry, session);
    const done = await Promise.all(
      sessionsToRevoke(this.memory.forgotten.get(), session).map(async (item) => {
        const answer = await routes.revokeSession(item.tokenId, new AbortController().signal);
        // A session unknown to the registry needs no retry.
        return answer.ok || answer.failure.kind === "notFound" ? [item.tokenId] : [];
      }),
    );
    const revoked = done.flat();
    const remaining = this.memory.forgotten
      .get()
      .filter(({ tokenId }) => !revoked.includes(tokenId));
    await this.memory.forgotten.set(remaining);
    return isStored;
  }

  /** Removes a session here. Resolves to it; rejects if the secret storage fails. */
  async signOut(id: string): Promise<UserSession | undefined> {
    const session = await this.sessions.forget(id);
    if (session === undefined) return undefined;
    await this.memory.forgotten.set(
      withForgotten(this.memory.forgotten.get(), session, this.now()),
    );
    return session;
  }
}

function signedInWith(registry: ConnectedRegistry, session: UserSession): SignedIn {
  const { origin, token } = session;
  const routes = registry.client.workspace({ kind: "userToken", origin, text: token });
  return { registry, session, routes };
}
