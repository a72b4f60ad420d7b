import * as vscode from "vscode";
import { projectKeyRows } from "../../core/account/projectKeyRows";
import { reasonProblem, renameWarning } from "../../core/project/changes";
import {
  copyKeyQuestion,
  keyLabel,
  newKeyQuestion,
  rotateKey,
  rotateKeyQuestion,
} from "../../core/project/keyChanges";
import { activeKeys, isRowOf, type ProjectKeyRow } from "../../core/project/project";
import { utcDay } from "../../core/text/dates";
import { labelText } from "../../core/text/plainText";
import type { NewProjectKey } from "../../registry/workspace/workspaceRoutes";
import { currentRegistry } from "../connect/currentRegistry";
import { commandIds } from "../ids";
import { warnUnlessStored } from "../keys/projectKeyCommands";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform, showStatus, warn } from "../ui/messages";
import { readShown, withProgress } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { choose } from "../ui/quickInput/choose";
import { copyOnce } from "./account/copyOnce";
import { inProject, type ProjectParts } from "./inProject";
import { makeChange } from "./makeChange";
import { type InProject, projectIdOf } from "./signedIn";

/** Lists what can be done with Project Keys, and runs the chosen command. */
export async function chooseKeyCommand(parts: ProjectParts): Promise<void> {
  const rows = readKeyRows(parts).then((found) =>
    found.map(({ command, ...row }) => ({ ...row, value: command })),
  );
  const chosen = await choose(rows, { title: vscode.l10n.t("Project Key") });
  if (chosen !== undefined) await vscode.commands.executeCommand(commandIds[chosen]);
}

async function readKeyRows({ project, keys, connection }: ProjectParts) {
  const registry = await currentRegistry(connection);
  const [account, hasKey] = await Promise.all([
    project.accounts.inUse(),
    registry && keys.isSet(registry),
  ]);
  return projectKeyRows({ hasKey, isSignedIn: account !== undefined }, hostLanguage());
}

/** Creates a Project Key for this editor, or to be copied once, as the user chooses. */
export async function createProjectKey(parts: ProjectParts): Promise<void> {
  const create = await choose<() => Promise<unknown>>(
    [
      {
        label: vscode.l10n.t("For This Editor"),
        description: vscode.l10n.t("Kept in its secret storage, not shown"),
        icon: "key",
        value: () => keepNewProjectKey(parts),
      },
      {
        label: vscode.l10n.t("For Use Elsewhere, Such as CI"),
        description: vscode.l10n.t("Copied once, not kept"),
        icon: "copy",
        value: () => copyNewProjectKey(parts),
      },
    ],
    { title: vscode.l10n.t("Create Project Key") },
  );
  await create?.();
}

/**
 * Creates a Project Key and stores it for this editor without showing it. After an earlier consent, asks only about
 * facts that were unknown then. Resolves to the key; undefined if they canceled, or it failed, which was shown.
 */
export async function keepNewProjectKey(
  parts: ProjectParts,
  { isAgreed = false } = {},
): Promise<string | undefined> {
  const at = await inProject(parts);
  if (at === undefined) return undefined;
  const { registry, detail } = at;
  const isOther = (await parts.keys.find(registry)) !== undefined;
  const hasWarning = isOther || renameWarning(detail.summary, hostLanguage()) !== "";
  const question = newKeyQuestion(detail.summary, isOther, hostLanguage());
  const isSure =
    (isAgreed && !hasWarning) || (await confirm({ severity: "information", ...question }));
  const made = isSure ? await createAndKeep(parts, at) : undefined;
  if (made === undefined) return undefined;
  showStatus(
    "key",
    vscode.l10n.t("Project Key {0} created and set for this editor.", made.row.name),
  );
  return made.key;
}

/**
 * Creates a Project Key for use elsewhere, such as CI, and copies it to the clipboard once. It is neither stored here
 * nor shown.
 */
async function copyNewProjectKey(parts: ProjectParts): Promise<void> {
  const at = await inProject(parts);
  if (at === undefined) return;
  const question = copyKeyQuestion(at.detail.summary, hostLanguage());
  if (!(await confirm({ severity: "information", ...question }))) return;
  await copyOnce<NewProjectKey>({
    create: (copy) => createKey(parts, at, "CI", copy),
    textOf: ({ key }) => key,
    revoke: ({ row }) => revoke(parts, at, row, "It could not be copied."),
    askToRevoke: ({ row }) => revokeProjectKey(parts, { kind: "key", key: row }),
    texts: {
      revoked: vscode.l10n.t("The clipboard cannot be used, so the new Project Key was revoked."),
      notRevoked: ({ row }) =>
        vscode.l10n.t(
          "The clipboard cannot be used, and the new Project Key {0} may still be valid. Nobody has it: revoke it.",
          keyLabel(row),
        ),
      copied: ({ row }) =>
        vscode.l10n.t(
          "Project Key {0} copied. Paste it where it is kept as a secret; it cannot be copied again.",
          keyLabel(row),
        ),
    },
  });
}

/**
 * Replaces the key of this editor: creates a new one, stores it, checks that it works, and only then revokes the old
 * one. After any failure, a working key is in use.
 */
