import type { RunAdvice } from "../core/skill/description/runAdvice";
import type { SkillDescription } from "../core/skill/description/skillDescription";
import type { Translate } from "../core/text/language";
import { icon, levelIcon, toneIcon } from "./icons";
import { type Markup, markup, pressButton } from "./markup";

/** Describes the head of a skill's page: what it is, who made it, whether to trust it, and what can be done with it. */
export function skillHead(skill: SkillDescription, run: RunAdvice, t: Translate): Markup {
  const { slug, version, displayName, description, tags } = skill;
  return markup(
    "header",
    { class: "head" },
    markup("h1", {}, displayName),
    markup(
      "p",
      { class: "byline" },
      markup("code", { class: "id" }, version === "" ? slug : `${slug}@${version}`),
      byline(skill, t),
      markup("span", { class: "quiet" }, registryText(skill, t)),
    ),
    versionNote(skill, t),
    description === "" ? undefined : lead(description, t),
    tags.length === 0 ? undefined : tagList(tags, t),
    actions(t),
    trustLine(skill, run, t),
  );
}

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
  return markup("span", { class: "by" }, t("by {name}", { name: publisher.name }), mark);
}

function registryText({ registry }: SkillDescription, t: Translate): string {
  return registry.builtIn ? t("in the built-in registry") : t("in {name}", { name: registry.name });
}

// However much a publisher says, what can be done and whether to trust it stays in sight.
function lead(description: string, t: Translate): Markup {
  const { start, rest } = splitText(description, maxLead);
  const shown = markup("p", { class: "lead" }, start);
  if (rest === "") return shown;
  return markup(
    "div",
    {},
    shown,
    markup(
      "details",
      { "data-path": "description" },
      markup("summary", {}, t("The rest of the description")),
      markup("p", { class: "lead" }, rest),
    ),
  );
}

const maxLead = { characters: 600, lines: 8 };
const maxTags = 12;

function tagList(tags: readonly string[], t: Translate): Markup {
  const more = tags.length - maxTags;
  return markup(
    "ul",
    { class: "tags", "aria-label": t("Tags") },
    ...tags.slice(0, maxTags).map((tag) => markup("li", {}, tag)),
    more > 0 ? markup("li", {}, t("and {count} more", { count: more })) : undefined,
  );
}

function actions(t: Translate): Markup {
  return markup(
    "div",
    { class: "actions", role: "group", "aria-label": t("What you can do") },
    pressButton(
      t("New Payload"),
      { type: "newPayload" },
      { appearance: "primary", id: "new-payload" },
      icon("create", "start"),
    ),
    pressButton(
      t("Open Payload"),
      { type: "openPayload" },
      { id: "open-payload" },
      icon("edit", "start"),
    ),
    pressButton(
      t("Copy as cURL"),
      { type: "copyAsCurl" },
      { id: "copy-as-curl" },
      icon("terminal", "start"),
    ),
    pressButton(
      t("Compare with…"),
      { type: "compareWith" },
      { id: "compare-with" },
      icon("compare", "start"),
    ),
  );
}

function trustLine(
  { state, permissionLevel }: SkillDescription,
  run: RunAdvice,
  t: Translate,
): Markup {
  const review = state.review === "" ? "" : t("Review: {review}.", { review: state.review });
  return markup(
    "section",
    { class: "trust", "aria-label": t("Trust") },
    axis({
      label: t("Verification"),
      sign: toneIcon(state.tone),
      word: state.word,
      reason: state.advice,
      source: [review, state.source].filter((text) => text !== "").join(" "),
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
    runAxis(run, t),
  );
}

function runAxis(
  { kind, word, code, text, source, needsKey, warning }: RunAdvice,
  t: Translate,
): Markup {
  const signs = { yes: "good", no: "bad", unknown: "neutral" } as const;
  return axis({
    label: t("Can I run it?"),
    sign: toneIcon(signs[kind]),
    word,
    code,
    reason: text,
    source,
    warning,
    cure: needsKey
      ? pressButton(t("Set Project Key…"), { type: "setProjectKey" }, { id: "set-key" })
      : undefined,
  });
}

interface Axis {
  readonly label: string;
  readonly sign: Markup;
  readonly word: string;
  readonly code?: string;
  /** Empty where the word says it all. */
  readonly reason: string;
  /** Who says so; empty where it is not known. */
  readonly source: string;
  /** Empty where there is none. */
  readonly warning: string;
  readonly cure?: Markup | undefined;
}

function axis({ label, sign, word, code = "", reason, source, warning, cure }: Axis): Markup {
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
    reason === "" ? undefined : markup("p", {}, reason),
    warning === ""
      ? undefined
      : markup("p", { class: "warning" }, toneIcon("caution"), markup("span", {}, warning)),
    source === "" ? undefined : markup("p", { class: "quiet" }, source),
    cure,
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
