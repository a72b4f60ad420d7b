import * as vscode from "vscode";
import { type JsonValue, parsedJson } from "../../core/json/jsonValue";
import {
  type FitCounts,
  fitCountText,
  type PayloadTrial,
  parseSearchedJson,
  type SkillFit,
  skillsForPayload,
  takenText,
} from "../../core/payload/skillsForPayload";
import {
  isOfOneSkill,
  type RegistryFailure,
  type Result,
} from "../../core/registry/registryFailure";
import { withPermissions } from "../../core/skill/permissions";
import { inputSchemaOf, type SkillSummary } from "../../core/skill/skill";
import { searchFacts } from "../../core/skillList/rows/skillRowText";
import { loadPages, type SkillList, startList } from "../../core/skillList/skillList";
import { createTurns } from "../../core/suite/turns";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { registryInUse } from "../connect/withRegistry";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import type { SkillDetails } from "../inspect/skillDetails";
import { openFile } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { inform } from "../ui/messages";
import { readShown } from "../ui/progress";
import { choose } from "../ui/quickInput/choose";
import { openForeignPayload } from "./newPayload";
import { isJsonDocument, type PayloadBindings } from "./payloadBindings";
import type { PayloadChecks } from "./payloadChecks";
import { documentOnScreen, isBindable, showDocument } from "./payloadDocument";

/** The dependencies of finding skills for a JSON text. */
interface FindSkillParts {
  readonly connection: RegistryConnection;
  readonly details: Pick<SkillDetails, "hasOwn" | "readOwn">;
  readonly checks: Pick<PayloadChecks, "checkText" | "declared">;
  readonly bindings: PayloadBindings;
  readonly environments: Pick<WorkspaceEnvironments, "resolve">;
}

/** A text to find skills for. */
interface SourceText {
  readonly text: string;
  /** The document with this whole text, if it can be bound. */
  readonly document?: vscode.TextDocument;
}

/**
 * Finds the skills that accept the selected text, the JSON document or copied text, and lets the user choose one. The
 * document is bound to it; any other text opens as a new payload. Sends the text nowhere.
 */
export async function findSkillForJson(parts: FindSkillParts, argument: unknown): Promise<void> {
  await findSkill(parts, await sourceText(argument), vscode.l10n.t("Which Skill Takes This?"));
}

/**
 * Finds the skills that accept a JSON text without a document, such as an output, and opens it as a new payload of the
 * user's choice.
 */
export async function useAsPayload(parts: FindSkillParts, text: string): Promise<void> {
  await findSkill(parts, { text }, vscode.l10n.t("Use as Payload"));
}

async function findSkill(parts: FindSkillParts, found: SourceText, title: string): Promise<void> {
  const text = await sentText(parts, found);
  const json = parseSearchedJson(text, hostLanguage());
  if ("problem" in json) return void inform(json.problem);
  const registry = await registryInUse(parts.connection);
  if (registry === undefined) return;
  const searched = json.taken ?? text;
  const reading = await readShown(title, (signal, report) =>
    findFits(parts, registry, { value: json.value, text: searched }, signal, report),
  );
  if (reading === undefined) return;
  const { fits, ...counts } = reading;
  const counted = [fitCountText(counts, hostLanguage()), takenText(json, hostLanguage())]
    .filter((part) => part !== "")
    .join(" · ");
  const chosen = await choose(
    fits.map((fit) => ({
      label: fit.skill.displayName,
      description: searchFacts(fit.skill, hostLanguage()).join(" · "),
      detail: fit.reason,
      icon: fit.fits ? "pass" : "warning",
      value: fit.skill,
    })),
    { title, placeHolder: counted, none: counted },
  );
  // A document that is no JSON stays as it is; what was taken from it becomes a payload.
  const source = json.taken === undefined ? found : { text: json.taken };
  if (chosen !== undefined) await usePayload(parts.bindings, source, chosen);
}

/** Returns the text that would be sent for a document: with its placeholders replaced, if that is possible. */
async function sentText(
  { environments }: FindSkillParts,
  { text, document }: SourceText,
): Promise<string> {
  const resolution = document && (await environments.resolve(document.uri, text));
  return resolution?.ok === true ? resolution.value.text : text;
}

async function usePayload(
  bindings: PayloadBindings,
  { text, document }: SourceText,
  skill: SkillSummary,
): Promise<void> {
  if (document === undefined) {
    await openForeignPayload(skill, `${text.trim()}\n`, bindings);
    return;
  }
  await bindings.bind(document.uri, { slug: skill.slug });
  await showDocument(document);
}

