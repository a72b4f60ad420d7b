import * as vscode from "vscode";
import { endsSession, isNotOffered, type UserSession } from "../../core/account/sessions";
import {
  type OfferedSignIn,
  readUserToken,
  type SignInWay,
  signInWays,
  signUpPage,
  startCodeEntry,
} from "../../core/account/signIn";
import type { Result } from "../../core/registry/registryFailure";
import { localize } from "../../core/text/language";
import type { SignInRoutes } from "../../registry/workspace/userRoutes";
import type { ConnectedRegistry, LocalAccounts } from "../connect/registryConnection";
import { openRegistrySite } from "../connect/withRegistry";
import { withProgress } from "../invoke/progress";
import { hostLanguage } from "../messages/hostLanguage";
import { showFailure } from "../messages/showNotice";
import { CodeInput } from "./codeInput";

/**
 * Signs a user in at a registry, by a method they choose among those that it offers and an editor supports.
 * Resolves to undefined where they canceled, or it failed and they were notified.
 */
export async function signInAt(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const { localAccounts } = registry;
  return localAccounts === undefined
    ? signInElsewhere(registry)
    : signInBuiltIn(registry, localAccounts);
}

/** Each role of the built-in registry is one click away. */
async function signInBuiltIn(
  registry: ConnectedRegistry,
  accounts: LocalAccounts,
): Promise<UserSession | undefined> {
  const details = {
    owner: vscode.l10n.t("Full access, including approvals"),
    developer: vscode.l10n.t(
      "Manages projects, keys and installs; cannot approve high permissions",
    ),
    finance: vscode.l10n.t("Cannot see projects"),
  };
  const roles = ["owner", "developer", "finance"] as const;
  const chosen = await vscode.window.showQuickPick(
    roles.map((role) => ({
      label: `${role}@local.example`,
      iconPath: new vscode.ThemeIcon("account"),
      description: role,
      detail: details[role],
      role,
    })),
    {
      title: titleOf(registry),
      placeHolder: vscode.l10n.t("Select a local account"),
      ignoreFocusOut: true,
    },
  );
  return chosen && sessionOf(registry, accounts[chosen.role]);
}

async function signInElsewhere(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const offered = await withProgress(vscode.l10n.t("Loading sign-in options"), (signal) =>
    registry.client.signIn.offered(signal),
  );
  const value = valueOrNotice(offered);
  if (value === undefined) return undefined;
  const way = await chooseWay(registry, value);
  switch (way) {
    case "emailCode":
      return askForCode(registry.client.signIn, titleOf(registry));
    case "token":
      return pasteToken(registry);
    case "password":
      return askForPassword(registry);
    case "signUp":
      await openRegistrySite(registry);
      return undefined;
    default:
      return undefined;
  }
}

async function chooseWay(
  registry: ConnectedRegistry,
  offered: OfferedSignIn,
): Promise<SignInWay | "signUp" | undefined> {
  const texts: Readonly<Record<SignInWay, readonly [icon: string, label: string, detail: string]>> =
    {
      emailCode: [
        "mail",
        vscode.l10n.t("Code by Email"),
        vscode.l10n.t("The registry sends a six-digit code that is valid for ten minutes"),
      ],
      token: [
        "key",
        vscode.l10n.t("User Token"),
        vscode.l10n.t("Paste a token from an owner or admin of your organization (shub_user_…)"),
      ],
      password: [
        "lock",
        vscode.l10n.t("Password"),
        vscode.l10n.t("Sent to the registry once and not stored"),
      ],
    };
  const ways = signInWays(offered).map((way) => {
    const [icon, label, detail] = texts[way];
    return { iconPath: new vscode.ThemeIcon(icon), label, detail, way };
  });
  const page = signUpPage(offered, registry.origin);
  const signUp = page !== undefined && {
    iconPath: new vscode.ThemeIcon("link-external"),
    label: vscode.l10n.t("Sign Up in the Browser…"),
    detail: page,
    way: "signUp" as const,
  };
  const chosen = await vscode.window.showQuickPick(signUp ? [...ways, signUp] : ways, {
    title: titleOf(registry),
    placeHolder: vscode.l10n.t("Select how to sign in"),
    ignoreFocusOut: true,
  });
  return chosen?.way;
}

