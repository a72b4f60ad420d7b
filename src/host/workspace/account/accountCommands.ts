import * as vscode from "vscode";
import {
  accountKey,
  accountLabel,
  sessionId,
  signedOutText,
  type UserSession,
} from "../../../core/account/sessions";
import { projectNameProblem } from "../../../core/project/changes";
import type { ProjectSummary } from "../../../core/project/project";
import type { RegistryFailure } from "../../../core/registry/registryFailure";
import { currentRegistry } from "../../connect/currentRegistry";
import type { RegistryConnection } from "../../connect/registryConnection";
import { registryInUse } from "../../connect/withRegistry";
import { commandIds } from "../../ids";
import type { ProjectKeys } from "../../keys/projectKeys";
import { hostLanguage } from "../../ui/hostLanguage";
import { inform, offer, showError, showStatus, warn } from "../../ui/messages";
import { withProgress } from "../../ui/progress";
import { ask } from "../../ui/quickInput/ask";
import { type ChoiceRow, choose } from "../../ui/quickInput/choose";
import { showFailure } from "../../ui/showNotice";
import type { CurrentProject } from "../currentProject";
import { makeChange } from "../makeChange";
import type { SignedIn } from "../signedIn";
import { signInAt } from "./signIn";

/** The dependencies of the commands for accounts and the choice of a project. */
export interface AccountParts {
  readonly connection: RegistryConnection;
  readonly project: CurrentProject;
  readonly keys: ProjectKeys;
  /** Reveals a hidden Project view. Does not move the focus to a visible one. */
  readonly showView: () => Promise<void>;
}

/** Signs a user in at the registry in use and shows the project. Resolves to the session's id, or undefined. */
export async function signIn({
  connection,
  project,
  showView,
}: AccountParts): Promise<string | undefined> {
  const registry = await registryInUse(connection);
  if (registry === undefined) return undefined;
  const session = await signInAt(registry);
  if (session === undefined) return undefined;
  const isStored = await project.accounts.signIn(registry, session);
  showStatus("account", vscode.l10n.t("Signed in as {0}.", accountLabel(session)));
  if (!isStored && !registry.isBuiltIn) {
    void warn(
      vscode.l10n.t(
        "The editor's secret storage cannot be used, so you are signed in until this window closes.",
      ),
    );
  }
  await showView();
  return sessionId(session);
}

/** Returns the user at the registry in use. Signs a user in if there is none. Undefined if nobody signed in. */
export async function signedInUser(parts: AccountParts): Promise<SignedIn | undefined> {
  const who = await parts.project.accounts.inUse();
  if (who !== undefined || (await signIn(parts)) === undefined) return who;
  return parts.project.accounts.inUse();
}

/** Signs an account out. Asks which one if the registry in use has several. */
export async function signOut(parts: AccountParts, id?: string): Promise<void> {
  const { project, connection } = parts;
  const chosen = id ?? (await chooseSession(project));
  if (chosen === undefined) return;
  let session: UserSession | undefined;
  try {
    session = await project.accounts.signOut(chosen);
  } catch {
    void showError(vscode.l10n.t("Not signed out: the editor's secret storage does not respond."));
    return;
  }
  if (session === undefined) return;
  const registry = await currentRegistry(connection);
  const isLocal = registry?.isBuiltIn === true && registry.origin === session.origin;
  const otherAccount = await project.accounts.inUse();
  const texts = [
    isLocal
      ? vscode.l10n.t("{0} is signed out.", accountLabel(session))
      : signedOutText(session, hostLanguage()),
    otherAccount === undefined
      ? ""
      : vscode.l10n.t("{0} is in use.", accountLabel(otherAccount.session)),
  ];
  void inform(texts.filter(Boolean).join(" "));
}

/** Signs a user in. If one is signed in, asks whether to use another account or to sign in again. */
export async function switchAccount(parts: AccountParts): Promise<void> {
  const { project } = parts;
  const all = await project.accounts.all();
  if (all.length === 0) return void (await signIn(parts));
  const inUse = (await project.accounts.inUse())?.session;
  const rows = all.map((who): ChoiceRow<() => Promise<unknown>> => {
    const { session } = who;
    const isInUse = inUse !== undefined && sessionId(session) === sessionId(inUse);
    return {
      label: accountLabel(session),
      icon: "account",
      description: isInUse ? vscode.l10n.t("in use") : session.role,
      value: async () => {
        if (!isInUse) await project.useAccount(who);
        await parts.showView();
      },
    };
  });
  const label = vscode.l10n.t("Sign In with Another Account…");
  const act = await choose([...rows, { label, icon: "add", value: () => signIn(parts) }], {
    title: vscode.l10n.t("Switch Account"),
    placeHolder: vscode.l10n.t("Select the account to use in this workspace"),
  });
  await act?.();
}

async function chooseSession(project: CurrentProject): Promise<string | undefined> {
  const all = await project.accounts.all();
  const rows = all.map(({ session }) => ({
    label: accountLabel(session),
    value: sessionId(session),
  }));
  return choose(rows, {
    title: vscode.l10n.t("Sign Out"),
    placeHolder: vscode.l10n.t("Select an account"),
    none: vscode.l10n.t("Not signed in."),
    takesOnly: true,
  });
}

