import { l10nText } from "../../text/localizableText";
import type { KeywordReader } from "./keywordReader";
import type { SchemaRules } from "./schemaRules";

/** Reads the limits of numbers. Draft-04 has exclusive limits as flags beside the limit. */
export function readNumberRules(reader: KeywordReader, rules: SchemaRules): void {
  for (const side of ["minimum", "maximum"] as const) {
    const exclusive = side === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
    const limit = reader.number(side);
    if (reader.dialect === "draft-04") {
      const isExclusive = reader.flag(exclusive) === true;
      if (limit !== undefined) rules[isExclusive ? exclusive : side] = limit;
      continue;
    }
    if (limit !== undefined) rules[side] = limit;
    const exclusiveLimit = reader.number(exclusive);
    if (exclusiveLimit !== undefined) rules[exclusive] = exclusiveLimit;
  }
  const divisor = reader.number("multipleOf");
  if (divisor === undefined) return;
  if (divisor > 0) rules.multipleOf = divisor;
  else reader.leaveOut("multipleOf", l10nText("greater than 0"));
}

/** Reads the limits of texts. */
export function readStringRules(reader: KeywordReader, rules: SchemaRules): void {
  for (const keyword of ["minLength", "maxLength"] as const) {
    const limit = reader.count(keyword);
    if (limit !== undefined) rules[keyword] = limit;
  }
  const pattern = reader.text("pattern");
  if (pattern !== undefined) rules.pattern = pattern;
  const format = reader.text("format");
  if (format !== undefined) rules.format = format;
}
