import {
  type ASTNode,
  type CompletionItem,
  CompletionItemKind,
  getLanguageService,
  type JSONDocument,
  type JSONSchema,
  type LanguageService,
  TextDocument,
} from "vscode-json-languageservice";
import type { JsonObject } from "../core/json/jsonValue";
import type { Explanation, Proposal } from "./languageMessages";

const address = "payload:/input.json";
/** As many as a list of completions is scrolled through. */
const maxProposals = 500;
/** What fits a hover. */
const maxTexts = 4;

/**
 * Completes and explains texts by one schema, with the language service of VS Code's own JSON
 * support. The schema must be an `assistanceSchema`; nothing is ever fetched.
 */
export class SchemaAssistance {
  private readonly service: LanguageService;

  constructor(schema: JsonObject) {
    this.service = getLanguageService({
      clientCapabilities: {
        textDocument: { completion: { completionItem: { documentationFormat: ["plaintext"] } } },
      },
    });
    this.service.configure({
      validate: false,
      schemas: [{ uri: "payload:/schema.json", fileMatch: ["*"], schema: schema as JSONSchema }],
    });
  }

  /** Lists what can be written at an offset, in the order to show it, at most 500. */
  async proposals(text: string, offset: number): Promise<Proposal[]> {
    const { document, json } = this.read(text);
    const list = await this.service.doComplete(document, document.positionAt(offset), json);
    const items = (list?.items ?? []).slice(0, maxProposals);
    const proposals = items.flatMap((item) => proposalOf(item, document) ?? []);
    const node = json.getNodeFromOffset(offset, true);
    return fittedProposals(proposals, text, node);
  }

  /** Explains the property or value at an offset; undefined where the schema does not describe it. */
  async explanation(text: string, offset: number): Promise<Explanation | undefined> {
    const { document, json } = this.read(text);
    const hovered = json.getNodeFromOffset(offset);
    const value = hovered === undefined ? undefined : explainedNode(hovered, offset);
    if (hovered === undefined || value === undefined) return undefined;
    const matches = await this.service.getMatchingSchemas(document, json);
    const texts = matches.flatMap(({ node, schema }) =>
      node === value && schema.description !== undefined ? schema.description : [],
    );
    if (texts.length === 0) return undefined;
    const start = hovered.offset;
    return { start, end: start + hovered.length, texts: [...new Set(texts)].slice(0, maxTexts) };
  }

  private read(text: string): { document: TextDocument; json: JSONDocument } {
    // A payload's own "$schema" would be followed instead of the skill's.
    const ours = text.replaceAll('"$schema"', '"$Schema"');
    const document = TextDocument.create(address, "json", 1, ours);
    return { document, json: this.service.parseJSONDocument(document) };
  }
}

