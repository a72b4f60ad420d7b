import type { PayloadBindings } from "../author/payloadBindings";
import { documentOnScreen } from "../author/payloadDocument";
import { slugArgument } from "../registerCommands";
import type { SkillPages } from "./skillPages";

/** What the user may be looking at. */
interface InSight {
  readonly pages: Pick<SkillPages, "activeSlug">;
  readonly bindings: Pick<PayloadBindings, "find">;
  /** The Skills view. */
  readonly view: { readonly selection: readonly unknown[] };
}

/**
 * Returns the skill that a command about "this skill" means where it names none: that of the active page, else of the
 * payload on the screen, else of the one selected row. Undefined where the command has to ask.
 */
export function thisSkill({ pages, bindings, view }: InSight): string | undefined {
  const document = documentOnScreen();
  const payload = document === undefined ? undefined : bindings.find(document.uri);
  const [row, ...others] = view.selection.map(slugArgument);
  return pages.activeSlug ?? payload?.slug ?? (others.length === 0 ? row : undefined);
}
