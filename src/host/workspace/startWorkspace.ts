import * as vscode from "vscode";
import type { ProjectRow } from "../../core/workspace/projectRows";
import type { ProjectKeys } from "../connect/projectKeys";
import type { RegistryConnection } from "../connect/registryConnection";
import { viewIds } from "../ids";
import type { LazyTreeDataProvider } from "../lazyTreeDataProvider";
import type { CommandHandlers } from "../registerCommands";
import { type AccountParts, chooseProject, newProject, signIn, signOut } from "./accountCommands";
import { CurrentProject } from "./currentProject";
import {
  createProjectKey,
  type InProject,
  type KeyParts,
  revokeProjectKey,
  rotateProjectKey,
} from "./keyCommands";
import { ProjectStatus } from "./projectStatus";
import { ProjectView } from "./projectView";
import type { UserSessions } from "./userSessions";

/** What signed-in work needs. */
export interface WorkspaceParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly sessions: UserSessions;
  readonly tree: LazyTreeDataProvider<ProjectRow>;
  readonly workspaceMemory: vscode.Memento;
  readonly userMemory: vscode.Memento;
  /** Runs after the Project Key of this editor may have changed. */
  readonly judgeRuns: () => void;
  readonly own: <Part extends vscode.Disposable>(part: Part) => Part;
}

/** Builds the signed-in side: accounts, the project in use, its view and its commands. */
export function startWorkspace(parts: WorkspaceParts) {
  const { connection, keys, sessions, tree, workspaceMemory, userMemory, own, judgeRuns } = parts;
  const project = own(new CurrentProject({ connection, sessions, workspaceMemory, userMemory }));
  own(new ProjectView({ project, connection, keys, tree }));
  own(new ProjectStatus(project));
  const accounts: AccountParts = { connection, project };
  const keyParts: KeyParts = { project, keys, inProject: () => inProject(accounts) };
  const withKey = (work: () => Promise<unknown>) => async () => {
    await work();
    judgeRuns();
  };
  const commands = {
    signIn: () => signIn(accounts),
    signOut: () => signOut(accounts),
    chooseProject: () => chooseProject(accounts),
    newProject: () => newProject(accounts),
    refreshProject: () => project.refresh(),
    createProjectKey: withKey(() => createProjectKey(keyParts)),
    rotateProjectKey: withKey(() => rotateProjectKey(keyParts)),
    revokeProjectKey: async (argument: unknown) => {
      await revokeProjectKey(keyParts, argument);
      judgeRuns();
    },
  } satisfies Partial<CommandHandlers>;
  return {
    commands,
    /** Signs somebody in for the editor's Accounts menu. Resolves to the session's id; undefined where it came to nothing. */
    signIn: () => signIn(accounts),
    signOut: (id: string) => signOut(accounts, id),
  };
}

/** Gives the project in use, after signing in and choosing one where that is needed. */
async function inProject(accounts: AccountParts): Promise<InProject | undefined> {
  const { project } = accounts;
  if ((await project.signedIn()) === undefined && (await signIn(accounts)) === undefined) {
    return undefined;
  }
  await project.ready();
  if (project.state.kind === "choose" || project.state.kind === "noProjects") {
    await chooseProject(accounts);
  }
  const { state } = project;
  const who = await project.signedIn();
  if (who !== undefined && state.kind === "project") return { ...who, detail: state.detail };
  await vscode.commands.executeCommand(`${viewIds.project}.focus`);
  return undefined;
}