export async function rotateProjectKey(parts: ProjectParts): Promise<void> {
  const at = await inProject(parts);
  if (at === undefined) return;
  const { registry, detail } = at;
  const key = await parts.keys.find(registry);
  const rows = await readActiveKeys(at);
  if (rows === undefined) return;
  const old = key === undefined ? undefined : rows.find((row) => isRowOf(row, key));
  if (key === undefined || old === undefined) {
    void inform(
      vscode.l10n.t(
        "This editor uses no Project Key of {0}. Create one first.",
        detail.summary.name,
      ),
    );
    return;
  }
  const question = rotateKeyQuestion(old, detail.summary, hostLanguage());
  if (!(await confirm({ severity: "information", ...question }))) return;
  const end = await rotateKey({
    create: () => createAndKeep(parts, at),
    works: async (made) => {
      const title = vscode.l10n.t("Checking the Project Key");
      const reading = await withProgress(title, (signal) =>
        registry.client.readKey(made.key, signal),
      );
      return reading.kind === "accepted";
    },
    keepOld: async () => {
      await parts.keys.keep(registry, key, projectIdOf(at));
      await parts.project.refresh();
    },
    revokeOld: () => revoke(parts, at, old, "Replaced by a new key."),
  });
  if (end.kind === "oldStays") {
    void warn(
      vscode.l10n.t(
        "The new Project Key {0} could not be checked, so this editor keeps using the old one. Revoke the new one, or rotate again.",
        keyLabel(end.key.row),
      ),
    );
  }
  if (end.kind !== "replaced") return;
  showStatus(
    "key",
    vscode.l10n.t("Project Key replaced by {0}; the old one is revoked.", end.key.row.name),
  );
}

/** Revokes a key of the project, with a reason. Asks which one if none is given. */
export async function revokeProjectKey(parts: ProjectParts, argument: unknown): Promise<void> {
  const at = await inProject(parts);
  if (at === undefined) return;
  const rows = await readActiveKeys(at);
  if (rows === undefined) return;
  const inUse = await parts.keys.find(at.registry);
  const isUsedHere = (row: ProjectKeyRow) => inUse !== undefined && isRowOf(row, inUse);
  const row =
    rows.find(({ id }) => id === keyArgument(argument)) ?? (await chooseKey(rows, isUsedHere));
  if (row === undefined) return;
  const reason = await ask({
    title: vscode.l10n.t(
      "Revoke the Project Key {0} of {1}",
      keyLabel(row),
      at.detail.summary.name,
    ),
    prompt: isUsedHere(row)
      ? vscode.l10n.t(
          "Reason. This editor uses the key: invocations are rejected until you set another one.",
        )
      : vscode.l10n.t(
          "Reason. Requests with this key are rejected from then on; this cannot be undone.",
        ),
    problemOf: (text) => reasonProblem(text, hostLanguage()),
  });
  if (reason === undefined || !(await revoke(parts, at, row, reason))) return;
  // Another key may have come into use during the question.
  const inUseNow = await parts.keys.find(at.registry);
  if (inUseNow !== undefined && isRowOf(row, inUseNow)) {
    await parts.keys.remove(at.registry).catch(() => undefined);
    await parts.project.refresh();
  }
  showStatus("key", vscode.l10n.t("Project Key {0} revoked.", keyLabel(row)));
}

/** Reads all of a project's keys, since its detail lists only the newest. Undefined if that failed, which is shown. */
async function readActiveKeys({
  routes,
  detail,
}: InProject): Promise<readonly ProjectKeyRow[] | undefined> {
  const list = await readShown(vscode.l10n.t("Loading the Project Keys"), (signal) =>
    routes.keys(detail.summary.slug, signal),
  );
  return list && activeKeys(list);
}

/** Reads the key of a command's row in the Project view. */
function keyArgument(argument: unknown): string | undefined {
  const row = (argument ?? {}) as {
    readonly kind?: unknown;
    readonly key?: { readonly id?: unknown };
  };
  return row.kind === "key" && typeof row.key?.id === "string" ? row.key.id : undefined;
}

function chooseKey(
  rows: readonly ProjectKeyRow[],
  isUsedHere: (row: ProjectKeyRow) => boolean,
): Promise<ProjectKeyRow | undefined> {
  return choose(
    rows.map((row) => ({
      label: row.name,
      description: `…${labelText(row.last4, 8)}`,
      detail: isUsedHere(row) ? vscode.l10n.t("used by this editor") : "",
      value: row,
    })),
    {
      title: vscode.l10n.t("Revoke Project Key"),
      placeHolder: vscode.l10n.t("Select the Project Key to revoke"),
      none: vscode.l10n.t("This project has no Project Keys."),
    },
  );
}

/** Creates a key for this editor. The list of keys shows it under the editor's name. */
function createAndKeep(parts: ProjectParts, at: InProject): Promise<NewProjectKey | undefined> {
  return createKey(parts, at, vscode.env.appName, async ({ key }) => {
    // Store the key under its own project, since another one may have been chosen meanwhile.
    const keeping = await parts.keys.keep(at.registry, key, projectIdOf(at));
    warnUnlessStored(keeping, at.registry);
  });
}

/**
 * Creates a Project Key and passes it to `use` before the project is read again, since the registry returns it once,
 * and the window may close meanwhile. Undefined on failure, which was shown.
 */
function createKey(
  { project }: ProjectParts,
  at: InProject,
  user: string,
  use: (made: NewProjectKey) => Promise<unknown>,
): Promise<NewProjectKey | undefined> {
  const title = vscode.l10n.t("Creating a Project Key");
  const name = `${user}, ${utcDay(Date.now())}`;
  return makeChange(project, at, title, async (signal) => {
    const made = await at.routes.createKey(at.detail.summary.slug, name, signal);
    if (made.ok) await use(made.value);
    return made;
  });
}

/** Revokes a key. Resolves to whether the registry confirmed it; else the user was notified. */
async function revoke(
  { project }: ProjectParts,
  at: InProject,
  { id }: ProjectKeyRow,
  reason: string,
): Promise<boolean> {
  const title = vscode.l10n.t("Revoking the Project Key");
  const revoked = await makeChange(project, at, title, (signal) =>
    at.routes.revokeKey(at.detail.summary.slug, id, reason, signal),
  );
  return revoked === true;
}
