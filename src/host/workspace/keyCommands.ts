import * as vscode from "vscode";
import { copyNewKey, reasonProblem, renameWarning, rotateKey } from "../../core/project/changes";
import {
  activeKeys,
  isRowOf,
  type ProjectDetail,
  type ProjectKeyRow,
} from "../../core/project/project";
import { utcDay } from "../../core/text/dates";
import { labelText } from "../../core/text/plainText";
import type { NewProjectKey } from "../../registry/workspace/workspaceRoutes";
import type { ProjectKeys } from "../connect/projectKeys";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform, showError, showStatus, warn } from "../ui/messages";
import { readShown, withProgress } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { choose } from "../ui/quickInput/choose";
import type { CurrentProject } from "./currentProject";
import { makeChange } from "./makeChange";
import type { SignedIn } from "./signedIn";

/** The dependencies of the commands for keys of a project. */
export interface KeyParts {
  readonly project: CurrentProject;
  readonly keys: ProjectKeys;
  /** Lets the user sign in and choose a project where needed. Undefined where they did not. */
  readonly inProject: () => Promise<InProject | undefined>;
}

/** A signed-in user, and the last read state of their project. */
export interface InProject extends SignedIn {
  readonly detail: ProjectDetail;
  /** The role when the project was read; empty where the registry did not return it. */
  readonly role: string;
}

/** The required age of a project's state: at most a minute old, or read from now on. */
export type ProjectReading = "recent" | "anew";

/** Creates a Project Key for this editor, or to be copied once, as the user chooses. */
export async function createProjectKey(parts: KeyParts): Promise<void> {
  const place = await choose(
    [
      {
        label: vscode.l10n.t("For This Editor"),
        description: vscode.l10n.t("Kept in its secret storage, not shown"),
        icon: "key",
        value: "keep" as const,
      },
      {
        label: vscode.l10n.t("For Use Elsewhere, Such as CI"),
        description: vscode.l10n.t("Copied once, not kept"),
        icon: "copy",
        value: "copy" as const,
      },
    ],
    { title: vscode.l10n.t("Create Project Key") },
  );
  if (place === "keep") await keepNewProjectKey(parts);
  if (place === "copy") await copyNewProjectKey(parts);
}

/**
 * Creates a Project Key and stores it for this editor without showing it. Where the user agreed to one before, only
 * what they could not know then is asked. Resolves to the key; undefined where they canceled, or it failed and they
 * were notified.
 */
export async function keepNewProjectKey(
  parts: KeyParts,
  { isAgreed = false } = {},
): Promise<string | undefined> {
  const at = await parts.inProject();
  if (at === undefined) return undefined;
  const { registry, detail } = at;
  const has = (await parts.keys.find(registry)) !== undefined;
  const renaming = renameWarning(detail.summary, hostLanguage());
  const question = {
    severity: "information",
    message: vscode.l10n.t("Create a Project Key for {0}?", detail.summary.name),
    detail: [
      vscode.l10n.t("It is kept in the editor's secret storage and not shown."),
      has
        ? vscode.l10n.t(
            "It replaces the key this editor uses, which stays valid until it is revoked.",
          )
        : "",
      renaming,
    ],
    agree: vscode.l10n.t("Create Key"),
  } as const;
  const isAsked = !isAgreed || has || renaming !== "";
  if (isAsked && !(await confirm(question))) return undefined;
  const made = await createAndKeep(parts, at);
  if (made === undefined) return undefined;
  showStatus(
    "key",
    vscode.l10n.t("Project Key {0} created and set for this editor.", made.row.name),
  );
  return made.key;
}

/**
 * Creates a Project Key for use elsewhere, for instance CI, and copies it to the clipboard, once: it is
 * neither stored here nor shown.
 */
async function copyNewProjectKey(parts: KeyParts): Promise<void> {
  const at = await parts.inProject();
  if (at === undefined) return;
  const { slug, name } = at.detail.summary;
  const isSure = await confirm({
    severity: "information",
    message: vscode.l10n.t("Create a Project Key for {0} and copy it once?", name),
    detail: [
      vscode.l10n.t(
        "The key is copied to the clipboard, which other programs can read, and not stored. This editor keeps its own key.",
      ),
      renameWarning(at.detail.summary, hostLanguage()),
    ],
    agree: vscode.l10n.t("Create and Copy Once"),
  });
  if (!isSure) return;
  const revoking = vscode.l10n.t("Revoking the Project Key");
  const end = await copyNewKey<NewProjectKey>({
    create: (copy) => createKey(parts, at, `CI, ${utcDay(Date.now())}`, copy),
    copy: ({ key }) => vscode.env.clipboard.writeText(key),
    revoke: async ({ row }) =>
      (await makeChange(parts.project, at, revoking, (signal) =>
        at.routes.revokeKey(slug, row.id, "It could not be copied.", signal),
      )) === true,
  });
  if (end.kind === "notCreated") return;
  if (end.kind === "revoked") {
    void showError(
      vscode.l10n.t("The clipboard cannot be used, so the new Project Key was revoked."),
    );
    return;
  }
  const made = end.key;
  if (end.kind === "notRevoked") {
    const revoke = vscode.l10n.t("Revoke…");
    const answer = await showError(
      vscode.l10n.t(
        "The clipboard cannot be used, and the new Project Key {0} may still be valid. Nobody has it: revoke it.",
        nameOf(made.row),
      ),
      revoke,
    );
    if (answer === revoke) await revokeProjectKey(parts, { kind: "key", key: made.row });
    return;
  }
  const clear = vscode.l10n.t("Clear Clipboard");
  const answer = await inform(
    vscode.l10n.t(
      "Project Key {0} copied. Paste it where it is kept as a secret; it cannot be copied again.",
      nameOf(made.row),
    ),
    clear,
  );
  const isStillThere = answer === clear && (await vscode.env.clipboard.readText()) === made.key;
  if (isStillThere) await vscode.env.clipboard.writeText("");
}

