import type * as vscode from "vscode";
import type { Board } from "../screen/board";
import type { MemoryDocument } from "../screen/documents";
import type { Files } from "../screen/files";
import type { CodeActionKind, WorkspaceEdit } from "./languageValues";
import { CancellationTokenSource, EventEmitter, Uri } from "./values";

interface Registered<T> {
  readonly selector: vscode.DocumentSelector;
  readonly provider: T;
}

/** Diagnostics, and the language features of extensions. */
export class Languages {
  private readonly collections = new Set<Map<string, readonly vscode.Diagnostic[]>>();
  private readonly changed = new EventEmitter<vscode.DiagnosticChangeEvent>();
  readonly codeActions = new Set<Registered<vscode.CodeActionProvider>>();
  readonly codeLenses = new Set<Registered<vscode.CodeLensProvider>>();
  readonly completions = new Set<Registered<vscode.CompletionItemProvider>>();
  readonly hovers = new Set<Registered<vscode.HoverProvider>>();
  readonly definitions = new Set<Registered<vscode.DefinitionProvider>>();
  readonly references = new Set<Registered<vscode.ReferenceProvider>>();
  readonly renames = new Set<Registered<vscode.RenameProvider>>();
  readonly links = new Set<Registered<vscode.DocumentLinkProvider>>();

  readonly onDidChangeDiagnostics = this.changed.event;

  constructor(
    private readonly board: Board,
    private readonly files: Files,
  ) {}

  register<T>(list: Set<Registered<T>>, selector: vscode.DocumentSelector, provider: T) {
    const entry = { selector, provider };
    list.add(entry);
    return { dispose: () => list.delete(entry) };
  }

  match(selector: vscode.DocumentSelector, document: vscode.TextDocument): number {
    const filters = [selector].flat() as readonly (string | vscode.DocumentFilter)[];
    return filters.some((filter) => this.fits(filter, document)) ? 10 : 0;
  }

  /** Returns the problems of a document in text order. */
  problems(uri: vscode.Uri): readonly vscode.Diagnostic[] {
    const name = uri.toString();
    return [...this.collections]
      .flatMap((collection) => collection.get(name) ?? [])
      .sort((one, other) => one.range.start.compareTo(other.range.start));
  }

  createCollection(name: string): vscode.DiagnosticCollection {
    const held = new Map<string, readonly vscode.Diagnostic[]>();
    const uris = new Map<string, vscode.Uri>();
    this.collections.add(held);
    const tell = (changed: readonly vscode.Uri[]) => {
      this.changed.fire({ uris: changed });
      this.board.changed();
    };
    const put = (uri: vscode.Uri, problems: readonly vscode.Diagnostic[] | undefined) => {
      uris.set(uri.toString(), uri);
      if (problems === undefined || problems.length === 0) held.delete(uri.toString());
      else held.set(uri.toString(), problems);
    };
    const clear = () => {
      const gone = [...held.keys()].map((key) => uris.get(key) as vscode.Uri);
      held.clear();
      tell(gone);
    };
    const entries = () =>
      [...held].map(
        ([key, problems]) =>
          [uris.get(key), problems] as [vscode.Uri, readonly vscode.Diagnostic[]],
      );
    return {
      name,
      set: (what, problems?: readonly vscode.Diagnostic[]) => {
        const all = Array.isArray(what)
          ? (what as readonly [vscode.Uri, vscode.Diagnostic[] | undefined][])
          : ([[what, problems]] as [vscode.Uri, vscode.Diagnostic[] | undefined][]);
        for (const [uri, of] of all) put(uri, of);
        tell(all.map(([uri]) => uri));
      },
      delete: (uri) => {
        put(uri, undefined);
        tell([uri]);
      },
      clear,
      forEach: (work) => {
        for (const [uri, problems] of entries()) work(uri, problems, undefined as never);
      },
      get: (uri) => held.get(uri.toString()),
      has: (uri) => held.has(uri.toString()),
      dispose: () => {
        clear();
        this.collections.delete(held);
      },
      [Symbol.iterator]: () => entries()[Symbol.iterator](),
    };
  }

  /** Returns every document with problems, and its problems. */
  allProblems(): [vscode.Uri, vscode.Diagnostic[]][] {
    const names = new Set([...this.collections].flatMap((collection) => [...collection.keys()]));
    return [...names].map((name) => {
      const uri = Uri.parse(name);
      return [uri, [...this.problems(uri)]];
    });
  }

  /** Resolves to the code actions at a position. */
  async actionsAt(document: MemoryDocument, range: vscode.Range, only?: CodeActionKind) {
    const diagnostics = this.problems(document.uri).filter(
      (problem) => problem.range.intersection(range) !== undefined,
    );
    const context = { diagnostics, triggerKind: 1, only } as vscode.CodeActionContext;
    const found: vscode.CodeAction[] = [];
    for (const provider of this.of(this.codeActions, document)) {
      const given = (await provider.provideCodeActions(document, range, context, token())) ?? [];
      for (const action of given as vscode.CodeAction[]) {
        found.push((await provider.resolveCodeAction?.(action, token())) ?? action);
      }
    }
    return found;
  }

