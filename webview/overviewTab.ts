import type { AgentNote } from "../src/core/agents/agentNote";
import type {
  FeedbackEntryText,
  FeedbackText,
  SkillDescription,
} from "../src/core/skill/description/skillDescription";
import { barsOf, type PermissionSentence } from "../src/core/skill/permissions";
import { commandButton, linkButton, type PageContext, plainButton, skillLink } from "./buttons";
import { type Content, definitions, element, quietNote, section } from "./element";
import { icon, levelIcon } from "./icons";
import { type PagePart, pagePart, partOf } from "./parts/part";
import { trustCards } from "./skillHead";

/** Shows the facts for choosing a skill: trust, permissions, price, numbers, publisher, feedback. */
export function overviewTab(context: PageContext): PagePart {
  return partOf(
    element("div", { class: "overview" }),
    trustCards(context),
    pagePart(
      element("div", { class: "unboxed" }),
      ({ skill: { manifest, examples, input, output, description, ...skill }, agents }) => ({
        skill,
        agents,
      }),
      ({ skill, agents }) => overviewOf(skill, agents, context),
    ),
  );
}

type ShownSkill = Omit<
  SkillDescription,
  "manifest" | "examples" | "input" | "output" | "description"
>;

function overviewOf(
  skill: ShownSkill,
  agents: AgentNote | undefined,
  context: PageContext,
): Content[] {
  return [
    permissionsSection(skill, context),
    element(
      "div",
      { class: "stack" },
      tagsSection(skill, context),
      priceSection(skill, context),
      factsSection(skill, context),
      publisherSection(skill, context),
      agentsSection(agents, context),
    ),
    element("div", { class: "stack" }, numbersSection(skill), feedbackSection(skill, context)),
  ];
}

function tagsSection({ tags }: ShownSkill, context: PageContext): HTMLElement | undefined {
  if (tags.length === 0) return undefined;
  return section("tags", context.t("Tags"), tagList(tags, context));
}

/** The maximum number of tags: a few lines on a narrow page. Further ones are only counted. */
const maxTags = 24;

/** Creates the list of tags. Pressing a tag lists the skills that have it. */
function tagList(tags: readonly string[], { t, send }: PageContext): HTMLElement {
  const more = tags.length - maxTags;
  return element(
    "ul",
    { class: "tags", "aria-label": t("Tags") },
    ...tags.slice(0, maxTags).map((tag, index) => {
      const title = t("List the skills with the tag {tag}", { tag });
      const list = () => send({ type: "listByTag", tag: index });
      return element("li", {}, plainButton("tag", tag, list, { title }));
    }),
    more > 0 && element("li", { class: "quiet" }, t("and {count} more", { count: more })),
  );
}

/** Shows the prices if there are several. The card above shows a single one. */
function priceSection({ prices }: ShownSkill, { t }: PageContext): HTMLElement | undefined {
  if (prices.length < 2) return undefined;
  const rows = prices.map((price) => element("li", {}, price));
  return section("price", t("Price"), element("ul", {}, ...rows));
}

function numbersSection({ numbers, numbersTitle, numbersAge, absent }: ShownSkill): HTMLElement {
  return section(
    "numbers",
    numbersTitle,
    numbers.length === 0
      ? quietNote(absent.listing)
      : element(
          "dl",
          { class: "figures" },
          ...numbers.map(({ label, value, meaning }) =>
            element(
              "div",
              {},
              element("dt", {}, label),
              element(
                "dd",
                {},
                element("span", { class: "value" }, value),
                element("span", { class: "quiet note" }, meaning),
              ),
            ),
          ),
        ),
    numbers.length !== 0 && element("p", { class: "quiet after" }, numbersAge),
  );
}

function factsSection(
  { facts, supportUrl, absent }: ShownSkill,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  const rows = facts.map(({ label, value }) => [label, value] as const);
  const support = supportUrl && linkButton(t("Support page"), supportUrl, context);
  return section(
    "facts",
    t("Details"),
    rows.length === 0 ? quietNote(absent.listing) : definitions(rows),
    support && element("p", { class: "after" }, support),
  );
}

/** Shows the permissions of agents, with a button to change them. */
function agentsSection(
  agents: AgentNote | undefined,
  context: PageContext,
): HTMLElement | undefined {
  if (agents === undefined) return undefined;
  return section(
    "agents",
    context.t("Agents"),
    definitions(agents.rows),
    element(
      "p",
      { class: "after" },
      commandButton("allowAgents", context, agents.isInForce ? context.t("Change…") : undefined),
    ),
  );
}

