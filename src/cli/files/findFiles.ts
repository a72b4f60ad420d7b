import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { CommandError } from "../../core/findings/commandError";
import { maxFilesRead, type ReportItem } from "../../core/findings/report";
import { fileReason, readError } from "../../engine/files/textFile";

/** The maximum depth of nested folders. */
const maxDepth = 20;

/** A part of the folders that was not searched, relative to `cwd`, and why. */
interface UnreadPart {
  readonly path: string;
  readonly reason: string;
  /** Whether the part is a single file rather than a folder. */
  readonly isFile: boolean;
}

/** The found files, and the parts that were not searched. */
interface FoundFiles {
  /** Relative to `cwd`, with `/` between their parts. */
  readonly files: readonly string[];
  readonly unread: readonly UnreadPart[];
}

interface FindOptions {
  /** The maximum number of files. */
  readonly maxFiles?: number;
  /** Whether a matching link or pipe counts as unread. Otherwise it is ignored. Default: true. */
  readonly reportsLinks?: boolean;
}

/**
 * Finds files: named files, files that match a pattern such as `data/*.json`, and in a named folder all files that
 * `accepts` allows. Skips `node_modules`, folders that start with a dot, and locks of Emacs (`.#name`). Throws a
 * `CommandError` for a missing name.
 */
export async function findFiles(
  cwd: string,
  names: readonly string[],
  accepts: (name: string) => boolean,
  { maxFiles = maxFilesRead, reportsLinks = true }: FindOptions = {},
): Promise<FoundFiles> {
  const found = new Set<string>();
  const unread: UnreadPart[] = [];
  const links: string[] = [];
  const nameOf = (path: string) => relative(cwd, path).split(sep).join("/") || ".";
  const noteUnread = (path: string, reason: string, isFile = false) =>
    unread.push({ path: nameOf(path), reason, isFile });
  let isFull = false;
  const walk = async (folder: string, isWanted: typeof accepts, depth = 0): Promise<void> => {
    if (depth > maxDepth) {
      noteUnread(folder, `it is more than ${maxDepth} folders deep`);
      return;
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      noteUnread(folder, fileReason(error));
      return [];
    });
    // The common start of all paths and names in this folder. Computing them separately would take longer than reading
    // the folder.
    const sample = join(folder, "x");
    const [inside, shownFolder] = [sample.slice(0, -1), nameOf(sample).slice(0, -1)];
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (isFull) return;
      if (entry.name.startsWith(".#")) continue;
      const path = inside + entry.name;
      const isHidden = entry.name.startsWith(".") || entry.name === "node_modules";
      // Links are not followed: they may form circles or leave the repository.
      if (entry.isDirectory() && !isHidden) await walk(path, isWanted, depth + 1);
      else if (entry.isFile() && isWanted(path)) {
        isFull = found.size >= maxFiles;
        if (!isFull) found.add(shownFolder + entry.name);
      } else if (reportsLinks && !entry.isDirectory() && accepts(entry.name) && isWanted(path)) {
        links.push(path);
      }
    }
  };
  for (const name of names) {
    const path = resolve(cwd, name);
    const stats = await stat(path).catch((error: unknown) => error as Error);
    if (!(stats instanceof Error)) {
      if (stats.isDirectory()) await walk(path, (file) => accepts(basename(file)));
      else found.add(nameOf(path));
      continue;
    }
    const pattern = readPattern(cwd, name);
    if (pattern === undefined) throw readError(name, stats);
    let isMatched = false;
    await walk(pattern.folder, (file) => {
      const isWanted = pattern.matches(file);
      isMatched ||= isWanted;
      return isWanted;
    });
    if (!isMatched) throw new CommandError(`${name} matches no file.`);
  }
  for (const path of await linksToOtherFiles(links, [...found], cwd)) {
    noteUnread(path, "it is a link or a pipe", true);
  }
  if (isFull) noteUnread(cwd, `only ${maxFiles} files are read`);
  return { files: [...found], unread };
}

/** Returns the `links` whose target is missing, or is none of the found files. */
async function linksToOtherFiles(
  links: readonly string[],
  files: readonly string[],
  cwd: string,
): Promise<readonly string[]> {
  if (links.length === 0) return [];
  const realPath = (path: string) => realpath(resolve(cwd, path)).catch(() => undefined);
  const foundPaths = new Set(await Promise.all(files.map(realPath)));
  const targets = await Promise.all(links.map(realPath));
  return links.filter((_, index) => {
    const target = targets[index];
    return target === undefined || !foundPaths.has(target);
  });
}

/** Returns the sentence for a search without a result. */
export function nothingFoundText(files: string, names: readonly string[]): string {
  const folders = new Map([
    [".", "this folder"],
    ["..", "the folder above"],
  ]);
  return `No ${files} files in ${names.map((name) => folders.get(name) ?? name).join(", ")}.`;
}

/** Reports unsearched parts, so that nobody assumes they passed. */
export function unreadItems({ unread }: Pick<FoundFiles, "unread">): readonly ReportItem[] {
  return unread.map(({ path, reason, isFile }) => ({
    name: path,
    file: path,
    state: "unknown",
    findings: [
      {
        rule: "unread",
        severity: "warning",
        message: isFile
          ? `This file was not checked: ${reason}.`
          : `Not everything in this folder was checked: ${reason}.`,
        file: path,
      },
    ],
  }));
}

/** Splits a pattern that the shell did not expand into its folder and its expression. */
function readPattern(cwd: string, name: string) {
  const parts = name.split(sep).join("/").split("/");
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  if (first < 0) return undefined;
  const folder = resolve(cwd, parts.slice(0, first).join("/") || (first === 0 ? "." : "/"));
  const expression = wholeExpression(expressionOf(parts.slice(first).join("/")));
  if (expression === undefined) throw new CommandError(`${name} is not a valid pattern.`);
  return {
    folder,
    matches: (path: string) => expression.test(relative(folder, path).split(sep).join("/")),
  };
}

function wholeExpression(source: string): RegExp | undefined {
  try {
    return new RegExp(`^${source}$`, "su");
  } catch {
    return undefined;
  }
}

/**
 * Converts a pattern to a regular expression: `**` for any folders, `*` and `?` within a name, `[a-z]`, `{a,b}`, as in
 * shells.
 */
function expressionOf(pattern: string): string {
  let braces = 0;
  return pattern.replace(
    /\*\*\/|\*\*|\*|\?|\[(!?)([^\]/]+)\]|[{},]|./gsu,
    (part: string, not: string | undefined, letters: string | undefined) => {
      if (letters !== undefined) return `[${not ? "^" : ""}${letters.replace(/[\\[^]/g, "\\$&")}]`;
      if (part === "{") braces += 1;
      if (part === "{") return "(?:";
      if (part === "}" && braces > 0) {
        braces -= 1;
        return ")";
      }
      if (part === "," && braces > 0) return "|";
      const known = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
      return known[part as keyof typeof known] ?? part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    },
  );
}
