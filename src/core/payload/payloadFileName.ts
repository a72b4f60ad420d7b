import { isSlug } from "../skill/slug";

const ending = ".skill-input.json";

/** Longer names are looked at no further for what a label leaves. */
const maxLabels = 4;

/** Tells whether a path is that of a saved payload by its name. */
export function isPayloadFile(path: string): boolean {
  return path.endsWith(ending);
}

/**
 * Reads which skills a payload file may be meant for from its path, the likeliest first:
 * `a/acme.csv-clean.skill-input.json` is for `acme.csv-clean`, or for `acme` where a registry knows no
 * skill of the longer name and `csv-clean` is a label. A number at the end only counts files. Empty
 * where the name says nothing.
 */
export function slugsOfPayloadFile(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!name.endsWith(ending)) return [];
  const parts = name.slice(0, -ending.length).split(".");
  if (parts.length > 1 && /^\d+$/.test(parts.at(-1) ?? "")) parts.pop();
  const slugs = parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
  // A name that is no slug names no skill, whatever its beginning is.
  return slugs[0] !== undefined && isSlug(slugs[0]) ? slugs.slice(0, maxLabels).filter(isSlug) : [];
}

/**
 * Names a payload file among others of its skill: without its ending, and with its folder only where
 * another has the same name. A description would take the label's place for screen readers.
 */
export function payloadLabel(path: string, others: readonly string[]): string {
  const at = path.lastIndexOf("/");
  const whole = path.slice(at + 1);
  const name = whole.replace(/(?:\.skill-input)?\.jsonc?$/, "") || whole;
  return others.includes(name) && at > 0 ? `${name} (${path.slice(0, at)})` : name;
}

/**
 * Names the payload file of a skill; from the second on with a number: `text-stats.2.skill-input.json`.
 * A slug that Windows keeps for a device, or whose end would be read as a number, gets a name that
 * binds to no skill: `_con.skill-input.json`.
 */
export function payloadFileName(slug: string, number = 1): string {
  const stem = isDeviceName(slug) || /\.\d+$/.test(slug) ? `_${slug}` : slug;
  return number === 1 ? `${stem}${ending}` : `${stem}.${number}${ending}`;
}

/** Windows opens the device for such a name, whatever follows its first dot. */
function isDeviceName(slug: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(slug);
}
