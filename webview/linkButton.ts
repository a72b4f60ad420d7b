import { icon } from "../src/page/icons";
import { element } from "./element";
import type { PageContext } from "./pageContext";

/** Makes a button that looks like a link and asks the host to open an address, which asks the user. */
export function linkButton(label: string, url: string, { t, send }: PageContext): HTMLElement {
  const made = element(
    "button",
    { type: "button", class: "link", title: url },
    label,
    icon("open"),
  );
  made.setAttribute("aria-label", t("{label} (opens {url} in the browser)", { label, url }));
  made.addEventListener("click", () => send({ type: "openLink", url }));
  return made;
}

/** Makes a button that looks like a link and opens another skill. */
export function skillLink(slug: string, { send }: PageContext): HTMLElement {
  const made = element("button", { type: "button", class: "link" }, slug);
  made.addEventListener("click", () => send({ type: "openSkill", slug }));
  return made;
}
