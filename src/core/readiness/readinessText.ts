import type { Finding, ReportItem } from "../findings/report";
import { addressText } from "../skill/skillAddress";
import { utcMinute } from "../text/dates";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import type { Readiness, ReadinessQuestion } from "./readiness";
import type { Evidence, ReadinessAddition, ReadinessState } from "./readinessFacts";

/** The kind of a text part, which determines its color: a title or question, an answer, or the time of evidence. */
export type ReadinessPart = ReadinessState | "heading" | "time";

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
 * Writes the five answers with their evidence, for the editor and the command line. With `additions`, the remedies are
 * named too, as links.
 */
export function readinessText(
  readiness: Readiness,
  language: Language,
  { additions = false } = {},
): ReadinessText {
  const { t } = language;
  const { slug, version, registry, at, answers } = readiness;
  const skill = oneLine(addressText(slug, version));
  const width = Math.max(...states.map((state) => stateText(state, language).length));
  const links: ReadinessText["links"][number][] = [];
  const parts: ReadinessText["parts"][number][] = [];
  let text = "";
  const append = (shown: string, part: ReadinessPart) => {
    parts.push({ start: text.length, end: text.length + shown.length, part });
    text += shown;
  };
  const link = (label: string, target: ReadinessText["links"][number]["target"]) => {
    // Below the answer, since an editor would draw a guide for each step of a deeper indentation.
    text += "  → ";
    links.push({ start: text.length, end: text.length + label.length, target });
    text += label;
  };
  append(t("Ready for customers? {skill}", { skill }), "heading");
  text += `\n${oneLine(registry)}, ${utcMinute(at)}\n${countsText(readiness, language)}\n`;
  for (const { question, state, message, evidence, addition } of answers) {
    text += "\n";
    append(questionText(question, language), "heading");
    text += "\n  ";
    const shown = stateText(state, language);
    append(shown, state);
    text += `${" ".repeat(width - shown.length)}  ${message}\n`;
    for (const item of evidence) {
      link(evidenceText(item, language), item);
      append(`, ${utcMinute(item.at)}`, "time");
      text += "\n";
    }
    if (!additions || addition === undefined) continue;
    link(additionText(addition, language), { kind: "add", addition });
    text += "\n";
  }
  return { text, parts, links };
}

function additionText(addition: ReadinessAddition, { t }: Language): string {
  const texts: Readonly<Record<ReadinessAddition, string>> = {
    review: t("Review This Skill…"),
    statement: t("Add a Statement…"),
    signIn: t("Sign In…"),
    project: t("Choose Project…"),
    key: t("Set Project Key…"),
  };
  return texts[addition];
}

/** A reported answer, with its evidence. */
export interface ReportedAnswer extends ReportItem {
  readonly answer: ReadinessState;
  readonly message: string;
  readonly evidence: readonly string[];
}

/** Reports every answer, each at its first evidence in a file of the repository, if it has any. */
export function readinessReport(
  { slug, answers }: Readiness,
  language: Language,
): readonly ReportedAnswer[] {
  return answers.map(({ question, state, message, evidence }) => {
    const found = evidence.find((item) => item.kind === "file");
    const file = found?.file ?? "";
    const start = found?.line === undefined ? {} : { start: { line: found.line, character: 0 } };
    const finding = (severity: Finding["severity"]): Finding => ({
      rule: question,
      severity,
      message: `${slug}: ${message}`,
      file,
      ...start,
    });
    return {
      name: `${slug}: ${question}`,
      file,
      state: reportStates[state],
      findings: { yes: [], no: [finding("error")], notKnown: [finding("warning")] }[state],
      answer: state,
      message,
      evidence: evidence.map((item) => `${evidenceText(item, language)}, ${utcMinute(item.at)}`),
    };
  });
}

const states = ["yes", "no", "notKnown"] as const;

const reportStates: Readonly<Record<ReadinessState, ReportItem["state"]>> = {
  yes: "good",
  no: "findings",
  notKnown: "unknown",
};

function countsText({ answers }: Readiness, language: Language): string {
  const counts = states.flatMap((state) => {
    const count = answers.filter((answer) => answer.state === state).length;
    return count === 0 ? [] : [`${count} ${stateText(state, language)}`];
  });
  return `${counts.join(", ")}.`;
}

function stateText(state: ReadinessState, { t }: Language): string {
  switch (state) {
    case "yes":
      return t("yes");
    case "no":
      return t("no");
    case "notKnown":
      return t("not known");
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
