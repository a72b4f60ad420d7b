import * as vscode from "vscode";
import type { WorkspacePolicies } from "../../core/agents/agentPolicy";
import {
  contractParts,
  type ReadSkill,
  readVersion,
  skillAtRegistry,
} from "../../core/review/checkTeam";
import {
  type ReviewFiles,
  reviewedContract,
  reviewedElsewhere,
  reviewsBySkill,
} from "../../core/review/coverage";
import { type Review, reviewFolder, reviewsFileName } from "../../core/review/files/reviewFiles";
import {
  type BrokenFile,
  contractsOfReviews,
  type LoadedReviewFolder,
  loadContracts,
  loadReviewFolder,
  readReviewRecords,
  readTeamTexts,
  recordFiles,
  type TeamFileReader,
} from "../../core/review/files/reviewFolder";
import { type NewReview, type ReviewRecording, recordReview } from "../../core/review/newReview";
import { type TeamStanding, teamStandingName } from "../../core/review/standing";
import {
  missingReviewKey,
  type ReviewNote,
  type RowStanding,
  reviewNote,
  rowStanding,
  type TeamReviews,
  teamStanding,
} from "../../core/review/teamStanding";
import type { KnownContract } from "../../core/skill/compare/contract";
import { isLatest, type SkillDetail, type SkillSummary } from "../../core/skill/skill";
import { utcDay } from "../../core/text/dates";
import { sha256 } from "../../engine/sha256";
import { runYielding, Timer } from "../../registry/wait";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { reviewedRegistryAt, type WindowPlace } from "../environments/windowPlace";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { LatestRequest } from "../ui/wait";
import { readWorkspaceFile } from "../workspaceFile";

/** The time without changes before files are read, in milliseconds. A checkout changes many at once. */
const quietMs = 150;
/** The maximum number of skills in `noted`. */
const maxNoted = 2000;

/** A folder of the workspace with reviews, by skill. */
interface ReviewingFolder {
  readonly root: vscode.WorkspaceFolder;
  /** Undefined if a file is broken. */
  readonly records: Omit<ReviewFiles, "contracts"> | undefined;
  readonly broken: readonly BrokenFile[];
  readonly reviewsOf: ReadonlyMap<string, readonly Review[]>;
  /** The files that were read, to detect changes. */
  readonly source: readonly string[];
}

/**
 * Tracks the standing of skills with the reviews in the folders of the workspace, and fires when it may have changed.
 * Reads policies and reviews immediately, and a contract when its skill is needed.
 */
