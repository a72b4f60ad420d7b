import type { ProjectRow } from "../../core/project/projectRows";
import { projectFacts, type ReadinessFacts } from "../../core/readiness/readinessFacts";
import { l10nText } from "../../core/text/language";
import type { ConnectedRegistry } from "../connect/registryConnection";
import type { WindowPlace } from "../environments/windowPlace";
import { type TestRunOffer, TestRuns } from "../invoke/invocationTarget";
import type { KeyOffer } from "../keys/projectKeyCommands";
import type { LazyTreeDataProvider } from "../lazyProviders";
import type { CommandHandlers } from "../registerCommands";
import { hostLanguage } from "../ui/hostLanguage";
import type { Register } from "../ui/owner";
import type { Memory } from "../ui/stored";
import {
  chooseNamedProject,
  chooseProject,
  newProject,
  signIn,
  signOut,
  switchAccount,
} from "./account/accountCommands";
import { createCiToken, showSessions } from "./account/tokenCommands";
import { RemedyRunner } from "./blocked/remedyRunner";
import { showWhy } from "./blocked/showWhy";
import { rateSkill } from "./feedbackCommands";
import { inProject, type ProjectParts } from "./inProject";
import { adoptUpdate, rollBackSkill } from "./installs/adoptUpdate";
import { approveSkill, changeInstall, installSkill, manageSkill } from "./installs/installCommands";
import { ProjectAttention } from "./installs/projectAttention";
import { decideUpdate } from "./installs/updateActions";
import {
  chooseKeyCommand,
  createProjectKey,
  keepNewProjectKey,
  revokeProjectKey,
  rotateProjectKey,
} from "./keyCommands";
import { PolicyDocuments } from "./policyDocuments";
import { ProjectView } from "./projectView";
import { WindowStatus } from "./windowStatus";

/** The dependencies of signed-in work. */
export interface WorkspaceParts extends Omit<ProjectParts, "showView"> {
  readonly place: WindowPlace;
  readonly tree: LazyTreeDataProvider<ProjectRow>;
  readonly testRuns: TestRunOffer;
  /** Stores with the workspace which incidents were reported. */
  readonly memory: Memory;
  readonly register: Register;
}

/** Builds the signed-in side: accounts, the project in use, its view and its commands. */
export function startWorkspace({ tree, testRuns, place, register, ...given }: WorkspaceParts) {
  const { project } = given;
  register(given.keys.onDidChange(() => void project.followKey()));
  const view = register(new ProjectView(given, tree));
  const parts: ProjectParts = { ...given, showView: () => view.show() };
  register(new WindowStatus({ ...given, place }));
  register(
    new ProjectAttention(project, given.payloads.files, given.memory, (badge) => view.mark(badge)),
  );
  // A test run must not move the focus to the Project view.
  const inPlace: ProjectParts = { ...parts, showView: async () => undefined };
  const tests = register(
    new TestRuns(project, testRuns, () => inProject(parts, "recent", inPlace)),
  );
  const policies = register(new PolicyDocuments(parts));
  const remedies = register(new RemedyRunner(parts, policies));
  const createKey = (asked?: { readonly isAgreed: boolean }) => keepNewProjectKey(parts, asked);
  const commands = {
    signIn: () => switchAccount(parts),
    signOut: () => signOut(parts),
    createCiToken: () => createCiToken(parts),
    showSessions: () => showSessions(parts),
    chooseProject: () => chooseProject(parts),
    newProject: () => newProject(parts),
    projectKey: () => chooseKeyCommand(parts),
    createProjectKey: () => createProjectKey(parts),
    rateSkill: (argument: unknown) => rateSkill(parts, argument),
    rotateProjectKey: () => rotateProjectKey(parts),
    revokeProjectKey: (argument: unknown) => revokeProjectKey(parts, argument),
    installSkill: (argument: unknown) => installSkill(parts, argument),
    manageSkill: (argument: unknown) => manageSkill(parts, argument),
    suspendSkill: (argument: unknown) => changeInstall(parts, "suspend", argument),
    restoreSkill: (argument: unknown) => changeInstall(parts, "restore", argument),
    uninstallSkill: (argument: unknown) => changeInstall(parts, "remove", argument),
    approveSkill: (argument: unknown) => approveSkill(parts, argument),
    decideUpdate: (argument: unknown) => decideUpdate(parts, argument),
    adoptUpdate: (argument: unknown) => adoptUpdate(parts, argument),
    rollBackSkill: (argument: unknown) => rollBackSkill(parts, argument),
    editPolicy: (argument: unknown) => policies.edit(argument),
    showWhy: (argument: unknown) => showWhy(parts, remedies, argument),
  } satisfies Partial<CommandHandlers>;
  return {
    commands,
    /** The dependencies of signing in. */
    accounts: parts,
    policies,
    remedies,
    /** Creates a Project Key for this editor. Undefined if the user canceled, or it failed, which is shown. */
    createKey,
    /** Signs a user in. Resolves to the session's id; undefined if they did not sign in. */
    signIn: () => signIn(parts),
    chooseNamedProject: (slug: string) => chooseNamedProject(parts, slug),
    signOut: (id: string) => signOut(parts, id),
    /** Returns the project's facts about a skill; unknown without a sign-in. */
    projectFacts: async (
      skill: string,
      signal: AbortSignal,
    ): Promise<ReadinessFacts["project"]> => {
      if ((await project.accounts.inUse()) === undefined) {
        return { why: l10nText("Not signed in to this registry."), act: "signIn" };
      }
      await project.ready();
      const at = await project.inChosen();
      if (at === undefined)
        return { why: l10nText("No project is chosen in the Project view."), act: "chooseProject" };
      return projectFacts(at.routes, at.detail.summary.slug, skill, hostLanguage(), signal);
    },
    /** Finds the project of a test run. Undefined if the user canceled. */
    testRunProject: () => tests.find(),
    /** Offers to create a key if a user is signed in at the registry and has chosen a project. */
    keyOffer: async (registry: ConnectedRegistry): Promise<KeyOffer | undefined> => {
      const at = await project.remembered();
      if (at?.registry.origin !== registry.origin) return undefined;
      return { project: at.chosen.name, create: createKey };
    },
  };
}
