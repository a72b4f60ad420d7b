import * as vscode from "vscode";
import { type ReadinessText, readinessOf, readinessText } from "../../core/readiness/readiness";
import {
  type Act,
  findKeyOccurrences,
  type KeyOccurrences,
  type ReadinessFacts,
  skippedFolders,
  type TeamSources,
  teamFacts,
} from "../../core/readiness/readinessFacts";
import type { EvidenceLink } from "../../core/readiness/verdict";
import { registryName } from "../../core/registry/registryName";
import {
  policyFileName,
  reviewedRegistry,
  reviewFolder,
  reviewsPath,
} from "../../core/review/files/reviewFiles";
import { brokenReviewsText } from "../../core/review/reviewText";
import { l10nText } from "../../core/text/language";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { sha256 } from "../../engine/sha256";
import type { PolicyCache } from "../connect/policyCache";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { commandIds, readinessScheme, viewIds } from "../ids";
import type { ProjectKeys } from "../keys/projectKeys";
import { rangeIn } from "../marks";
import { KeptDocuments } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { showError } from "../ui/messages";
import { withProgress } from "../ui/progress";
import { showFailure } from "../ui/showNotice";
import { readWorkspaceBytes } from "../workspaceFile";
import { type ReviewedFolder, readerOf, readReviewedFolder } from "./workspaceReviews";

/** The sources of the evidence. They are read only when the user asks for a readiness, and the key is never sent. */
export interface ReadinessSources {
  readonly documents: ReadinessDocuments;
  readonly keys: ProjectKeys;
  readonly policies: PolicyCache;
  readonly history: Pick<InvocationHistory, "list">;
  /** Reads the facts about a skill from this workspace's project, if a user is signed in. */
  readonly projectFacts: (slug: string, signal: AbortSignal) => Promise<ReadinessFacts["project"]>;
}

/** Opens the answers to the five questions for a skill in an editor. */
export async function checkReadiness(
  slug: string,
  registry: ConnectedRegistry,
  sources: ReadinessSources,
): Promise<void> {
  const language = hostLanguage();
  const title = vscode.l10n.t("Checking the readiness of {0}", slug);
  await withProgress(title, async (signal) => {
    const read = readerOf(registry, signal);
    const skill = await read({ slug, version: "" });
    if (!skill.ok) return void showFailure(skill.failure);
    const now = Date.now();
    const folder = await teamFolder();
    if (folder?.reviews.kind === "broken") {
      return void showError(brokenReviewsText(language));
    }
    const name = registryName(registry);
    const wanted = { registry: name, skills: [skill.value.summary.slug] };
    const record = await sources.history
      .list(wanted)
      .catch(() => ({ why: l10nText("The record cannot be read.") }));
    const facts: ReadinessFacts = {
      now,
      skill: skill.value,
      registry: name,
      team: await teamOf(slug, folder, { read, registry: reviewedRegistry(registry) }, now),
      project: await sources.projectFacts(slug, signal),
      ...(await keyOf(slug, registry, sources, signal)),
      record,
    };
    if (signal.aborted) return;
    const text = readinessText(readinessOf(facts, language), language, { hasActs: true });
    await sources.documents.show(slug, text, folder?.root);
  });
}

/** Returns the first folder with reviews, else the first folder. */
async function teamFolder(): Promise<ReviewedFolder | undefined> {
  const folders = await Promise.all(
    (vscode.workspace.workspaceFolders ?? []).map(readReviewedFolder),
  );
  return folders.find(({ reviews }) => reviews.kind !== "none") ?? folders[0];
}

async function teamOf(
  slug: string,
  folder: ReviewedFolder | undefined,
  asked: Pick<TeamSources, "read" | "registry">,
  now: number,
): Promise<ReadinessFacts["team"]> {
  if (folder === undefined) return { why: noFolder };
  if (folder.reviews.kind !== "read") {
    const file = `${reviewFolder}/${policyFileName}`;
    const why = l10nText("There is no {file} in this workspace.", { file });
    return { why, act: "reviewSkill" };
  }
  const { root, reviewsText } = folder;
  const exists = async (file: string) =>
    vscode.workspace.fs.stat(vscode.Uri.joinPath(root.uri, ...file.split("/"))).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
  const { files } = folder.reviews;
  const sources = { files, reviewsText, ...asked, digest: sha256, exists };
  return teamFacts({ slug, version: "" }, sources, now);
}

const noFolder = l10nText("No folder is open.");

