import { isSlug } from "../skill/skillAddress";
import type { Language } from "../text/language";
import { labelText, oneLine } from "../text/plainText";
import type { SkillEntry } from "./skillRows";
import type { RowText } from "./skillRowText";

/** A file of the workspace that is about a skill. */
export interface SkillFile {
  readonly use: "payload" | "suite" | "client" | "review";
  /** Its URI. */
  readonly address: string;
  /** Its path in the workspace. */
  readonly path: string;
}

/** A file that may be about one of several skills, by their slugs, the likeliest first. */
export interface FoundSkillFile extends SkillFile {
  readonly slugs: readonly string[];
}

/** A file below the row of its skill. */
export interface FileRow {
  readonly kind: "file";
  readonly file: SkillFile;
  readonly parent: SkillEntry;
}

/** Sorts files by skill. Of the skills that a file may be about, the first one that `isListed` counts. */
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

/** As many rows of one level as the editor draws without a pause; the Test Explorer has the others. */
const maxFileRows = 1000;
const uses: readonly SkillFile["use"][] = ["payload", "suite", "client", "review"];

/** Lists the rows below a skill: its payloads, its suites, its typed clients, then its reviews, each by their paths. */
export function fileRows(parent: SkillEntry, { locale }: Language): readonly FileRow[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return (parent.files ?? [])
    .toSorted(
      (one, other) =>
        uses.indexOf(one.use) - uses.indexOf(other.use) || compare(one.path, other.path),
    )
    .slice(0, maxFileRows)
    .map((file) => ({ kind: "file", file, parent }));
}

const icons: Readonly<Record<SkillFile["use"], string>> = {
  payload: "json",
  suite: "beaker",
  client: "file-code",
  review: "checklist",
};

/** Longer than that of a skill, since it is a path. */
const maxPathLength = 200;

/** Formats the row of a file. */
export function fileRowText({ file, parent }: FileRow, language: Language): RowText {
  const label = labelText(file.path, maxPathLength);
  const description = useText(file.use, language);
  return {
    // A favorite and a group may both have the skill.
    id: `file:${parent.skill.slug}:${file.use}:${file.address}`,
    label,
    description,
    sentence: oneLine(`${label}, ${description}`, maxPathLength),
    icon: { id: icons[file.use] },
    context: `file.${file.use}`,
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
): { readonly address: string; readonly slug: string } | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { kind, file, parent } = argument as Partial<FileRow>;
  const slug: unknown = parent?.skill?.slug;
  const address: unknown = file?.address;
  if (kind !== "file" || typeof address !== "string") return undefined;
  return typeof slug === "string" && isSlug(slug) ? { address, slug } : undefined;
}
