import { toneIcon } from "../src/page/icons";
import type { SkillPage } from "../src/protocol/skillPage";
import { button, element, type PageContext } from "./element";

type Kind<Name> = Extract<SkillPage, { kind: Name }>;

/** Shows that a skill is being read. */
export function loadingView({ slug }: Kind<"loading">, { t }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "empty" },
    element("h1", {}, slug),
    element("div", { class: "ring" }),
    element("p", { role: "status" }, t("Reading the skill from the registry…")),
  );
}

/** Shows that several skills are being read. */
export function comparingView(slugs: readonly string[], { t }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "empty" },
    element("h1", {}, t("Compare {count} skills", { count: slugs.length })),
    element("div", { class: "ring" }),
    element("p", { role: "status" }, t("Reading the skills from the registry…")),
  );
}

/** Shows that the registry has no such skill. */
export function goneView(page: Kind<"gone">, { t, send }: PageContext): HTMLElement {
  const { slug, registryName } = page;
  return element(
    "div",
    { class: "empty", role: "alert" },
    toneIcon("neutral"),
    element("h1", {}, t("{slug} is not in this registry", { slug })),
    element(
      "p",
      {},
      t("{registryName} returned no such skill. It may be private, renamed or withdrawn.", {
        registryName,
      }),
    ),
    button(t("Look again"), () => send({ type: "retry" })),
  );
}

/** Shows that a skill could not be read, why, and how to go on. */
export function failedView(page: Kind<"failed">, { t, send }: PageContext): HTMLElement {
  const again = button(t("Try again"), () => send({ type: "retry" }), { appearance: "primary" });
  return element(
    "div",
    { class: "empty", role: "alert" },
    toneIcon("caution"),
    element("h1", {}, t("{slug} could not be read", { slug: page.slug })),
    element("p", {}, page.message),
    element(
      "div",
      { class: "actions" },
      again,
      ...page.actions.map(({ action, title }) =>
        button(title, () => send({ type: "runAction", action })),
      ),
    ),
  );
}
