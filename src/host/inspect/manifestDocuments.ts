import type * as vscode from "vscode";
import { type Result, registryFailureText } from "../../core/registry/registryFailure";
import { jsonFileEnding } from "../../core/schema/read/jsonFileEnding";
import { describeChanges } from "../../core/skill/compare/describeChanges";
import type { SchemaSide } from "../../core/skill/description/skillDescription";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import type { SkillDetail } from "../../core/skill/skill";
import type { Language } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import type { ComparedVersions, VersionPair } from "../../protocol/pageMessages";
import { type TextTarget, textTargets } from "../../protocol/readPageMessage";
import { manifestScheme } from "../ids";
import { Documents, showDifference, unavailableText } from "../ui/documents";
import type { SkillDetails } from "./skillDetails";

/**
 * Shows the manifests of skills, and the schemas in them, as read-only documents:
 * `skill-manifest:/<slug>@<version>.<part>.json`, or `.jsonl` if jsonFileEnding requires it.
 */
export class ManifestDocuments extends Documents {
  constructor(
    private readonly details: SkillDetails,
    private readonly language: Language,
  ) {
    super(manifestScheme);
  }

  /** Opens a part of a skill in an editor. */
  async show(part: TextTarget, skill: SkillDetail): Promise<void> {
    const { slug, version } = skill.summary;
    await this.openAt(this.partUri(slug, version, part, jsonFileEnding(skill[part])));
  }

  /** Opens one side of an example in an editor. Does nothing if it is missing. */
  async showExample(skill: SkillDetail, example: number, side: SchemaSide): Promise<void> {
    const value = skill.examples[example]?.[side];
    if (value === undefined) return;
    const { slug, version } = skill.summary;
    const part = `example-${example + 1}.${side}`;
    await this.openAt(this.partUri(slug, version, part, jsonFileEnding(value)));
  }

  /** Opens the manifests of two versions side by side. */
  async showDifference(slug: string, { before, after }: VersionPair): Promise<void> {
    const manifestOf = async (version: string) => {
      const found = await findVersion(this.details, slug, version, this.language);
      const ending = jsonFileEnding(found.ok ? found.skill.manifest : undefined);
      return this.partUri(slug, version, "manifest", ending);
    };
    const [old, now] = await Promise.all([manifestOf(before), manifestOf(after)]);
    const title = `${oneLine(slug, 60)}: ${oneLine(before, 30)} ↔ ${oneLine(after, 30)}`;
    await showDifference(old, now, title);
  }

  protected async textOf({ query }: vscode.Uri): Promise<string> {
    const parameters = new URLSearchParams(query);
    const [slug, version] = [parameters.get("skill") ?? "", parameters.get("version") ?? ""];
    const part = parameters.get("part") ?? "";
    const found = await findVersion(this.details, slug, version, this.language);
    if (!found.ok) return unavailableText(found.message);
    return `${partText(part, found.skill)}\n`;
  }

  private partUri(slug: string, version: string, part: string, ending: string): vscode.Uri {
    const skill = version === "" ? slug : `${slug}@${version}`;
    const name = `${skill.replaceAll(/[^\w.@+-]/g, "_").slice(0, 120)}.${nameOfPart(part)}`;
    return this.uriOf(`/${name}.${ending}`, { skill: slug, version, part });
  }
}

const partNames = {
  manifest: "manifest",
  inputSchema: "input-schema",
  outputSchema: "output-schema",
} as const satisfies Record<TextTarget, string>;

function nameOfPart(part: string): string {
  const target = textTargets.find((item) => item === part);
  return target === undefined ? part : partNames[target];
}

/** Formats the part that a document's address names; the manifest for an unknown part. */
function partText(part: string, skill: SkillDetail): string {
  const [, number, side] = /^example-(\d{1,4})\.(input|output)$/.exec(part) ?? [];
  if (number !== undefined) {
    const value = skill.examples[Number(number) - 1]?.[side as SchemaSide];
    return JSON.stringify(value ?? null, undefined, 2);
  }
  return skillText(textTargets.find((target) => target === part) ?? "manifest", skill);
}

/** Formats a part of a skill as JSON with two spaces per level; `null` for a missing part. */
export function skillText(part: TextTarget, skill: SkillDetail): string {
  return JSON.stringify(skill[part] ?? null, undefined, 2);
}

/** Reads two versions of a skill and describes how they differ. Never rejects. */
export async function compareVersions(
  details: Pick<SkillDetails, "find">,
  slug: string,
  pair: VersionPair,
  language: Language,
): Promise<ComparedVersions> {
  const { before, after } = pair;
  const [old, now] = await Promise.all([
    findVersion(details, slug, before, language),
    findVersion(details, slug, after, language),
  ]);
  if (!old.ok) return { kind: "failed", ...pair, message: old.message };
  if (!now.ok) return { kind: "failed", ...pair, message: now.message };
  return { kind: "ready", ...pair, difference: describeChanges(old.skill, now.skill, language) };
}

/** One version of a skill, or a message why it is not available. */
type FoundVersion =
  | { readonly ok: true; readonly skill: SkillDetail }
  | { readonly ok: false; readonly message: string };

/**
 * Reads exactly the requested version, since a registry may ignore the version and return another. The version is empty
 * for a skill of a registry that names no versions.
 */
async function findVersion(
  details: Pick<SkillDetails, "find">,
  slug: string,
  version: string,
  language: Language,
): Promise<FoundVersion> {
  const found: Result<SkillDetail> = await details.find(slug, version === "" ? undefined : version);
  if (!found.ok)
    return { ok: false, message: oneLine(registryFailureText(found.failure, language), 1000) };
  const given = found.value.summary.version;
  if (isSameVersion(given, version)) return { ok: true, skill: found.value };
  const words = { version: oneLine(version, 100), given: oneLine(given, 100) };
  const message = language.t("This registry returned {given} instead of version {version}.", words);
  return { ok: false, message };
}