/** Returns the selected text; else the named or visible document if it is JSON; else copied text. */
async function sourceText(argument: unknown): Promise<SourceText> {
  const document = argument instanceof vscode.Uri ? await openFile(argument) : documentOnScreen();
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined && editor.document === document && !editor.selection.isEmpty) {
    return { text: document.getText(editor.selection) };
  }
  const text = document?.getText();
  if (document === undefined || text === undefined || !isJson(document, text)) {
    return { text: await vscode.env.clipboard.readText() };
  }
  return isBindable(document) ? { text, document } : { text };
}

/**
 * Returns whether a document is JSON: by its language, or because it parses as JSON, like pasted text in a new
 * document.
 */
function isJson(document: vscode.TextDocument, text: string): boolean {
  return isJsonDocument(document) || parsedJson(text) !== undefined;
}

/** The skills that fit, and how many were checked. */
interface Fits extends FitCounts {
  /** The best matches. */
  readonly fits: readonly SkillFit[];
}

/** The maximum number of requests. Registries limit their rate, and nobody waits for more. Cached skills need none. */
const maxRequests = 50;
/** The maximum number of parallel requests. */
const maxAtOnce = 4;

/** Reads the schemas of a registry's skills, cached ones first, and checks the text by each. */
async function findFits(
  { details, checks }: FindSkillParts,
  registry: ConnectedRegistry,
  { text, value }: { readonly text: string; readonly value: JsonValue },
  signal: AbortSignal,
  report: (progress: string) => void,
): Promise<Result<Fits>> {
  const list = await listSkills(registry, signal);
  if (!list.ok) return list;
  const { skills, nextCursor, brokenEnd } = list.value;
  const cached = skills.filter(({ slug }) => details.hasOwn(slug));
  const others = skills.filter(({ slug }) => !details.hasOwn(slug)).slice(0, maxRequests);
  const candidates = [...cached, ...others];
  const trials = new Map<SkillSummary, PayloadTrial>();
  let failure: RegistryFailure | undefined;
  let done = 0;
  const checkOne = async (row: SkillSummary): Promise<void> => {
    if (failure !== undefined) return;
    const own = await details.readOwn(row.slug, signal);
    if (!own.ok && (signal.aborted || !isOfOneSkill(own.failure))) {
      failure ??= own.failure;
      return;
    }
    if (own.ok) {
      const schema = inputSchemaOf(own.value);
      const check = await checks.checkText(schema, text, signal);
      const skill = completed(row, own.value);
      const declared = await checks.declared(schema.schema ?? true, text, signal);
      trials.set(row, { skill, declared, check });
    }
    done += 1;
    report(vscode.l10n.t("{0} of {1} skills", done, candidates.length));
  };
  const turns = createTurns(maxAtOnce);
  await Promise.all(candidates.map((row) => turns(() => checkOne(row))));
  if (signal.aborted) return { ok: false, failure: { kind: "cancelled" } };
  if (failure !== undefined && trials.size === 0) return { ok: false, failure };
  // Sorted as in the list, since the skills were read in any order.
  const inOrder = skills.flatMap((row) => trials.get(row) ?? []);
  const isAll =
    inOrder.length === skills.length && nextCursor === undefined && brokenEnd === undefined;
  const fits = skillsForPayload(value, inOrder, hostLanguage());
  const takers = inOrder.filter(({ check }) => check.state === "valid").length;
  return { ok: true, value: { fits, takers, checked: inOrder.length, isAll } };
}

function completed(
  row: SkillSummary,
  { summary, permissions }: { summary: SkillSummary; permissions?: SkillSummary["permissions"] },
): SkillSummary {
  const skill = summary.version === "" ? row : { ...row, version: summary.version };
  return permissions === undefined ? skill : withPermissions(skill, permissions);
}

async function listSkills(
  { client }: ConnectedRegistry,
  signal: AbortSignal,
): Promise<Result<SkillList>> {
  const query = { text: "", filters: {} };
  const page = await client.search(query, undefined, signal);
  if (!page.ok) return page;
  const start = startList(page.value);
  const missing = maxRequests - start.skills.length;
  const ask = (cursor: string) => client.search(query, cursor, signal);
  return { ok: true, value: (await loadPages(start, missing, ask, signal)).list };
}