/** Chooses the project of this workspace among those of all signed-in users. */
export async function chooseProject(parts: AccountParts): Promise<void> {
  const { project } = parts;
  if ((await signedInUser(parts)) === undefined) return;
  const everybody = await project.accounts.all();
  const lists = await withProgress(vscode.l10n.t("Loading projects"), (signal) =>
    Promise.all(
      everybody.map(async (who) => ({ who, projects: await who.routes.projects(signal) })),
    ),
  );
  const rows: ChoiceRow<() => Promise<void>>[] = [];
  for (const { who, projects } of lists) {
    if (!projects.ok) {
      await project.noteFailure(who.session, projects.failure);
      void showFailure(projects.failure);
      continue;
    }
    const heading = everybody.length > 1 ? accountLabel(who.session) : undefined;
    rows.push(
      ...projects.value.map((summary) => ({ ...projectRow(parts, who, summary), heading })),
    );
  }
  if (lists.every(({ projects }) => !projects.ok)) return;
  const label = vscode.l10n.t("New Project…");
  const act = await choose([...rows, { label, icon: "add", value: () => newProject(parts) }], {
    title: vscode.l10n.t("Choose Project"),
    placeHolder: vscode.l10n.t("The project this workspace works with"),
  });
  await act?.();
}

/**
 * Chooses the project that an environment names, from the projects of all users signed in at the registry in use. If
 * nobody is signed in, the next sign-in chooses it. Reports if no user has the project.
 */
export async function chooseNamedProject(parts: AccountParts, slug: string): Promise<void> {
  const { project } = parts;
  const everybody = await project.accounts.all();
  if (everybody.length === 0) return;
  const inUse = await project.accounts.inUse();
  if (inUse !== undefined && project.chosenAt(inUse.registry)?.slug === slug) return;
  const found = await withProgress(vscode.l10n.t("Loading projects"), async (signal) => {
    let failure: RegistryFailure | undefined;
    for (const who of everybody) {
      const projects = await who.routes.projects(signal);
      if (!projects.ok) {
        await project.noteFailure(who.session, projects.failure);
        failure = projects.failure;
        continue;
      }
      const named = projects.value.find((summary) => summary.slug === slug);
      if (named !== undefined) return { who, named };
    }
    return { failure };
  });
  if (found === undefined) return;
  const { who, named, failure } = found;
  if (failure !== undefined) return void showFailure(failure);
  if (who === undefined) {
    return void warn(
      vscode.l10n.t("The project {0} of this environment is not among yours.", slug),
    );
  }
  await project.choose(who.registry, {
    account: accountKey(who.session),
    slug,
    name: named.name,
  });
}

function projectRow(
  parts: AccountParts,
  who: SignedIn,
  summary: ProjectSummary,
): ChoiceRow<() => Promise<void>> {
  const { account, slug } = parts.project.chosenAt(who.registry) ?? {};
  const isCurrent = account === accountKey(who.session) && slug === summary.slug;
  const { installedCount } = summary;
  return {
    label: summary.name,
    description: isCurrent ? vscode.l10n.t("{0}, in use", summary.slug) : summary.slug,
    detail: installedCount === undefined ? "" : installedText(installedCount),
    value: () => useProject(parts, who, summary),
  };
}

function installedText(count: number): string {
  return count === 1
    ? vscode.l10n.t("1 skill installed")
    : vscode.l10n.t("{0} skills installed", count);
}

/** Creates a project and chooses it. */
export async function newProject(parts: AccountParts): Promise<void> {
  const { project } = parts;
  const who = await signedInUser(parts);
  if (who === undefined) return;
  // If the registry rejects the name, ask again with it, so that the user can change it.
  for (let value = ""; ; ) {
    const name = await ask({
      title: vscode.l10n.t("New Project"),
      prompt: vscode.l10n.t("Name of the project in {0}", who.session.organization),
      value,
      problemOf: (text) => projectNameProblem(text, hostLanguage()),
    });
    if (name === undefined) return;
    const made = await makeChange(project, who, vscode.l10n.t("Creating the project"), (signal) =>
      who.routes.createProject(name.replaceAll(/\s+/g, " "), signal),
    );
    if (made !== undefined) return useProject(parts, who, made);
    if (!(await project.accounts.isStillHere(who))) return;
    value = name;
  }
}

async function useProject(
  { project, keys, showView }: AccountParts,
  { registry, session }: SignedIn,
  { slug, name }: ProjectSummary,
): Promise<void> {
  await project.choose(registry, { account: accountKey(session), slug, name });
  await showView();
  // If a key is stored for the project, it is in use now. Otherwise, offer to set one.
  if ((await keys.find(registry)) === undefined) void offerKey(name);
}

function offerKey(project: string): Promise<void> {
  const text = vscode.l10n.t(
    "This editor has no Project Key of {0}. Invoking its skills needs one.",
    project,
  );
  return offer(text, vscode.l10n.t("Set Project Key…"), () =>
    vscode.commands.executeCommand(commandIds.setProjectKey),
  );
}
