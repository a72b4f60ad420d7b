import * as vscode from "vscode";
import { builtInRegistryName } from "../../core/invocation/record/invocationRecord";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import { skillAtRegistry } from "../../core/review/checkTeam";
import type { ReviewFiles } from "../../core/review/coverage";
import { type TeamStanding, teamStandingName } from "../../core/review/driftText";
import type { NewReview } from "../../core/review/newReview";
import { type ReviewRecording, recordReview } from "../../core/review/recordReview";
import {
  policyFileName,
  type Review,
  reviewFolder,
  reviewsFileName,
} from "../../core/review/reviewFiles";
import {
  contractsOfReviews,
  type LoadedReviewFolder,
  loadReviewFolder,
  maxTeamFileBytes,
  type ReviewFolder,
  type ReviewRecords,
  readReviewedContracts,
  readReviewRecords,
  readTeamTexts,
  type TeamFileReader,
  type TeamText,
} from "../../core/review/reviewFolder";
import {
  type ReviewNote,
  reviewNote,
  rowStanding,
  type TeamReviews,
  teamStanding,
} from "../../core/review/teamStanding";
import { isLatest, type SkillDetail, type SkillSummary } from "../../core/skill/skill";
import { utcDay } from "../../core/text/dates";
import { decodeUtf8 } from "../../core/text/decodeUtf8";
import { runYielding } from "../../registry/runYielding";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { contextKeys } from "../ids";
import { hostLanguage } from "../messages/hostLanguage";
import { readSettings } from "../settings";
import { sha256 } from "../sha256";

/** A checkout changes many files at once: they are read when it is quiet for so long. */
const quietMs = 150;
/** So many skills are remembered as their pages or invocations found them. */
const maxNoted = 2000;

/** A folder of the workspace that reviews skills, its reviews by skill. */
interface ReviewingFolder {
  readonly root: vscode.WorkspaceFolder;
  readonly read: Exclude<ReviewRecords, { kind: "none" }>;
  readonly reviewsOf: ReadonlyMap<string, readonly Review[]>;
  /** What was read, to tell whether it is something else. */
  readonly source: readonly string[];
}

/**
 * Knows how skills stand with the reviews in the folders of the workspace, and tells when that may have
 * changed. Policies and reviews are read at once, a contract when its skill is looked at.
 */
