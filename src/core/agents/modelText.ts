import { shortened } from "../text/plainText";

/**
 * Makes a registry's text safe to show to a model: control, zero-width and bidirectional characters are taken out,
 * white space is one space, and it ends after `maxLength` characters. What it says stays a registry's claim.
 */
export function modelText(text: string, maxLength: number): string {
  const visible = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Zs}\t\n\r\u2028\u2029]+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, "");
  return shortened(visible.trim(), maxLength);
}
