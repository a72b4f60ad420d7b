import type { RegistryConnection } from "../connect/registryConnection";
import { askForSkill } from "./askForSkill";

/** Lets the user find one skill and answers its slug. Undefined where the user gave up. */
export async function chooseSkill(
  connection: RegistryConnection,
  title: string,
): Promise<string | undefined> {
  const choice = await askForSkill(connection, { title });
  return choice?.kind === "skill" ? choice.skill.slug : undefined;
}
