import { isJsonObject } from "../json/jsonValue";
import { isSlug } from "../skill/skillAddress";
import type { Language } from "../text/language";
import type { AgentToolName } from "./agentTools";

/** Says what a tool is about to do, for a chat. Of what an agent gave, only a slug is shown. */
export function agentToolMessage(tool: AgentToolName, input: unknown, { t }: Language): string {
  const skill = slugIn(input);
  switch (tool) {
    case "find_skill":
      return t("Searching for skills");
    case "inspect_skill":
      return t("Reading what {skill} is and may do", { skill });
    case "check_payload":
      return t("Checking a payload for {skill}; nothing is sent", { skill });
    case "invoke_skill":
      return t("Invoking {skill}, as far as you allowed it", { skill });
    case "read_output":
      return t("Reading the output of an invocation");
  }
}

/** The slug without its version; a placeholder for what is none, which is refused later. */
function slugIn(input: unknown): string {
  const skill = isJsonObject(input) ? input["skill"] : undefined;
  const slug = typeof skill === "string" ? skill.slice(0, 130).replace(/@.*$/s, "") : "";
  return isSlug(slug) ? slug : "…";
}
