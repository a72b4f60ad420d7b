import type { JsonValue } from "../json/jsonValue";
import { type SchemaMistake, schemaMistakesText } from "../schema/explain/schemaMistakes";
import { inputSchemaOf, outputSchemaOf, type SkillDetail, type SkillSchema } from "../skill/skill";
import type { Language } from "../text/language";

/** Lists likely mistakes in a schema; empty for no schema, and if they could not be found. */
export type MistakesReader = (schema: JsonValue | undefined) => Promise<readonly SchemaMistake[]>;

/** Tells whoever uses a skill about mistakes in its schemas: one text for each schema with a mistake. */
export async function skillMistakes(
  skill: SkillDetail,
  mistakesIn: MistakesReader,
  language: Language,
): Promise<readonly string[]> {
  const { slug } = skill.summary;
  // Two numbers that lost digits may only look as if they excluded each other.
  const read = async ({ schema, lossyNumbers }: SkillSchema) =>
    lossyNumbers === undefined ? mistakesIn(schema) : [];
  const texts = [
    schemaMistakesText(slug, "input", await read(inputSchemaOf(skill)), language),
    schemaMistakesText(slug, "output", await read(outputSchemaOf(skill)), language),
  ];
  return texts.filter((text) => text !== "");
}
