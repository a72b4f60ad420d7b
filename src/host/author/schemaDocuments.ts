import * as vscode from "vscode";
import type { TextRange } from "../../core/jsonText/wantedPlace";
import { jsonPlaces } from "../../core/payload/jsonPlaces";
import { lineStartsOf, positionIn } from "../../core/payload/textPosition";
import type { SkillDetail } from "../../core/skill/skill";
import { isSlug } from "../../core/skill/slug";
import { jsonFileEnding } from "../../core/text/jsonFileEnding";
import { schemaScheme } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";

/** In a longer schema no places are looked for; its beginning is pointed at. */
const maxLocatedText = 500_000;

interface SchemaText {
  readonly text: string;
  /** Undefined for a pointer that leads nowhere. */
  readonly places: Map<string, vscode.Range | undefined>;
}

/** Shows the input schemas of skills as read-only documents, and knows where each rule stands in them. */
export class SchemaDocuments implements vscode.TextDocumentContentProvider {
  private readonly texts = new WeakMap<SkillDetail, SchemaText>();
  private readonly registration: vscode.Disposable;

  constructor(private readonly details: SkillDetails) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(schemaScheme, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, slug = "", version = ""] =
      /^\/([^@/]+)@([^/]*)\/input-schema\.jsonl?$/.exec(uri.path) ?? [];
    if (!isSlug(slug)) return "";
    const found = await this.details.find(slug, version === "" ? undefined : version);
    return found.ok ? this.textOf(found.value).text : "";
  }

  /** Answers where rules stand in a skill's input schema, by their JSON pointers. */
  locations(skill: SkillDetail, pointers: readonly string[]): Map<string, vscode.Location> {
    const { text, places } = this.textOf(skill);
    const unknown = pointers.filter((pointer) => !places.has(pointer));
    if (unknown.length > 0 && text.length <= maxLocatedText) {
      const positionAt = positionsIn(text);
      const found = jsonPlaces(text, unknown);
      for (const pointer of unknown) {
        const range = found.get(pointer);
        places.set(pointer, range === undefined ? undefined : rangeOf(range, positionAt));
      }
    }
    const uri = addressOf(skill);
    const start = new vscode.Range(0, 0, 0, 0);
    return new Map(
      pointers.map((pointer) => [pointer, new vscode.Location(uri, places.get(pointer) ?? start)]),
    );
  }

  dispose(): void {
    this.registration.dispose();
  }

  private textOf(skill: SkillDetail): SchemaText {
    const known = this.texts.get(skill);
    if (known !== undefined) return known;
    const text = `${JSON.stringify(skill.inputSchema ?? true, undefined, 2)}\n`;
    const fresh = { text, places: new Map() };
    this.texts.set(skill, fresh);
    return fresh;
  }
}

function addressOf({ summary: { slug, version }, inputSchema }: SkillDetail): vscode.Uri {
  const name = `input-schema.${jsonFileEnding(inputSchema)}`;
  return vscode.Uri.from({ scheme: schemaScheme, path: `/${slug}@${version}/${name}` });
}

function rangeOf(range: TextRange, positionAt: (offset: number) => vscode.Position): vscode.Range {
  return new vscode.Range(positionAt(range.start), positionAt(range.end));
}

function positionsIn(text: string): (offset: number) => vscode.Position {
  const starts = lineStartsOf(text);
  return (offset) => {
    const { line, character } = positionIn(starts, offset);
    return new vscode.Position(line, character);
  };
}
