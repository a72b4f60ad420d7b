import {
  type Account,
  accountKey,
  isNotOffered,
  type UserSession,
} from "../../core/account/sessions";
import { type ProjectState, stateOfFailure } from "../../core/project/projectState";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { registryName } from "../../core/registry/registryName";
import { readProject } from "../../registry/workspace/projectReading";
import { maxListedProjects } from "../../registry/workspace/workspaceRoutes";
import type { ConnectedRegistry } from "../connect/registryConnection";
import type { CurrentProjectParts } from "./currentProject";
import type { ProjectMemory } from "./projectMemory";
import type { SignedInAccounts } from "./signedIn";

interface ProjectReader
  extends Pick<CurrentProjectParts, "connection" | "sessions" | "namedProject"> {
  readonly accounts: SignedInAccounts;
  readonly memory: ProjectMemory;
  readonly now: () => number;
  /** The state that is shown meanwhile. */
  readonly current: () => ProjectState;
  /** Notes the effect of a failure on the session. */
  readonly noteFailure: (session: UserSession, failure: RegistryFailure) => Promise<void>;
}

/**
 * Reads the project of a workspace, for the account in use, or why there is none. Remembers a project that is chosen
 * automatically: the one that the environment names, or the only one if the environment names none.
 */
export async function readProjectState(
  reader: ProjectReader,
  signal: AbortSignal,
): Promise<ProjectState> {
  const { connection, accounts, memory, noteFailure } = reader;
  const connected = await connection.current();
  if (!connected.ok) return { kind: "notConnected", problem: connected.problem };
  const found = await accounts.inUse();
  const { registry } = connected;
  if (found === undefined) return readSignedOut(reader, registry, signal);
  const { routes, session } = found;
  const fail = async (failure: RegistryFailure, account?: Account) => {
    await noteFailure(session, failure);
    const explained = await registry.client.explain(failure, signal);
    return stateOfFailure(explained, account, reader.current());
  };
  const [account, projects] = await Promise.all([routes.account(signal), routes.projects(signal)]);
  if (!account.ok) return fail(account.failure);
  const who = account.value;
  if (!projects.ok) return fail(projects.failure, who);
  const chosen = memory.chosenAt(registry);
  const mine = chosen?.account === accountKey(session) ? chosen : undefined;
  const named = reader.namedProject();
  const [first, ...others] = projects.value.filter(
    ({ slug }) => named === undefined || slug === named,
  );
  if (mine === undefined && projects.value.length === 0)
    return { kind: "noProjects", account: who };
  // If the environment names a project that is not listed, no other project is chosen automatically.
  const isSure = first !== undefined && others.length === 0;
  if (mine === undefined && !isSure) return { kind: "choose", account: who };
  // If the chosen project is gone, no other replaces it automatically. A list of the maximum length may be incomplete,
  // so a project that it lacks may exist.
  const gone = { kind: "gone", account: who, name: mine?.name ?? "" } as const;
  const isListed = projects.value.some(({ slug }) => slug === mine?.slug);
  if (mine !== undefined && !isListed && projects.value.length < maxListedProjects) return gone;
  const slug = mine?.slug ?? first?.slug ?? "";
  const detail = await readProject(routes, registry.client, slug, signal);
  if (!detail.ok) {
    const isGone = detail.failure.kind === "notFound" && !isNotOffered(detail.failure);
    return mine !== undefined && isGone ? gone : fail(detail.failure, who);
  }
  const { summary } = detail.value;
  const choice = { account: accountKey(session), slug: summary.slug, name: summary.name };
  if (JSON.stringify(choice) !== JSON.stringify(chosen)) {
    await memory.choose(registry, choice);
  }
  return {
    kind: "project",
    registry: registryName(registry),
    account: who,
    detail: detail.value,
    loadedAt: reader.now(),
  };
}

/** Reads the state without a sign-in: checks, without a token, whether the registry offers sign-in. */
async function readSignedOut(
  { current, sessions }: ProjectReader,
  registry: ConnectedRegistry,
  signal: AbortSignal,
): Promise<ProjectState> {
  const state = current();
  if (state.kind === "signedOut") return state;
  if (await sessions.hasExpired(registry.origin)) {
    return { kind: "signedOut", hasEnded: true };
  }
  const offered = await registry.client.signIn.methods(signal);
  if (!offered.ok) {
    return { kind: "failed", failure: await registry.client.explain(offered.failure, signal) };
  }
  return offered.value.isOffered ? { kind: "signedOut", hasEnded: false } : { kind: "notOffered" };
}
