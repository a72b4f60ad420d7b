import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { element } from "./element";
import { feedbackSection } from "./feedbackSection";
import { linkButton, skillLink } from "./linkButton";
import type { PageContext } from "./pageContext";
import { permissionsSection } from "./permissionsSection";
import { definitions, notGiven, section } from "./section";

/** Shows what decides whether to use a skill: permissions, price, numbers, publisher, feedback. */
export function overviewTab(skill: SkillDescription, context: PageContext): HTMLElement {
  return element(
    "div",
    { class: "overview" },
    permissionsSection(skill, context),
    element(
      "div",
      { class: "stack" },
      priceSection(skill, context),
      factsSection(skill, context),
      publisherSection(skill, context),
    ),
    element(
      "div",
      { class: "stack" },
      numbersSection(skill, context),
      feedbackSection(skill, context),
    ),
  );
}

function priceSection({ prices, absent }: SkillDescription, { t }: PageContext): HTMLElement {
  return section(
    "price",
    t("Price"),
    prices === undefined || prices.length === 0
      ? notGiven(absent.prices)
      : element("ul", {}, ...prices.map((price) => element("li", {}, price))),
  );
}

function numbersSection(
  { numbers, numbersAge, absent }: SkillDescription,
  { t }: PageContext,
): HTMLElement {
  return section(
    "numbers",
    t("Numbers"),
    numbers.length === 0
      ? notGiven(absent.listing)
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
    numbers.length === 0 ? undefined : element("p", { class: "quiet after" }, numbersAge),
  );
}

function factsSection(
  { facts, supportUrl, absent }: SkillDescription,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  const rows = facts.map(({ label, value }) => [label, value] as const);
  const support = supportUrl && linkButton(t("Support page"), supportUrl, context);
  return section(
    "facts",
    t("Details"),
    rows.length === 0 ? notGiven(absent.listing) : definitions(rows),
    support ? element("p", { class: "after" }, support) : undefined,
  );
}

function publisherSection(skill: SkillDescription, context: PageContext): HTMLElement {
  const { t } = context;
  const { publisher } = skill;
  const author = authorLines(skill, context);
  if (publisher === undefined) {
    const missing = notGiven(skill.absent.publisher);
    return section("publisher", t("Publisher"), missing, ...author);
  }
  const { name, verified, status, trustLevel, url, otherSkills } = publisher;
  const checked = verified === undefined ? t("Not provided") : verified ? t("Yes") : t("No");
  return section(
    "publisher",
    t("Publisher"),
    definitions([
      [t("Name"), name],
      [t("Verified"), checked],
      [t("Status"), status === "" ? t("Not provided") : status],
      [t("Trust level"), trustLevel === "" ? t("Not provided") : trustLevel],
    ]),
    url === undefined
      ? undefined
      : element("p", { class: "after" }, linkButton(t("Website"), url, context)),
    otherSkills.length === 0
      ? undefined
      : element(
          "p",
          { class: "after" },
          t("Other skills:"),
          ...otherSkills.flatMap((slug) => [" ", skillLink(slug, context)]),
        ),
    ...author,
  );
}

/** Who the manifest names; whoever publishes a skill may write any name there. */
function authorLines({ author }: SkillDescription, context: PageContext): HTMLElement[] {
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
