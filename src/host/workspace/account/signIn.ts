import * as vscode from "vscode";
import type { UserSession } from "../../../core/account/sessions";
import {
  type CodeEntry,
  entryFailureText,
  isEmailAddress,
  readUserToken,
  type SignInMethod,
  signInMethods,
  startCodeEntry,
  tokenFailureText,
} from "../../../core/account/signIn";
import { localize } from "../../../core/text/language";
import type { SignInRoutes } from "../../../registry/workspace/userRoutes";
import {
  type ConnectedRegistry,
  type LocalAccounts,
  registryTitle,
} from "../../connect/registryConnection";
import { openRegistryPage, registryPage } from "../../connect/withRegistry";
import { hostLanguage } from "../../ui/hostLanguage";
import { showError } from "../../ui/messages";
import { readShown, withProgress } from "../../ui/progress";
import { ask, createBox } from "../../ui/quickInput/ask";
import { type ChoiceRow, choose } from "../../ui/quickInput/choose";
import { type Submitted, submitInBox } from "../../ui/quickInput/quickInput";
import { enterCode } from "./codeInput";

/**
 * Signs a user in at a registry, by a supported method that they choose. Resolves to undefined if they canceled or it
 * failed, which was shown.
 */
export async function signInAt(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const { localAccounts } = registry;
  return localAccounts === undefined
    ? signInElsewhere(registry)
    : signInBuiltIn(registry, localAccounts);
}

/** Offers a sign-in with one click for each role of the built-in registry. */
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
  const chosen = await choose(
    roles.map((role) => ({
      label: `${role}@local.example`,
      icon: "account",
      description: role,
      detail: details[role],
      value: role,
    })),
    { title: titleOf(registry), placeHolder: vscode.l10n.t("Select a local account") },
  );
  if (chosen === undefined) return undefined;
  const signedIn = await withProgress(vscode.l10n.t("Signing in"), (signal) =>
    sessionOf(registry, accounts[chosen], signal),
  );
  if (signedIn.ok) return signedIn.value;
  if (signedIn.problem !== "") void showError(signedIn.problem);
  return undefined;
}

async function signInElsewhere(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const offered = await readShown(vscode.l10n.t("Loading sign-in options"), (signal) =>
    registry.client.signIn.methods(signal),
  );
  if (offered === undefined) return undefined;
  const title = titleOf(registry);
  const rowsByMethod: Readonly<
    Record<SignInMethod, ChoiceRow<() => Promise<UserSession | undefined>>>
  > = {
    emailCode: {
      icon: "mail",
      label: vscode.l10n.t("Code by Email"),
      detail: vscode.l10n.t("The registry sends a six-digit code that is valid for ten minutes"),
      value: () => askForCode(registry.client.signIn, title),
    },
    token: {
      icon: "key",
      label: vscode.l10n.t("User Token"),
      detail: vscode.l10n.t(
        "Paste a token from an owner or admin of your organization (shub_user_…)",
      ),
      value: () => pasteToken(registry),
    },
    password: {
      icon: "lock",
      label: vscode.l10n.t("Password"),
      detail: vscode.l10n.t("Sent to the registry once and not stored"),
      value: () => askForPassword(registry),
    },
  };
  const rows = signInMethods(offered).map((way) => rowsByMethod[way]);
  // The registry creates an account when somebody signs in with a browser for the first time.
  const page = { kind: "login" } as const;
  const address = offered.isOffered ? registryPage(registry, page) : undefined;
  if (address !== undefined) {
    rows.push({
      icon: "link-external",
      label: vscode.l10n.t("Sign Up in the Browser…"),
      detail: address,
      value: async () => {
        await openRegistryPage(registry, page);
        return undefined;
      },
    });
  }
  const placeHolder = vscode.l10n.t("Select how to sign in");
  const signIn = await choose(rows, { title, placeHolder, takesOnly: true });
  return signIn?.();
}

async function pasteToken(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const box = createBox({
    title: titleOf(registry),
    prompt: vscode.l10n.t(
      "It is kept in the editor's secret storage and sent to this registry only.",
    ),
    placeholder: vscode.l10n.t("shub_user_…"),
    password: true,
  });
  return submitInBox(box, {
    problemOf: (text) => {
      const read = readUserToken(text, registry.origin);
      return read.ok ? "" : localize(read.problem, hostLanguage());
    },
    submit: (text, signal) => sessionOf(registry, text, signal),
  });
}

async function askForPassword(registry: ConnectedRegistry): Promise<UserSession | undefined> {
  const title = titleOf(registry);
  const identifier = await ask({
    title,
    prompt: vscode.l10n.t("Email address or user name"),
    problemOf: (text) =>
      text.trim() === "" ? vscode.l10n.t("Enter your email address or user name.") : "",
  });
  if (identifier === undefined) return undefined;
  const box = createBox({
    title,
    prompt: vscode.l10n.t("The password is sent to {0} once and not stored.", registry.origin),
    password: true,
    buttons: [vscode.QuickInputButtons.Back],
  });
  return submitInBox<UserSession, UserSession>(box, {
    back: () => askForPassword(registry),
    problemOf: (text) => (text === "" ? vscode.l10n.t("Enter your password.") : ""),
    submit: async (password, signal) => {
      const { signIn } = registry.client;
      const answer = await signIn.passwordLogin(identifier, password, signal);
      return answer.ok
        ? answer
        : problem(entryFailureText(answer.failure, "password", hostLanguage()));
    },
  });
}

/** Reads the owner of a pasted token from the registry, and creates their session. */
async function sessionOf(
  { client, origin }: ConnectedRegistry,
  pasted: string,
  signal: AbortSignal,
): Promise<Submitted<UserSession>> {
  const read = readUserToken(pasted, origin);
  if (!read.ok) return problem(localize(read.problem, hostLanguage()));
  const account = await client.workspace(read.token).account(signal);
  return account.ok
    ? { ok: true, value: { ...account.value, origin, token: read.token.text, isOurs: false } }
    : problem(tokenFailureText(account.failure, hostLanguage()));
}

function problem(text: string): Submitted<never> {
  return { ok: false, problem: text };
}

function titleOf(registry: ConnectedRegistry): string {
  return vscode.l10n.t("Sign In to {0}", registryTitle(registry));
}

/**
 * Signs in with a code sent by mail: asks for the address, then for the code, showing the remaining time and tries.
 * Resolves to undefined if the user canceled.
 */
async function askForCode(signIn: SignInRoutes, title: string): Promise<UserSession | undefined> {
  const emailBox = createBox({
    title,
    prompt: vscode.l10n.t("Email address of your account; the registry sends a code there."),
  });
  const entry = await submitInBox<CodeEntry>(emailBox, {
    problemOf: (text) => (isEmailAddress(text) ? "" : vscode.l10n.t("Enter an email address.")),
    submit: async (text, signal) => {
      const email = text.trim();
      const answer = await signIn.requestCode(email, signal);
      return answer.ok
        ? { ok: true, value: startCodeEntry(email, answer.value, Date.now()) }
        : problem(entryFailureText(answer.failure, "email", hostLanguage()));
    },
  });
  if (entry === undefined) return undefined;
  const box = createBox({ title });
  return enterCode(box, signIn, entry, resendButton(), hostLanguage());
}

function resendButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon("mail"), tooltip: vscode.l10n.t("Send a New Code") };
}
