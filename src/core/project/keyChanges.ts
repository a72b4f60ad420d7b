import type { Language } from "../text/language";
import { type ChangeQuestion, renameWarning } from "./changes";
import type { ProjectKeyRow, ProjectSummary } from "./project";

/** Names a key on screen, with its last characters if the registry returns them. */
export function keyLabel({ name, last4 }: ProjectKeyRow): string {
  return last4 === "" ? name : `${name} (…${last4})`;
}

/** Builds the question whether to create a key for this editor. `isReplacing` if the editor already uses a key. */
export function newKeyQuestion(
  project: ProjectSummary,
  isReplacing: boolean,
  language: Language,
): ChangeQuestion {
  const { t } = language;
  return {
    message: t("Create a Project Key for {project}?", { project: project.name }),
    detail: [
      t("It is kept in the editor's secret storage and not shown."),
      isReplacing
        ? t("It replaces the key this editor uses, which stays valid until it is revoked.")
        : "",
      renameWarning(project, language),
    ].filter((line) => line !== ""),
    agree: t("Create Key"),
  };
}

/** Builds the question whether to create a key for use elsewhere. */
export function copyKeyQuestion(project: ProjectSummary, language: Language): ChangeQuestion {
  const { t } = language;
  return {
    message: t("Create a Project Key for {project} and copy it once?", { project: project.name }),
    detail: [
      t(
        "The key is copied to the clipboard, which other programs can read, and not stored. This editor keeps its own key.",
      ),
      renameWarning(project, language),
    ].filter((line) => line !== ""),
    agree: t("Create and Copy Once"),
  };
}

/** Builds the question whether to replace the key that this editor uses. */
export function rotateKeyQuestion(
  old: ProjectKeyRow,
  project: ProjectSummary,
  language: Language,
): ChangeQuestion {
  const { t } = language;
  return {
    message: t("Replace the Project Key {key} of {project}?", {
      key: keyLabel(old),
      project: project.name,
    }),
    detail: [
      t(
        "A new key is created, stored in this editor and checked; then the old one is revoked. Anything else that uses the old key stops working.",
      ),
      renameWarning(project, language),
    ].filter((line) => line !== ""),
    agree: t("Rotate Key"),
  };
}

/** The steps of creating a key for use elsewhere. A step that fails reports the reason itself. */
interface KeyCopy<Key> {
  /** Creates a key and passes it to `copy` as soon as it exists. */
  readonly create: (copy: (key: Key) => Promise<void>) => Promise<Key | undefined>;
  /** Copies the key for its user. Rejects on failure. */
  readonly copy: (key: Key) => PromiseLike<unknown>;
  readonly revoke: (key: Key) => Promise<boolean>;
}

/** How creating a key for use elsewhere ended. */
type KeyCopyEnd<Key> =
  | { readonly kind: "notCreated" }
  | { readonly kind: "copied"; readonly key: Key }
  /** The key could not be copied, so it was revoked. */
  | { readonly kind: "revoked"; readonly key: Key }
  /** The key could be neither copied nor revoked, so it may still be valid. */
  | { readonly kind: "notRevoked"; readonly key: Key };

/** Creates a key and copies it. Revokes a key that could not be copied, since it cannot be read again. */
export async function copyNewKey<Key>(steps: KeyCopy<Key>): Promise<KeyCopyEnd<Key>> {
  let isCopied = false;
  const key = await steps.create(async (made) => {
    isCopied = await steps.copy(made).then(
      () => true,
      () => false,
    );
  });
  if (key === undefined) return { kind: "notCreated" };
  if (isCopied) return { kind: "copied", key };
  return { kind: (await steps.revoke(key)) ? "revoked" : "notRevoked", key };
}

/** The steps of replacing a key. A step that fails reports the reason itself. */
interface KeyRotation<Key> {
  /** Creates a new key and stores it in place of the old one. */
  readonly create: () => Promise<Key | undefined>;
  readonly works: (key: Key) => Promise<boolean>;
  readonly keepOld: () => Promise<unknown>;
  readonly revokeOld: () => Promise<boolean>;
}

/** How replacing a key ended. A working key is in use after any failure. */
type RotationEnd<Key> =
  | { readonly kind: "notCreated" }
  /** The new key could not be checked. The old one is in use again, and nothing was revoked. */
  | { readonly kind: "oldStays"; readonly key: Key }
  /** The new key is in use, and the old one may still work. */
  | { readonly kind: "notRevoked"; readonly key: Key }
  | { readonly kind: "replaced"; readonly key: Key };

/** Replaces a key: creates and stores a new one, checks it, and only then revokes the old one. */
export async function rotateKey<Key>(steps: KeyRotation<Key>): Promise<RotationEnd<Key>> {
  const key = await steps.create();
  if (key === undefined) return { kind: "notCreated" };
  if (!(await steps.works(key))) {
    await steps.keepOld();
    return { kind: "oldStays", key };
  }
  return { kind: (await steps.revokeOld()) ? "replaced" : "notRevoked", key };
}
