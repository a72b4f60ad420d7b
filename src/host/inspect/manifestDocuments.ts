import * as vscode from "vscode";
import type { SkillDetail } from "../../core/skill/skill";
import type { Language } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { type TextTarget, textTargets, type VersionPair } from "../../protocol/skillPage";
import { manifestScheme } from "../ids";
import { findVersion } from "./compareVersions";
import type { SkillDetails } from "./skillDetails";
import { skillText } from "./skillText";

/**
 * Shows the manifests of skills, and the schemas in them, as read-only documents:
 * `skill-manifest:/<slug>@<version>.<part>.json`.
 */
export class ManifestDocuments implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly details: SkillDetails,
    private readonly language: Language,
  ) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(manifestScheme, this);
  }

  /** Opens a part of a skill in an editor. */
  async show(part: TextTarget, { summary: { slug, version } }: SkillDetail): Promise<void> {
    const uri = addressOf(slug, version, part);
    // It may be open already, with what another registry said.
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
  }

  /** Opens the manifests of two versions side by side. */
  async showDifference(slug: string, { before, after }: VersionPair): Promise<void> {
    await vscode.commands.executeCommand(
      "vscode.diff",
      addressOf(slug, before),
      addressOf(slug, after),
      `${oneLine(slug, 60)}: ${oneLine(before, 30)} ↔ ${oneLine(after, 30)}`,
      { preview: true },
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const asked = new URLSearchParams(uri.query);
    const [slug, version] = [asked.get("skill") ?? "", asked.get("version") ?? ""];
    const part = textTargets.find((target) => target === asked.get("part")) ?? "manifest";
    const found = await findVersion(this.details, slug, version, this.language);
    if (!found.ok) return `${JSON.stringify({ unavailable: found.message }, undefined, 2)}\n`;
    return `${skillText(part, found.skill)}\n`;
  }

  dispose(): void {
    this.changed.dispose();
    this.registration.dispose();
  }
}

const partNames = {
  manifest: "manifest",
  inputSchema: "input-schema",
  outputSchema: "output-schema",
} as const satisfies Record<TextTarget, string>;

// The path is what the editor shows as a name; what is asked for stands in the query.
function addressOf(slug: string, version: string, part: TextTarget = "manifest"): vscode.Uri {
  const skill = version === "" ? slug : `${slug}@${version}`;
  const name = `${skill.replaceAll(/[^\w.@+-]/g, "_").slice(0, 120)}.${partNames[part]}`;
  const query = new URLSearchParams({ skill: slug, version, part }).toString();
  return vscode.Uri.from({ scheme: manifestScheme, path: `/${name}.json`, query });
}
