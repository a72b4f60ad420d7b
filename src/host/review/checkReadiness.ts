import * as vscode from "vscode";
import { registryName } from "../../core/invocation/record/invocationRecord";
import { readinessOf } from "../../core/readiness/readiness";
import {
  type Evidence,
  type Fact,
  findKeyOccurrences,
  type KeyFacts,
  type KeyOccurrences,
  known,
  notKnown,
  type ProjectFacts,
  type ReadinessAddition,
  type ReadinessFacts,
  skippedFolders,
  type TeamFacts,
  type TeamSources,
  teamFacts,
} from "../../core/readiness/readinessFacts";
import {
  type ReadinessPart,
  type ReadinessText,
  readinessText,
} from "../../core/readiness/readinessText";
import {
  policyFileName,
  reviewedRegistry,
  reviewFolder,
  reviewsFileName,
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
import { type ReviewedFolder, readerOf, readReviewedFolder, reviewUri } from "./workspaceReviews";

/** The sources of the evidence. They are read only when the user asks for a readiness, and the key is never sent. */
export interface ReadinessSources {
  readonly documents: ReadinessDocuments;
  readonly keys: ProjectKeys;
  readonly policies: PolicyCache;
  readonly history: Pick<InvocationHistory, "list">;
  /** Reads the facts about a skill from this workspace's project, if a user is signed in. */
  readonly projectFacts: (slug: string, signal: AbortSignal) => Promise<Fact<ProjectFacts>>;
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
    const record = await sources.history.list(wanted).then(
      (records) => known(records, now),
      () => notKnown(l10nText("The record cannot be read.")),
    );
    const facts: ReadinessFacts = {
      now,
      skill: skill.value,
      registry: name,
      folder: await teamOf(slug, folder, { read, registry: reviewedRegistry(registry) }, now),
      project: await sources.projectFacts(slug, signal),
      ...(await keyOf(slug, registry, sources, signal)),
      record,
    };
    if (signal.aborted) return;
    const text = readinessText(readinessOf(facts, language), language, { additions: true });
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
): Promise<Fact<TeamFacts>> {
  if (folder === undefined) return notKnown(l10nText("No folder is open."));
  if (folder.reviews.kind !== "read") {
    const file = `${reviewFolder}/${policyFileName}`;
    return notKnown(l10nText("There is no {file} in this workspace.", { file }), "review");
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

async function keyOf(
  slug: string,
  registry: ConnectedRegistry,
  { keys, policies }: ReadinessSources,
  signal: AbortSignal,
): Promise<{ readonly key: Fact<KeyFacts>; readonly keyOccurrences: Fact<KeyOccurrences> }> {
  const found = await keys.examine(registry);
  if (found.kind !== "key") {
    const none = notKnown(
      l10nText("There is no Project Key for {registry} here.", { registry: registry.name }),
      "key",
    );
    return { key: none, keyOccurrences: none };
  }
  const { key } = found;
  const last = policies.policyFor(registry, key, slug);
  const isRefused = last === undefined ? undefined : last.kind === "refused";
  const fact = known({ last4: key.slice(-4), isRefused }, last?.at ?? Date.now());
  if ((vscode.workspace.workspaceFolders ?? []).length === 0)
    return { key: fact, keyOccurrences: notKnown(l10nText("No folder is open.")) };
  return { key: fact, keyOccurrences: await occurrencesInWorkspace(key, signal) };
}

/** The maximum number of files to search. */
const maxFiles = 5000;

/** Searches for the key in all folders of the workspace, since any of them may be shared. */
async function occurrencesInWorkspace(
  key: string,
  signal: AbortSignal,
): Promise<Fact<KeyOccurrences>> {
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

/** The semantic token type of each part. package.json maps these to scopes that themes color. */
const tokenTypes: Readonly<Record<ReadinessPart, string>> = {
  heading: "readinessHeading",
  time: "readinessTime",
  yes: "readinessYes",
  no: "readinessNo",
  notKnown: "readinessNotKnown",
};
const legend = new vscode.SemanticTokensLegend(Object.values(tokenTypes));

/**
 * Shows the readiness of skills as read-only text, `skill-readiness:/<slug> readiness.txt`, with evidence as links and
 * colored answers. Unlike a dialog, the text can be searched, copied and kept beside other editors. Unlike links in a
 * preview of Markdown, its links can run commands.
 */
export class ReadinessDocuments
  extends KeptDocuments<ShownReadiness>
  implements vscode.DocumentLinkProvider, vscode.DocumentSemanticTokensProvider
{
  constructor() {
    super(
      readinessScheme,
      vscode.l10n.t("This report has expired. Run “Skill Registry: Check Readiness…” again."),
    );
    this.own(
      vscode.languages.registerDocumentLinkProvider({ scheme: readinessScheme }, this),
      vscode.languages.registerDocumentSemanticTokensProvider(
        { scheme: readinessScheme },
        this,
        legend,
      ),
    );
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
    const shown = this.shownIn(document);
    if (shown === undefined) return [];
    return shown.links.flatMap(({ start, end, target: linked }) => {
      const target =
        linked.kind === "add" ? additionUri(linked.addition, shown) : targetOf(linked, shown.root);
      if (target === undefined) return [];
      return [new vscode.DocumentLink(rangeIn(document, { start, end }), target)];
    });
  }

  provideDocumentSemanticTokens(document: vscode.TextDocument): vscode.SemanticTokens {
    const builder = new vscode.SemanticTokensBuilder(legend);
    for (const { start, end, part } of this.shownIn(document)?.parts ?? []) {
      builder.push(rangeIn(document, { start, end }), tokenTypes[part]);
    }
    return builder.build();
  }

  /**
   * Returns the shown readiness. Undefined while the editor still has the text of the previous check, since the ranges
   * would not fit.
   */
  private shownIn(document: vscode.TextDocument): ShownReadiness | undefined {
    const shown = this.contents.get(document.uri.path);
    return shown?.text === document.getText() ? shown : undefined;
  }
}

/**
 * Returns the link target of a remedy: the file of reviews for a statement, else a command. Undefined without a folder.
 */
function additionUri(
  addition: ReadinessAddition,
  { slug, root }: ShownReadiness,
): vscode.Uri | undefined {
  switch (addition) {
    case "review":
      return commandUri(commandIds.reviewSkill, slug);
    case "statement":
      return root && reviewUri(root, reviewsFileName);
    case "signIn":
      return commandUri(commandIds.signIn);
    case "project":
      return commandUri(commandIds.chooseProject);
    case "key":
      return commandUri(commandIds.setProjectKey);
  }
}

/** Returns the link target of evidence; undefined if there is nothing to open. */
function targetOf(
  evidence: Evidence,
  root: vscode.WorkspaceFolder | undefined,
): vscode.Uri | undefined {
  switch (evidence.kind) {
    case "skill":
      return commandUri(commandIds.openSkill, evidence.slug);
    case "file": {
      const { file, line } = evidence;
      const uri = fileUri(file, root);
      return line === undefined ? uri : uri?.with({ fragment: `L${line + 1}` });
    }
    case "project":
      return commandUri(`${viewIds.project}.focus`);
    case "invocation":
      return commandUri(commandIds.openInvocation, { id: evidence.id });
    case "registry":
      return commandUri(commandIds.checkProjectKey);
    case "files":
      return undefined;
  }
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
