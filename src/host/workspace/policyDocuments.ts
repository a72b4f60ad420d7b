import * as vscode from "vscode";
import { accountKey } from "../../core/account/sessions";
import { lineStartsOf, positionIn } from "../../core/payload/payloadCheck";
import {
  mayChangePolicy,
  mergePolicy,
  policyAccess,
  policyChanges,
  policyQuestion,
  policyText,
  readPolicyText,
} from "../../core/project/policies";
import type { InstalledSkill, PolicyRow } from "../../core/project/project";
import {
  type RegistryFailure,
  type Result,
  registryFailureText,
} from "../../core/registry/registryFailure";
import { labelText, oneLine } from "../../core/text/plainText";
import { sha256 } from "../../engine/sha256";
import { policyScheme } from "../ids";
import type { FileContents } from "../lazyProviders";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, showError, showStatus, warn } from "../ui/messages";
import { Owner } from "../ui/owner";
import { withProgress } from "../ui/progress";
import { showFailure } from "../ui/showNotice";
import type { CurrentProject } from "./currentProject";
import type { ProjectParts } from "./inProject";
import {
  approvalRequestOf,
  type FoundInstall,
  findInstall,
  noPolicyText,
  offerRequest,
} from "./installs/installCommands";
import { makeChange } from "./makeChange";
import type { InProject } from "./signedIn";

/** The last read policy, to distinguish the user's changes from others'. */
interface ReadPolicy {
  readonly policy: PolicyRow;
  readonly mtime: number;
  readonly isReadonly: boolean;
}

/**
 * The policies of a project as documents: `skill-policy:/<project>/<skill>.skill-policy.json`. Saving one shows the
 * changes and asks, sends the whole policy, and reads it again.
 */
