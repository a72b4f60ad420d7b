import * as vscode from "vscode";
import {
  activeTokens,
  mayCreateTokens,
  type NewToken,
  revokeTokenQuestion,
  type TokenRow,
  tokenFacts,
  tokenLabel,
  tokenNameProblem,
  tokenQuestion,
} from "../../../core/account/tokens";
import { utcDay } from "../../../core/text/dates";
import { hostLanguage } from "../../ui/hostLanguage";
import { confirm, inform, showStatus } from "../../ui/messages";
import { readShown } from "../../ui/progress";
import { ask } from "../../ui/quickInput/ask";
import { choose } from "../../ui/quickInput/choose";
import { makeChange } from "../makeChange";
import type { SignedIn } from "../signedIn";
import { type AccountParts, signedInUser, signOut } from "./accountCommands";
import { copyOnce } from "./copyOnce";

/**
 * Creates a user token for CI and copies it once. It belongs to the signed-in person and is listed in their sessions.
 * The question warns that the token never expires and has the person's role: registries offer no other tokens.
 */
export async function createCiToken(parts: AccountParts): Promise<void> {
  const who = await signedInUser(parts);
  if (who === undefined) return;
  const { session, routes } = who;
  if (!mayCreateTokens(session.role)) {
    void inform(
      vscode.l10n.t(
        "Only an owner or admin of {0} may create a token. Ask one of them, or sign in with another account.",
        session.organization,
      ),
    );
    return;
  }
  const name = await ask({
    title: vscode.l10n.t("Create Token for CI"),
    prompt: vscode.l10n.t("What will use it. Sessions… shows this name."),
    value: ["CI", vscode.workspace.workspaceFolders?.[0]?.name, utcDay(Date.now())]
      .filter((part) => part !== undefined)
      .join(" "),
    problemOf: (text) => tokenNameProblem(text, hostLanguage()),
  });
  if (name === undefined) return;
  if (!(await confirm(tokenQuestion(name, session, hostLanguage())))) return;
  await copyOnce<NewToken>({
    create: (copy) =>
      makeChange(parts.project, who, vscode.l10n.t("Creating the token"), async (signal) => {
        const answer = await routes.createToken(session.userId, name, signal);
        if (answer.ok) await copy(answer.value);
        return answer;
      }),
    textOf: ({ token }) => token,
    revoke: ({ row }) => revoke(parts, who, row),
    askToRevoke: () => showSessions(parts),
    texts: {
      revoked: vscode.l10n.t("The clipboard cannot be used, so the new token was revoked."),
      notRevoked: ({ row }) =>
        vscode.l10n.t(
          "The clipboard cannot be used, and the new token {0} may still be valid. Nobody has it: revoke it.",
          tokenLabel(row),
        ),
      copied: ({ row }) =>
        vscode.l10n.t(
          "Token {0} copied. Paste it as the secret SKILL_REGISTRY_USER_TOKEN of CI; it cannot be copied again.",
          tokenLabel(row),
        ),
    },
  });
}

/**
 * Lists the person's valid sessions and tokens, including those of other editors, and revokes the chosen one. For the
 * current session, offers to sign out.
 */
export async function showSessions(parts: AccountParts): Promise<void> {
  const who = await signedInUser(parts);
  if (who === undefined) return;
  const rows = await readShown(vscode.l10n.t("Loading the sessions"), async (signal) => {
    const answer = await who.routes.tokens(signal);
    if (!answer.ok) await parts.project.noteFailure(who.session, answer.failure);
    return answer;
  });
  if (rows === undefined) return;
  const chosen = await choose(
    activeTokens(rows).map((row) => ({
      label: tokenLabel(row),
      description: row.isCurrent ? vscode.l10n.t("this editor") : "",
      detail: tokenFacts(row, hostLanguage()),
      icon: row.isCurrent ? "vm-active" : "vm",
      value: row,
    })),
    {
      title: vscode.l10n.t("Sessions and Tokens of {0}", who.session.email),
      placeHolder: vscode.l10n.t("Select one to revoke it"),
      none: vscode.l10n.t("The registry lists no session of yours."),
    },
  );
  if (chosen === undefined) return;
  if (chosen.isCurrent) return signOut(parts);
  if (!(await confirm(revokeTokenQuestion(chosen, hostLanguage())))) return;
  if (await revoke(parts, who, chosen)) {
    showStatus("vm-outline", vscode.l10n.t("{0} is revoked.", tokenLabel(chosen)));
  }
}

async function revoke(parts: AccountParts, who: SignedIn, { id }: TokenRow): Promise<boolean> {
  const title = vscode.l10n.t("Revoking the session");
  const done = await makeChange(parts.project, who, title, (signal) =>
    who.routes.revokeSession(id, signal),
  );
  return done !== undefined;
}
