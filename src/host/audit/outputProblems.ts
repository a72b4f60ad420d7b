import * as vscode from "vscode";
import { outputProblemText } from "../../core/invocation/record/outputDocument";
import type { PayloadProblem } from "../../core/payload/payloadCheck";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { outputSchemaOf, type SkillDetail } from "../../core/skill/skill";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { LazyLanguageClient } from "../author/payloadChecks";
import { diagnosticSource, outputScheme } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { mark, rangeIn } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { type OutputDocuments, resultIdOf } from "./outputDocuments";

/** The dependencies of checking an output. */
interface OutputProblemsParts {
  readonly history: InvocationHistory;
  readonly outputs: OutputDocuments;
  readonly details: SkillDetails;
  readonly language: LazyLanguageClient;
}

/** Marks violations of the skill's output schema in the documents that show outputs. */
export class OutputProblems extends Owner {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection(`${diagnosticSource}-output`),
  );

  constructor(private readonly parts: OutputProblemsParts) {
    super();
    this.own(
      vscode.workspace.onDidOpenTextDocument((document) => void this.check(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.collection.delete(uri)),
      vscode.window.tabGroups.onDidChangeTabs((change) => this.followTabs(change)),
    );
    for (const document of vscode.workspace.textDocuments) void this.check(document);
  }

  /**
   * Removes the problems of an output when its tab closes, and shows them again when its tab opens. The events of
   * documents do not suffice, since the editor keeps a document for minutes after its tab has closed.
   */
  private followTabs({ opened, closed }: vscode.TabChangeEvent): void {
    for (const uri of closed.flatMap(outputOf)) this.collection.delete(uri);
    const shown = new Set(opened.flatMap(outputOf).map(String));
    for (const document of vscode.workspace.textDocuments) {
      if (shown.has(document.uri.toString())) void this.check(document);
    }
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    const skill = await this.skillOf(document.uri);
    if (skill?.outputSchema === undefined) return;
    const client = await this.parts.language.get();
    try {
      const shown = document.getText();
      const whole = await this.parts.outputs.wholeText(document);
      const request = { ...outputSchemaOf(skill), text: whole };
      const { problems } = await client.check(request, this.untilDisposed);
      if (!isShown(document.uri)) return;
      this.collection.set(
        document.uri,
        problems
          .filter((problem) => (problem.mark ?? problem).end <= shown.length)
          .map((problem) => diagnosticOf(document, problem)),
      );
    } catch (error) {
      if (!this.untilDisposed.aborted) throw error;
    }
  }

  /** Returns the skill of a document's output, in the invoked version. */
  private async skillOf(uri: vscode.Uri): Promise<SkillDetail | undefined> {
    const id = resultIdOf(uri);
    const record =
      id === undefined ? undefined : await this.parts.history.find(id).catch(() => undefined);
    // An output schema describes only the outputs of successful invocations. Other outputs come from the registry or
    // describe a failure.
    if (record?.status !== "success") return undefined;
    // Without an output the document is our own text about that, which no schema describes.
    if ((await this.parts.outputs.output(record.id)) === undefined) return undefined;
    const found = await this.parts.details.find(record.skillSlug, record.version);
    const isSame = found.ok && isSameVersion(found.value.summary.version, record.version);
    return isSame ? found.value : undefined;
  }
}

/** Returns whether a tab shows a document. If it does not, the document is checked when its tab opens. */
function isShown(uri: vscode.Uri): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(outputOf).some((shown) => shown.toString() === uri.toString());
}

/** Returns the URI of the output that a tab shows, in a list; an empty list for any other tab. */
function outputOf({ input }: vscode.Tab): readonly vscode.Uri[] {
  const isOutput = input instanceof vscode.TabInputText && input.uri.scheme === outputScheme;
  return isOutput ? [input.uri] : [];
}

function diagnosticOf(document: vscode.TextDocument, problem: PayloadProblem): vscode.Diagnostic {
  const range = rangeIn(document, problem.mark ?? problem);
  // Not an error, since the registry sent it this way and the reader cannot fix it.
  return mark(range, outputProblemText(problem, hostLanguage()), problem.code);
}
