import * as vscode from "vscode";
import type { Proposal } from "../../core/schema/complete/proposal";
import { labelText, markdownText, revealHidden } from "../../core/text/plainText";
import type { EmbeddedPayload, EmbeddedPayloads } from "../embeddedPayloads";
import { Owner } from "../ui/owner";
import { unlessCancelled } from "../ui/wait";
import { payloadLanguages } from "./payloadBindings";
import type { LazyLanguageClient, PayloadChecks } from "./payloadChecks";
import type { PlaceholderHelp } from "./placeholders/placeholderHelp";

const triggers = ['"', ":", "{"];
/**
 * The maximum length of an explanation, in characters. It includes a schema's description, for which the default of
 * `markdownText` is too short.
 */
const maxExplanation = 3000;

/** Completes and explains bound documents, and other texts, by their skill's input schema. */
export class PayloadAssistance
  extends Owner
  implements vscode.CompletionItemProvider, vscode.HoverProvider
{
  private readonly exclusive = new Map<string, vscode.Disposable>();

  constructor(
    private readonly language: LazyLanguageClient,
    private readonly checks: PayloadChecks,
    /** Finds the payloads inside other documents. */
    private readonly others: Pick<EmbeddedPayloads, "payloadAt">,
    private readonly placeholders: Pick<PlaceholderHelp, "complete">,
  ) {
    super();
    const { registerCompletionItemProvider, registerHoverProvider } = vscode.languages;
    this.own(
      registerCompletionItemProvider(payloadLanguages, this, ...triggers),
      registerHoverProvider(payloadLanguages, this),
      registerCompletionItemProvider(exclusive("**/skillhub.json"), this, ...triggers),
      checks.onDidChange((document) => this.claim(document)),
    );
    for (const document of vscode.workspace.textDocuments) this.claim(document);
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    context?: vscode.CompletionContext,
  ): Promise<vscode.CompletionList | undefined> {
    const names = await this.placeholders.complete(document, position);
    if (names !== undefined) return new vscode.CompletionList(names);
    // Elsewhere a brace opens an object, which needs no completion.
    if (context?.triggerCharacter === "{") return undefined;
    const found = await this.request(document, position);
    if (found === undefined) return undefined;
    const { client, request, positionAt } = found;
    const proposals = await unlessCancelled(token, (signal) => client.complete(request, signal));
    if (proposals === undefined) return undefined;
    const items = proposals.map((proposal, index) => itemOf(proposal, index, positionAt, position));
    // Proposals with the same filter text depend on the value at the cursor, so request them again after typing.
    const isForThatValue = new Set(proposals.map(({ filterText }) => filterText)).size === 1;
    return new vscode.CompletionList(items, isForThatValue && proposals.length > 1);
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const found = await this.request(document, position);
    if (found === undefined) return undefined;
    const { client, request, positionAt } = found;
    const explained = await unlessCancelled(token, (signal) => client.explain(request, signal));
    if (explained === undefined) return undefined;
    const range = new vscode.Range(positionAt(explained.start), positionAt(explained.end));
    const texts = explained.texts.map(
      (text) => new vscode.MarkdownString(markdownText(text, maxExplanation)),
    );
    return new vscode.Hover(texts, range);
  }

  override dispose(): void {
    for (const registration of this.exclusive.values()) registration.dispose();
    super.dispose();
  }

  /** Returns the request for the payload around a position, and how its offsets map to the document. */
  private async request(document: vscode.TextDocument, position: vscode.Position) {
    const at = document.offsetAt(position);
    const found = this.payloadOf(document) ?? (await this.others.payloadAt(document, at));
    if (found?.schema === undefined) return undefined;
    const { from, text, schema } = found;
    return {
      client: await this.language.get(),
      request: { text, offset: at - from, schema },
      positionAt: (offset: number) => document.positionAt(from + offset),
    };
  }

  private payloadOf(document: vscode.TextDocument): EmbeddedPayload | undefined {
    const state = this.checks.find(document)?.state;
    if (state?.kind !== "checked") return undefined;
    return { from: 0, text: document.getText(), schema: state.skill.inputSchema };
  }

  /**
   * Registers for one bound document only. An exclusive selector turns off the general JSON support, which has no
   * schema here and would propose the same names again, without descriptions.
   */
  private claim(document: vscode.TextDocument): void {
    const name = document.uri.toString();
    const isBound = this.checks.find(document) !== undefined;
    if (isBound === this.exclusive.has(name)) return;
    this.exclusive.get(name)?.dispose();
    this.exclusive.delete(name);
    if (!isBound) return;
    const { scheme, fsPath } = document.uri;
    const selector = { ...exclusive(fsPath), scheme };
    const { registerCompletionItemProvider } = vscode.languages;
    this.exclusive.set(name, registerCompletionItemProvider(selector, this, ...triggers));
  }
}

function exclusive(pattern: string): vscode.DocumentFilter & { readonly exclusive: true } {
  return { pattern, exclusive: true };
}

const kinds = {
  property: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  object: vscode.CompletionItemKind.Struct,
};

function itemOf(
  { label, kind, snippet, filterText, documentation, start, end, continues, comma }: Proposal,
  index: number,
  positionAt: (offset: number) => vscode.Position,
  position: vscode.Position,
): vscode.CompletionItem {
  // Labels expand icons, so they are escaped; inserted and filtered text is not.
  const item = new vscode.CompletionItem(labelText(label), kinds[kind]);
  item.insertText = new vscode.SnippetString(snippet);
  item.filterText = filterText;
  item.sortText = String(index).padStart(4, "0");
  if (documentation !== "") item.documentation = revealHidden(documentation);
  const from = positionAt(start);
  const replacing = new vscode.Range(from, positionAt(end));
  item.range = { inserting: new vscode.Range(from, position), replacing };
  if (comma !== undefined) {
    item.additionalTextEdits = [vscode.TextEdit.insert(positionAt(comma), ",")];
  }
  if (continues) {
    // With `auto`, the editor shows no message if there are no proposals.
    const auto = [{ auto: true }];
    const title = vscode.l10n.t("Suggest");
    item.command = { title, command: "editor.action.triggerSuggest", arguments: auto };
  }
  return item;
}
