import { type JsonValue, jsonEqual } from "../json/jsonValue";
import { jsonText } from "../json/printJson";
import { findSecrets } from "../payload/findSecrets";
import { type Language, localize } from "../text/language";
import type { DialogQuestion } from "../text/notice";

/**
 * Builds the question whether texts of an invocation may be written to a file of a team; undefined where none seems to
 * contain a credential. `known` are credentials that are found anywhere.
 */
export function storeQuestion(
  texts: readonly string[],
  known: readonly string[],
  language: Language,
): DialogQuestion | undefined {
  const [first] = texts.flatMap((text) => findSecrets(text, known));
  if (first === undefined) return undefined;
  const { t } = language;
  const secret = localize(first.kind, language);
  return {
    message: t("This invocation appears to contain {secret}. Save it anyway?", { secret }),
    detail: [t("Everyone who reads the repository could use it.")],
    agree: t("Save Anyway"),
  };
}

/** An output of a case that is stored only where a person says so. */
export interface HeldOutput {
  readonly name: string;
  readonly question: DialogQuestion;
}

/** Lists the outputs of `kept` that are not stored `before` as they are, and have to be asked about. */
export function heldOutputs(
  before: ReadonlyMap<string, JsonValue>,
  kept: ReadonlyMap<string, JsonValue>,
  language: Language,
): readonly HeldOutput[] {
  return [...kept].flatMap(([name, output]) => {
    if (jsonEqual(before.get(name), output)) return [];
    const question = storeQuestion([jsonText(output)], [], language);
    return question === undefined ? [] : [{ name, question }];
  });
}