async function pasteToken(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const pasted = await vscode.window.showInputBox({
    title: titleOf(registry),
    prompt: vscode.l10n.t(
      "It is kept in the editor's secret storage and sent to this registry only.",
    ),
    placeHolder: vscode.l10n.t("shub_user_…"),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readUserToken(text, registry.origin);
      return text === "" || read.ok ? undefined : localize(read.problem, hostLanguage());
    },
  });
  return pasted === undefined ? undefined : sessionOf(registry, pasted);
}

async function askForPassword(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const title = titleOf(registry);
  const identifier = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("Email address or user name"),
    ignoreFocusOut: true,
  });
  if (identifier === undefined || identifier.trim() === "") return undefined;
  const password = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("The password is sent to {0} once and not stored.", registry.origin),
    password: true,
    ignoreFocusOut: true,
  });
  if (password === undefined || password === "") return undefined;
  return valueOrNotice(
    await withProgress(vscode.l10n.t("Signing in"), (signal) =>
      registry.client.signIn.passwordLogin(identifier.trim(), password, signal),
    ),
  );
}

/** Reads from the registry whose token this is. */
async function sessionOf(
  registry: ConnectedRegistry,
  pasted: string,
): Promise<UserSession | undefined> {
  const { client, origin } = registry;
  const read = readUserToken(pasted, origin);
  if (!read.ok) return undefined;
  const account = await withProgress(vscode.l10n.t("Signing in"), (signal) =>
    client.workspace(read.token).account(signal),
  );
  if (!account.ok && isNotOffered(account.failure)) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        "This registry has no accounts to sign in to. Skills can be invoked with a Project Key.",
      ),
    );
    return undefined;
  }
  if (!account.ok && endsSession(account.failure)) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t("The registry does not know this user token: it was revoked or has expired."),
    );
    return undefined;
  }
  const value = valueOrNotice(account);
  return value && { ...value, origin, token: read.token.text, isOurs: false };
}

/** Returns the value of a response, or shows why there is none. */
function valueOrNotice<Value>(answer: Result<Value>): Value | undefined {
  if (answer.ok) return answer.value;
  void showFailure(answer.failure);
  return undefined;
}

function titleOf(registry: ConnectedRegistry): string {
  return vscode.l10n.t("Sign In to {0}", registry.isBuiltIn ? registry.name : registry.origin);
}

/**
 * Signs in with a code that is sent by mail: asks for the address, then for the code, with the time and tries
 * that are left. Resolves to undefined where the user canceled.
 */
async function askForCode(signIn: SignInRoutes, title: string): Promise<UserSession | undefined> {
  const email = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("Email address of your account; the registry sends a code there."),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === "" || isAddress(text) ? undefined : vscode.l10n.t("Enter an email address."),
  });
  if (email === undefined || !isAddress(email)) return undefined;
  const stop = new AbortController();
  const challenge = await signIn.requestCode(email.trim(), stop.signal);
  if (!challenge.ok) {
    void showFailure(challenge.failure);
    return undefined;
  }
  const entry = startCodeEntry(email.trim(), challenge.value, Date.now());
  const box = vscode.window.createInputBox();
  box.title = title;
  box.ignoreFocusOut = true;
  return new CodeInput(box, signIn, entry, resendButton(), hostLanguage()).session;
}

function isAddress(text: string): boolean {
  return /^[^\s@]{1,64}@[^\s@]{1,250}$/.test(text.trim());
}

function resendButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon("mail"), tooltip: vscode.l10n.t("Send a New Code") };
}
