import * as vscode from "vscode";
import {
  declaredNames,
  type NameRange,
  placeholderNames,
} from "../../../core/environment/declaredNames";
import { readEnvironments } from "../../../core/environment/environmentsFile";
import { applyEdits, type TextEdit } from "../../../core/payload/fixes/textEdit";
import { isSuiteFile } from "../../../core/suite/suite";
import { suiteParts } from "../../../core/suite/suiteText";
import { type PayloadBindings, payloadLanguages } from "../../author/payloadBindings";
import { openDocument } from "../../author/payloadDocument";
import { environmentsUri } from "../../environments/environmentsEditor";
import { nameProblem } from "../../environments/valueQuestions";
import type { WorkspaceEnvironments } from "../../environments/workspaceEnvironments";
import { type DocumentEdits, rangeIn, severalEdits } from "../../marks";
import type { SkillFiles } from "../../skillFiles";
import { openFile } from "../../ui/documents";
import { hostLanguage } from "../../ui/hostLanguage";
import { warn } from "../../ui/messages";
import { Owner } from "../../ui/owner";
import { readEditedFile } from "../../workspaceFile";
import { maxSuitesRead, readSuiteFile } from "../suiteFiles";

interface NameParts {
  readonly environments: WorkspaceEnvironments;
  readonly bindings: Pick<PayloadBindings, "find" | "bound">;
  readonly files: Pick<SkillFiles, "payloads" | "suites">;
}

/** The name at a position of a document, and the folder that declares it. */
interface NameAt {
  readonly name: NameRange;
  readonly folder: vscode.WorkspaceFolder;
}

/** A document with the ranges of a name in it. */
interface Uses {
  readonly document: vscode.TextDocument;
  readonly ranges: readonly NameRange[];
}

/** A renaming by the user in this window. */
interface Renaming {
  readonly folder: vscode.WorkspaceFolder;
  readonly from: string;
  readonly to: string;
  /** Whether the text of the folder's environments has the new name. */
  isDone: boolean;
}

/** The maximum size of a searched file, in bytes. */
const maxBytes = 20_000_000;

/**
 * Leads from a placeholder to the declaration of its name, and from there to all placeholders; and renames all of them
 * together. Only the folder of the name counts: another folder may declare the same name.
 */