export class WorkspaceReviews implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private reading: Promise<readonly ReviewingFolder[]>;
  /** What was read last, for rows, which do not wait. */
  private known: readonly ReviewingFolder[] = [];
  /** How skills stood, by slug, where more than a row was known of them. */
  private readonly noted = new Map<string, "unreviewed" | "drifted" | undefined>();
  private timer: NodeJS.Timeout | undefined;
  /** How many times the folders were read, or are being read. */
  private reads = 0;
  /** Something changed that listeners do not know of yet. */
  private mustTell = false;

  /** Fires when files of reviews changed, and when a skill turned out to stand otherwise than its row says. */
  readonly onDidChange = this.changed.event;

  constructor() {
    const watcher = vscode.workspace.createFileSystemWatcher(
      `{**/${reviewFolder},**/${reviewFolder}/**}`,
    );
    const reread = () => this.rereadSoon();
    this.subscriptions = [
      this.changed,
      watcher,
      watcher.onDidCreate(reread),
      watcher.onDidChange(reread),
      watcher.onDidDelete(reread),
      vscode.workspace.onDidChangeWorkspaceFolders(reread),
      vscode.workspace.onDidGrantWorkspaceTrust(reread),
    ];
    this.reading = this.read({ isOther: true });
  }

  /** Says how a skill stands, for its page. Undefined in a workspace without reviews. Never rejects. */
  async noteOn(skill: SkillDetail): Promise<ReviewNote | undefined> {
    const folders = await this.readable();
    if (folders.length === 0) return undefined;
    const reviews = await this.reviewsOf(skill.summary.slug, folders);
    const context = { today: today(), isTrusted: vscode.workspace.isTrusted, digest: sha256 };
    const note = reviewNote(reviews, skill, context, hostLanguage());
    if (note !== undefined) this.remember(skill, note.name);
    return note;
  }

  /**
   * Says what speaks against invoking a skill, by what the files say now: word of a change comes late.
   * Undefined where nothing does. Never rejects.
   */
  async objectionTo(skill: SkillDetail): Promise<TeamStanding | undefined> {
    const { slug } = skill.summary;
    const reviews = await this.reviewsOf(slug, await this.readNow());
    if (reviews.files.length + reviews.broken.length === 0) return undefined;
    const standing = teamStanding(reviews, slug, skillAtRegistry(skill, sha256), today());
    const name = teamStandingName(standing);
    this.remember(skill, name);
    return name === "reviewed" ? undefined : standing;
  }

  /** Names what a row marks. Undefined where nothing speaks against its skill. */
  ofRow(skill: SkillSummary): "unreviewed" | "drifted" | undefined {
    const { slug } = skill;
    if (this.known.length === 0 || skill.version === "") return undefined;
    if (this.noted.has(slug)) return this.noted.get(slug);
    const files = this.known.flatMap(({ read, reviewsOf }): ReviewFiles[] =>
      read.kind === "read"
        ? [
            {
              policy: read.records.policy,
              reviews: reviewsOf.get(slug) ?? [],
              contracts: new Map(),
            },
          ]
        : [],
    );
    return rowStanding({ files, broken: [], registry: reviewedRegistryInUse() }, skill, today());
  }

  /** Forgets what the registry said. */
  forget(): void {
    this.noted.clear();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private rereadSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.reading = this.read({ isOther: true });
    }, quietMs);
  }

  /** Reads what the folders say now, and tells of it where it is known or seen to be something else. */
  private async read({ isOther = false } = {}): Promise<readonly ReviewingFolder[]> {
    const roots = vscode.workspace.workspaceFolders ?? [];
    this.mustTell ||= isOther;
    this.reads += 1;
    const { known, reads } = this;
    const all = await Promise.all(roots.map((root) => readRecords(root, known)));
    const folders = all.filter((folder) => folder !== undefined);
    const isSame =
      folders.length === known.length && folders.every((folder, at) => folder === known[at]);
    // A read that was begun later knows better.
    if (reads !== this.reads || (isSame && !this.mustTell)) return folders;
    this.mustTell = false;
    const wasReviewing = this.known.length > 0;
    const isReviewing = folders.length > 0;
    this.known = folders;
    this.noted.clear();
    if (wasReviewing || isReviewing) {
      void vscode.commands.executeCommand("setContext", contextKeys.reviews, isReviewing);
      this.changed.fire();
    }
    return folders;
  }

  /**
   * The folders, read again where a file could not be: it may be there now without a word of it, as those
   * of a file system that an extension brings a moment after the window opened.
   */
  private async readable(): Promise<readonly ReviewingFolder[]> {
    const folders = await this.reading;
    return folders.some(({ read }) => read.kind === "broken") ? this.readNow() : folders;
  }

  private readNow(): Promise<readonly ReviewingFolder[]> {
    this.reading = this.read();
    return this.reading;
  }

  /** What folders say of one skill. */
  private async reviewsOf(slug: string, folders: readonly ReviewingFolder[]): Promise<TeamReviews> {
    const files: ReviewFiles[] = [];
    const broken: string[] = [];
    for (const { root, read, reviewsOf } of folders) {
      const found =
        read.kind === "broken"
          ? read
          : await withContracts(root, { ...read.records, reviews: reviewsOf.get(slug) ?? [] });
      if (found.kind === "read") files.push(found.files);
      if (found.kind === "broken") {
        broken.push(...found.broken.map(({ name }) => `${reviewFolder}/${name}`));
      }
    }
    return { files, broken, registry: reviewedRegistryInUse() };
  }

  private remember({ summary, ...rest }: SkillDetail, name: ReviewNote["name"]): void {
    if (!isLatest({ summary, ...rest }) || name === "unknown") return;
    const { slug } = summary;
    const mark = name === "reviewed" ? undefined : name;
    if (this.noted.size >= maxNoted) this.noted.clear();
    const isNew = this.ofRow(summary) !== mark;
    this.noted.set(slug, mark);
    if (isNew) this.changed.fire();
  }
}

/** Reads a folder. One whose files are what they were is the folder that is `known`: checking them takes a while. */
async function readRecords(
  root: vscode.WorkspaceFolder,
  known: readonly ReviewingFolder[],
): Promise<ReviewingFolder | undefined> {
  const names = [policyFileName, reviewsFileName];
  const { texts, unreadable } = await readTeamTexts(teamFiles(root), names, hostLanguage());
  const source = [root.uri.toString(), JSON.stringify(unreadable), ...[...texts].flat()];
  const same = known.find(
    (folder) =>
      folder.source.length === source.length &&
      folder.source.every((part, at) => part === source[at]),
  );
  if (same !== undefined) return same;
  const read: ReviewRecords =
    unreadable.length > 0
      ? { kind: "broken", broken: unreadable }
      : await runYielding(readReviewRecords(texts, hostLanguage()));
  if (read.kind === "none") return undefined;
  const reviewsOf = new Map<string, Review[]>();
  for (const review of read.kind === "read" ? read.records.reviews : []) {
    const own = reviewsOf.get(review.skill);
    if (own === undefined) reviewsOf.set(review.skill, [review]);
    else own.push(review);
  }
  return { root, read, reviewsOf, source };
}

