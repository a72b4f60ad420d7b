import {
  type Callability,
  isAnythingKnown,
} from "../src/core/invocation/permission/callabilityFacts";
import type { ReviewNote } from "../src/core/review/teamStanding";
import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { trustSigns } from "../src/core/skill/verification";
import type { Translate } from "../src/core/text/language";
import { pageCommandNames, pageCommands } from "../src/protocol/pageCommands";
import { button, commandButton, type PageContext, plainButton } from "./buttons";
import { type Content, element, quietNote } from "./element";
import { factIcon, icon, levelIcon, noted, toneIcon } from "./icons";
import { type PagePart, pagePart, picked } from "./parts/part";

/**
 * The data that a page has about a skill besides its description. `review` is undefined in a workspace without reviews.
 */
interface PageFacts {
  readonly run: Callability;
  readonly review: ReviewNote | undefined;
}

/**
 * Shows the part above the tabs: a sticky line with the name, then the description, the publisher and the actions.
 * `tryIt` shows the form.
 */
export function skillHead(context: PageContext, tryIt: () => void): PagePart[] {
  return [
    pagePart(
      element("div", { class: "name-line" }),
      ({ skill, run, review }) => ({ ...picked(skill, ...named), run, review }),
      (shown) => nameLine(shown, context.t),
    ),
    pagePart(
      element("header", { class: "head" }),
      ({ skill }) => picked(skill, ...ofHead),
      (skill) => headOf(skill, context, tryIt),
    ),
  ];
}

const named = ["displayName", "verification", "permissionLevel", "prices", "isLocal"] as const;
const ofHead = [
  ...(["slug", "version", "versionNote", "description"] as const),
  ...(["registry", "publisher", "author", "absent", "isLocal"] as const),
] as const;

type HeadSkill = Pick<SkillDescription, (typeof ofHead)[number]>;

function headOf(skill: HeadSkill, context: PageContext, tryIt: () => void): Content[] {
  const { t } = context;
  const { slug, version, description } = skill;
  return [
    element(
      "p",
      { class: "byline" },
      element("code", { class: "id" }, version === "" ? slug : `${slug}@${version}`),
      byline(skill, context),
      element("span", { class: "quiet" }, registryText(skill, t)),
    ),
    versionNote(skill, context),
    description !== "" && element("div", { class: "lead" }, ...longText(description, t)),
    actions(skill, context, tryIt),
  ];
}

/** Shows a description; the end of a very long one on request. */
function longText(description: string, t: Translate): HTMLElement[] {
  const { start, rest } = splitText(description, maxShown);
  const shown = element("p", { class: "prose" }, start);
  if (rest === "") return [shown];
  return [
    shown,
    element(
      "details",
      {},
      element("summary", {}, t("The rest of the description")),
      element("p", { class: "prose" }, rest),
    ),
  ];
}

const maxShown = { characters: 240, lines: 3 };

/** Shows the name and, on tabs without the cards, one word per card. */
function nameLine(
  {
    displayName,
    verification,
    permissionLevel,
    prices,
    isLocal,
    run,
    review,
  }: PageFacts & Pick<SkillDescription, (typeof named)[number]>,
  t: Translate,
): Content[] {
  const chip = (label: string, sign: SVGElement, word: string) =>
    element(
      "li",
      { title: `${label}: ${word}` },
      sign,
      element("span", { class: "chip-word" }, word),
    );
  return [
    element("h1", { title: displayName }, displayName),
    element(
      "ul",
      { class: "chips", "aria-label": t("Trust") },
      chip(t("Verification"), factIcon(verification), verification.word),
      chip(
        t("Permission level"),
        levelIcon(permissionLevel.bars, permissionLevel.tone),
        permissionLevel.word,
      ),
      review !== undefined &&
        chip(t("Team review"), factIcon(trustSigns.review[review.name]), review.word),
      !isLocal &&
        isAnythingKnown(run) &&
        chip(
          t("Can I invoke it?"),
          factIcon(trustSigns.callability[run.kind]),
          t("Invoke: {answer}", { answer: run.word }),
        ),
      prices.length !== 0 &&
        element("li", {}, element("span", { class: "chip-word" }, priceLine(prices, ""))),
    ),
  ];
}

function versionNote(
  { versionNote: note }: HeadSkill,
  { t, send }: PageContext,
): HTMLElement | undefined {
  if (note === undefined) return undefined;
  const { text, latest: version } = note;
  const open =
    version === ""
      ? undefined
      : button(t("Open {version}", { version }), () => send({ type: "selectVersion", version }), {
          id: "open-latest",
        });
  return element("div", { class: "version-note" }, noted("caution", text), open);
}

function byline({ publisher, author, absent }: HeadSkill, { t, send }: PageContext): HTMLElement {
  if (publisher === undefined) {
    return author === undefined
      ? element("span", { class: "quiet" }, `${t("Publisher:")} ${absent.publisher}`)
      : element(
          "span",
          { class: "by" },
          t("by {name}, as the manifest states", { name: author.name }),
        );
  }
  const mark =
    publisher.verified === true
      ? element("span", { class: "mark" }, toneIcon("good"), t("verified publisher"))
      : undefined;
  const { name } = publisher;
  const title = t("List the skills of {name}", { name });
  const list = () => send({ type: "listByPublisher" });
  const link = plainButton("link", t("by {name}", { name }), list, { id: "by-publisher", title });
  return element("span", { class: "by" }, link, mark);
}

function registryText({ registry }: HeadSkill, t: Translate): string {
  return registry.builtIn ? t("in the built-in registry") : t("in {name}", { name: registry.name });
}

