import * as vscode from "vscode";
import { type Finding, maxFilesRead, type ReportItem } from "../../core/findings/report";
import { brokenItem, checkTeam, type TeamCheck } from "../../core/review/checkTeam";
import { driftRemedy } from "../../core/review/drift";
import { reviewedRegistry } from "../../core/review/files/reviewFiles";
import { maxTeamFileBytes } from "../../core/review/files/reviewFolder";
import { utcDay } from "../../core/text/dates";
import { oneLine } from "../../core/text/plainText";
import { sha256 } from "../../engine/sha256";
import { payloadLanguages } from "../author/payloadBindings";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { commandIds } from "../ids";
import { codeAction, mark, rangeAt } from "../marks";
import type { SkillFiles } from "../skillFiles";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { readWorkspaceFile } from "../workspaceFile";
import { type ReviewedFolder, readerOf, readReviewedFolder } from "./workspaceReviews";

/** A marked difference, and the skill that it is about. */
interface ReviewMark {
  readonly diagnostic: vscode.Diagnostic;
  readonly slug: string;
}

/**
 * Compares the skills of the workspace with their reviews, and marks differences in the Problems view with quick fixes.
 */
export class ReviewProblems extends Owner implements vscode.CodeActionProvider {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection("skill-registry-reviews"),
  );
  /** The marks by the document's URI. */
  private marked: ReadonlyMap<string, readonly ReviewMark[]> = new Map();

  constructor(
    private readonly files: SkillFiles,
    /** Returns the registry at which a skill was reviewed instead of the current one. */
    private readonly elsewhere: (slug: string) => string | undefined,
  ) {
    super();
    this.own(
      vscode.languages.registerCodeActionsProvider(payloadLanguages, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
  }

  /**
   * Checks every folder that has a policy. Resolves to the checked items; undefined if no folder has one; `canceled`,
   * with unchanged marks, if `signal` fired.
   */
  async check(
    registry: ConnectedRegistry,
    signal: AbortSignal,
  ): Promise<readonly ReportItem[] | "canceled" | undefined> {
    const roots = vscode.workspace.workspaceFolders ?? [];
    const folders = await Promise.all(roots.map(readReviewedFolder));
    const reviewed = folders.filter(({ reviews }) => reviews.kind !== "none");
    const all: ReportItem[] = [];
    const marked = new Map<string, readonly ReviewMark[]>();
    for (const folder of reviewed) {
      const items = await checkFolder(folder, this.files, registry, signal);
      for (const [file, found] of byFile(items)) {
        const uri = vscode.Uri.joinPath(folder.root.uri, ...file.split("/"));
        // One folder may contain another, and both may report the same file.
        marked.set(uri.toString(), [...(marked.get(uri.toString()) ?? []), ...found]);
      }
      all.push(...items);
    }
    // After an abort, skills that were not read would be marked as not comparable.
    if (signal.aborted) return "canceled";
    this.collection.clear();
    this.collection.set(
      [...marked].map(([uri, found]) => [
        vscode.Uri.parse(uri, true),
        found.map(({ diagnostic }) => diagnostic),
      ]),
    );
    this.marked = marked;
    return reviewed.length === 0 ? undefined : all;
  }

  /** Offers to show the changes since the review, if any, and to review the skill. */
  provideCodeActions(
    { uri }: vscode.TextDocument,
    range: vscode.Range,
    { only }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (only !== undefined && !only.contains(vscode.CodeActionKind.QuickFix)) return [];
    const marks = this.marked.get(uri.toString()) ?? [];
    const here = marks.filter(
      ({ diagnostic }) => diagnostic.range.intersection(range) !== undefined,
    );
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
    return [...new Set(here.map(({ slug }) => slug))].flatMap((slug) => {
      const own = here.filter((mark) => mark.slug === slug).map(({ diagnostic }) => diagnostic);
      const comparable = own.filter((item) => driftRemedy(String(item.code)) === "compare");
      const reviewable = own.filter((item) => driftRemedy(String(item.code)) !== null);
      const elsewhere = own.filter((item) => item.code === "other-registry");
      const there = oneLine(this.elsewhere(slug) ?? "", 180);
      const fix = (
        title: string,
        diagnostics: vscode.Diagnostic[],
        command: string,
        ...given: readonly unknown[]
      ) => {
        if (diagnostics.length === 0) return [];
        return [
          codeAction(title, { diagnostics, command: { command, title, arguments: [...given] } }),
        ];
      };
      const review = (isOnlyShown: boolean) =>
        [commandIds.reviewSkill, slug, { folder, isOnlyShown } satisfies ReviewOption] as const;
      return [
        ...fix(vscode.l10n.t("Show What Changed"), comparable, ...review(true)),
        ...fix(vscode.l10n.t("Review {0}…", slug), reviewable, ...review(false)),
        ...(there === ""
          ? []
          : fix(
              vscode.l10n.t("Connect to {0}", there),
              elsewhere,
              commandIds.connectToReviewed,
              slug,
            )),
      ];
    });
  }
}

/** The kind of review for a command that is not run from the palette. */
export interface ReviewOption {
  /** The URI of the folder with the reviews. */
  readonly folder: string | undefined;
  /** Whether to show only the changes since the last review, without a question. */
  readonly isOnlyShown: boolean;
}

async function checkFolder(
  { root, reviews, reviewsText }: ReviewedFolder,
  files: SkillFiles,
  registry: ConnectedRegistry,
  signal: AbortSignal,
): Promise<readonly ReportItem[]> {
  if (reviews.kind === "broken") return reviews.broken.map(brokenItem);
  if (reviews.kind === "none") return [];
  return checkTeam({
    files: reviews.files,
    reviewsText,
    ...(await usingFilesOf(root, files)),
    readText: async (file) => {
      const uri = vscode.Uri.joinPath(root.uri, ...file.split("/"));
      const found = await readWorkspaceFile(uri, maxTeamFileBytes);
      return found.kind === "text" ? found.text : Promise.reject(new Error(found.kind));
    },
    read: readerOf(registry, signal),
    digest: sha256,
    registry: reviewedRegistry(registry),
    today: utcDay(Date.now()),
    language: hostLanguage(),
  });
}

/** Finds the payload files and suites of a folder, relative to it, up to the limit of one check. */
async function usingFilesOf(
  { uri: root }: vscode.WorkspaceFolder,
  files: SkillFiles,
): Promise<Pick<TeamCheck, "usingFiles" | "hasMoreFiles">> {
  const found = await Promise.all([files.payloads(), files.suites()]);
  const start = root.path.endsWith("/") ? root.path : `${root.path}/`;
  const below = found.flat().flatMap(({ scheme, authority, path }) => {
    const isThere = scheme === root.scheme && authority === root.authority;
    return isThere && path.startsWith(start) ? [path.slice(start.length)] : [];
  });
  return {
    usingFiles: below.slice(0, maxFilesRead),
    hasMoreFiles: [...found, below].some(({ length }) => length > maxFilesRead),
  };
}

function byFile(items: readonly ReportItem[]): ReadonlyMap<string, readonly ReviewMark[]> {
  const files = new Map<string, ReviewMark[]>();
  for (const { name, findings } of items) {
    for (const finding of findings) {
      const mark = { diagnostic: diagnosticOf(finding), slug: name };
      files.set(finding.file, [...(files.get(finding.file) ?? []), mark]);
    }
  }
  return files;
}

function diagnosticOf(finding: Finding): vscode.Diagnostic {
  const { rule, severity, message, start = { line: 0, character: 0 }, end = start } = finding;
  return mark(rangeAt({ start, end }), message, rule, severity);
}
