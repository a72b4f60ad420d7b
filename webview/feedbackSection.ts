import type {
  FeedbackEntryWords,
  FeedbackWords,
  SkillDescription,
} from "../src/core/skill/description/skillDescription";
import { element } from "./element";
import type { PageContext } from "./pageContext";
import { notGiven, section } from "./section";

/** Shows what users said of a skill: the average, how the stars are spread, and the latest words. */
export function feedbackSection(
  { feedback, absent }: SkillDescription,
  { t }: PageContext,
): HTMLElement {
  const title = t("Feedback");
  if (feedback === undefined) {
    return section("feedback", title, notGiven(absent.feedback));
  }
  const { entries, breakdown: stars, summary } = feedback;
  const nothing = entries.length === 0 && stars.length === 0 && summary === "";
  return section(
    "feedback",
    title,
    feedback.summary === "" ? undefined : element("p", {}, feedback.summary),
    feedback.breakdown.length === 0 ? undefined : breakdown(feedback),
    nothing ? notGiven(t("No feedback yet.")) : undefined,
    ...feedback.entries.map((entry) => feedbackEntry(entry, t)),
  );
}

function feedbackEntry(entry: FeedbackEntryWords, t: PageContext["t"]): HTMLElement {
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

function breakdown({ breakdown: rows }: FeedbackWords): HTMLElement {
  return element(
    "ul",
    { class: "breakdown" },
    ...rows.map(({ label, count, share }) =>
      element("li", {}, element("span", {}, label), bar(share), element("span", {}, String(count))),
    ),
  );
}

// Only repeats the number beside it, so it is not read out.
function bar(share: number): HTMLElement {
  const filled = element("div", {});
  filled.style.setProperty("--share", `${Math.round(share * 100)}%`);
  return element("div", { class: "bar", "aria-hidden": "true" }, filled);
}
