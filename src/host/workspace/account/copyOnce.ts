import * as vscode from "vscode";
import { copyNewKey } from "../../../core/project/keyChanges";
import { offer, showError } from "../../ui/messages";

/** A secret that the registry returns only once, to be copied. */
interface SecretToCopy<Made> {
  /** Creates the secret and passes it to `copy` as soon as it exists. Undefined after a failure, which was shown. */
  readonly create: (copy: (made: Made) => Promise<void>) => Promise<Made | undefined>;
  readonly textOf: (made: Made) => string;
  /** Revokes the secret. Resolves to whether the registry confirmed that. */
  readonly revoke: (made: Made) => Promise<boolean>;
  /** Lets the user revoke the secret. */
  readonly askToRevoke: (made: Made) => Promise<unknown>;
  readonly texts: {
    readonly revoked: string;
    readonly notRevoked: (made: Made) => string;
    readonly copied: (made: Made) => string;
  };
}

/** Creates a secret and copies it to the clipboard, once. The secret is neither stored here nor shown. */
export async function copyOnce<Made>(secret: SecretToCopy<Made>): Promise<void> {
  const result = await copyNewKey<Made>({
    create: secret.create,
    copy: (made) => vscode.env.clipboard.writeText(secret.textOf(made)),
    revoke: secret.revoke,
  });
  switch (result.kind) {
    case "notCreated":
      return;
    case "revoked":
      void showError(secret.texts.revoked);
      return;
    case "notRevoked": {
      const revoke = () => secret.askToRevoke(result.key);
      return offer(
        secret.texts.notRevoked(result.key),
        vscode.l10n.t("Revoke…"),
        revoke,
        showError,
      );
    }
    case "copied": {
      const { clipboard } = vscode.env;
      return offer(secret.texts.copied(result.key), vscode.l10n.t("Clear Clipboard"), async () => {
        const isStillThere = (await clipboard.readText()) === secret.textOf(result.key);
        if (isStillThere) await clipboard.writeText("");
      });
    }
  }
}
