import * as vscode from "vscode";
import type { ProjectRow } from "../../core/project/projectRows";
import { noProjectNotice } from "../../core/project/projectState";
import {
  type Fact,
  notKnown,
  type ProjectFacts,
  projectFacts,
} from "../../core/readiness/readinessFacts";
import { l10nText } from "../../core/text/language";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import {
  type AccountParts,
  chooseProject,
  newProject,
  signIn,
  signOut,
  switchAccount,
} from "../account/accountCommands";
import type { KeyOffer } from "../connect/projectKeyCommands";
import type { ProjectKeys } from "../connect/projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { type TestRunOffer, TestRuns } from "../invoke/invocationTarget";
import type { LazyTreeDataProvider } from "../lazyProviders";
import type { CommandHandlers } from "../registerCommands";
import { hostLanguage } from "../ui/hostLanguage";
import { withWaiting } from "../ui/progress";
import { showFailure, showNotice } from "../ui/showNotice";
import type { KeyProjectParts } from "./blocked/reachKeyProject";
import { RemedyRunner } from "./blocked/remedyRunner";
import { showWhy } from "./blocked/showWhy";
import type { CurrentProject } from "./currentProject";
import { type FeedbackParts, rateSkill } from "./feedbackCommands";
import { adoptUpdate, rollBackSkill } from "./installs/adoptUpdate";
import {
  approveSkill,
  type InstallParts,
  installSkill,
  restoreSkill,
  suspendSkill,
  uninstallSkill,
  type WorkspacePayloads,
} from "./installs/installCommands";
import { decideUpdate } from "./installs/updateActions";
import {
  createProjectKey,
  type InProject,
  type KeyParts,
  keepNewProjectKey,
  type ProjectReading,
  revokeProjectKey,
  rotateProjectKey,
} from "./keyCommands";
import { PolicyDocuments } from "./policyDocuments";
import { ProjectStatus, ProjectView } from "./projectView";

