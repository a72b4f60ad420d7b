import type { SchemaSample, SchemaSide } from "../src/core/skill/description/sampleOfSchema";
import type { LongText, SkillDescription } from "../src/core/skill/description/skillDescription";
import { element, notGiven, type PageContext, section } from "./element";
import { jsonBlock } from "./jsonBlock";
import { outlineView } from "./outlineView";

/** Shows the input or output schema: an outline for people, beside its JSON and the first example. */
export function schemaTab(
  side: SchemaSide,
  skill: SkillDescription,
  sample: SchemaSample | undefined,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  const isInput = side === "input";
  const title = isInput ? t("Input") : t("Output");
  const schema = skill[side];
  if (schema === undefined) {
    const consequence = isInput
      ? t("No input schema provided by this registry, so payloads cannot be checked.")
      : t("No output schema provided by this registry.");
    return section(`${side}-outline`, title, notGiven(consequence));
  }
  const given = givenExample(skill, side);
  const example = given ?? sample?.json;
  const words = sample?.fits
    ? t("Made from the schema.")
    : t("Made from the schema; it may not fit.");
  return element(
    "div",
    { class: "columns" },
    section(`${side}-outline`, title, outlineView(schema.outline, side, context)),
    element(
      "div",
      { class: "column" },
      section(
        `${side}-schema`,
        t("JSON Schema"),
        jsonBlock(schema.json, isInput ? t("Input schema") : t("Output schema"), context, {
          target: isInput ? "inputSchema" : "outputSchema",
        }),
      ),
      example === undefined
        ? undefined
        : section(
            `${side}-example`,
            t("Example"),
            given === undefined ? notGiven(words) : undefined,
            jsonBlock(example, isInput ? t("Example input") : t("Example output"), context),
          ),
    ),
  );
}

/** Tells whether an example of what a skill takes or returns has to be made: none is given, but a schema is. */
export function lacksExample(skill: SkillDescription, side: SchemaSide): boolean {
  return skill[side] !== undefined && givenExample(skill, side) === undefined;
}

function givenExample({ examples }: SkillDescription, side: SchemaSide): LongText | undefined {
  return examples.map((example) => example[side]).find((given) => given !== undefined);
}