export class WorkspaceReviews extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private reading: Promise<readonly ReviewingFolder[]>;
  /** The folders as last read. Rows use them, since they cannot wait. */
  private known: readonly ReviewingFolder[] = [];
  /** The standings of skills that were read whole, by slug. They are more exact than the standing judged from a row. */
  private readonly noted = new Map<string, RowStanding>();
  private readonly quiet = this.own(new Timer());
  /** The contracts whose missing review the user accepted in this window. */
  private readonly accepted = new Set<string>();
  private readonly reads = new LatestRequest();
  /** Whether listeners have not been told of a change yet. */
  private mustFire = false;

  /** Fires when files of reviews changed, and when a skill's standing turns out to differ from the one in its row. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly place: Pick<WindowPlace, "address">) {
    super();
    const watcher = this.own(
      vscode.workspace.createFileSystemWatcher(`{**/${reviewFolder},**/${reviewFolder}/**}`),
    );
    const reread = () =>
      this.quiet.after(quietMs, () => {
        this.reading = this.read({ isOther: true });
      });
    this.own(
      watcher.onDidCreate(reread),
      watcher.onDidChange(reread),
      watcher.onDidDelete(reread),
      vscode.workspace.onDidChangeWorkspaceFolders(reread),
      vscode.workspace.onDidGrantWorkspaceTrust(reread),
    );
    this.reading = this.read({ isOther: true });
  }

  /** Returns whether a folder of the workspace has files of reviews. Never rejects. */
  async isReviewing(): Promise<boolean> {
    return (await this.reading).length > 0;
  }

  /** Describes the standing of a skill for its page. Undefined in a workspace without reviews. Never rejects. */
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
   * Returns the objection to invoking a skill. Reads the files again, since file events come late. Undefined without an
   * objection, and if the user accepted that this contract has no review; agents are not covered by that answer. Never
   * rejects.
   */
  async objectionTo(
    skill: SkillDetail,
    { isAgent }: { readonly isAgent: boolean },
  ): Promise<TeamStanding | undefined> {
    const { slug } = skill.summary;
    const reviews = await this.reviewsOf(slug, await this.readNow());
    if (reviews.files.length + reviews.broken.length === 0) return undefined;
    const standing = teamStanding(reviews, slug, skillAtRegistry(skill, sha256), today());
    const name = teamStandingName(standing);
    this.remember(skill, name);
    const key = missingReviewKey(standing, skill, reviews.registry, sha256);
    const isAccepted = !isAgent && key !== undefined && this.accepted.has(key);
    return name === "reviewed" || isAccepted ? undefined : standing;
  }

  /** Returns the contract of a version that the workspace reviewed. None in an untrusted workspace. Never rejects. */
  async reviewedContract({ slug, version }: SkillSummary): Promise<KnownContract | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    const { files, registry } = await this.reviewsOf(slug, await this.readNow());
    return files
      .map((file) => reviewedContract(file, { slug, registry, version }))
      .find((contract) => contract !== undefined);
  }

  /** Returns the folders' policies for agents, from newly read files. Never rejects. */
  async agentPolicies(): Promise<WorkspacePolicies> {
    const folders = await this.readNow();
    if (folders.some(({ records }) => records === undefined)) return "unreadable";
    return folders.flatMap(({ records }) => records?.policy.agents ?? []);
  }

  /**
   * Remembers that the user invokes a skill despite an objection, so that each window asks once about a missing review.
   */
  accept(skill: SkillDetail, objection: TeamStanding): void {
    const key = missingReviewKey(objection, skill, reviewedRegistryAt(this.place.address), sha256);
    if (key !== undefined) this.accepted.add(key);
  }

  /**
   * Returns the mark of a row. Undefined if its skill needs no review. In an untrusted workspace, also undefined for a
   * good standing, since the workspace's author could vouch for anything.
   */
  ofRow(skill: SkillSummary): RowStanding | undefined {
    const { slug } = skill;
    if (this.known.length === 0 || skill.version === "") return undefined;
    const files = this.known.flatMap((folder) => {
      const records = recordsOn(slug, folder);
      return records === undefined ? [] : [{ ...records, contracts: new Map() }];
    });
    const broken = this.known.flatMap((folder) => folder.broken.map(({ name }) => name));
    const reviews = { files, broken, registry: reviewedRegistryAt(this.place.address) };
    const standing = rowStanding(reviews, skill, today(), this.noted.get(slug));
    return standing === "reviewed" && !vscode.workspace.isTrusted ? undefined : standing;
  }

  /** All reviews of the folders. None in an untrusted workspace. */
  get all(): readonly Review[] {
    if (!vscode.workspace.isTrusted) return [];
    return this.known.flatMap(({ records }) => records?.reviews ?? []);
  }

  /** Returns the registry at which a skill was last reviewed instead of the current one; undefined for none. */
  elsewhere(slug: string): string | undefined {
    return reviewedElsewhere(this.all, slug, reviewedRegistryAt(this.place.address));
  }

  /** Lists the files of reviews with an entry about a skill. None in an untrusted workspace. */
  filesOf(slug: string): readonly vscode.Uri[] {
    if (!vscode.workspace.isTrusted) return [];
    return this.known.flatMap(({ root, reviewsOf }) =>
      reviewsOf.has(slug) ? [reviewUri(root, reviewsFileName)] : [],
    );
  }

  /** Forgets the standings that were judged from whole skills, since the registry's data may have changed. */
  forget(): void {
    this.noted.clear();
  }

  /** Reads the folders, and fires when their contents become known or change. */
  private async read({ isOther = false } = {}): Promise<readonly ReviewingFolder[]> {
    const roots = vscode.workspace.workspaceFolders ?? [];
    this.mustFire ||= isOther;
    const signal = this.reads.begin();
    const { known } = this;
    const all = await Promise.all(roots.map((root) => readRecords(root, known)));
    const folders = all.filter((folder) => folder !== undefined);
    const isSame =
      folders.length === known.length && folders.every((folder, at) => folder === known[at]);
    // A newer read has already set this.
    if (signal.aborted || (isSame && !this.mustFire)) return folders;
    this.mustFire = false;
    const wasReviewing = this.known.length > 0;
    const isReviewing = folders.length > 0;
    this.known = folders;
    this.noted.clear();
    if (wasReviewing || isReviewing) {
      this.changed.fire();
    }
    return folders;
  }

  /**
   * Returns the folders. Reads an unreadable file again, since it may become readable without an event: another
   * extension may provide its file system shortly after the window opened.
   */
  private async readable(): Promise<readonly ReviewingFolder[]> {
    const folders = await this.reading;
    return folders.some(({ records }) => records === undefined) ? this.readNow() : folders;
  }

  private readNow(): Promise<readonly ReviewingFolder[]> {
    this.reading = this.read();
    return this.reading;
  }

  private async reviewsOf(slug: string, folders: readonly ReviewingFolder[]): Promise<TeamReviews> {
    const files: ReviewFiles[] = [];
    const broken: string[] = [];
    for (const folder of folders) {
      const records = recordsOn(slug, folder);
      const names = contractsOfReviews(records?.reviews ?? []);
      const reader = teamFiles(folder.root);
      const found =
        records && (await loadContracts(reader, records, names, sha256, hostLanguage()));
      if (found?.kind === "read") files.push(found.files);
      const invalid = found?.kind === "broken" ? found.broken : folder.broken;
      broken.push(...invalid.map(({ name }) => `${reviewFolder}/${name}`));
    }
    return { files, broken, registry: reviewedRegistryAt(this.place.address) };
  }

  private remember(skill: SkillDetail, name: ReviewNote["name"]): void {
    if (!isLatest(skill) || name === "unknown") return;
    const { summary } = skill;
    const { slug } = summary;
    if (this.noted.size >= maxNoted) this.noted.clear();
    const before = this.ofRow(summary);
    this.noted.set(slug, name);
    if (this.ofRow(summary) !== before) this.changed.fire();
  }
}

