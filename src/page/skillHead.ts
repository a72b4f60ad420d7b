import type { ReviewNote } from "../core/review/teamStanding";
import { type Callability, isAnythingKnown } from "../core/skill/description/callability";
import type { SkillDescription } from "../core/skill/description/skillDescription";
import type { Translate } from "../core/text/language";
import { icon, levelIcon, type Markup, markup, pressButton, toneIcon } from "./markup";

/** What a page knows of a skill besides its description; no `review` in a workspace without reviews. */
export interface PageFacts {
  readonly run: Callability;
  readonly review: ReviewNote | undefined;
}

/**
 * Describes what stands above the tabs of a skill's page: a line with its name that stays in sight, then
 * what it is, who made it and what can be done with it.
 */
export function skillHead(
  skill: SkillDescription,
  { run, review }: PageFacts,
  t: Translate,
): Markup[] {
  const { slug, version, description } = skill;
  const head = markup(
    "header",
    { class: "head" },
    markup(
      "p",
      { class: "byline" },
      markup("code", { class: "id" }, version === "" ? slug : `${slug}@${version}`),
      byline(skill, t),
      markup("span", { class: "quiet" }, registryText(skill, t)),
    ),
    versionNote(skill, t),
    description === "" ? undefined : markup("p", { class: "lead" }, startOf(description)),
    actions(t),
  );
  return [nameLine(skill, { run, review }, t), head];
}

/** What is cut off here stands whole on the overview. */
function startOf(description: string): string {
  const { start, rest } = splitText(description, maxStart);
  return rest === "" ? start : `${start} …`;
}

const maxStart = { characters: 140, lines: 2 };

/** Returns whether the head shows a whole description. */
export function isShownWhole(description: string): boolean {
  return splitText(description, maxStart).rest === "";
}

/** The name, and on tabs without the cards what they say in a word each. */
function nameLine(
  { displayName, verification, permissionLevel }: SkillDescription,
  { run, review }: PageFacts,
  t: Translate,
): Markup {
  const chip = (label: string, sign: Markup, word: string) =>
    markup(
      "li",
      { title: `${label}: ${word}` },
      sign,
      markup("span", { class: "chip-word" }, word),
    );
  return markup(
    "div",
    { class: "name-line" },
    markup("h1", { title: displayName }, displayName),
    markup(
      "ul",
      { class: "chips", "aria-label": t("Trust") },
      chip(t("Verification"), toneIcon(verification.tone), verification.word),
      chip(
        t("Permission level"),
        levelIcon(permissionLevel.bars, permissionLevel.tone),
        permissionLevel.word,
      ),
      review === undefined
        ? undefined
        : chip(t("Team review"), toneIcon(reviewSigns[review.name]), review.word),
      isAnythingKnown(run)
        ? chip(
            t("Can I invoke it?"),
            toneIcon(runSigns[run.kind]),
            t("Invoke: {answer}", { answer: run.word }),
          )
        : undefined,
    ),
  );
}

const reviewSigns = {
  reviewed: "good",
  unreviewed: "caution",
  drifted: "bad",
  unknown: "neutral",
} as const;

const runSigns = { yes: "good", no: "bad", unknown: "neutral" } as const;

function versionNote({ versionNote: note }: SkillDescription, t: Translate): Markup | undefined {
  if (note === undefined) return undefined;
  const { text, latest: version } = note;
  const open =
    version === ""
      ? undefined
      : pressButton(
          t("Open {version}", { version }),
          { type: "selectVersion", version },
          { id: "open-latest" },
        );
  return markup(
    "div",
    { class: "version-note" },
    markup("p", { class: "warning" }, toneIcon("caution"), markup("span", {}, text)),
    open,
  );
}

function byline({ publisher, author, absent }: SkillDescription, t: Translate): Markup {
  if (publisher === undefined) {
    return author === undefined
      ? markup("span", { class: "quiet" }, `${t("Publisher:")} ${absent.publisher}`)
      : markup(
          "span",
          { class: "by" },
          t("by {name}, as the manifest states", { name: author.name }),
        );
  }
  const mark =
    publisher.verified === true
      ? markup("span", { class: "mark" }, toneIcon("good"), t("verified publisher"))
      : undefined;
  const { name } = publisher;
  const label = t("by {name}", { name });
  const link: Markup = {
    ...markup(
      "button",
      {
        type: "button",
        class: "link",
        id: "by-publisher",
        title: t("List the skills of {name}", { name }),
      },
      label,
    ),
    press: { type: "listByPublisher" },
  };
  return markup("span", { class: "by" }, link, mark);
}

function registryText({ registry }: SkillDescription, t: Translate): string {
  return registry.builtIn ? t("in the built-in registry") : t("in {name}", { name: registry.name });
}

