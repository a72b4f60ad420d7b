import * as vscode from "vscode";
import { clientSource } from "../../core/clients/client";
import type { Shapes } from "../../core/clients/shape";
import { typescriptClient } from "../../core/clients/typescriptClient";
import type { SkillSchema } from "../../core/skill/skill";
import { sha256 } from "../../engine/sha256";
import type { PayloadBindings } from "../author/payloadBindings";
import { payloadDocument } from "../author/payloadDocument";
import { slugArgument } from "../registerCommands";
import { copyText } from "../ui/messages";
import { readShown } from "../ui/progress";
import type { SkillDetails } from "./skillDetails";

/** The dependencies of copying a client. */
interface CopyClientParts {
  readonly details: Pick<SkillDetails, "find">;
  readonly bindings: Pick<PayloadBindings, "find">;
  /** Returns the skill the user is looking at, else the one they choose; undefined where they canceled. */
  readonly chooseThis: (title: string) => Promise<string | undefined>;
  /** Reads the shape of a schema where it holds nobody up. */
  readonly shapes: (schema: SkillSchema) => Promise<Shapes>;
}

/** Copies the typed client of the skill that the command was run on, as the project runs it. */
export async function copyTypeScriptClient(
  { details, bindings, chooseThis, shapes }: CopyClientParts,
  argument: unknown,
): Promise<void> {
  const slug =
    slugArgument(argument) ??
    payloadSlug(argument, bindings) ??
    (await chooseThis(vscode.l10n.t("Copy as TypeScript Client")));
  if (slug === undefined) return;
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), () => details.find(slug));
  if (skill === undefined) return;
  const source = await clientSource(skill, sha256, shapes);
  const name = `${slug}@${source.version}`;
  await copyText(typescriptClient(source), vscode.l10n.t("TypeScript client of {0} copied", name));
}

/** The skill of the payload whose menu the command was run from. */
function payloadSlug(argument: unknown, bindings: CopyClientParts["bindings"]): string | undefined {
  const document = argument === undefined ? undefined : payloadDocument(argument);
  return document === undefined ? undefined : bindings.find(document.uri)?.slug;
}
