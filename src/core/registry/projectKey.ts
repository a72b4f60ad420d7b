import { type LocalizableText, l10nText } from "../text/localizableText";
import { isUserTokenText } from "./credential";

/** A key fit for the Authorization header, or what is wrong with it. Neither text holds the key. */
export type ProjectKeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: LocalizableText };

const maxKeyLength = 4096;

/**
 * Reads a pasted Project Key: spaces around it and a leading "Bearer " are dropped; visible ASCII
 * of at most 4,096 characters is a key whatever its prefix, except a user token's.
 */
export function readProjectKey(pasted: string): ProjectKeyReading {
  const key = pasted.trim().replace(/^bearer(?: +|$)/i, "");
  if (key === "") return problem(l10nText("Enter a Project Key."));
  if (key.length > maxKeyLength) return problem(l10nText("This is too long for a Project Key."));
  if (/\s/.test(key)) {
    return problem(l10nText("A Project Key contains no spaces or line breaks. Copy it again."));
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return problem(
      l10nText("A Project Key contains only letters, digits and punctuation. Copy it again."),
    );
  }
  if (isUserTokenText(key)) {
    return problem(
      l10nText("This is a user token. Paste a Project Key instead (often skh_… or sk_proj_…)."),
    );
  }
  return { ok: true, key };
}

function problem(words: LocalizableText): ProjectKeyReading {
  return { ok: false, problem: words };
}
