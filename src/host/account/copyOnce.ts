import * as vscode from "vscode";
import { copyNewKey } from "../../core/project/keyChanges";
import { inform, showError } from "../ui/messages";

/** A secret that the registry returns only once, to be copied. */
export interface SecretToCopy<Made> {
  /** Creates the secret and passes it to `copy` as soon as it exists. Undefined after a failure, which was shown. */
  readonly create: (copy: (made: Made) => Promise<void>) => Promise<Made | undefined>;
  readonly textOf: (made: Made) => string;
  /** Revokes the secret. Resolves to whether the registry confirmed that. */
  readonly revoke: (made: Made) => Promise<boolean>;
  /** Offers the user to revoke it. */
  readonly askToRevoke: (made: Made) => Promise<unknown>;
  readonly texts: {
    readonly revoked: string;
    readonly notRevoked: (made: Made) => string;
    readonly copied: (made: Made) => string;
  };
}

/** Creates a secret and copies it to the clipboard, once. The secret is neither stored here nor shown. */
export async function copyOnce<Made>(secret: SecretToCopy<Made>): Promise<void> {
  const end = await copyNewKey<Made>({
    create: secret.create,
    copy: (made) => vscode.env.clipboard.writeText(secret.textOf(made)),
    revoke: secret.revoke,
  });
  switch (end.kind) {
    case "notCreated":
      return;
    case "revoked":
      void showError(secret.texts.revoked);
      return;
    case "notRevoked": {
      const again = vscode.l10n.t("Revoke…");
      const answer = await showError(secret.texts.notRevoked(end.key), again);
      if (answer === again) await secret.askToRevoke(end.key);
      return;
    }
    case "copied": {
      const clear = vscode.l10n.t("Clear Clipboard");
      const answer = await inform(secret.texts.copied(end.key), clear);
      const text = secret.textOf(end.key);
      const isStillThere = answer === clear && (await vscode.env.clipboard.readText()) === text;
      if (isStillThere) await vscode.env.clipboard.writeText("");
    }
  }
}
