import type { Finding, ReportItem } from "../findings/report";
import { addressText } from "../skill/skillAddress";
import { utcMinute } from "../text/dates";
import type { Language, LocalizableText } from "../text/language";
import { oneLine } from "../text/plainText";
import type { Readiness, ReadinessQuestion } from "./readiness";
import type { Evidence, ItemState, ReadinessAddition, ReadinessItem } from "./readinessFacts";

/** The kind of a text part, which determines its color: a title or question, an answer, or the time of evidence. */
export type ReadinessPart = ItemState | "heading" | "time";

/**
 * A readiness as text, with ranges in UTF-16 offsets: `parts` for colors, and `links` for evidence and remedies. Both
 * lists are in text order; parts do not overlap.
 */
export interface ReadinessText {
  readonly text: string;
  readonly parts: readonly {
    readonly start: number;
    readonly end: number;
    readonly part: ReadinessPart;
  }[];
  readonly links: readonly {
    readonly start: number;
    readonly end: number;
    readonly target: Evidence | { readonly kind: "add"; readonly addition: ReadinessAddition };
  }[];
}

/**
 * Writes the five questions with their items and evidence, for the editor and the command line. A fact that several
 * items lack is named once, before the questions. `additions` names the remedies, for links.
 */
export function readinessText(
  readiness: Readiness,
  language: Language,
  { additions = false } = {},
): ReadinessText {
  const { t } = language;
  const { slug, version, registry, at, questions } = readiness;
  const skill = oneLine(addressText(slug, version));
  const width = Math.max(...itemStates.map((state) => stateText(state, language).length));
  const links: ReadinessText["links"][number][] = [];
  const parts: ReadinessText["parts"][number][] = [];
  let text = "";
  const append = (shown: string, part: ReadinessPart) => {
    parts.push({ start: text.length, end: text.length + shown.length, part });
    text += shown;
  };
  const answer = (state: ItemState, message: string) => {
    text += "  ";
    const shown = stateText(state, language);
    append(shown, state);
    text += `${" ".repeat(width - shown.length)}  ${message}\n`;
  };
  const link = (label: string, target: ReadinessText["links"][number]["target"]) => {
    text += " ".repeat(width + 4);
    links.push({ start: text.length, end: text.length + label.length, target });
    text += label;
  };
  const write = ({ state, evidence, addition }: ReadinessItem, message: string) => {
    answer(state, message);
    for (const item of evidence) {
      link(evidenceText(item, language), item);
      append(`, ${utcMinute(item.at)}`, "time");
      text += "\n";
    }
    if (!additions || addition === undefined) return;
    link(additionText(addition, language), { kind: "add", addition });
    text += "\n";
  };
  append(t("Ready for customers? {skill}", { skill }), "heading");
  text += `\n${oneLine(registry)}, ${utcMinute(at)}\n${countsText(readiness, language)}\n`;
  const heading = (shown: string) => {
    text += "\n";
    append(shown, "heading");
    text += "\n";
  };
  const shared = sharedItems(readiness);
  if (shared.size > 0) heading(t("Several questions"));
  for (const [first, ...others] of shared.values()) {
    const count = others.length + 1;
    write(first, t("{message} ({count} items)", { message: first.message, count }));
  }
  for (const { question, items } of questions) {
    const own = items.filter(({ lacks }) => lacks === undefined || !shared.has(lacks));
    heading(questionText(question, language));
    for (const item of own) write(item, item.message);
    if (own.length === 0) answer("notKnown", t("See above."));
  }
  return { text, parts, links };
}

/** Groups items that lack the same fact, if there are several. */
function sharedItems({
  questions,
}: Readiness): ReadonlyMap<LocalizableText, readonly [ReadinessItem, ...ReadinessItem[]]> {
  const groups = new Map<LocalizableText, [ReadinessItem, ...ReadinessItem[]]>();
  for (const item of questions.flatMap(({ items }) => items)) {
    if (item.lacks === undefined) continue;
    const group = groups.get(item.lacks);
    if (group === undefined) groups.set(item.lacks, [item]);
    else group.push(item);
  }
  return new Map([...groups].filter(([, group]) => group.length > 1));
}