/** The dependencies of signed-in work. */
export interface WorkspaceParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly project: CurrentProject;
  /** Finds and checks the payloads of the workspace. */
  readonly payloads: WorkspacePayloads;
  readonly tree: LazyTreeDataProvider<ProjectRow>;
  /** Lets the user choose a skill of the registry. Undefined where they canceled. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  readonly testRuns: TestRunOffer;
  readonly history: InvocationHistory;
  readonly register: <Part extends vscode.Disposable>(part: Part) => Part;
}

/** Builds the signed-in side: accounts, the project in use, its view and its commands. */
export function startWorkspace(parts: WorkspaceParts) {
  const { connection, keys, project, tree, register } = parts;
  const view = register(
    new ProjectView({ project, connection, keys, history: parts.history, tree }),
  );
  const accounts: AccountParts = { connection, project, keys, showView: () => view.show() };
  register(new ProjectStatus(project));
  // Running a payload or cases must not move the focus.
  const inPlace: AccountParts = { ...accounts, showView: async () => undefined };
  const tests = register(
    new TestRuns(project, parts.testRuns, () => inProject(accounts, "recent", inPlace)),
  );
  const installParts: InstallParts = {
    project,
    inProject: (reading) => inProject(accounts, reading),
    payloads: parts.payloads,
    pickSkill: parts.pickSkill,
  };
  const policies = register(new PolicyDocuments(installParts));
  const keyParts: KeyParts = { project, keys, inProject: () => inProject(accounts) };
  const createKey = (asked?: { readonly isAgreed: boolean }) => keepNewProjectKey(keyParts, asked);
  const keyProject: KeyProjectParts = {
    project,
    keys,
    inProject: () => inProject(accounts),
    createKey,
    signIn: () => signIn(accounts),
  };
  const remedies = register(new RemedyRunner(installParts, policies, keyProject, connection));
  const feedback: FeedbackParts = {
    project,
    signIn: () => signIn(accounts),
    history: parts.history,
  };
  const commands = {
    signIn: () => switchAccount(accounts),
    signOut: () => signOut(accounts),
    chooseProject: () => chooseProject(accounts),
    newProject: () => newProject(accounts),
    createProjectKey: () => createProjectKey(keyParts),
    rateSkill: (argument: unknown) => rateSkill(feedback, argument),
    rotateProjectKey: () => rotateProjectKey(keyParts),
    revokeProjectKey: (argument: unknown) => revokeProjectKey(keyParts, argument),
    installSkill: (argument: unknown) => installSkill(installParts, argument),
    suspendSkill: (argument: unknown) => suspendSkill(installParts, argument),
    restoreSkill: (argument: unknown) => restoreSkill(installParts, argument),
    uninstallSkill: (argument: unknown) => uninstallSkill(installParts, argument),
    approveSkill: (argument: unknown) => approveSkill(installParts, argument),
    decideUpdate: (argument: unknown) => decideUpdate(installParts, argument),
    adoptUpdate: (argument: unknown) => adoptUpdate(installParts, argument),
    rollBackSkill: (argument: unknown) => rollBackSkill(installParts, argument),
    editPolicy: (argument: unknown) => policies.edit(argument),
    showWhy: (argument: unknown) =>
      showWhy({ ...installParts, remedies, keys, keyProject }, argument),
  } satisfies Partial<CommandHandlers>;
  return {
    commands,
    policies,
    remedies,
    /** Creates a Project Key for this editor. Undefined where the user canceled, or it failed, which is told. */
    createKey,
    /**
     * Signs a user in for the editor's Accounts menu. Resolves to the session's id; undefined where they did
     * not sign in.
     */
    signIn: () => signIn(accounts),
    signOut: (id: string) => signOut(accounts, id),
    /** What the project of this workspace has on a skill; unknown without a sign-in. */
    projectFacts: async (skill: string, signal: AbortSignal): Promise<Fact<ProjectFacts>> => {
      const who = await project.signedIn();
      if (who === undefined) return notKnown(l10nText("Not signed in to this registry."));
      await project.ready();
      const { state } = project;
      if (state.kind !== "project") {
        return notKnown(l10nText("No project is chosen in the Project view."));
      }
      const { slug } = state.detail.summary;
      return projectFacts(who.routes, slug, skill, hostLanguage(), signal);
    },
    /** Finds the project of a test run. Undefined where the user canceled, or another registry came into use. */
    testRunPlace: (registry: ConnectedRegistry) => tests.place(registry),
    /** Offers to create a key where a user is signed in at the registry and has chosen a project. */
    keyOffer: async (registry: ConnectedRegistry): Promise<KeyOffer | undefined> => {
      const at = await project.remembered();
      if (at?.registry.origin !== registry.origin) return undefined;
      return { project: at.chosen.name, create: createKey };
    },
  };
}

/**
 * Returns the project in use, after sign-in and choosing one where needed. Undefined where it could not be
 * read, which is shown: nobody should act on an outdated state.
 */
async function inProject(
  accounts: AccountParts,
  reading: ProjectReading = "recent",
  signingIn: AccountParts = accounts,
): Promise<InProject | undefined> {
  const { project } = accounts;
  if ((await project.signedIn()) === undefined && (await signIn(signingIn)) === undefined) {
    return undefined;
  }
  const read = reading === "anew" ? project.refresh() : project.refreshIfOld();
  const isRead = read.then(() => true);
  const title = vscode.l10n.t("Reading the project");
  if ((await withWaiting(title, () => isRead)) === undefined) return undefined;
  if (project.state.kind === "choose" || project.state.kind === "noProjects") {
    await chooseProject(accounts);
  }
  const { state } = project;
  if (state.kind === "project" && state.problem !== undefined) {
    void showFailure(state.problem);
    return undefined;
  }
  const who = await project.signedIn();
  if (who !== undefined && state.kind === "project") {
    return { ...who, detail: state.detail, role: state.account.role };
  }
  await accounts.showView();
  const notice = noProjectNotice(project.state, hostLanguage());
  if (notice !== undefined) void showNotice(notice);
  return undefined;
}
