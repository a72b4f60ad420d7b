import type { RunAdvice } from "../core/skill/description/runAdvice";
import type { PublisherWords, SkillDescription } from "../core/skill/description/skillDescription";
import { icon, powerIcon, toneIcon } from "./icons";
import { type Markup, markup, pressButton } from "./markup";
import type { Say } from "./say";
import { splitText } from "./splitText";

/** Describes the head of a skill's page: what it is, who made it, whether to trust it, and what can be done with it. */
export function skillHead(skill: SkillDescription, run: RunAdvice, say: Say): Markup {
  const { slug, version, displayName, description, tags } = skill;
  return markup(
    "header",
    { class: "head" },
    markup("h1", {}, displayName),
    markup(
      "p",
      { class: "byline" },
      markup("code", { class: "id" }, version === "" ? slug : `${slug}@${version}`),
      byline(skill.publisher, say),
      markup("span", { class: "quiet" }, registryWords(skill, say)),
    ),
    description === "" ? undefined : lead(description, say),
    tags.length === 0 ? undefined : tagList(tags, say),
    actions(say),
    trustLine(skill, run, say),
  );
}

function byline(publisher: PublisherWords | undefined, say: Say): Markup {
  if (publisher === undefined) {
    return markup("span", { class: "quiet" }, say("Publisher not given by this registry"));
  }
  const mark =
    publisher.verified === true
      ? markup("span", { class: "mark" }, toneIcon("good"), say("verified publisher"))
      : undefined;
  return markup("span", { class: "by" }, say("by {name}", { name: publisher.name }), mark);
}

function registryWords({ registry }: SkillDescription, say: Say): string {
  return registry.builtIn
    ? say("in the built-in registry")
    : say("in {name}", { name: registry.name });
}

// However much a publisher says, what can be done and whether to trust it stays in sight.
function lead(description: string, say: Say): Markup {
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
      markup("summary", {}, say("The rest of the description")),
      markup("p", { class: "lead" }, rest),
    ),
  );
}

const maxLead = { characters: 600, lines: 8 };
const maxTags = 12;

function tagList(tags: readonly string[], say: Say): Markup {
  const more = tags.length - maxTags;
  return markup(
    "ul",
    { class: "tags", "aria-label": say("Tags") },
    ...tags.slice(0, maxTags).map((tag) => markup("li", {}, tag)),
    more > 0 ? markup("li", {}, say("and {count} more", { count: more })) : undefined,
  );
}

function actions(say: Say): Markup {
  return markup(
    "div",
    { class: "actions", role: "group", "aria-label": say("What you can do") },
    pressButton(
      say("New Payload"),
      { type: "newPayload" },
      { appearance: "primary", id: "new-payload" },
      icon("create", "start"),
    ),
    pressButton(say("Invoke"), { type: "invoke" }, { id: "invoke" }, icon("run", "start")),
    pressButton(
      say("Copy as cURL"),
      { type: "copyAsCurl" },
      { id: "copy-as-curl" },
      icon("terminal", "start"),
    ),
    pressButton(
      say("Compare with…"),
      { type: "compareWith" },
      { id: "compare-with" },
      icon("compare", "start"),
    ),
  );
}

function trustLine({ state, power }: SkillDescription, run: RunAdvice, say: Say): Markup {
  const review = state.review === "" ? "" : say("Review: {review}.", { review: state.review });
  return markup(
    "section",
    { class: "trust", "aria-label": say("Trust") },
    axis({
      label: say("State"),
      sign: toneIcon(state.tone),
      word: state.word,
      reason: state.advice,
      source: [review, state.source].filter((text) => text !== "").join(" "),
    }),
    axis({
      label: say("Power"),
      sign: powerIcon(power.bars, power.tone),
      word: power.word,
      reason: power.reason,
      source: power.source,
      warning: power.conflict,
    }),
    runAxis(run, say),
  );
}

function runAxis({ kind, word, code, text, source, needsKey }: RunAdvice, say: Say): Markup {
  const signs = { yes: "good", no: "bad", unknown: "neutral" } as const;
  return axis({
    label: say("Can I run it?"),
    sign: toneIcon(signs[kind]),
    word,
    code,
    reason: text,
    source,
    cure: needsKey
      ? pressButton(say("Set Project Key…"), { type: "setProjectKey" }, { id: "set-key" })
      : undefined,
  });
}

interface Axis {
  readonly label: string;
  readonly sign: Markup;
  readonly word: string;
  readonly code?: string;
  readonly reason: string;
  /** Who says so; empty where it is not known. */
  readonly source: string;
  readonly warning?: string | undefined;
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
    markup("p", {}, reason),
    warning === undefined
      ? undefined
      : markup("p", { class: "warning" }, toneIcon("caution"), markup("span", {}, warning)),
    source === "" ? undefined : markup("p", { class: "quiet" }, source),
    cure,
  );
}
