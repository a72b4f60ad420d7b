import { posix } from "node:path";
import * as vscode from "vscode";
import { type Finding, maxFilesRead, type ReportItem } from "../../core/findings/report";
import { brokenItem, checkTeam, type ReadSkill, type TeamCheck } from "../../core/review/checkTeam";
import { maxTeamFileBytes } from "../../core/review/reviewFolder";
import { utcDay } from "../../core/text/dates";
import { sha256 } from "../../engine/sha256";
import { diagnosticSource } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";
import { readWorkspaceFile } from "../workspaceFile";
import { type ReviewedFolder, readReviewedFolder } from "./workspaceReviews";

const usingFiles = "**/*.{skill-input,skill-suite}.json";

/** Compares the skills of the workspace with their reviews, and marks differences in the Problems view. */
export class ReviewProblems {
  private readonly collection =
    vscode.languages.createDiagnosticCollection("skill-registry-reviews");

  /**
   * Checks every folder that has a policy. Resolves to the checked items; undefined where no folder has one,
   * and `canceled`, with unchanged marks, where `signal` fired. `read` reads from the registry, which
   * `registry` names as reviews do.
   */
  async check(
    read: ReadSkill,
    registry: string,
    signal: AbortSignal,
  ): Promise<readonly ReportItem[] | "canceled" | undefined> {
    const roots = vscode.workspace.workspaceFolders ?? [];
    const folders = await Promise.all(roots.map(readReviewedFolder));
    const reviewed = folders.filter(({ reviews }) => reviews.kind !== "none");
    const all: ReportItem[] = [];
    const marks: [vscode.Uri, vscode.Diagnostic[]][] = [];
    for (const folder of reviewed) {
      const items = await checkFolder(folder, read, registry);
      for (const [file, findings] of byFile(items)) {
        const uri = vscode.Uri.joinPath(folder.root.uri, ...file.split("/"));
        marks.push([uri, findings.map(diagnosticOf)]);
      }
      all.push(...items);
    }
    // Skills that were not read would be marked as not comparable.
    if (signal.aborted) return "canceled";
    this.collection.clear();
    this.collection.set(marks);
    return reviewed.length === 0 ? undefined : all;
  }

  dispose(): void {
    this.collection.dispose();
  }
}

async function checkFolder(
  { root, reviews, reviewsText }: ReviewedFolder,
  read: ReadSkill,
  registry: string,
): Promise<readonly ReportItem[]> {
  if (reviews.kind === "broken") return reviews.broken.map(brokenItem);
  if (reviews.kind === "none") return [];
  return checkTeam({
    files: reviews.files,
    reviewsText,
    ...(await usingFilesOf(root)),
    readText: async (file) => {
      const uri = vscode.Uri.joinPath(root.uri, ...file.split("/"));
      const found = await readWorkspaceFile(uri, maxTeamFileBytes);
      return found.kind === "text" ? found.text : Promise.reject(new Error(found.kind));
    },
    read,
    digest: sha256,
    registry,
    today: utcDay(Date.now()),
    language: hostLanguage(),
  });
}

/** Finds the payload files and suites of a folder, relative to it, as many as one check looks at. */
async function usingFilesOf(
  root: vscode.WorkspaceFolder,
): Promise<Pick<TeamCheck, "usingFiles" | "hasMoreFiles">> {
  const pattern = new vscode.RelativePattern(root, usingFiles);
  const { findFiles } = vscode.workspace;
  const found = await findFiles(pattern, "**/node_modules/**", maxFilesRead + 1);
  return {
    usingFiles: found.slice(0, maxFilesRead).map((uri) => posix.relative(root.uri.path, uri.path)),
    hasMoreFiles: found.length > maxFilesRead,
  };
}

function byFile(items: readonly ReportItem[]): ReadonlyMap<string, readonly Finding[]> {
  const files = new Map<string, Finding[]>();
  for (const finding of items.flatMap(({ findings }) => findings)) {
    files.set(finding.file, [...(files.get(finding.file) ?? []), finding]);
  }
  return files;
}

function diagnosticOf({ rule, severity, message, start, end }: Finding): vscode.Diagnostic {
  const from = new vscode.Position(start?.line ?? 0, start?.character ?? 0);
  const to = end === undefined ? from : new vscode.Position(end.line, end.character);
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(from, to),
    message,
    severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = diagnosticSource;
  diagnostic.code = rule;
  return diagnostic;
}
