import type { RunAdvice } from "../src/core/skill/description/runAdvice";
import type {
  PublisherWords,
  SkillDescription,
} from "../src/core/skill/description/skillDescription";
import { button, element } from "./element";
import { icon, powerIcon, toneIcon } from "./icon";
import type { PageContext } from "./pageContext";
import { splitText } from "./splitText";

/** Shows what a skill is, who made it, whether to trust it, and what can be done with it. */
export function skillHeader(
  skill: SkillDescription,
  run: RunAdvice,
  context: PageContext,
): HTMLElement {
  const { slug, version, displayName, description, tags } = skill;
  return element(
    "header",
    { class: "head" },
    element("h1", {}, displayName),
    element(
      "p",
      { class: "byline" },
      element("code", { class: "id" }, version === "" ? slug : `${slug}@${version}`),
      byline(skill.publisher, context),
      element("span", { class: "quiet" }, registryWords(skill, context)),
    ),
    description === "" ? undefined : lead(description, context),
    tags.length === 0 ? undefined : tagList(tags, context),
    actions(context),
    trustLine(skill, run, context),
  );
}

function byline(publisher: PublisherWords | undefined, { say }: PageContext): HTMLElement {
  if (publisher === undefined) {
    return element("span", { class: "quiet" }, say("Publisher not given by this registry"));
  }
  const mark =
    publisher.verified === true
      ? element("span", { class: "mark" }, toneIcon("good"), say("verified publisher"))
      : undefined;
  return element("span", { class: "by" }, say("by {name}", { name: publisher.name }), mark);
}

function registryWords({ registry }: SkillDescription, { say }: PageContext): string {
  return registry.builtIn
    ? say("in the built-in registry")
    : say("in {name}", { name: registry.name });
}

// However much a publisher says, what can be done and whether to trust it stays in sight.
function lead(description: string, { say }: PageContext): HTMLElement {
  const { start, rest } = splitText(description, maxLead);
  const shown = element("p", { class: "lead" }, start);
  if (rest === "") return shown;
  return element(
    "div",
    {},
    shown,
    element(
      "details",
      { "data-path": "description" },
      element("summary", {}, say("The rest of the description")),
      element("p", { class: "lead" }, rest),
    ),
  );
}

const maxLead = { characters: 600, lines: 8 };
const maxTags = 12;

function tagList(tags: readonly string[], { say }: PageContext): HTMLElement {
  const more = tags.length - maxTags;
  return element(
    "ul",
    { class: "tags", "aria-label": say("Tags") },
    ...tags.slice(0, maxTags).map((tag) => element("li", {}, tag)),
    more > 0 ? element("li", {}, say("and {count} more", { count: more })) : undefined,
  );
}

function actions({ say, send }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "actions", role: "group", "aria-label": say("What you can do") },
    button(
      say("New Payload"),
      () => send({ type: "newPayload" }),
      { appearance: "primary", id: "new-payload" },
      icon("create", "start"),
    ),
    button(say("Invoke"), () => send({ type: "invoke" }), { id: "invoke" }, icon("run", "start")),
    button(
      say("Copy as cURL"),
      () => send({ type: "copyAsCurl" }),
      { id: "copy-as-curl" },
      icon("terminal", "start"),
    ),
    button(
      say("Compare with…"),
      () => send({ type: "compareWith" }),
      { id: "compare-with" },
      icon("compare", "start"),
    ),
  );
}

function trustLine(
  { state, power }: SkillDescription,
  run: RunAdvice,
  context: PageContext,
): HTMLElement {
  const { say } = context;
  const review = state.review === "" ? "" : say("Review: {review}.", { review: state.review });
  return element(
    "section",
    { class: "trust", "aria-label": say("Trust") },
    axis(
      say("State"),
      toneIcon(state.tone),
      state.word,
      state.advice,
      [review, state.source].filter((text) => text !== "").join(" "),
    ),
    axis(
      say("Power"),
      powerIcon(power.bars, power.tone),
      power.word,
      power.reason,
      power.source,
      power.conflict,
    ),
    runAxis(run, context),
  );
}

function runAxis(run: RunAdvice, { say, send }: PageContext): HTMLElement {
  const signs = { yes: "good", no: "bad", unknown: "neutral" } as const;
  const made = axis(
    say("Can I run it?"),
    toneIcon(signs[run.kind]),
    run.word,
    run.text,
    run.source,
  );
  const word = made.querySelector(".axis-word");
  if (run.code !== "") word?.append(element("code", { class: "quiet" }, run.code));
  if (run.needsKey) {
    made.append(
      button(say("Set Project Key…"), () => send({ type: "setProjectKey" }), { id: "set-key" }),
    );
  }
  return made;
}

function axis(
  label: string,
  sign: SVGElement,
  word: string,
  reason: string,
  source: string,
  warning?: string,
): HTMLElement {
  return element(
    "div",
    { class: "axis" },
    element("h2", { class: "axis-label" }, label),
    element("p", { class: "axis-word" }, sign, element("strong", {}, word)),
    element("p", {}, reason),
    warning === undefined
      ? undefined
      : element("p", { class: "warning" }, toneIcon("caution"), element("span", {}, warning)),
    source === "" ? undefined : element("p", { class: "quiet" }, source),
  );
}