function actions({ isLocal }: HeadSkill, context: PageContext, tryIt: () => void): HTMLElement {
  const { t, send } = context;
  return element(
    "div",
    { class: "actions", role: "group", "aria-label": t("What you can do") },
    button(t("Try It"), tryIt, { appearance: "primary", id: "try-form" }, icon("play", "start")),
    button(
      t("Open Payload"),
      () => send({ type: "openPayload" }),
      { id: "open-payload", class: "minor" },
      icon("edit", "start"),
    ),
    ...pageCommandNames
      .filter((command) => !isLocal && "headIcon" in pageCommands[command])
      .map((command) => commandButton(command, context)),
  );
}

/** Shows the cards that help decide whether to trust a skill. Each names its reason and source. */
export function trustCards(context: PageContext): PagePart {
  return pagePart(
    element("section", { class: "trust", "aria-label": context.t("Trust") }),
    ({ skill, run, review }) => ({ ...picked(skill, ...onCards), run, review }),
    (shown) => cardsOf(shown, context),
  );
}

const onCards = [
  ...(["verification", "permissionLevel", "permissions"] as const),
  ...(["prices", "goesTo", "absent", "isLocal"] as const),
] as const;

type CardFacts = PageFacts & Pick<SkillDescription, (typeof onCards)[number]>;

function cardsOf(facts: CardFacts, context: PageContext): Content[] {
  const { verification, permissionLevel, permissions, run, review, isLocal } = facts;
  const { t } = context;
  const registryReview =
    verification.review === "" ? "" : t("Review: {review}.", { review: verification.review });
  return [
    axis({
      label: t("Verification"),
      sign: factIcon(verification),
      word: verification.word,
      reason: verification.advice,
      source: [registryReview, verification.source].filter((text) => text !== "").join(" "),
      warning: run.statusConflict,
    }),
    axis({
      label: t("Permission level"),
      sign: levelIcon(permissionLevel.bars, permissionLevel.tone),
      word: permissionLevel.word,
      // No reason needed: the section below the cards lists the permissions.
      reason: permissions === undefined ? permissionLevel.reason : "",
      source: permissionLevel.source,
      warning: permissionLevel.conflict ?? "",
    }),
    review !== undefined && reviewAxis(review, context),
    !isLocal && runAxis(facts, context),
  ];
}

function reviewAxis(
  { name, word, lines, reviewedAt }: ReviewNote,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  return axis({
    label: t("Team review"),
    sign: factIcon(trustSigns.review[name]),
    word,
    reason: lines,
    source: t("Source: the reviews in this workspace"),
    warning: "",
    action:
      name === "reviewed"
        ? undefined
        : element(
            "div",
            { class: "actions" },
            commandButton("reviewSkill", context),
            reviewedAt !== undefined &&
              commandButton(
                "connectToReviewed",
                context,
                t("Connect to {registry}", { registry: reviewedAt }),
              ),
          ),
  });
}

/** Joins the prices in one line; returns `absent` if there are none. */
export function priceLine(prices: readonly string[], absent: string): string {
  if (prices.length === 0) return absent;
  return prices.length > maxPrices
    ? `${prices.slice(0, maxPrices).join(", ")} …`
    : prices.join(", ");
}

/** The maximum number of prices in a line. The price section lists all. */
const maxPrices = 2;

/** Creates the card with whether the skill can be invoked, its price, and the payload's destination. */
function runAxis({ run, prices, goesTo, absent }: CardFacts, context: PageContext): HTMLElement {
  const { t } = context;
  const { kind, code, word, text, source, needsKey, warning } = run;
  const price = priceLine(prices, absent.prices);
  return axis({
    label: t("Can I invoke it?"),
    sign: factIcon(trustSigns.callability[kind]),
    word,
    reason: [
      // The word "yes" needs no explanation.
      kind === "yes" ? "" : text,
      t("Price: {price}", { price }),
      t("Goes to: {place}", { place: goesTo }),
    ],
    source,
    warning,
    action: needsKey
      ? commandButton("setProjectKey", context)
      : code === "skill_not_installed"
        ? commandButton("installSkill", context)
        : kind === "unknown" || kind === "probably"
          ? commandButton("checkProjectKey", context)
          : undefined,
  });
}

interface Axis {
  readonly label: string;
  readonly sign: SVGElement;
  readonly word: string;
  /** Empty if the word is enough. Several texts become paragraphs. */
  readonly reason: string | readonly string[];
  /** The source of the fact; empty if unknown. */
  readonly source: string;
  /** Empty if there is none. */
  readonly warning: string;
  readonly action?: HTMLElement | undefined;
}

function axis({ label, sign, word, reason, source, warning, action }: Axis): HTMLElement {
  return element(
    "div",
    { class: "axis" },
    element("h2", { class: "axis-label" }, label),
    element("p", { class: "axis-word" }, sign, element("strong", {}, word)),
    ...[reason].flat().map((text) => (text === "" ? undefined : element("p", {}, text))),
    warning !== "" && noted("caution", warning),
    source !== "" && quietNote(source),
    action,
  );
}

/**
 * Splits a long text after a number of characters or lines, preferably at the end of a line or a word. `rest` is empty
 * if all is shown.
 */
export function splitText(
  text: string,
  { characters, lines }: { readonly characters: number; readonly lines: number },
): { readonly start: string; readonly rest: string } {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const room = Math.min(characters, ends[lines - 1] ?? text.length);
  // Hiding a few characters is not worth it.
  if (text.length <= room || (ends.length < lines && text.length <= characters * 1.2)) {
    return { start: text, rest: "" };
  }
  const gap = text.slice(0, room + 1).search(/\s\S*$/);
  const at = gap > room / 2 ? gap : room;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
  const end = isHalf ? at - 1 : at;
  return { start: text.slice(0, end).trimEnd(), rest: text.slice(end).trim() };
}
