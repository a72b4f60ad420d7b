import type { Finding, ReportItem } from "../findings/report";
import { addressText } from "../skill/skillAddress";
import { utcMinute } from "../text/dates";
import { type Language, type LocalizableText, l10nText, localize } from "../text/language";
import { oneLine } from "../text/plainText";
import {
  judgeKey,
  judgeKeyOccurrences,
  judgePolicy,
  judgeRecordAgreement,
  judgeRepeats,
} from "./judgeProject";
import {
  judgePublisher,
  judgeReview,
  judgeRunbookTrial,
  judgeStatement,
  judgeSupport,
} from "./judgeSkill";
import { type Act, acts, isUnknown, type ReadinessFacts, type Unknown } from "./readinessFacts";
import { type EvidenceLink, type ReadinessState, unproven, type Verdict } from "./verdict";

/** Makes one check of a question. Undefined if it found no fault and proves nothing. */
type Check = (facts: ReadinessFacts, language: Language) => Verdict | undefined;

type FactName = "team" | "project" | "key" | "keyOccurrences" | "record";

/** Creates a check of a fact. Without it, the verdict is unknown. */
function by<Name extends FactName>(
  name: Name,
  judge: (
    value: Exclude<ReadinessFacts[Name], Unknown>,
    facts: ReadinessFacts,
    language: Language,
  ) => Verdict | undefined,
): Check {
  return (facts, language) => {
    const fact = facts[name];
    if (isUnknown(fact)) return unproven(localize(fact.why, language), fact.act);
    return judge(fact as Exclude<ReadinessFacts[Name], Unknown>, facts, language);
  };
}

/** The questions to ask before customers depend on a skill. The last check of a row gives the sentence of a yes. */
const rows: readonly {
  readonly question: string;
  readonly title: LocalizableText;
  readonly checks: readonly Check[];
}[] = [
  {
    question: "ownership",
    title: l10nText("Ownership: who stands behind it?"),
    checks: [
      judgePublisher,
      judgeSupport,
      by("team", judgeReview),
      by("team", judgeStatement("owner")),
    ],
  },
  {
    question: "key-scope",
    title: l10nText("Key scope: what can the key access, and who can read it?"),
    checks: [
      by("keyOccurrences", judgeKeyOccurrences),
      by("key", judgeKey),
      by("project", judgePolicy),
    ],
  },
  {
    question: "retry-behavior",
    title: l10nText("Retry behavior: what happens after a failure?"),
    checks: [by("record", judgeRepeats), by("team", judgeStatement("retry-rule"))],
  },
  {
    question: "logs",
    title: l10nText("Logs: what can be found out afterwards?"),
    checks: [by("project", judgeRecordAgreement), by("team", judgeStatement("logs"))],
  },
  {
    question: "manual-fallback",
    title: l10nText("Manual fallback: what happens when the skill is unavailable?"),
    checks: [by("team", judgeStatement("runbook")), by("team", judgeRunbookTrial)],
  },
];

/** The answers for one skill, one for each question. */
export interface Readiness {
  readonly slug: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly registry: string;
  readonly answers: readonly ({ readonly question: string; readonly title: string } & Verdict)[];
}

/**
 * Answers the five questions from the facts. A fault decides before what is not known, and that before a yes, which has
 * the evidence of all checks.
 */
export function readinessOf(facts: ReadinessFacts, language: Language): Readiness {
  const { slug, version } = facts.skill.summary;
  const answers = rows.map(({ question, title, checks }) => {
    const verdicts = checks.flatMap((judge) => judge(facts, language) ?? []);
    const deciding =
      verdicts.find(({ state }) => state === "no") ??
      verdicts.find(({ state }) => state === "notKnown");
    const message = verdicts.at(-1)?.message ?? "";
    const evidence = verdicts.flatMap((verdict) => verdict.evidence);
    const all = { state: "yes" as const, message, evidence };
    return { question, title: localize(title, language), ...(deciding ?? all) };
  });
  return { slug, version, at: facts.now, registry: facts.registry, answers };
}

/** A readiness as text, with the ranges of its links in UTF-16 offsets, in text order. */
export interface ReadinessText {
  readonly text: string;
  readonly links: readonly {
    readonly start: number;
    readonly end: number;
    readonly target: EvidenceLink | Act;
  }[];
}

/**
 * Writes the five answers with their evidence, for the editor and the command line. With `hasActs`, the acts that settle
 * a question are links too.
 */
export function readinessText(
  { slug, version, registry, at, answers }: Readiness,
  language: Language,
  { hasActs = false } = {},
): ReadinessText {
  const words = stateWords(language);
  const width = Math.max(...Object.values(words).map(({ length }) => length));
  const links: ReadinessText["links"][number][] = [];
  const skill = oneLine(addressText(slug, version));
  const counts = states.flatMap((state) => {
    const count = answers.filter((answer) => answer.state === state).length;
    return count === 0 ? [] : [`${count} ${words[state]}`];
  });
  let text = `${language.t("Ready for customers? {skill}", { skill })}\n`;
  text += `${oneLine(registry)}, ${utcMinute(at)}\n${counts.join(", ")}.\n`;
  const link = (label: string, target: EvidenceLink | Act | undefined, more = "") => {
    // Below the answer, since an editor would draw a guide for each step of a deeper indentation.
    const start = text.length + "  → ".length;
    if (target !== undefined) links.push({ start, end: start + label.length, target });
    text += `  → ${label}${more}\n`;
  };
  for (const { title, state, message, evidence, act } of answers) {
    text += `\n${title}\n  ${words[state].padEnd(width)}  ${message}\n`;
    for (const one of evidence) link(one.label, one.link, `, ${utcMinute(one.at)}`);
    if (hasActs && act !== undefined) link(localize(acts[act], language), act);
  }
  return { text, links };
}

const states = ["yes", "no", "notKnown"] as const;

function stateWords({ t }: Language): Readonly<Record<ReadinessState, string>> {
  return { yes: t("yes"), no: t("no"), notKnown: t("not known") };
}

/** A reported answer, with its evidence. */
export interface ReportedAnswer extends ReportItem {
  readonly answer: ReadinessState;
  readonly message: string;
  readonly evidence: readonly string[];
}

/** Reports every answer, each at its first evidence in a file of the repository, if it has any. */
export function readinessReport({ slug, answers }: Readiness): readonly ReportedAnswer[] {
  return answers.map(({ question, state, message, evidence }) => {
    const found = evidence.flatMap(({ link }) => (link && "file" in link ? [link] : [])).at(0);
    const file = found?.file ?? "";
    const start = found?.line === undefined ? {} : { start: { line: found.line, character: 0 } };
    const severity: Finding["severity"] = state === "no" ? "error" : "warning";
    const finding = { rule: question, severity, message: `${slug}: ${message}`, file, ...start };
    return {
      name: `${slug}: ${question}`,
      file,
      state: ({ yes: "good", no: "findings", notKnown: "unknown" } as const)[state],
      findings: state === "yes" ? [] : [finding],
      answer: state,
      message,
      evidence: evidence.map(({ label, at }) => `${label}, ${utcMinute(at)}`),
    };
  });
}
