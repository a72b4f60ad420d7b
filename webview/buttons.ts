import type { Translate } from "../src/core/text/language";
import { type PageCommand, type PageCommandName, pageCommands } from "../src/protocol/pageCommands";
import type { PageMessage } from "../src/protocol/readPageMessage";
import { type Attributes, type Content, element } from "./element";
import { icon } from "./icons";

/** The context of every part of the page: the reader's language and the connection to the host. */
export interface PageContext {
  readonly t: Translate;
  readonly send: (message: PageMessage) => void;
}

/** Creates a toolkit button with an action. */
export function button(
  label: string,
  press: () => void,
  attributes: Attributes = {},
  icon?: Element,
): HTMLElement {
  const appearance = attributes["appearance"] ?? "secondary";
  const bdi = element("bdi", { class: "label" }, label);
  const made = element("vscode-button", { ...attributes, appearance }, icon, bdi);
  made.addEventListener("click", press);
  return made;
}

/** Creates the button of a command. Without a `label`, it uses the command's own. */
export function commandButton(
  command: PageCommandName,
  { t, send }: PageContext,
  label: string = pageCommands[command].label(t),
): HTMLElement {
  const { headIcon }: PageCommand = pageCommands[command];
  const press = () => send({ type: "runCommand", command });
  return headIcon === undefined
    ? button(label, press, { id: command })
    : button(label, press, { id: command, class: "minor" }, icon(headIcon, "start"));
}

/** Creates a button that reads the content of the page again. */
export function retryButton({ t, send }: PageContext, attributes?: Attributes): HTMLElement {
  return button(t("Try again"), () => send({ type: "retry" }), attributes);
}

/** Creates a subtle toolkit button, for rows of several. Screen readers read `label` instead of `text`. */
export function toolButton(
  text: string,
  label: string,
  press: () => void,
  icon?: Element,
): HTMLElement {
  // The toolkit labels an icon button "Icon Button" unless the label is set before the appearance.
  return button(text, press, { "aria-label": label, appearance: "icon", class: "tool" }, icon);
}

/** Creates a button in the page's own style. The style `sort` is for the head of a sortable column. */
export function plainButton(
  look: "link" | "tag" | "sort" | "plain" | "subtle",
  content: string | readonly Content[],
  press: () => void,
  attributes: Attributes = {},
): HTMLElement {
  const made = element(
    "button",
    { type: "button", class: look, ...attributes },
    ...[content].flat(),
  );
  made.addEventListener("click", press);
  return made;
}

/** Creates a button that looks like a link. It requests the host to open an address; the host asks the user first. */
export function linkButton(label: string, url: string, { t, send }: PageContext): HTMLElement {
  return plainButton("link", [label, icon("open")], () => send({ type: "openLink", url }), {
    title: url,
    "aria-label": t("{label} (opens {url} in the browser)", { label, url }),
  });
}

/** Creates a button that looks like a link and opens another skill. */
export function skillLink(slug: string, { send }: PageContext, label = slug): HTMLElement {
  return plainButton("link", label, () => send({ type: "openSkill", slug }));
}