function additionText(addition: ReadinessAddition, { t }: Language): string {
  const texts: Readonly<Record<ReadinessAddition, string>> = {
    review: t("Review This Skill…"),
    statement: t("Add a Statement…"),
    signIn: t("Sign In…"),
    project: t("Choose Project…"),
  };
  return texts[addition];
}

/** A reported item, with its answer and evidence. */
export interface ReportedItem extends ReportItem {
  readonly answer: ItemState;
  readonly message: string;
  readonly evidence: readonly string[];
}

/** Reports every item, each at its first evidence in a file of the repository, if it has any. */
export function readinessReport(readiness: Readiness, language: Language): readonly ReportedItem[] {
  const { slug, questions } = readiness;
  return questions.flatMap(({ items }) =>
    items.map(({ id, state, message, evidence }) => {
      const found = evidence.find((item) => item.kind === "file");
      const file = found?.file ?? "";
      const start = found?.line === undefined ? {} : { start: { line: found.line, character: 0 } };
      const finding = (severity: Finding["severity"]): Finding => ({
        rule: id,
        severity,
        message: `${slug}: ${message}`,
        file,
        ...start,
      });
      return {
        name: `${slug}: ${id}`,
        file,
        state: reportStates[state],
        findings: {
          met: [],
          notApplicable: [],
          notMet: [finding("error")],
          notKnown: [finding("warning")],
        }[state],
        answer: state,
        message,
        evidence: evidence.map((item) => `${evidenceText(item, language)}, ${utcMinute(item.at)}`),
      };
    }),
  );
}

const itemStates = ["met", "notMet", "notKnown", "notApplicable"] as const;

const reportStates: Readonly<Record<ItemState, ReportItem["state"]>> = {
  met: "good",
  notApplicable: "good",
  notMet: "findings",
  notKnown: "unknown",
};

function countsText({ questions }: Readiness, language: Language): string {
  const states = questions.flatMap(({ items }) => items.map(({ state }) => state));
  const counts = itemStates.flatMap((state) => {
    const count = states.filter((item) => item === state).length;
    return count === 0 ? [] : [`${count} ${stateText(state, language)}`];
  });
  return `${counts.join(", ")}.`;
}

function stateText(state: ItemState, { t }: Language): string {
  switch (state) {
    case "met":
      return t("met");
    case "notMet":
      return t("not met");
    case "notKnown":
      return t("not known");
    case "notApplicable":
      return t("not applicable");
  }
}

function questionText(question: ReadinessQuestion, { t }: Language): string {
  switch (question) {
    case "ownership":
      return t("Ownership: who stands behind it?");
    case "key-scope":
      return t("Key scope: what can the key access, and who can read it?");
    case "retry-behavior":
      return t("Retry behavior: what happens after a failure?");
    case "logs":
      return t("Logs: what can be found out afterwards?");
    case "manual-fallback":
      return t("Manual fallback: what happens when the skill is unavailable?");
  }
}

function evidenceText(evidence: Evidence, { t }: Language): string {
  switch (evidence.kind) {
    case "skill":
      return t("{slug} at the registry", { slug: evidence.slug });
    case "file":
      return evidence.line === undefined
        ? oneLine(evidence.file, 500)
        : `${oneLine(evidence.file, 500)}:${evidence.line + 1}`;
    case "project":
      return projectText(evidence, t);
    case "invocation":
      return t("Invocation {id}", { id: oneLine(evidence.invocationId ?? evidence.id) });
    case "setting":
      return `skillRegistry.${evidence.name}`;
    case "registry":
      return oneLine(evidence.name, 200);
    case "files":
      return evidence.count === 1
        ? t("1 file searched")
        : t("{count} files searched", { count: evidence.count });
  }
}

function projectText(
  { part, project, name }: Extract<Evidence, { kind: "project" }>,
  t: Language["t"],
): string {
  switch (part) {
    case "policy":
      return t("Policy of {name} in the project {project}", { name, project });
    case "key":
      return name === ""
        ? t("Keys of the project {project}", { project })
        : t("Key {name} of the project {project}", { name, project });
    case "invocations":
      return t("Invocations of the project {project}", { project });
  }
}
