import { toneIcon } from "../src/page/icons";
import type { SkillPage } from "../src/protocol/skillPage";
import { button, element } from "./element";
import type { PageContext } from "./pageContext";

type Kind<Name> = Extract<SkillPage, { kind: Name }>;

/** Shows that a skill is being read. */
export function loadingView({ slug }: Kind<"loading">, { say }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "empty" },
    element("h1", {}, slug),
    element("div", { class: "ring" }),
    element("p", { role: "status" }, say("Reading the skill from the registry…")),
  );
}

/** Shows that several skills are being read. */
export function comparingView(slugs: readonly string[], { say }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "empty" },
    element("h1", {}, say("Compare {count} skills", { count: slugs.length })),
    element("div", { class: "ring" }),
    element("p", { role: "status" }, say("Reading the skills from the registry…")),
  );
}

/** Shows that the registry has no such skill. */
export function goneView(page: Kind<"gone">, { say, send }: PageContext): HTMLElement {
  const { slug, registryName } = page;
  return element(
    "div",
    { class: "empty", role: "alert" },
    toneIcon("neutral"),
    element("h1", {}, say("{slug} is not in this registry", { slug })),
    element(
      "p",
      {},
      say("{registryName} says there is no such skill. It may have been renamed or withdrawn.", {
        registryName,
      }),
    ),
    button(say("Look again"), () => send({ type: "retry" })),
  );
}

/** Shows that a skill could not be read, why, and how to go on. */
export function failedView(page: Kind<"failed">, { say, send }: PageContext): HTMLElement {
  const again = button(say("Try again"), () => send({ type: "retry" }), { appearance: "primary" });
  return element(
    "div",
    { class: "empty", role: "alert" },
    toneIcon("caution"),
    element("h1", {}, say("{slug} could not be read", { slug: page.slug })),
    element("p", {}, page.message),
    element(
      "div",
      { class: "actions" },
      page.canRetry ? again : undefined,
      ...page.steps.map(({ action, title }) => button(title, () => send({ type: "cure", action }))),
    ),
  );
}
