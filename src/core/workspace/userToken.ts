import { isProjectKeyText, isUserTokenText, type UserToken } from "../registry/credential";
import { type LocalizableText, l10nText } from "../text/localizableText";

/** A token fit for the Authorization header, or what is wrong with it. Neither text holds the token. */
export type UserTokenReading =
  | { readonly ok: true; readonly token: UserToken }
  | { readonly ok: false; readonly problem: LocalizableText };

const maxLength = 4096;

/**
 * Reads a pasted user token for a registry's origin: spaces around it and a leading "Bearer " are
 * dropped. It begins with `shub_user_` and is visible ASCII of at most 4,096 characters.
 */
export function readUserToken(pasted: string, origin: string): UserTokenReading {
  const text = pasted.trim().replace(/^bearer(?: +|$)/i, "");
  if (text === "") return problem(l10nText("Paste a user token."));
  if (isProjectKeyText(text)) {
    return problem(l10nText("This is a Project Key. Paste a user token instead (shub_user_…)."));
  }
  if (!isUserTokenText(text)) return problem(l10nText("A user token starts with shub_user_."));
  if (text.length > maxLength || !/^[\x21-\x7e]+$/.test(text)) {
    return problem(l10nText("This is not a complete user token. Copy it again."));
  }
  return { ok: true, token: { kind: "userToken", origin, text } };
}

function problem(text: LocalizableText): UserTokenReading {
  return { ok: false, problem: text };
}
