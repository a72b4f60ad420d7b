import * as vscode from "vscode";
import type { MakeSample } from "../../core/payload/payloadFillings";
import type { SkillDetail } from "../../core/skill/skill";
import { openNewPayload, openNewPayloadFor } from "../author/newPayload";
import type { PayloadBindings } from "../author/payloadBindings";
import { payloadDocument, showDocument } from "../author/payloadDocument";
import { slugArgument } from "../discover/slugArgument";
import type { SkillDetails } from "../inspect/skillDetails";
import type { Invoker } from "./invoker";

/** What the command works with; the functions open what the user then fills in. */
export interface InvokeSkillParts {
  readonly bindings: PayloadBindings;
  readonly invoker: Invoker;
  readonly details: SkillDetails;
  /** Makes an input from a skill's schema. */
  readonly sample: MakeSample;
  /** Lets the user choose a skill; undefined where they gave up. */
  readonly askWhich: (title: string) => Promise<string | undefined>;
}

/**
 * Runs “Invoke Skill” from wherever it was started. In a payload it calls that payload's skill. For
 * a skill without an open payload it opens one first: nothing is sent that the user has not seen.
 */
export async function invokeSkill(parts: InvokeSkillParts, argument: unknown): Promise<void> {
  const named = slugArgument(argument);
  const document = named === undefined ? payloadDocument(argument) : undefined;
  if (document !== undefined && parts.bindings.find(document.uri) !== undefined) {
    return parts.invoker.invoke(document);
  }
  const slug = named ?? (await parts.askWhich(vscode.l10n.t("Invoke Skill")));
  if (slug === undefined) return;
  const open = openPayloads(parts.bindings, slug);
  const chosen = await showOneOf(open);
  if (chosen !== undefined) return parts.invoker.invoke(chosen);
  if (open.length > 0) return;
  await openNewPayloadFor(parts, slug);
  tellHowToSend();
}

/** Shows the payload of a skill: the one that is open, the one chosen of several, or else a new one. */
export async function showPayload(
  parts: Pick<InvokeSkillParts, "bindings" | "details" | "sample">,
  skill: SkillDetail,
): Promise<void> {
  const open = openPayloads(parts.bindings, skill.summary.slug);
  const shown =
    open.length > 0 ? await showOneOf(open) : await openNewPayload(skill, parts, undefined);
  if (shown !== undefined) tellHowToSend();
}

/** Shows the only document, or the one that is chosen. Undefined where there is none, or none was chosen. */
async function showOneOf(
  documents: readonly vscode.TextDocument[],
): Promise<vscode.TextDocument | undefined> {
  const chosen = documents.length > 1 ? await choosePayload(documents) : documents[0];
  if (chosen !== undefined) await showDocument(chosen);
  return chosen;
}

function tellHowToSend(): void {
  vscode.window.setStatusBarMessage(
    vscode.l10n.t("$(info) Check the payload, then run “Skill Registry: Invoke Skill” to send it."),
    10_000,
  );
}

function openPayloads(bindings: PayloadBindings, slug: string): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    (document) => bindings.find(document.uri)?.slug === slug && !document.isClosed,
  );
}

async function choosePayload(
  documents: readonly vscode.TextDocument[],
): Promise<vscode.TextDocument | undefined> {
  const picked = await vscode.window.showQuickPick(
    documents.map((document) => ({
      label: vscode.workspace.asRelativePath(document.uri),
      document,
    })),
    {
      title: vscode.l10n.t("Invoke Skill"),
      placeHolder: vscode.l10n.t("Which input should be sent?"),
    },
  );
  return picked?.document;
}
