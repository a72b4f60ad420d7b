import * as vscode from "vscode";
import type { PayloadProblem } from "../../core/payload/payloadCheck";
import { schemaText } from "../../core/payload/schemaRanges";
import type { SkillDetail } from "../../core/skill/skill";
import { jsonFileEnding } from "../../core/text/jsonFileEnding";
import { schemaScheme } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";

/**
 * Shows the input schemas of skills as read-only documents. The registry is part of their address, so
 * that the editor never shows one registry's schema for another's.
 */
export class SchemaDocuments implements vscode.TextDocumentContentProvider {
  private readonly registration: vscode.Disposable;

  constructor(private readonly details: SkillDetails) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(schemaScheme, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const asked = new URLSearchParams(uri.query);
    const version = asked.get("version") ?? "";
    const found = await this.details.find(asked.get("skill") ?? "", version || undefined);
    const isSame = found.ok && this.details.registryOf(found.value) === asked.get("registry");
    if (isSame) return schemaText(found.value.inputSchema ?? true);
    const unavailable = vscode.l10n.t("This schema is of a registry that is not connected now.");
    return schemaText({ unavailable });
  }

  /** Answers where the rule behind a problem stands in a skill's input schema; its start where that is not known. */
  location(skill: SkillDetail, problem: PayloadProblem): vscode.Location | undefined {
    if (problem.schemaPointer === undefined) return undefined;
    const { start, end } = problem.rule ?? { start: beginning, end: beginning };
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    return new vscode.Location(this.addressOf(skill), range);
  }

  dispose(): void {
    this.registration.dispose();
  }

  // The path is what the editor shows as a name; what is asked for stands in the query.
  private addressOf(skill: SkillDetail): vscode.Uri {
    const { slug, version } = skill.summary;
    const registry = this.details.registryOf(skill);
    const query = new URLSearchParams({ skill: slug, version, registry }).toString();
    const name = `input-schema.${jsonFileEnding(skill.inputSchema)}`;
    return vscode.Uri.from({ scheme: schemaScheme, path: `/${slug}@${version}/${name}`, query });
  }
}

const beginning = { line: 0, character: 0 };
