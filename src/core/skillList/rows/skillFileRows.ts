import { isSlug } from "../../skill/skillAddress";
import { collator, numberFormat } from "../../text/formats";
import type { Language } from "../../text/language";
import { labelText, oneLine } from "../../text/plainText";
import type { SkillEntry } from "./skillRows";
import type { RowText } from "./skillRowText";

/** A file of the workspace that is about a skill. */
export interface SkillFile {
  readonly use: "payload" | "suite" | "client" | "review";
  /** Its URI. */
  readonly address: string;
  readonly path: string;
}

/** A file that may be about one of several skills, given by their slugs, the likeliest first. */
export interface FoundSkillFile extends SkillFile {
  readonly slugs: readonly string[];
}

/** A file below the row of its skill, or below that of all payloads. */
export interface FileRow {
  readonly kind: "file";
  readonly file: SkillFile;
  /** The skill of the file; undefined if the file's name determines none. */
  readonly slug: string | undefined;
  readonly parent: SkillEntry | PayloadsRow;
}

/** The row above the payloads of the workspace, including those of skills outside the list. */
export interface PayloadsRow {
  readonly kind: "payloads";
  readonly files: readonly FoundSkillFile[];
}

/** Returns the row above the payloads among files; none without payloads. */
export function payloadsRows(files: readonly FoundSkillFile[]): readonly PayloadsRow[] {
  const payloads = files.filter(({ use }) => use === "payload");
  return payloads.length === 0 ? [] : [{ kind: "payloads", files: payloads }];
}

/** Groups files by skill. A file that may be about several skills is assigned to the first that `isListed` accepts. */
export function filesBySkill(
  files: readonly FoundSkillFile[],
  isListed: (slug: string) => boolean,
): ReadonlyMap<string, readonly SkillFile[]> {
  const sorted = new Map<string, SkillFile[]>();
  for (const file of files) {
    const slug = file.slugs.find(isListed);
    if (slug === undefined) continue;
    const known = sorted.get(slug);
    if (known === undefined) sorted.set(slug, [file]);
    else known.push(file);
  }
  return sorted;
}

/**
 * The maximum number of rows of one level, which the editor draws without a pause. The Test Explorer lists the other
 * files.
 */
const maxFileRows = 1000;
const uses: readonly SkillFile["use"][] = ["payload", "suite", "client", "review"];

/** Lists the rows of files: payloads, suites, typed clients, then reviews, each by their paths. */
export function fileRows(
  parent: SkillEntry | PayloadsRow,
  { locale }: Language,
): readonly FileRow[] {
  const { compare } = collator(locale, { numeric: true });
  const slugOf = (file: SkillFile | FoundSkillFile) =>
    parent.kind === "skill" ? parent.skill.slug : "slugs" in file ? file.slugs[0] : undefined;
  const files: readonly (SkillFile | FoundSkillFile)[] = parent.files ?? [];
  return files
    .toSorted(
      (one, other) =>
        uses.indexOf(one.use) - uses.indexOf(other.use) || compare(one.path, other.path),
    )
    .slice(0, maxFileRows)
    .map((file) => ({ kind: "file", file, slug: slugOf(file), parent }));
}

const icons: Readonly<Record<SkillFile["use"], string>> = {
  payload: "json",
  suite: "beaker",
  client: "file-code",
  review: "checklist",
};

/** The limit is higher than that of a skill's name, since this is a path. */
const maxPathLength = 200;

/** Formats the row of a file. */
export function fileRowText({ file, slug, parent }: FileRow, language: Language): RowText {
  const label = labelText(file.path, maxPathLength);
  const isOfSkill = parent.kind === "skill";
  const use = useText(file.use, language);
  const description = isOfSkill ? use : labelText(slug ?? use, maxPathLength);
  return {
    // A file is listed twice: below its skill and below all payloads.
    id: `file:${isOfSkill ? slug : ""}:${file.use}:${file.address}`,
    label,
    description,
    sentence: oneLine(`${label}, ${description}`, maxPathLength),
    icon: { id: icons[file.use] },
    context: `file.${file.use}`,
  };
}

/** Formats the row above payloads. */
export function payloadsRowText({ files }: PayloadsRow, { t, locale }: Language): RowText {
  const label = t("Payloads");
  const count = numberFormat(locale).format(files.length);
  const description = files.length === 1 ? t("1 file") : t("{count} files", { count });
  const sentence = `${label}, ${description}`;
  return {
    id: "payloads",
    label,
    description,
    sentence,
    icon: { id: "folder" },
    context: "payloads",
  };
}

function useText(use: SkillFile["use"], { t }: Language): string {
  switch (use) {
    case "payload":
      return t("payload");
    case "suite":
      return t("suite");
    case "client":
      return t("typed client");
    case "review":
      return t("review");
  }
}

/** Reads the row of a file from an argument of a command. Undefined for anything else. */
export function readFileRow(
  argument: unknown,
): { readonly address: string; readonly slug: string | undefined } | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { kind, file, slug } = argument as Partial<FileRow>;
  const address: unknown = file?.address;
  if (kind !== "file" || typeof address !== "string") return undefined;
  return { address, slug: typeof slug === "string" && isSlug(slug) ? slug : undefined };
}