/**
 * Reads the reviews of a folder. If its files are unchanged, returns its entry in `known`, since checking them again
 * takes a while.
 */
async function readRecords(
  root: vscode.WorkspaceFolder,
  known: readonly ReviewingFolder[],
): Promise<ReviewingFolder | undefined> {
  const reader = teamFiles(root);
  const found = await readTeamTexts(reader, recordFiles, hostLanguage());
  const source = [`${root.uri}`, JSON.stringify(found.unreadable), ...[...found.texts].flat()];
  const same = known.find(
    (folder) =>
      folder.source.length === source.length &&
      folder.source.every((part, at) => part === source[at]),
  );
  if (same !== undefined) return same;
  const read = await readReviewRecords(found, reader, hostLanguage());
  if (read.kind === "none") return undefined;
  const records = read.kind === "read" ? read.records : undefined;
  const broken = read.kind === "broken" ? read.broken : [];
  return { root, records, broken, reviewsOf: reviewsBySkill(records?.reviews ?? []), source };
}

/** Returns the policy of a folder, and its reviews of a skill. */
function recordsOn(slug: string, { records, reviewsOf }: ReviewingFolder) {
  return records && { ...records, reviews: reviewsOf.get(slug) ?? [] };
}

function today(): string {
  return utcDay(Date.now());
}

/** A folder of the workspace with its reviews. */
export interface ReviewedFolder extends LoadedReviewFolder {
  readonly root: vscode.WorkspaceFolder;
}

/** Creates a reader for versions of skills at a registry, with everything that a contract needs. */
export function readerOf({ client }: ConnectedRegistry, signal: AbortSignal): ReadSkill {
  return (address) => {
    const reading = { withinSeconds: readSettings().requestTimeoutSeconds, needs: contractParts };
    return readVersion(client, address, reading, signal, hostLanguage());
  };
}

/** Returns the URI of a file of a folder's reviews. */
export function reviewUri(root: vscode.WorkspaceFolder, name: string): vscode.Uri {
  return vscode.Uri.joinPath(root.uri, reviewFolder, ...name.split("/"));
}

/** Reads the reviews of a folder of the workspace. */
export async function readReviewedFolder(root: vscode.WorkspaceFolder): Promise<ReviewedFolder> {
  return { root, ...(await loadReviewFolder(teamFiles(root), sha256, hostLanguage())) };
}

/** Adds a review to the current files of a folder of the workspace. */
export function writeReview(
  root: vscode.WorkspaceFolder,
  made: NewReview,
): Promise<ReviewRecording> {
  const write = async (name: string, text: string) =>
    vscode.workspace.fs.writeFile(reviewUri(root, name), new TextEncoder().encode(text));
  return recordReview(made, { ...teamFiles(root), write }, sha256, hostLanguage());
}

/** Creates a reader for the reviews of a workspace folder, which may be on a virtual file system. */
function teamFiles(root: vscode.WorkspaceFolder): TeamFileReader {
  const { fs } = vscode.workspace;
  return {
    list: (folder) =>
      Promise.resolve(fs.readDirectory(reviewUri(root, folder))).then(
        (entries) => entries.map(([name]) => name),
        () => [],
      ),
    read: (name, maxBytes) => readWorkspaceFile(reviewUri(root, name), maxBytes),
    work: runYielding,
  };
}