function actions(t: Translate): Markup {
  return markup(
    "div",
    { class: "actions", role: "group", "aria-label": t("What you can do") },
    pressButton(
      t("Open Payload"),
      { type: "openPayload" },
      { appearance: "primary", id: "open-payload" },
      icon("edit", "start"),
    ),
    pressButton(
      t("Copy As…"),
      { type: "copyAs" },
      { id: "copy-as", class: "minor", title: t("Copy As…") },
      icon("terminal", "start"),
    ),
    pressButton(
      t("Compare with…"),
      { type: "compareWith" },
      { id: "compare-with", class: "minor", title: t("Compare with…") },
      icon("compare", "start"),
    ),
  );
}

/** Describes the cards that say whether to trust a skill, each with its reason and who says so. */
export function trustCards(
  { verification, permissionLevel }: SkillDescription,
  { run, review }: PageFacts,
  t: Translate,
): Markup {
  const registryReview =
    verification.review === "" ? "" : t("Review: {review}.", { review: verification.review });
  return markup(
    "section",
    { class: "trust", "aria-label": t("Trust") },
    axis({
      label: t("Verification"),
      sign: toneIcon(verification.tone),
      word: verification.word,
      reason: verification.advice,
      source: [registryReview, verification.source].filter((text) => text !== "").join(" "),
      warning: run.statusConflict,
    }),
    axis({
      label: t("Permission level"),
      sign: levelIcon(permissionLevel.bars, permissionLevel.tone),
      word: permissionLevel.word,
      reason: permissionLevel.reason,
      source: permissionLevel.source,
      warning: permissionLevel.conflict ?? "",
    }),
    review === undefined ? undefined : reviewAxis(review, t),
    isAnythingKnown(run) ? runAxis(run, t) : undefined,
  );
}

function reviewAxis({ name, word, lines }: ReviewNote, t: Translate): Markup {
  return axis({
    label: t("Team review"),
    sign: toneIcon(reviewSigns[name]),
    word,
    reason: lines,
    source: t("Source: the reviews in this workspace"),
    warning: "",
    action:
      name === "reviewed"
        ? undefined
        : pressButton(t("Review This Skill…"), { type: "reviewSkill" }, { id: "review-skill" }),
  });
}

function runAxis(
  { kind, word, code, text, source, needsKey, warning }: Callability,
  t: Translate,
): Markup {
  return axis({
    label: t("Can I invoke it?"),
    sign: toneIcon(runSigns[kind]),
    word,
    code,
    reason: text,
    source,
    warning,
    action: needsKey
      ? pressButton(t("Set Project Key…"), { type: "setProjectKey" }, { id: "set-key" })
      : kind === "unknown"
        ? pressButton(t("Check Now"), { type: "checkProjectKey" }, { id: "check-key" })
        : undefined,
  });
}

interface Axis {
  readonly label: string;
  readonly sign: Markup;
  readonly word: string;
  readonly code?: string;
  /** Empty where the word says it all; several are paragraphs. */
  readonly reason: string | readonly string[];
  /** Who says so; empty where it is not known. */
  readonly source: string;
  /** Empty where there is none. */
  readonly warning: string;
  readonly action?: Markup | undefined;
}

function axis({ label, sign, word, code = "", reason, source, warning, action }: Axis): Markup {
  return markup(
    "div",
    { class: "axis" },
    markup("h2", { class: "axis-label" }, label),
    markup(
      "p",
      { class: "axis-word" },
      sign,
      markup("strong", {}, word),
      code === "" ? undefined : markup("code", { class: "quiet" }, code),
    ),
    ...[reason].flat().map((text) => (text === "" ? undefined : markup("p", {}, text))),
    warning === ""
      ? undefined
      : markup("p", { class: "warning" }, toneIcon("caution"), markup("span", {}, warning)),
    source === "" ? undefined : markup("p", { class: "quiet" }, source),
    action,
  );
}

/** A text in two: what is shown at first, and the rest, which is empty where all of it fits. */
export interface SplitText {
  readonly start: string;
  readonly rest: string;
}

/** Splits a long text after so many characters or lines, at the end of a line or a word where there is one. */
export function splitText(
  text: string,
  { characters, lines }: { readonly characters: number; readonly lines: number },
): SplitText {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const room = Math.min(characters, ends[lines - 1] ?? text.length);
  // A few more characters are no reason to hide them.
  if (text.length <= room || (ends.length < lines && text.length <= characters * 1.2)) {
    return { start: text, rest: "" };
  }
  const gap = text.slice(0, room + 1).search(/\s\S*$/);
  const at = gap > room / 2 ? gap : room;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
  const end = isHalf ? at - 1 : at;
  return { start: text.slice(0, end).trimEnd(), rest: text.slice(end).trim() };
}