async function keyOf(
  slug: string,
  registry: ConnectedRegistry,
  { keys, policies }: ReadinessSources,
  signal: AbortSignal,
): Promise<Pick<ReadinessFacts, "key" | "keyOccurrences">> {
  const found = await keys.examine(registry);
  if (found.kind !== "key") {
    const why = l10nText("There is no Project Key for {registry} here.", {
      registry: registry.name,
    });
    const none = { why, act: "setProjectKey" } as const;
    return { key: none, keyOccurrences: none };
  }
  const last = policies.policyFor(registry, found.key, slug);
  const isRefused = last && last.kind === "refused";
  const key = { last4: found.key.slice(-4), isRefused, at: last?.at ?? Date.now() };
  const isEmpty = (vscode.workspace.workspaceFolders ?? []).length === 0;
  const keyOccurrences = isEmpty
    ? { why: noFolder }
    : await occurrencesInWorkspace(found.key, signal);
  return { key, keyOccurrences };
}

/** The maximum number of files to search. */
const maxFiles = 5000;

/** Searches for the key in all folders of the workspace, since any of them may be shared. */
async function occurrencesInWorkspace(key: string, signal: AbortSignal): Promise<KeyOccurrences> {
  // Files that the editor hides may contain the key as well.
  const hidden = `**/{${skippedFolders.join(",")}}/**`;
  const uris = await vscode.workspace.findFiles("**/*", hidden, maxFiles);
  const files = new Map(uris.map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
  const read = async (name: string, maxBytes: number) => {
    const uri = files.get(name);
    const found = uri && (await readWorkspaceBytes(uri, maxBytes));
    // A link may lead to a file outside the workspace.
    if (found?.kind === "outside") return "";
    return found?.kind === "bytes" ? new TextDecoder().decode(found.bytes) : undefined;
  };
  const names = [...files.keys()];
  return findKeyOccurrences(key, { names, hasMore: uris.length >= maxFiles, read }, signal);
}

/** A readiness, its skill, and the folder to which the paths in its evidence are relative. */
interface ShownReadiness extends ReadinessText {
  readonly slug: string;
  readonly root: vscode.WorkspaceFolder | undefined;
}

/**
 * Shows the readiness of skills as read-only text, `skill-readiness:/<slug> readiness.txt`, with evidence as links.
 * Unlike a dialog, the text can be searched, copied and kept beside other editors. Unlike links in a
 * preview of Markdown, its links can run commands.
 */
export class ReadinessDocuments
  extends KeptDocuments<ShownReadiness>
  implements vscode.DocumentLinkProvider
{
  constructor() {
    super(
      readinessScheme,
      vscode.l10n.t("This report has expired. Run “Skill Registry: Check Readiness…” again."),
    );
    this.own(vscode.languages.registerDocumentLinkProvider({ scheme: readinessScheme }, this));
  }

  /** Opens the text. Replaces the previous one of the same skill. */
  async show(
    slug: string,
    text: ReadinessText,
    root: vscode.WorkspaceFolder | undefined,
  ): Promise<void> {
    const uri = this.keep(`/${slug} readiness.txt`, { ...text, slug, root });
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const shown = this.contents.get(document.uri.path);
    // The ranges fit only this text; the editor may still show that of the previous check.
    if (shown?.text !== document.getText()) return [];
    return shown.links.flatMap(({ start, end, target }) => {
      const uri = linkUri(target, shown);
      return uri === undefined
        ? []
        : [new vscode.DocumentLink(rangeIn(document, { start, end }), uri)];
    });
  }
}

/** Returns the target of a link; undefined for a file without a folder. */
function linkUri(
  target: EvidenceLink | Act,
  { slug, root }: ShownReadiness,
): vscode.Uri | undefined {
  if (target === "statement") return fileUri(reviewsPath, root);
  if (typeof target === "string") {
    const isOfSkill = ["reviewSkill", "installSkill", "editPolicy"].includes(target);
    return commandUri(commandIds[target], ...(isOfSkill ? [slug] : []));
  }
  if ("opens" in target) {
    const { opens, argument } = target;
    const command = opens === "project" ? `${viewIds.project}.focus` : commandIds[opens];
    return commandUri(command, ...(argument === undefined ? [] : [argument]));
  }
  const uri = fileUri(target.file, root);
  return target.line === undefined ? uri : uri?.with({ fragment: `L${target.line + 1}` });
}

/** Returns the URI of a file of the reviewed folder. With several folders, its path starts with the folder's name. */
function fileUri(file: string, root: vscode.WorkspaceFolder | undefined): vscode.Uri | undefined {
  const [first = "", ...rest] = file.split("/");
  const roots = vscode.workspace.workspaceFolders ?? [];
  const named = roots.length > 1 ? roots.find(({ name }) => name === first) : undefined;
  if (named !== undefined) return vscode.Uri.joinPath(named.uri, ...rest);
  return root && vscode.Uri.joinPath(root.uri, ...file.split("/"));
}

function commandUri(command: string, ...args: readonly unknown[]): vscode.Uri {
  return vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify(args))}`);
}