async function withContracts(
  root: vscode.WorkspaceFolder,
  records: Omit<ReviewFiles, "contracts">,
): Promise<ReviewFolder> {
  const names = contractsOfReviews(records.reviews);
  const { texts, unreadable } = await readTeamTexts(teamFiles(root), names, hostLanguage());
  if (unreadable.length > 0) return { kind: "broken", broken: unreadable };
  return runYielding(readReviewedContracts(records, texts, sha256, hostLanguage()));
}

function today(): string {
  return utcDay(Date.now());
}

/** A folder of the workspace with what its files say of reviewed skills. */
export interface ReviewedFolder extends LoadedReviewFolder {
  readonly root: vscode.WorkspaceFolder;
}

/** Names a registry as reviews do: scheme, host and port, or `built-in`. */
export function reviewedRegistry({
  isBuiltIn,
  origin,
}: Pick<ConnectedRegistry, "isBuiltIn" | "origin">): string {
  return isBuiltIn ? builtInRegistryName : origin;
}

/** Names the registry that the settings ask for, without connecting to it. Empty for an address that cannot be used. */
function reviewedRegistryInUse(): string {
  const { baseUrl } = readSettings();
  if (baseUrl === "") return builtInRegistryName;
  const address = readRegistryOrigin(baseUrl);
  return address.ok ? address.value.origin : "";
}

/** Names a file of a folder's reviews. */
export function reviewUri(root: vscode.WorkspaceFolder, name: string): vscode.Uri {
  return vscode.Uri.joinPath(root.uri, reviewFolder, ...name.split("/"));
}

/** Reads what a folder of the workspace says of reviewed skills. */
export async function readReviewedFolder(root: vscode.WorkspaceFolder): Promise<ReviewedFolder> {
  return { root, ...(await loadReviewFolder(teamFiles(root), sha256, hostLanguage())) };
}

/** Adds a review to what a folder of the workspace says when it is written. */
export function writeReview(
  root: vscode.WorkspaceFolder,
  made: NewReview,
): Promise<ReviewRecording> {
  const write = async (name: string, text: string) =>
    vscode.workspace.fs.writeFile(reviewUri(root, name), new TextEncoder().encode(text));
  return recordReview(made, { ...teamFiles(root), write }, sha256, hostLanguage());
}

/** Reads the folder of reviews in a folder of the workspace, on a disk or not. */
function teamFiles(root: vscode.WorkspaceFolder): TeamFileReader {
  const { fs } = vscode.workspace;
  return {
    list: (folder) =>
      Promise.resolve(fs.readDirectory(reviewUri(root, folder))).then(
        (entries) => entries.map(([name]) => name),
        () => [],
      ),
    read: (name, maxBytes) => findText(reviewUri(root, name), maxBytes),
    work: runYielding,
  };
}

/** Reads a file of the team. Undefined where there is none; one that is too large, or not text, is read as no JSON. */
export async function readTeamText(uri: vscode.Uri): Promise<string | undefined> {
  const found = await findText(uri, maxTeamFileBytes);
  if (found.kind === "tooLarge" || found.kind === "notText") return "";
  return found.kind === "text" ? found.text : undefined;
}

async function findText(uri: vscode.Uri, maxBytes: number): Promise<TeamText> {
  const { fs } = vscode.workspace;
  try {
    const { size, type } = await fs.stat(uri);
    // A link can lead to a device, which never ends.
    if ((type & vscode.FileType.File) === 0) return { kind: "refused", reason: "EINVAL" };
    if (size > maxBytes) return { kind: "tooLarge" };
    return { kind: "text", text: decodeUtf8(await fs.readFile(uri)) };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "notText" };
    const code = error instanceof vscode.FileSystemError ? error.code : String(error);
    // A part of the path that is no folder holds no file either.
    const isNone = code === "FileNotFound" || code === "FileNotADirectory";
    return isNone ? { kind: "none" } : { kind: "refused", reason: code };
  }
}