export class ValueNames
  extends Owner
  implements vscode.DefinitionProvider, vscode.ReferenceProvider, vscode.RenameProvider
{
  private readonly renamings: Renaming[] = [];
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly parts: NameParts) {
    super();
    const { registerDefinitionProvider, registerReferenceProvider, registerRenameProvider } =
      vscode.languages;
    this.own(
      registerDefinitionProvider(payloadLanguages, this),
      registerReferenceProvider(payloadLanguages, this),
      registerRenameProvider(payloadLanguages, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.work = this.work.then(() => this.follow(document));
      }),
    );
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location[]> {
    const at = await this.nameAt(document, position);
    const declared = at && (await declarationsOf(at));
    if (at === undefined || declared === undefined) return [];
    const inUse = (await this.parts.environments.inUse(declared.document.uri))?.name;
    const chosen = declared.ranges.filter(({ environment }) => environment === inUse);
    return locations({ ...declared, ranges: chosen.length > 0 ? chosen : declared.ranges });
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): Promise<vscode.Location[]> {
    const at = await this.nameAt(document, position);
    if (at === undefined) return [];
    const declared = includeDeclaration ? await declarationsOf(at) : undefined;
    const { uses } = await this.usesOf(at.folder, at.name.name);
    return [...(declared === undefined ? [] : [declared]), ...uses].flatMap(locations);
  }

  /**
   * Rejects with the reason if the position has no name. Without a rejection, the editor would ask for a new name, also
   * in documents that have no names.
   */
  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const at = await this.nameAt(document, position);
    if (at !== undefined) {
      return { range: rangeIn(document, at.name), placeholder: at.name.name };
    }
    switch (this.kindOf(document.uri)) {
      case "suite":
        throw new Error(
          vscode.l10n.t("Only the name of a case, a value, or a secret can be renamed here."),
        );
      case "environments":
      case "payload":
        throw new Error(vscode.l10n.t("Only the name of a value or a secret can be renamed here."));
      case undefined:
        throw new Error(vscode.l10n.t("Nothing can be renamed here."));
    }
  }

  /** Rejects with the reason if the name cannot be used. */
  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    to: string,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const at = await this.nameAt(document, position);
    const declared = at && (await declarationsOf(at));
    if (at === undefined || declared === undefined) return undefined;
    const { name: from } = at.name;
    const { folder } = at;
    const problem = problemOf(declared, to);
    if (problem !== "") throw new Error(problem);
    const [text] = (await this.usesOf(folder, to)).uses;
    if (text !== undefined) {
      const file = vscode.workspace.asRelativePath(text.document.uri);
      throw new Error(
        vscode.l10n.t("{0} has {1} as plain text. Choose another name.", file, `{{${to}}}`),
      );
    }
    const { uses, unreadable } = await this.usesOf(folder, from);
    if (unreadable.length > 0) {
      const files = unreadable.map((uri) => vscode.workspace.asRelativePath(uri)).join(", ");
      void warn(vscode.l10n.t("Not searched for {0}, since it cannot be read: {1}", from, files));
    }
    this.renamings.push({ folder, from, to, isDone: false });
    return severalEdits([declared, ...uses].map((item) => renamed(item, to)));
  }

  private async nameAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<NameAt | undefined> {
    const { environments } = this.parts;
    const { uri } = document;
    const folder = environments.folderFor(uri);
    const kind = this.kindOf(uri);
    if (folder === undefined || kind === undefined) return undefined;
    const offset = document.offsetAt(position);
    const find = (names: readonly NameRange[]) => {
      const name = names.find(({ start, end }) => start <= offset && offset <= end);
      return name && { name, folder };
    };
    if (kind === "environments") return find(declaredNames(document.getText()));
    const environment = await environments.of(uri);
    return environment.kind === "none" || environment.declared === undefined
      ? undefined
      : find(namesIn(document, environment.declared));
  }

  /** Returns which kind of document with names this is; undefined for any other. */
  private kindOf(uri: vscode.Uri): "environments" | "suite" | "payload" | undefined {
    const folder = this.parts.environments.folderFor(uri);
    if (folder !== undefined && isSame(uri, environmentsUri(folder))) return "environments";
    if (isSuiteFile(uri.path)) return "suite";
    return this.parts.bindings.find(uri) === undefined ? undefined : "payload";
  }

  /** Finds the placeholders of a name in a folder, and the unreadable files that may have some. */
  private async usesOf(folder: vscode.WorkspaceFolder, name: string) {
    const uses: Uses[] = [];
    const unreadable: vscode.Uri[] = [];
    for (const uri of await this.filesOf(folder)) {
      const found = openDocument(uri) ?? (await savedDocument(uri, `{{${name}}}`));
      if (found === "unreadable") unreadable.push(uri);
      else if (found !== undefined) {
        const ranges = namesIn(found, new Set([name]));
        if (ranges.length > 0) uses.push({ document: found, ranges });
      }
    }
    return { uses, unreadable };
  }

  /** Lists the files of a folder that may have placeholders: payloads, suites, and the payload files of suites. */
  private async filesOf(folder: vscode.WorkspaceFolder): Promise<readonly vscode.Uri[]> {
    const { files, bindings, environments } = this.parts;
    const [payloads, suites] = await Promise.all([files.payloads(), files.suites()]);
    const isHere = (uri: vscode.Uri) => {
      const found = environments.folderFor(uri);
      return found !== undefined && isSame(found.uri, folder.uri);
    };
    const ofSuites = suites.filter(isHere);
    const ofCases = await Promise.all(ofSuites.slice(0, maxSuitesRead).map(payloadFilesOf));
    const all = [...payloads, ...bindings.bound(), ...ofSuites, ...ofCases.flat()];
    const unique = new Map(all.filter(isHere).map((uri) => [`${uri}`, uri]));
    return [...unique.values()];
  }

  /**
   * Completes a renaming once the environments file has the new name, or the old one after *Undo*: moves the values of
   * secrets to that name, and saves the file, so that the name counts at once.
   */
  private async follow(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    const here = this.renamings.filter(({ folder }) => isSame(uri, environmentsUri(folder)));
    const read =
      here.length === 0 ? undefined : readEnvironments(document.getText(), hostLanguage());
    if (!read?.ok) return;
    const { byName, declared } = read.value;
    for (const renaming of here) {
      const { folder, from, to, isDone } = renaming;
      const [now, before] = isDone ? [from, to] : [to, from];
      if (!declared.has(now) || declared.has(before)) continue;
      renaming.isDone = !isDone;
      const environments = [...byName.values()].filter(({ secrets }) => secrets.has(now));
      for (const one of environments) await this.moveSecret({ ...one, folder }, before, now);
      await document.save();
    }
  }

  private async moveSecret(
    ...given: Parameters<WorkspaceEnvironments["secrets"]["rename"]>
  ): Promise<void> {
    try {
      await this.parts.environments.secrets.rename(...given);
    } catch {
      const [{ name: environment }, , to] = given;
      void warn(
        vscode.l10n.t(
          "The value of {0} in {1} could not be stored under its new name. Set it again.",
          to,
          environment,
        ),
      );
    }
  }
}