/**
 * Replaces the key this editor uses: creates a new one, stores it, checks that it works, and only then
 * revokes the old one. Whatever fails, a working key is in use.
 */
export async function rotateProjectKey(parts: KeyParts): Promise<void> {
  const at = await parts.inProject();
  if (at === undefined) return;
  const { registry, routes, detail } = at;
  const key = await parts.keys.find(registry);
  // The project's detail lists only its newest keys; the one in use may be older.
  const list = await readShown(vscode.l10n.t("Loading the Project Keys"), (signal) =>
    routes.keys(detail.summary.slug, signal),
  );
  if (list === undefined) return;
  const old = key === undefined ? undefined : activeKeys(list).find((row) => isRowOf(row, key));
  if (key === undefined || old === undefined) {
    void inform(
      vscode.l10n.t(
        "This editor uses no Project Key of {0}. Create one first.",
        detail.summary.name,
      ),
    );
    return;
  }
  const isSure = await confirm({
    severity: "information",
    message: vscode.l10n.t("Replace the Project Key {0} of {1}?", nameOf(old), detail.summary.name),
    detail: [
      vscode.l10n.t(
        "A new key is created, stored in this editor and checked; then the old one is revoked. Anything else that uses the old key stops working.",
      ),
      renameWarning(detail.summary, hostLanguage()),
    ],
    agree: vscode.l10n.t("Rotate Key"),
  });
  if (!isSure) return;
  const revoking = vscode.l10n.t("Revoking the Project Key");
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
      await parts.keys.keep(registry, key);
      await parts.project.refresh();
    },
    revokeOld: async () =>
      (await makeChange(parts.project, at, revoking, (signal) =>
        routes.revokeKey(detail.summary.slug, old.id, "Replaced by a new key.", signal),
      )) === true,
  });
  if (end.kind === "oldStays") {
    void warn(
      vscode.l10n.t(
        "The new Project Key {0} could not be checked, so this editor keeps using the old one. Revoke the new one, or rotate again.",
        nameOf(end.key.row),
      ),
    );
  }
  if (end.kind !== "replaced") return;
  showStatus(
    "key",
    vscode.l10n.t("Project Key replaced by {0}; the old one is revoked.", end.key.row.name),
  );
}

/** Revokes a key of the project, chosen where none is given, with a reason. */
export async function revokeProjectKey(parts: KeyParts, argument: unknown): Promise<void> {
  const at = await parts.inProject();
  if (at === undefined) return;
  const { registry, routes, detail } = at;
  const { slug, name } = detail.summary;
  const list = await readShown(vscode.l10n.t("Loading the Project Keys"), (signal) =>
    routes.keys(slug, signal),
  );
  if (list === undefined) return;
  const inUse = await parts.keys.find(registry);
  const isUsedHere = (row: ProjectKeyRow) => inUse !== undefined && isRowOf(row, inUse);
  const rows = activeKeys(list);
  const row =
    rows.find(({ id }) => id === keyArgument(argument)) ?? (await chooseKey(rows, isUsedHere));
  if (row === undefined) return;
  const reason = await ask({
    title: vscode.l10n.t("Revoke the Project Key {0} of {1}", nameOf(row), name),
    prompt: isUsedHere(row)
      ? vscode.l10n.t(
          "Reason. This editor uses the key: invocations are rejected until you set another one.",
        )
      : vscode.l10n.t(
          "Reason. Requests with this key are rejected from then on; this cannot be undone.",
        ),
    problemOf: (text) => reasonProblem(text, hostLanguage()),
  });
  if (reason === undefined) return;
  const title = vscode.l10n.t("Revoking the Project Key");
  const revoked = await makeChange(parts.project, at, title, (signal) =>
    routes.revokeKey(slug, row.id, reason, signal),
  );
  if (revoked !== true) return;
  if (isUsedHere(row)) {
    await parts.keys.remove(registry).catch(() => undefined);
    await parts.project.refresh();
  }
  showStatus("key", vscode.l10n.t("Project Key {0} revoked.", nameOf(row)));
}

/** Reads the key a command was run on: a row of the Project view. */
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

function createAndKeep(parts: KeyParts, at: InProject) {
  return createKey(parts, at, keyName(), ({ key }) => keepKey(parts, at, key));
}

/**
 * Creates a Project Key and passes it to `use` before the project is read again: the registry returns it
 * once, and the window may close during that read. Undefined where it failed and the user was notified.
 */
function createKey(
  { project }: KeyParts,
  at: InProject,
  name: string,
  use: (made: NewProjectKey) => Promise<unknown>,
): Promise<NewProjectKey | undefined> {
  const title = vscode.l10n.t("Creating a Project Key");
  return makeChange(project, at, title, async (signal) => {
    const made = await at.routes.createKey(at.detail.summary.slug, name, signal);
    if (made.ok) await use(made.value);
    return made;
  });
}

async function keepKey({ keys }: KeyParts, { registry }: InProject, key: string): Promise<void> {
  const keeping = await keys.keep(registry, key);
  if (keeping !== "secretStorage" && !registry.isBuiltIn) {
    void warn(
      vscode.l10n.t(
        "The editor's secret storage cannot be used, so the Project Key is kept until this window closes. It is not written anywhere.",
      ),
    );
  }
}

/** Names the key in the list by where it is used. */
function keyName(): string {
  return `${vscode.env.appName}, ${utcDay(Date.now())}`;
}

function nameOf({ name, last4 }: ProjectKeyRow): string {
  return last4 === "" ? name : `${name} (…${last4})`;
}
