import { type Language, l10nText, localize } from "../text/language";
import { type FoundSecret, findSecrets } from "./findSecrets";
import type { PayloadProblem } from "./payloadCheck";

/**
 * Finds credentials in a text that others will read: those of `findSecrets`, and the parameters and short passwords of
 * addresses, which in a payload may be test data. Placeholders such as `YOUR_KEY` or `{{key}}` are none.
 */
export function credentialsInShared(text: string): readonly FoundSecret[] {
  const found = findSecrets(text);
  const inAddresses = [...text.matchAll(addressCredential)].flatMap((match) => {
    const { password, parameter } = match.groups ?? {};
    const value = password ?? parameter ?? "";
    if (placeholder.test(value)) return [];
    const end = match.index + match[0].length;
    const kind = password === undefined ? parameterKind : passwordKind;
    return found.some((one) => one.start < end && match.index < one.end)
      ? []
      : [{ start: match.index, end, kind }];
  });
  return [...found, ...inAddresses].sort((one, other) => one.start - other.start);
}

const passwordKind = l10nText("a password in an address");
const parameterKind = l10nText("a key in an address");

const addressCredential =
  /\bhttps?:\/\/[\w.~%+-]{1,64}:(?<password>[^\s"'`<>\\/@:$*|,]{1,256})@(?=[A-Za-z0-9[])|[?&](?:api[-_]?key|access[-_]?(?:key|token)|auth[-_]?token|client[-_]?secret|password|secret|token|sig|signature)=(?<parameter>[^\s"'`<>\\&#]{8,512})/gi;

/** Values that stand for a credential: `{{key}}`, `${KEY}`, `[key]`, `YOUR_API_KEY`, `xxxx`. */
const placeholder =
  /^(?:[{[<$%].*|.*(?:your|example|placeholder|redacted|changeme).*|x{3,}|\*{3,})$/i;

/** Describes the first credential in a text that others will read; empty for none. */
export function sharedTextProblem(text: string, language: Language): string {
  return sharedTextProblems(text, language)[0]?.message ?? "";
}

/** Warns about each credential in a text that others will read. */
export function sharedTextProblems(text: string, language: Language): readonly PayloadProblem[] {
  return credentialsInShared(text).map(({ start, end, kind }) => ({
    code: "secret",
    severity: "warning",
    message: language.t("This looks like {kind}. Remove it, because others will read this text.", {
      kind: localize(kind, language),
    }),
    start,
    end,
    pointer: "",
  }));
}
