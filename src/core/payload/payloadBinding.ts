import { isJsonObject } from "../json/jsonValue";
import type { RegistryFailure, Result } from "../registry/registryFailure";
import { isSameVersion } from "../skill/isNewerVersion";
import type { SkillDetail } from "../skill/skill";
import { addressText, isDeviceName, isSlug, type SkillAddress } from "../skill/skillAddress";
import type { Language } from "../text/language";
import { labelText } from "../text/plainText";
import { setNewest } from "../text/setNewest";

/** The skill and version that a document is a payload for. */
export interface PayloadBinding {
  readonly slug: string;
  /**
   * The bound version. A file that is bound only by its name has none: it uses the project's version. Other documents
   * get one when the skill is first read, and keep it until somebody changes it.
   */
  readonly version?: string;
  /**
   * The longer slug in the file's name, if the registry has no such skill. The rest of the name then counts as a label.
   */
  readonly unknownSlug?: string;
}

/** The stored binding of a document. "unbound": the document's name must not bind it. */
export type RememberedBinding = PayloadBinding | "unbound";

/** The maximum number of stored documents. Beyond it, the least recently used are removed. */
const maxRememberedBindings = 500;

/** Parses stored bindings by document address. Leaves out damaged entries. */
export function readRememberedBindings(value: unknown): Map<string, RememberedBinding> {
  const bindings = new Map<string, RememberedBinding>();
  if (!Array.isArray(value)) return bindings;
  for (const entry of value) {
    if (!Array.isArray(entry) || typeof entry[0] !== "string") continue;
    const binding = readBinding(entry[1]);
    if (binding !== undefined) bindings.set(entry[0], binding);
  }
  return bindings;
}

/** Stores the binding of a document as the newest one, and removes the oldest beyond 500. Undefined removes it. */
export function rememberBinding(
  remembered: Map<string, RememberedBinding>,
  address: string,
  binding: RememberedBinding | undefined,
): void {
  if (binding === undefined) remembered.delete(address);
  else setNewest(remembered, address, binding, maxRememberedBindings);
}

/**
 * Lists the bindings to store under new addresses after the file or folder `from` moved to `to`. Includes every
 * document in a folder. A binding is undefined if the document's new name decides which skill it belongs to.
 */
export function movedBindings(
  remembered: ReadonlyMap<string, RememberedBinding>,
  from: string,
  to: string,
): { from: string; to: string; binding: RememberedBinding | undefined }[] {
  return [...remembered].flatMap(([address, binding]) => {
    if (address !== from && !address.startsWith(`${from}/`)) return [];
    const now = to + address.slice(from.length);
    return [{ from: address, to: now, binding: bindingAfterMove(binding, address, now) }];
  });
}

/**
 * Returns the binding of a document after a move. Undefined if its new name belongs to another skill: other people who
 * open the file would send it to that skill.
 */
export function bindingAfterMove(
  binding: RememberedBinding,
  from: string,
  to: string,
): RememberedBinding | undefined {
  if (binding === "unbound") return binding;
  const [named] = slugsOfPayloadFile(to);
  const isOtherSkill = named !== undefined && named !== slugsOfPayloadFile(from)[0];
  return isOtherSkill && named !== binding.slug ? undefined : binding;
}

function readBinding(value: unknown): RememberedBinding | undefined {
  if (value === "unbound") return value;
  if (!isJsonObject(value) || typeof value["slug"] !== "string") return undefined;
  if (!isSlug(value["slug"])) return undefined;
  const { slug, version } = value;
  return typeof version === "string" ? { slug, version } : { slug };
}

/** Creates the binding to a version of a skill; to no version if that is empty. */
export function bindingTo({ slug, version }: SkillAddress): PayloadBinding {
  return version === "" ? { slug } : { slug, version };
}

/**
 * Returns the skill that was read if it has the payload's version, or if no version is bound. A registry may return
 * only one version of each skill, but a payload is never checked or sent with another version than its own.
 */
export function boundSkill(
  read: Result<SkillDetail>,
  { slug, version = "" }: PayloadBinding | SkillAddress,
  { t }: Language,
): Result<SkillDetail> {
  if (!read.ok) return read;
  const returned = read.value.summary.version;
  if (version === "" || returned === "" || isSameVersion(returned, version)) return read;
  const message = t(
    "This registry returned {given} instead of {slug} {version}. Update the payload to {given} to check and send it.",
    { slug, version, given: returned },
  );
  return { ok: false, failure: { kind: "notFound", message, returned } };
}

/** Explains that the bound skill is missing, and why the document is bound to it. Returns other failures unchanged. */
export function missingSkill(
  failure: RegistryFailure,
  { slug, version }: PayloadBinding,
  isNamed: boolean,
  { t }: Language,
): RegistryFailure {
  if (failure.kind !== "notFound") return failure;
  const skill = labelText(addressText(slug, version), 80);
  const message = isNamed
    ? t("This registry has no skill “{skill}”, which this file is named after.", { skill })
    : t("This registry has no skill “{skill}”.", { skill });
  return { kind: "notFound", message };
}

/** Returns the skill that a suite names if it was read in the suite's version; else a failure that names it. */
export function skillOfSuite(
  read: Result<SkillDetail>,
  address: SkillAddress,
  language: Language,
): Result<SkillDetail> {
  if (read.ok) return boundSkill(read, address, language);
  return { ok: false, failure: missingSkill(read.failure, address, false, language) };
}

const ending = ".skill-input.json";

/** The maximum number of slugs to try for one file name. */
const maxSlugs = 4;

/** Returns whether a path has the name of a saved payload. */
export function isPayloadFile(path: string): boolean {
  return path.endsWith(ending);
}

/**
 * Lists the skills that a payload file may belong to by its path, the likeliest first.
 * `a/acme.csv-clean.skill-input.json` belongs to `acme.csv-clean`; if a registry has no such skill, it belongs to
 * `acme` and `csv-clean` is a label. A number at the end only counts files. Empty if the name has no slug.
 */
export function slugsOfPayloadFile(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!name.endsWith(ending)) return [];
  const parts = name.slice(0, -ending.length).split(".");
  if (parts.length > 1 && /^\d+$/.test(parts.at(-1) ?? "")) parts.pop();
  const slugs = parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
  // A name that is not a slug names no skill, even if its beginning is a slug.
  return slugs[0] !== undefined && isSlug(slugs[0]) ? slugs.slice(0, maxSlugs).filter(isSlug) : [];
}

/**
 * Labels a payload file of a skill: without its ending, and with its folder only if another file has the same name. The
 * folder is part of the label, since screen readers would read a separate description instead of the label.
 */
export function payloadLabel(path: string, others: readonly string[]): string {
  const at = path.lastIndexOf("/");
  const whole = path.slice(at + 1);
  const name = whole.replace(/(?:\.skill-input)?\.jsonc?$/, "") || whole;
  return others.includes(name) && at > 0 ? `${name} (${path.slice(0, at)})` : name;
}

/**
 * Creates the name of a skill's payload file, with a number from the second on: `text-stats.2.skill-input.json`. Some
 * slugs cannot be used: Windows reserves them for a device, or their end would be read as a number. Their file gets a
 * name that binds to no skill: `_con.skill-input.json`.
 */
export function payloadFileName(slug: string, number: number): string {
  const stem = isDeviceName(slug) || /\.\d+$/.test(slug) ? `_${slug}` : slug;
  return number === 1 ? `${stem}${ending}` : `${stem}.${number}${ending}`;
}
