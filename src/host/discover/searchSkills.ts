import type { RegistryConnection } from "../connect/registryConnection";
import { askForSkill } from "./askForSkill";
import type { SkillCatalog } from "./skillCatalog";

/**
 * Searches the Skills view for the given text, or lets the user search while typing; a skill that
 * is chosen there opens through `openSkill`.
 */
export async function searchSkills(
  catalog: SkillCatalog,
  connection: RegistryConnection,
  openSkill: (slug: string) => Promise<void>,
  given: unknown,
): Promise<void> {
  if (typeof given === "string") return showMatches(catalog, given);
  const choice = await askForSkill(connection, {
    title: "Search Skills",
    text: catalog.query.text,
    offerText: (text) =>
      text === "" ? "List all skills in the Skills view" : `List “${text}” in the Skills view`,
  });
  if (choice?.kind === "text") await showMatches(catalog, choice.text);
  if (choice?.kind === "skill") await openSkill(choice.skill.slug);
}

const maxSearchLength = 200;

function showMatches(catalog: SkillCatalog, text: string): Promise<void> {
  return catalog.setQuery({ ...catalog.query, text: text.trim().slice(0, maxSearchLength) });
}