/** Finds the declaration of a name in its folder. Undefined if its file is gone. */
async function declarationsOf({ name: { name }, folder }: NameAt): Promise<Uses | undefined> {
  const document = await openFile(environmentsUri(folder));
  if (document === undefined) return undefined;
  const ranges = declaredNames(document.getText()).filter(
    (declaredName) => declaredName.name === name,
  );
  return { document, ranges };
}

/** Describes why a name cannot replace another one; empty if it can. */
function problemOf({ document, ranges }: Uses, to: string): string {
  const text = document.getText();
  const taken = declaredNames(text).some(({ name }) => name === to);
  const problem = nameProblem(to, taken);
  if (problem !== "") return problem;
  const read = readEnvironments(applyEdits(text, editsOf(ranges, to)), hostLanguage());
  return read.ok ? "" : (read.problems[0]?.message ?? "");
}

function renamed({ document, ranges }: Uses, to: string): DocumentEdits {
  return { document, edits: editsOf(ranges, to) };
}

function editsOf(ranges: readonly NameRange[], text: string): readonly TextEdit[] {
  return ranges.map(({ start, end }) => ({ start, end, text }));
}

/** Finds the placeholders of a payload, or of the payloads of a suite. */
function namesIn(document: vscode.TextDocument, names: ReadonlySet<string>): readonly NameRange[] {
  const text = document.getText();
  const found = placeholderNames(text, names);
  if (!isSuiteFile(document.uri.path) || found.length === 0) return found;
  const { payloads } = suiteParts(text);
  return found.filter((range) =>
    payloads.some(({ start, end }) => start <= range.start && range.end <= end),
  );
}

/** Opens a file if it contains a text; undefined if not, or if the file is gone. */
async function savedDocument(
  uri: vscode.Uri,
  text: string,
): Promise<vscode.TextDocument | "unreadable" | undefined> {
  const read = await readEditedFile(uri, maxBytes);
  if (read.kind === "none") return undefined;
  if (read.kind !== "text") return "unreadable";
  if (!read.text.includes(text)) return undefined;
  return openFile(uri);
}

async function payloadFilesOf(suite: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const read = (await readSuiteFile(suite))?.read;
  if (!read?.ok) return [];
  return read.value.cases.flatMap(({ payloadFile }) =>
    payloadFile === undefined ? [] : [vscode.Uri.joinPath(suite, "..", payloadFile)],
  );
}

function locations({ document, ranges }: Uses): vscode.Location[] {
  return ranges.map((range) => new vscode.Location(document.uri, rangeIn(document, range)));
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
