import * as vscode from "vscode";
import { clientSource, type ShapesReader } from "../../core/clients/client";
import { typescriptClient } from "../../core/clients/typescriptClient";
import { type MistakesReader, skillMistakes } from "../../core/findings/skillMistakes";
import { prettyJson } from "../../core/json/printJson";
import { compareArgument } from "../../core/skill/compare/compareSkills";
import { readLinkPayload, readSkillAddress, readSkillLink } from "../../core/skill/skillAddress";
import { sha256 } from "../../engine/sha256";
import { openForeignPayload } from "../author/newPayload";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import type { SkillSource } from "../discover/pickSkill";
import type { ThisSkill } from "../discover/thisSkill";
import { editAsForm } from "../invoke/onPage/editAsForm";
import { type CommandHandlers, slugArgument, slugArguments } from "../registerCommands";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, copyText, warn } from "../ui/messages";
import { readShown } from "../ui/progress";
import { chooseSkillsToCompare } from "./chooseSkillsToCompare";
import type { ComparisonPages } from "./comparisonPages";
import type { SkillDetails } from "./skillDetails";
import type { SkillPages } from "./skillPages";

/** The dependencies of the commands that show skills. */
interface InspectParts extends CopyClientParts {
  readonly source: SkillSource;
  readonly pages: SkillPages;
  readonly comparisons: ComparisonPages;
  readonly checks: PayloadChecks;
  /** Lets the user choose a skill. Undefined if they canceled. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  /** The Skills view. Its selected rows are compared if no skill is named. */
  readonly view: { readonly selection: readonly unknown[] };
}

/** Builds the commands that show one skill or several. */
export function inspectCommands(parts: InspectParts) {
  const { source, pages, comparisons, checks, pickSkill, thisSkill, view } = parts;
  return {
    openSkill: async (argument, option) => {
      const address = readSkillAddress(argument);
      if (address !== undefined) return pages.open(address.slug, option, address.version);
      const slugs = slugArguments(argument, option);
      if (slugs.length > 0) return openSkills(pages, slugs);
      const slug = await pickSkill(vscode.l10n.t("Open Skill"));
      if (slug !== undefined) await pages.open(slug);
    },
    trySkill: async (argument) => {
      const address = readSkillAddress(argument);
      const slug = address?.slug ?? (await thisSkill.choose(argument, vscode.l10n.t("Try Skill")));
      if (slug !== undefined) await pages.tryIt(slug, address?.version);
    },
    editAsForm: (argument) => editAsForm(pages, checks, argument),
    compareSkills: async (argument, option) => {
      const given = compareArgument(argument, option, view.selection, slugArgument);
      const slugs = given.isEnough ? given.slugs : await chooseSkillsToCompare(source, given.slugs);
      if (slugs !== undefined) comparisons.open(slugs);
    },
    copyAsTypeScript: (argument) => copyTypeScriptClient(parts, argument),
  } satisfies Partial<CommandHandlers>;
}

/** The number of pages that open without a question. Selecting a whole list takes one key and is probably a mistake. */
const maxUnasked = 10;

/** Opens the page of each skill, the last one in front. Asks first for more than ten. */
async function openSkills(pages: SkillPages, slugs: readonly string[]): Promise<void> {
  if (slugs.length > maxUnasked && !(await confirmOpening(slugs.length))) return;
  for (const slug of slugs) await pages.open(slug);
}

function confirmOpening(count: number): Promise<boolean> {
  const message = vscode.l10n.t("Open the pages of {0} skills?", count);
  return confirm({ message, agree: vscode.l10n.t("Open Pages") });
}

/** The parts of a link into the editor. */
interface LinkParts {
  readonly pages: Pick<SkillPages, "open">;
  readonly details: Pick<SkillDetails, "find">;
  readonly bindings: PayloadBindings;
}

/**
 * Opens the skill's page of a link into the editor, and its payload as a new document if it has one. A link can do
 * nothing else: it neither sends nor saves. Reports invalid links.
 */
export async function openSkillLink(
  { pages, details, bindings }: LinkParts,
  { path, query }: Pick<vscode.Uri, "path" | "query">,
): Promise<void> {
  const address = readSkillLink(path);
  const payload = readLinkPayload(query);
  if (address === undefined) {
    return void warn(vscode.l10n.t("Invalid skill link. Expected …/skill/<name>."));
  }
  if (payload.kind === "tooLong") {
    return void warn(
      vscode.l10n.t("The payload of this link is too long: at most 8,000 characters are opened."),
    );
  }
  if (payload.kind === "notJson") {
    return void warn(
      vscode.l10n.t("The payload of this link is not valid JSON. The link may have been cut off."),
    );
  }
  await pages.open(address.slug, undefined, address.version);
  if (payload.kind === "none") return;
  const found = await details.find(address.slug, address.version || undefined);
  // The page shows why the skill cannot be read.
  if (!found.ok) return;
  // A single long line could hide a part of it.
  await openForeignPayload(found.value.summary, `${prettyJson(payload.text).text}\n`, bindings);
}

interface CopyClientParts {
  readonly details: Pick<SkillDetails, "find">;
  readonly thisSkill: ThisSkill;
  /** Reads the shape of a schema in the language thread. */
  readonly shapes: ShapesReader;
  /** Lists likely mistakes in a schema, in the language thread. */
  readonly mistakes: MistakesReader;
  readonly reviews: Pick<WorkspaceReviews, "reviewedContract">;
}

/** Copies the typed client of the command's skill, in the version of the project. */
async function copyTypeScriptClient(
  { details, thisSkill, shapes, mistakes, reviews }: CopyClientParts,
  argument: unknown,
): Promise<void> {
  const slug = await thisSkill.choose(argument, vscode.l10n.t("Copy as TypeScript Client"));
  if (slug === undefined) return;
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), () => details.find(slug));
  if (skill === undefined) return;
  const reviewed = await reviews.reviewedContract(skill.summary);
  const source = await clientSource(skill, reviewed, sha256, shapes);
  const name = `${slug}@${source.version}`;
  await copyText(typescriptClient(source), vscode.l10n.t("TypeScript client of {0} copied", name));
  const inSchemas = await skillMistakes(skill, mistakes, hostLanguage());
  if (inSchemas.length > 0) void warn(inSchemas.join(" "));
}