  /** Resolves to the code lenses of a document. */
  async lensesOf(document: MemoryDocument): Promise<vscode.CodeLens[]> {
    const found: vscode.CodeLens[] = [];
    for (const provider of this.of(this.codeLenses, document)) {
      for (const lens of (await provider.provideCodeLenses(document, token())) ?? []) {
        found.push((await provider.resolveCodeLens?.(lens, token())) ?? lens);
      }
    }
    return found;
  }

  async completionsAt(document: MemoryDocument, position: vscode.Position) {
    const found: vscode.CompletionItem[] = [];
    for (const provider of this.of(this.completions, document)) {
      const context = { triggerKind: 0, triggerCharacter: undefined };
      const given = await provider.provideCompletionItems(document, position, token(), context);
      found.push(...(Array.isArray(given) ? given : (given?.items ?? [])));
    }
    return found;
  }

  async hoversAt(document: MemoryDocument, position: vscode.Position): Promise<vscode.Hover[]> {
    const found: vscode.Hover[] = [];
    for (const provider of this.of(this.hovers, document)) {
      const hover = await provider.provideHover(document, position, token());
      if (hover) found.push(hover);
    }
    return found;
  }

  /** Resolves to the targets of *Go to Definition* at a position. */
  async definitionsAt(
    document: MemoryDocument,
    position: vscode.Position,
  ): Promise<vscode.Location[]> {
    const found: vscode.Location[] = [];
    for (const provider of this.of(this.definitions, document)) {
      const given = (await provider.provideDefinition(document, position, token())) ?? [];
      found.push(...([given].flat() as vscode.Location[]));
    }
    return found;
  }

  /** Resolves to the results of *Find All References* at a position. */
  async referencesAt(
    document: MemoryDocument,
    position: vscode.Position,
    includeDeclaration: boolean,
  ): Promise<vscode.Location[]> {
    const found: vscode.Location[] = [];
    for (const provider of this.of(this.references, document)) {
      const context = { includeDeclaration };
      found.push(
        ...((await provider.provideReferences(document, position, context, token())) ?? []),
      );
    }
    return found;
  }

  /** Resolves to the changes of *Rename Symbol* at a position. Rejects if nothing can be renamed there. */
  async renamed(
    document: MemoryDocument,
    position: vscode.Position,
    name: string,
  ): Promise<WorkspaceEdit> {
    const reasons: string[] = [];
    for (const provider of this.of(this.renames, document)) {
      // The editor asks the next provider if one finds nothing to rename, or says why it renames nothing.
      const found = await Promise.resolve(
        provider.prepareRename?.(document, position, token()),
      ).catch((error: Error) => void reasons.push(error.message));
      if (!found) continue;
      const edit = await provider.provideRenameEdits(document, position, name, token());
      if (edit) return edit as unknown as WorkspaceEdit;
    }
    throw new Error(reasons.join("\n") || "Nothing is renamed.");
  }

  async linksOf(document: MemoryDocument): Promise<vscode.DocumentLink[]> {
    const found: vscode.DocumentLink[] = [];
    for (const provider of this.of(this.links, document)) {
      found.push(...((await provider.provideDocumentLinks(document, token())) ?? []));
    }
    return found;
  }

  /** Returns the providers for a document. An exclusive one replaces all others. */
  private of<T>(list: Set<Registered<T>>, document: vscode.TextDocument): T[] {
    const fitting = [...list].filter(({ selector }) => this.match(selector, document) > 0);
    const exclusive = fitting.filter(({ selector }) => isExclusive(selector)).slice(0, 1);
    return (exclusive.length > 0 ? exclusive : fitting).map(({ provider }) => provider);
  }

  private fits(filter: string | vscode.DocumentFilter, document: vscode.TextDocument): boolean {
    if (typeof filter === "string") return filter === "*" || filter === document.languageId;
    const { language, scheme, pattern } = filter;
    return (
      (language === undefined || language === "*" || language === document.languageId) &&
      (scheme === undefined || scheme === document.uri.scheme) &&
      (pattern === undefined ||
        pattern === document.uri.fsPath ||
        this.files.isMatch(pattern, document.uri))
    );
  }
}

/**
 * Returns whether a selector is exclusive, a member that the API's types lack but that VS Code's JSON support and this
 * extension use.
 */
function isExclusive(selector: vscode.DocumentSelector): boolean {
  return typeof selector === "object" && "exclusive" in selector && selector.exclusive === true;
}

function token(): vscode.CancellationToken {
  return new CancellationTokenSource().token;
}
