import { type JsonValue, jsonEqual } from "../json/jsonValue";
import { jsonText } from "../json/printJson";
import { findSecrets } from "../payload/findSecrets";
import { type Language, localize } from "../text/language";
import type { DialogQuestion } from "../text/notice";

/**
 * Builds the question whether texts of an invocation may be written to a team's file. Undefined if none of them seems
 * to contain a credential, and none contains one of `credentials`.
 */
export function storeQuestion(
  texts: readonly string[],
  credentials: readonly string[],
  language: Language,
): DialogQuestion | undefined {
  const [first] = texts.flatMap((text) => findSecrets(text, credentials));
  if (first === undefined) return undefined;
  const { t } = language;
  const secret = localize(first.kind, language);
  return {
    message: t("This invocation appears to contain {secret}. Save it anyway?", { secret }),
    detail: [t("Everyone who reads the repository could use it.")],
    agree: t("Save Anyway"),
  };
}

/** An output that is stored only after consent. */
export interface SensitiveOutput {
  readonly name: string;
  readonly question: DialogQuestion;
}

/** Lists the `current` outputs that differ from those stored `before` and need consent. */
export function sensitiveOutputs(
  before: ReadonlyMap<string, JsonValue>,
  current: ReadonlyMap<string, JsonValue>,
  language: Language,
): readonly SensitiveOutput[] {
  return [...current].flatMap(([name, output]) => {
    if (jsonEqual(before.get(name), output)) return [];
    const question = storeQuestion([jsonText(output)], [], language);
    return question === undefined ? [] : [{ name, question }];
  });
}
