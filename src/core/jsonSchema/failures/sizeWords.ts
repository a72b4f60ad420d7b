import type { Language } from "../../text/language";
import type { SchemaFailure } from "./schemaFailure";

/** Says how long or how full a value must be, where it is not; undefined for other rules. */
export function sizeWords(
  { keyword, rules, count = 0 }: SchemaFailure,
  { t }: Language,
): string | undefined {
  switch (keyword) {
    case "minLength":
      return rules.minLength === 1
        ? t("Must not be empty.")
        : t("Must have at least {count} characters.", { count: rules.minLength ?? 0 });
    case "maxLength":
      return rules.maxLength === 1
        ? t("Must have at most 1 character.")
        : t("Must have at most {count} characters.", { count: rules.maxLength ?? 0 });
    case "minItems":
      return rules.minItems === 1
        ? t("Must not be empty.")
        : t("Must have at least {count} items.", { count: rules.minItems ?? 0 });
    case "maxItems":
      return rules.maxItems === 1
        ? t("Must have at most 1 item.")
        : t("Must have at most {count} items.", { count: rules.maxItems ?? 0 });
    case "minProperties":
      return rules.minProperties === 1
        ? t("Must have at least 1 property.")
        : t("Must have at least {count} properties.", { count: rules.minProperties ?? 0 });
    case "maxProperties":
      return rules.maxProperties === 1
        ? t("Must have at most 1 property.")
        : t("Must have at most {count} properties.", { count: rules.maxProperties ?? 0 });
    case "minContains":
      return rules.minContains === 1
        ? t('At least one item must match "contains".')
        : t('At least {wanted} items must match "contains", not {count}.', {
            wanted: rules.minContains ?? 0,
            count,
          });
    case "maxContains":
      return rules.maxContains === 1
        ? t('At most 1 item may match "contains", not {count}.', {
            count,
          })
        : t('At most {wanted} items may match "contains", not {count}.', {
            wanted: rules.maxContains ?? 0,
            count,
          });
    default:
      return undefined;
  }
}
