import { pointersAt } from "../json/jsonPointer";
import { type Language, localize } from "../text/language";
import { oneLine } from "../text/plainText";
import type { PayloadEnvironment } from "./payloadEnvironment";
import type { ResolvedPayload } from "./resolvedPayload";

/** A name to propose for a placeholder, with a description of its value. */
interface NameProposal {
  readonly name: string;
  readonly description: string;
}

/** Returns a sentence that describes how a placeholder is replaced. Never quotes a secret. */
export function placeholderText(
  name: string,
  environment: PayloadEnvironment,
  language: Language,
): string {
  const { t } = language;
  if (environment.kind === "none") return "";
  if (environment.kind === "unusable") return localize(environment.problem, language);
  const { values, secrets, secretNames } = environment;
  const where = { name, environment: environment.name };
  if (secretNames.has(name)) {
    return secrets.has(name)
      ? sentText(where, undefined, language)
      : t("The secret {name} has no value in {environment}.", where);
  }
  const value = values.get(name);
  return value === undefined
    ? t("{environment} has no value for {name}.", where)
    : sentText(where, value, language);
}

/** Returns a sentence about the value that is sent for a placeholder; undefined stands for a secret. */
function sentText(
  where: { readonly name: string; readonly environment: string },
  value: string | undefined,
  { t }: Language,
): string {
  return value === undefined
    ? t("{name} is a secret of {environment}. It is sent, and shown as dots.", where)
    : t("{name} is {value} in {environment}.", { ...where, value: oneLine(value, maxShown) });
}

/** A sentence about a value that replaces a placeholder, at the JSON pointer of the text that holds it. */
export interface SentValue {
  readonly pointer: string;
  readonly message: string;
}

/** Describes the values that replace the placeholders of a payload. Never quotes a secret. */
export function sentValues(
  { text, environment = "", written }: ResolvedPayload,
  language: Language,
): readonly SentValue[] {
  if (written === undefined) return [];
  const replaced = written.replaced.slice(0, maxOffered);
  const pointers = pointersAt(
    written.text,
    replaced.map((range) => range.written.start),
  );
  return replaced.map(({ name, isSecret, resolved }, index) => {
    const value = isSecret ? undefined : text.slice(resolved.start, resolved.end);
    const message = sentText({ name, environment }, value, language);
    return { pointer: pointers[index] ?? "", message };
  });
}

/** Lists the declared names of a folder alphabetically, with descriptions. */
export function proposedNames(
  environment: PayloadEnvironment,
  language: Language,
): readonly NameProposal[] {
  if (environment.kind === "none") return [];
  return [...(environment.declared ?? [])]
    .sort()
    .slice(0, maxOffered)
    .map((name) => ({ name, description: placeholderText(name, environment, language) }));
}

/** Describes how many declared names have values in a sent text: `2 values`. Empty if nothing was replaced. */
export function sentValuesText(
  { written }: Pick<ResolvedPayload, "written">,
  { t }: Language,
): string {
  const count = new Set(written?.replaced.map(({ name }) => name)).size;
  if (count === 0) return "";
  return count === 1 ? t("1 value") : t("{count} values", { count });
}

const maxShown = 200;
/** The maximum number of proposed names, as many as an environment may have. */
const maxOffered = 1000;
