import type { JsonValue } from "../../json/jsonValue";
import { longText } from "../../json/printJson";
import type { MakeSample } from "../../payload/payloadTemplates";
import { revealHiddenIn } from "../../text/plainText";
import type { SkillDetail } from "../skill";
import type { LongText } from "./skillDescription";

/** What a skill takes or what it returns. */
export type SchemaSide = "input" | "output";

/** An example that was made here, as JSON for people. */
export interface SchemaSample {
  readonly json: LongText;
  /** False where it may not be what the schema asks for. */
  readonly fits: boolean;
}

/** Makes an example of what a skill takes or returns, with every property its schema names. */
export async function sampleOfSchema(
  skill: SkillDetail,
  side: SchemaSide,
  makeSample: MakeSample,
): Promise<SchemaSample> {
  const inputSchema = side === "input" ? skill.inputSchema : skill.outputSchema;
  const examples = skill.examples.flatMap((example) => example[side] ?? []);
  const { value, notes } = await makeSample({ ...skill, inputSchema }, { mode: "full", examples });
  const json = revealHiddenIn(longText(value as JsonValue, maxLength));
  return { json, fits: notes.length === 0 };
}

const maxLength = 20_000;