function publisherSection(skill: ShownSkill, context: PageContext): HTMLElement {
  const { t } = context;
  const { publisher } = skill;
  const author = authorLines(skill, context);
  if (publisher === undefined) {
    const missing = quietNote(skill.absent.publisher);
    return section("publisher", t("Publisher"), missing, ...author);
  }
  const { facts, url, otherSkills, moreSkills } = publisher;
  return section(
    "publisher",
    t("Publisher"),
    definitions(facts.map(({ label, value }) => [label, value] as const)),
    url !== undefined && element("p", { class: "after" }, linkButton(t("Website"), url, context)),
    otherSkills.length !== 0 &&
      element(
        "p",
        { class: "after" },
        t("Other skills:"),
        ...otherSkills.flatMap((slug) => [" ", skillLink(slug, context)]),
        moreSkills !== 0 && ` ${t("and {count} more", { count: moreSkills })}`,
      ),
    ...author,
  );
}

/** Shows the author from the manifest. Publishers may write any name there. */
function authorLines({ author }: ShownSkill, context: PageContext): HTMLElement[] {
  if (author === undefined) return [];
  const { t } = context;
  const link = author.url && linkButton(t("Author’s website"), author.url, context);
  return [
    element(
      "p",
      { class: "after", id: "author" },
      t("Author: {name}", { name: author.name }),
      element("span", { class: "quiet note" }, t("Stated by the publisher, not checked.")),
    ),
    ...(link ? [element("p", { class: "after" }, link)] : []),
  ];
}

/** Shows a skill's permissions as sentences with their consequences, and the permissions that it lacks. */
function permissionsSection(skill: ShownSkill, { t }: PageContext): HTMLElement {
  const { permissions } = skill;
  const title = t("Permissions");
  if (permissions === undefined) {
    return section(
      "permissions",
      title,
      quietNote(t("Not provided by this registry. Assume full access.")),
    );
  }
  return section(
    "permissions",
    title,
    element(
      "ul",
      { class: "permissions" },
      ...permissions.map((permission) => permissionItem(permission, t)),
    ),
  );
}

function permissionItem(permission: PermissionSentence, t: PageContext["t"]): HTMLElement {
  const { granted, risk, sentence, consequence } = permission;
  if (!granted) {
    return element("li", { class: "withheld" }, icon("no"), element("span", {}, sentence));
  }
  const riskText = { low: t("low risk"), medium: t("medium risk"), high: t("high risk") };
  return element(
    "li",
    {},
    levelIcon(barsOf(risk), risk === "high" ? "bad" : "caution"),
    element(
      "span",
      {},
      element("strong", {}, sentence),
      element("span", { class: "risk quiet" }, riskText[risk]),
      element("span", { class: "quiet note" }, consequence),
    ),
  );
}

/** Shows users' feedback on a skill: the average, the distribution of stars, and the latest comments. */
function feedbackSection({ feedback, absent }: ShownSkill, { t }: PageContext): HTMLElement {
  const title = t("Feedback");
  if (feedback === undefined) {
    return section("feedback", title, quietNote(absent.feedback));
  }
  const { entries, breakdown: stars, summary } = feedback;
  const nothing = entries.length === 0 && stars.length === 0 && summary === "";
  return section(
    "feedback",
    title,
    feedback.summary !== "" && element("p", {}, feedback.summary),
    feedback.breakdown.length !== 0 && breakdown(feedback),
    nothing && quietNote(t("No feedback yet.")),
    ...feedback.entries.map((entry) => feedbackEntry(entry, t)),
  );
}

function feedbackEntry(entry: FeedbackEntryText, t: PageContext["t"]): HTMLElement {
  const { rating, title, text, useCase, author, date, reply } = entry;
  const given = (value: string, made: () => HTMLElement) => (value === "" ? undefined : made());
  return element(
    "figure",
    { class: "entry" },
    given(title, () => element("p", { class: "entry-title" }, title)),
    given(text, () => element("blockquote", {}, text)),
    given(useCase, () => element("p", { class: "use" }, t("Used for: {useCase}", { useCase }))),
    element(
      "figcaption",
      { class: "quiet" },
      [rating, author, date].filter((part) => part !== "").join(" · "),
    ),
    given(reply, () =>
      element("p", { class: "reply" }, element("strong", {}, t("Publisher:")), " ", reply),
    ),
  );
}

function breakdown({ breakdown: rows }: FeedbackText): HTMLElement {
  return element(
    "ul",
    { class: "breakdown" },
    ...rows.map(({ label, count, share }) =>
      element("li", {}, element("span", {}, label), bar(share), element("span", {}, String(count))),
    ),
  );
}

// Hidden from screen readers: it repeats the number beside it.
function bar(share: number): HTMLElement {
  const filled = element("div", {});
  filled.style.setProperty("--share", `${Math.round(share * 100)}%`);
  return element("div", { class: "bar", "aria-hidden": "true" }, filled);
}
