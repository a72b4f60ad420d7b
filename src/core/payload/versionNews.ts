import { describeChanges } from "../skill/compare/describeChanges";
import type { ChangeText } from "../skill/compare/versionDifference";
import { isNewerVersion, isSameVersion } from "../skill/isNewerVersion";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";
import { labelText } from "../text/plainText";

/** The differences between the version of a payload and the version to use next. */
export interface VersionNews {
  readonly slug: string;
  readonly before: string;
  readonly after: string;
  /** The differences of the input schema; empty if it is the same. */
  readonly changes: readonly ChangeText[];
  /** The parts that could not be compared, as text; empty for none. */
  readonly note: string;
  /** The project that runs the version `after`, which may be older; absent if no project chooses the version. */
  readonly project?: string;
}

/** The maximum number of lines in a dialog; *Versions* lists all. */
const maxListed = 12;

/**
 * Compares the payload's version with the version that the project runs, or without a project with the registry's
 * current one. `bound` is undefined if the registry does not return the payload's version. Returns undefined if the
 * project runs the payload's version, or if there is no project and no newer version.
 */
export function versionNews(
  before: string,
  bound: SkillDetail | undefined,
  current: SkillDetail,
  language: Language,
): VersionNews | undefined {
  const { slug, version: after } = current.summary;
  const { pinned } = current;
  const isOfProject = after !== "" && pinned !== undefined && isSameVersion(pinned.version, after);
  if (isOfProject ? isSameVersion(after, before) : !isNewerVersion(after, before)) return undefined;
  const project = isOfProject ? { project: pinned.project } : {};
  if (bound === undefined) {
    const note = language.t(
      "The registry does not return {version}, so the two cannot be compared.",
      { version: before },
    );
    return { slug, before, after, changes: [], note, ...project };
  }
  const input = describeChanges(bound, current, language).groups.find(
    ({ part }) => part === "inputSchema",
  );
  return {
    slug,
    before,
    after,
    changes: input?.changes ?? [],
    note: input?.note ?? "",
    ...project,
  };
}

/** Formats the news as a few lines of plain text: a sentence, then one line for each change. */
export function versionNewsText(
  { slug, before, after, changes, note, project }: VersionNews,
  { t }: Language,
): string {
  const values = { slug, after, before };
  const start =
    project === undefined
      ? t("{slug} {after} is available; this file targets {before}.", values)
      : t("The project {project} runs {slug} {after}; this file targets {before}.", {
          ...values,
          project,
        });
  if (changes.length === 0) return `${start} ${note || t("Input schema unchanged.")}`;
  const lines = changes.slice(0, maxListed).map((change) => `• ${changeText(change)}`);
  const more = changes.length - lines.length;
  const rest = more > 0 ? [`• ${t("and {count} more", { count: more })}`] : [];
  return [`${start} ${t("Input schema changed:")}`, ...lines, ...rest, note]
    .filter((line) => line !== "")
    .join("\n");
}

/** Names the action that shows the news. */
export function newsTitle({ project, after: version }: VersionNews, { t }: Language): string {
  return project === undefined
    ? t("New version {version}: what changed", { version })
    : t("The project runs {version}: what differs", { version });
}

/** Names the action that lists all further actions of a payload, with its news if there are any. */
export function moreTitle(news: VersionNews | undefined, { t }: Language): string {
  if (news === undefined) return t("More…");
  const version = labelText(news.after, 40);
  return news.project === undefined
    ? t("More… (new version {version})", { version })
    : t("More… (the project runs {version})", { version });
}

/** Counts the differences of the input schema. */
export function newsCountText(
  { changes: { length: count } }: VersionNews,
  { t }: Language,
): string {
  if (count === 0) return t("No differences");
  return count === 1 ? t("1 difference") : t("{count} differences", { count });
}

/** Formats one change as a line: `Added csv: new, required: string`. */
export function changeText({ word, path, text }: ChangeText): string {
  return path === "" ? `${word}: ${text}` : `${word} ${path}: ${text}`;
}