function proposalOf(item: CompletionItem, document: TextDocument): Proposal | undefined {
  const edit = item.textEdit;
  if (edit === undefined || !("range" in edit)) return undefined;
  const { label, documentation } = item;
  const isSnippet = /^\[?\{ /.test(label);
  const kind = isSnippet ? "object" : kindOf(item);
  const following = kind === "property" ? valueFollowing(edit.newText, item, document) : "";
  return {
    label,
    kind,
    snippet: edit.newText + following,
    // Of a snippet the service gives its body.
    filterText:
      item.filterText === undefined || isBody.test(item.filterText) ? label : item.filterText,
    documentation: typeof documentation === "string" ? documentation : (documentation?.value ?? ""),
    start: document.offsetAt(edit.range.start),
    end: document.offsetAt(edit.range.end),
    continues: item.command !== undefined || following !== "" || /[[{]\$1[\]}]$/.test(edit.newText),
  };
}

const isBody = /^"?\^/;

/** Of a property whose schema names no type the service writes the name alone; a colon belongs to it. */
function valueFollowing(snippet: string, { textEdit }: CompletionItem, document: TextDocument) {
  if (!snippet.endsWith('"') || textEdit === undefined || !("range" in textEdit)) return "";
  if (snippet.includes('": ')) return "";
  const rest = document.getText().slice(document.offsetAt(textEdit.range.end));
  const next = /\S/.exec(rest.slice(0, 1000))?.[0];
  if (next === ":") return "";
  return next === '"' ? ": $1," : ": $1";
}

function kindOf({ kind }: CompletionItem): Proposal["kind"] {
  if (kind === CompletionItemKind.Property) return "property";
  return kind === CompletionItemKind.Module ? "object" : "value";
}

/** The value a node is about: of a key, the value behind it; of a container, only at its bracket. */
function explainedNode(node: ASTNode, offset: number): ASTNode | undefined {
  const { parent } = node;
  if (parent?.type === "property" && parent.keyNode === node) return parent.valueNode;
  const isContainer = node.type === "object" || node.type === "array";
  const isInside = offset > node.offset + 1 && offset < node.offset + node.length - 1;
  return isContainer && isInside ? undefined : node;
}

/** Where a value or a property stands in a text, as UTF-16 offsets. */
interface TextNode {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly parent?: TextNode | undefined;
}

/**
 * Fits proposals to what stands at their range, so that an editor lists them there and the rest of
 * the line stays as it is. `node` is what is at the cursor; undefined where there is nothing.
 */
function fittedProposals(
  proposals: readonly Proposal[],
  text: string,
  node: TextNode | undefined,
): Proposal[] {
  const filled = proposals.filter(({ label }) => !empties.has(label));
  const empty = proposals.filter(({ label }) => empties.has(label));
  // An empty text, list or object is what to start from when none of the values is meant.
  const listed = node?.type === "string" ? filled : [...filled, ...empty];
  const besides = node === undefined ? listed : besideThatValue(listed, text, node);
  return besides
    .map((proposal) => separated(proposal, text))
    .filter(
      ({ comma, kind }) => comma === undefined || kind === "property" || isInList(node, comma),
    )
    .map((proposal) => spaced(insideQuotes(proposal, text, node), text));
}

const empties = new Set(['""', "[]", "{}"]);

/** Where one of the values stands already, all are listed: an editor filters by what it replaces. */
function besideThatValue(proposals: readonly Proposal[], text: string, node: TextNode): Proposal[] {
  const there = text.slice(node.offset, node.offset + node.length);
  const isThere = proposals.some(({ kind, label }) => kind === "value" && label === there);
  return proposals.map((one) => (isThere ? { ...one, filterText: there } : one));
}

/** A snippet goes on behind a text that is replaced between its quotes, and ends where they are replaced. */
function insideQuotes(proposal: Proposal, text: string, node: TextNode | undefined): Proposal {
  const { kind, snippet, start, end, filterText } = proposal;
  if (kind !== "value" || node?.type !== "string" || !quoted.test(snippet)) return proposal;
  const isWhole = start === node.offset && end === start + node.length;
  if (!isWhole || !quoted.test(text.slice(start, end))) return proposal;
  return {
    ...proposal,
    snippet: snippet.slice(1, -1),
    filterText: quoted.test(filterText) ? filterText.slice(1, -1) : filterText,
    start: start + 1,
    end: end - 1,
  };
}

/** White space that is looked through for what stands in front. */
const maxGap = 10_000;

const quoted = /^"(?:.*[^\\])?"$/s;

/** A value right behind its colon gets the space that everybody writes there. */
function spaced(proposal: Proposal, text: string): Proposal {
  const isBehindColon = proposal.kind !== "property" && text[proposal.start - 1] === ":";
  return isBehindColon ? { ...proposal, snippet: ` ${proposal.snippet}` } : proposal;
}

/** What comes behind a value without a comma brings it. */
function separated(proposal: Proposal, text: string): Proposal {
  const gap = text.slice(Math.max(0, proposal.start - maxGap), proposal.start);
  const comma = proposal.start - gap.length + gap.trimEnd().length;
  return /["\w\]}]/.test(text.charAt(comma - 1)) ? { ...proposal, comma } : proposal;
}

/** Returns whether a value that ends at `end` is followed by another item of its list. */
function isInList(node: TextNode | undefined, end: number): boolean {
  const isBefore = node !== undefined && node.offset + node.length <= end;
  return (isBefore ? node.parent : node)?.type === "array";
}