export class PolicyDocuments extends Owner implements FileContents {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private readonly known = new Map<string, ReadPolicy>();
  /** Policies that were just read for an editor that is being opened, so that it does not read them again. */
  private readonly opening = new Map<string, PolicyRow>();
  /**
   * The reason for which the editor saves a document, by URI: the user saved it, or the editor does so automatically.
   */
  private readonly reasons = new Map<string, vscode.TextDocumentSaveReason>();

  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly parts: ProjectParts) {
    super();
    this.own(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (document.uri.scheme === policyScheme) this.reasons.set(`${document.uri}`, reason);
      }),
    );
  }

  /** Opens the policy of a skill after reading it. Reports if the role may not change it. */
  async edit(argument: unknown): Promise<void> {
    const found = await findInstall(this.parts, argument, {
      title: vscode.l10n.t("Edit Policy"),
      none: vscode.l10n.t("No skill is installed in this project."),
      isFit: ({ status }) => status !== "removed",
    });
    if (found === undefined) return;
    const { at, skill } = found;
    const uri = policyUri(at, skill);
    const name = `${uri}`;
    const isEdited = vscode.workspace.textDocuments.some(
      (open) => open.isDirty && `${open.uri}` === name,
    );
    if (!isEdited && !(await this.readToOpen(uri, found))) return;
    try {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    } finally {
      this.opening.delete(name);
    }
    if (this.known.get(name)?.isReadonly !== true) return;
    await offerRequest(onlyOwnersText(skill), approvalRequestOf(at, skill));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { policy, mtime, isReadonly } = this.known.get(`${uri}`) ?? (await this.read(uri));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size: bytesOf(policy).length,
      ...(isReadonly && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return bytesOf(this.opening.get(`${uri}`) ?? (await this.read(uri)).policy);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const name = `${uri}`;
    const reason = this.reasons.get(name) ?? vscode.TextDocumentSaveReason.Manual;
    if (reason !== vscode.TextDocumentSaveReason.Manual) {
      throw notSaved(
        vscode.l10n.t("A policy is not saved automatically. Save it when it is complete."),
      );
    }
    const edited = editedPolicy(new TextDecoder().decode(content));
    const before = this.known.get(name) ?? (await this.read(uri));
    const end = await changePolicy(this.parts.project, await this.find(uri), {
      before: before.policy,
      merge: (now) => mergePolicy(before.policy, edited, now),
      read: () => this.find(uri),
    });
    switch (end.kind) {
      case "nothingToChange":
        this.keep(uri, end.found);
        return this.notify(uri);
      case "forbidden":
        throw notSaved(vscode.l10n.t("Only an owner or admin of the organization may do this."));
      case "declined":
        throw notSaved(vscode.l10n.t("The policy is unchanged in the registry."));
      case "failed":
        throw notSaved(vscode.l10n.t("The registry did not confirm the change."));
      case "saved":
        await this.readAgain(uri, end.after, end.found.skill);
    }
  }

  /** Reads a policy again. A registry may store another policy than the sent one. */
  private async readAgain(uri: vscode.Uri, sent: PolicyRow, skill: InstalledSkill): Promise<void> {
    const stored = await this.read(uri).catch(() => undefined);
    const differences = stored === undefined ? [] : policyChanges(sent, stored.policy);
    const name = labelText(skill.name);
    if (differences.length === 0) {
      showStatus("pass", vscode.l10n.t("Policy for {0} saved.", name));
      return;
    }
    const text = vscode.l10n.t(
      "The registry stored a different policy for {0}: {1}.",
      name,
      differences.join(", "),
    );
    void warn(text);
  }

  /** Reads a policy for an editor. False if there is none to edit, which is shown. */
  private async readToOpen(uri: vscode.Uri, install: FoundInstall): Promise<boolean> {
    const found = await readPolicyToChange(this.parts.project, install);
    if (found === undefined) return false;
    const name = `${uri}`;
    // The cached policy may be outdated; an open, unchanged editor then shows the new one.
    this.known.delete(name);
    this.keep(uri, found);
    this.opening.set(name, found.policy);
    this.notify(uri);
    return true;
  }

  private notify(uri: vscode.Uri): void {
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  private async read(uri: vscode.Uri): Promise<ReadPolicy> {
    return this.keep(uri, await this.find(uri));
  }

  private keep(uri: vscode.Uri, { at, skill, policy }: FoundPolicy): ReadPolicy {
    const before = this.known.get(`${uri}`);
    const isSame = before !== undefined && policyChanges(before.policy, policy).length === 0;
    const isReadonly = policyAccess(skill, policy, at.role) === "none";
    // The editor reloads a text only with a new modification time.
    const mtime = isSame ? before.mtime : Math.max(Date.now(), (before?.mtime ?? 0) + 1);
    const read = { policy, mtime, isReadonly };
    this.known.set(`${uri}`, read);
    return read;
  }

  /** Reads a policy from the registry. Rejects with the editor's message if there is none to edit. */
  private async find(uri: vscode.Uri): Promise<FoundPolicy> {
    const { project } = this.parts;
    await project.refreshIfOld();
    const at = await project.inChosen();
    const { state } = project;
    const slug = /\/([^/]+)\.skill-policy\.json$/.exec(uri.path)?.[1];
    if (at === undefined || state.kind !== "project") {
      throw unavailable(vscode.l10n.t("Sign in and choose the project of this policy first."));
    }
    if (state.problem !== undefined) throw unreadable(state.problem);
    const skill = at.detail.skills.find((item) => item.slug === slug);
    if (skill === undefined || policyUri(at, skill).toString() !== uri.toString()) {
      throw unavailable(
        vscode.l10n.t(
          "This policy belongs to another project or account. Switch to that one first.",
        ),
      );
    }
    const read = await readPolicy(project, { at, skill });
    if (!read.ok) throw unreadable(read.failure);
    if (read.value === undefined) throw unavailable(noPolicyText(skill));
    return { at, skill, policy: read.value };
  }
}

/** Explains who may change the policy for a skill. */
export function onlyOwnersText({ name }: InstalledSkill): string {
  return vscode.l10n.t(
    "Only an owner or admin of the organization may change the policy for {0}.",
    name,
  );
}

interface FoundPolicy extends FoundInstall {
  readonly policy: PolicyRow;
}

/** A user's change of a policy. */
interface PolicyEdit {
  /** The policy before the change. If the registry has another one, the user is told. */
  readonly before: PolicyRow;
  /** Applies the change to the registry's current policy. */
  readonly merge: (now: PolicyRow) => PolicyRow;
  /** Reads the registry's current policy. Undefined on failure, which was shown. */
  readonly read: () => Promise<FoundPolicy | undefined>;
}

/** How a change of a policy ended. */
type PolicyEnd =
  | { readonly kind: "saved"; readonly found: FoundPolicy; readonly after: PolicyRow }
  | { readonly kind: "nothingToChange"; readonly found: FoundPolicy }
  /** The role does not allow it. */
  | { readonly kind: "forbidden" }
  | { readonly kind: "declined" }
  /** The registry did not respond or rejected it, and the user was notified. */
  | { readonly kind: "failed" };

/**
 * Asks about a change of a policy until the user agreed to its result on the registry's current policy, and saves it.
 * The whole policy is sent, which would undo changes that others made during the question. So the policy is read again
 * after each answer. `first` is the last read policy. Rejects if `edit.read` does.
 */
export async function changePolicy(
  project: CurrentProject,
  first: FoundPolicy,
  edit: PolicyEdit,
): Promise<PolicyEnd> {
  for (let found = first; ; ) {
    const { at, skill, policy: now } = found;
    const after = edit.merge(now);
    if (policyChanges(now, after).length === 0) return { kind: "nothingToChange", found };
    if (!mayChangePolicy(skill, now, after, at.role)) return { kind: "forbidden" };
    const isChangedElsewhere = found !== first || policyChanges(edit.before, now).length > 0;
    const change = { now, after, isChangedElsewhere };
    const { summary } = at.detail;
    const question = policyQuestion(skill, summary, change, hostLanguage());
    if (!(await confirm(question))) return { kind: "declined" };
    const again = await edit.read();
    if (again === undefined) return { kind: "failed" };
    found = again;
    if (policyChanges(now, again.policy).length > 0) continue;
    const title = vscode.l10n.t("Saving the policy for {0}", labelText(skill.slug));
    const isSaved = await makeChange(project, at, title, (signal) =>
      at.routes.putPolicy(summary.slug, skill.slug, after, signal),
    );
    return isSaved === undefined ? { kind: "failed" } : { kind: "saved", found, after };
  }
}

/** Reads a policy from the registry. Undefined if there is none to change, which is shown. */
export async function readPolicyToChange(
  project: CurrentProject,
  found: FoundInstall,
): Promise<FoundPolicy | undefined> {
  const read = await readPolicy(project, found);
  if (!read.ok) void showFailure(read.failure);
  else if (read.value === undefined) void showError(noPolicyText(found.skill));
  else return { ...found, policy: read.value };
  return undefined;
}

/** Reads a policy from the registry; undefined if the project has none for the skill. */
async function readPolicy(
  project: CurrentProject,
  { at: { routes, detail, session }, skill }: FoundInstall,
): Promise<Result<PolicyRow | undefined>> {
  const read = await withProgress(vscode.l10n.t("Loading the policy"), (signal) =>
    routes.policies(detail.summary.slug, signal),
  );
  if (read.ok) return { ok: true, value: read.value.get(skill.slug)?.row };
  await project.noteFailure(session, read.failure);
  return read;
}

/**
 * Returns the URI of a policy. It contains the account as a short digest, so that a policy is never saved to another
 * project of the same name. The editor shows the URI in its messages.
 */
function policyUri({ detail, session }: InProject, { slug }: InstalledSkill): vscode.Uri {
  return vscode.Uri.from({
    scheme: policyScheme,
    path: `/${detail.summary.slug}/${slug}.skill-policy.json`,
    query: `account=${sha256(accountKey(session)).slice(0, 8)}`,
  });
}

function bytesOf(policy: PolicyRow): Uint8Array {
  return new TextEncoder().encode(policyText(policy));
}

function editedPolicy(text: string): PolicyRow {
  const read = readPolicyText(text, hostLanguage());
  if (read.ok) return read.value;
  const [first] = read.problems;
  const { line } = positionIn(lineStartsOf(text), first?.start ?? 0);
  throw notSaved(vscode.l10n.t("Line {0}: {1}", line + 1, oneLine(first?.message ?? "", 300)));
}

function notSaved(reason: string): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(`${vscode.l10n.t("Not saved.")} ${reason}`);
}

function unreadable(failure: RegistryFailure): vscode.FileSystemError {
  return unavailable(oneLine(registryFailureText(failure, hostLanguage()), 500));
}

function unavailable(reason: string): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(reason);
}
