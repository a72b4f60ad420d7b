import * as vscode from "vscode";
import type { Language } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import type { VersionPair } from "../../protocol/skillPage";
import { manifestScheme } from "../ids";
import { findVersion } from "./compareVersions";
import type { SkillDetails } from "./skillDetails";

/** Shows the manifests of skills as read-only documents, `skill-manifest:/<slug>@<version>.json`. */
export class ManifestDocuments implements vscode.TextDocumentContentProvider {
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly details: SkillDetails,
    private readonly language: Language,
  ) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(manifestScheme, this);
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
    const found = await findVersion(this.details, slug, version, this.language);
    if (!found.ok) return `${JSON.stringify({ unavailable: found.message }, undefined, 2)}\n`;
    return `${JSON.stringify(found.skill.manifest, undefined, 2)}\n`;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

// The path is what the editor shows as a name; what is asked for stands in the query.
function addressOf(slug: string, version: string): vscode.Uri {
  const name = `${slug}@${version}`.replaceAll(/[^\w.@+-]/g, "_").slice(0, 120);
  const query = new URLSearchParams({ skill: slug, version }).toString();
  return vscode.Uri.from({ scheme: manifestScheme, path: `/${name}.json`, query });
}
