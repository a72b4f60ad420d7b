import type { Language } from "../../text/language";
import type { SchemaRules } from "../reading/schemaRules";
import { shortened } from "./failureWords";
import { ruleWords } from "./ruleWords";
import type { SchemaFailure } from "./schemaFailure";

/** Says a failure in one or two plain sentences, with the schema author's own words after the rule. */
export function describeFailure(failure: SchemaFailure, language: Language): string {
  const rule = ruleWords(failure, language);
  const words = authorsWords(failure);
  return words === undefined ? rule : `${rule} ${words}`;
}

/** The schema's `errorMessage` for the rule, else what it says the value is for. */
function authorsWords({ keyword, rules, at, name = "" }: SchemaFailure): string | undefined {
  const { errorMessage } = rules;
  const own =
    typeof errorMessage === "string" ? errorMessage : errorMessage?.get(keywordOf(keyword, rules));
  const about = at === "value" ? rules : rules.properties?.get(name);
  const words = own ?? about?.description;
  return words === undefined ? undefined : shortened(words.replaceAll(/\s+/g, " ").trim(), 200);
}

/** The keyword as the schema spells it. */
export function keywordOf(keyword: SchemaFailure["keyword"], rules: SchemaRules): string {
  if (keyword === "types") return "type";
  return rules.spelling[keyword] ?? keyword;
}
