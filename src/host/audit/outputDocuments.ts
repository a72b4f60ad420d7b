import * as vscode from "vscode";
import { endingToExpect } from "../../core/invocation/outcome";
import {
  longStrings,
  type OutputString,
  outputTextAt,
} from "../../core/invocation/output/outputParts";
import {
  previousCandidatesQuery,
  previousOutput,
} from "../../core/invocation/record/invocationList";
import { type InvocationRecord, isRecordId } from "../../core/invocation/record/invocationRecord";
import {
  channelHeading,
  longestShownOutput,
  outputLinks,
} from "../../core/invocation/record/outputBlock";
import {
  isCut,
  longestResult,
  type OutputExtent,
  outputDocument,
  outputTitle,
} from "../../core/invocation/record/outputDocument";
import { type FactOrder, invocationDocument } from "../../core/invocation/record/recordDocument";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { jsonFileEndingOf } from "../../core/schema/read/jsonFileEnding";
import { setNewest } from "../../core/text/setNewest";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { KeptTexts } from "../../engine/record/keptTexts";
import { runYielding } from "../../registry/wait";
import { resultColumn } from "../editorColumn";
import { type WindowPlace, windowTarget } from "../environments/windowPlace";
import { commandIds, invocationScheme, outputScheme } from "../ids";
import { rangeIn } from "../marks";
import {
  Documents,
  Lenses,
  partOf,
  recordIdIn,
  recordUri,
  unavailableText,
  withParts,
} from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { copyText, inform, showStatus } from "../ui/messages";
import { Owner } from "../ui/owner";
import { fileName, saveText } from "../ui/saveText";

/**
 * Shows outputs of past invocations as read-only JSON, `skill-output:/<time>/<skill> output.json`, or `.jsonl` if
 * jsonFileEnding requires it, or `.txt` for the beginning of a long one. The lenses above the output identify the
 * invocation. The URI's query has its ID, and selects how much of the output is shown (`OutputExtent`), or a single text
 * in it.
 */
export class OutputDocuments extends Documents {
  /** The latest result, which may not be on disk yet. */
  private latest: { readonly id: string; readonly output: string | undefined } | undefined;
  /** The newest results of invocations that no record keeps, by ID. */
  private readonly unrecorded = new Map<
    string,
    { readonly record: InvocationRecord; readonly output: string | undefined }
  >();

  constructor(
    private readonly history: InvocationHistory,
    private readonly redactor: KeyRedactor,
    private readonly texts: KeptTexts,
  ) {
    super(outputScheme);
  }

  /** Remembers the latest result, and returns the URI that shows it. */
  remember(record: InvocationRecord, output: string | undefined): vscode.Uri {
    this.latest = { id: record.id, output };
    return outputUri(record, output);
  }

  /** Remembers the result of an invocation that no record keeps. Later ones replace it. */
  hold(record: InvocationRecord, output: string | undefined): void {
    setNewest(this.unrecorded, record.id, { record, output }, maxHeld);
  }

  /** Opens the output of an invocation. Reports a missing one, and offers to save one that is too long to show. */
  async open(record: InvocationRecord): Promise<vscode.TextDocument | undefined> {
    const output = await this.output(record.id);
    if (output === undefined) {
      showNoOutput();
      return undefined;
    }
    if (output.length > longestShownOutput) {
      await saveOutput(record, output);
      return undefined;
    }
    const extent = output.length > longestResult ? "whole" : "result";
    const document = await vscode.workspace.openTextDocument(outputUri(record, output, extent));
    await vscode.window.showTextDocument(document, { preview: false, viewColumn: resultColumn() });
    return document;
  }

  /** Copies the output of an invocation as received. */
  async copy({ id }: InvocationRecord): Promise<void> {
    const output = await this.output(id);
    if (output === undefined) return showNoOutput();
    await copyText(output, vscode.l10n.t("Output copied."));
  }

  /** Opens one text of an output, unescaped. */
  async openText(record: InvocationRecord, { pointer, fileName }: OutputString): Promise<void> {
    const name = `${record.skillSlug} ${fileName}`;
    const uri = recordUri(outputScheme, record, name, { text: pointer });
    await vscode.window.showTextDocument(uri, { preview: !isResultInFront() });
  }

  /** Returns a few words of an invocation's payload and output; empty if neither is stored. */
  async words(record: InvocationRecord): Promise<string> {
    return (await this.texts.read(record)).words;
  }

  /** Returns the output of an invocation as received; undefined if there is none or it was not stored. */
  async output(id: string): Promise<string | undefined> {
    const output = await this.received(id);
    return output === undefined ? undefined : this.redact(output);
  }

  /**
   * Returns the text of a document. If the document shows only the beginning of an output, returns the text with the
   * whole output.
   */
  async wholeText(document: vscode.TextDocument): Promise<string> {
    const { uri } = document;
    const shown = document.getText();
    if (!isBeginning(uri)) return shown;
    return this.textOf(withParts(uri, { extent: "whole" }));
  }

  /**
   * Saves a copy of a read-only document, the whole output of a cut one. The editor's own *Save As* would look for a
   * folder in the file system of these documents.
   */
  async save(uri: vscode.Uri): Promise<void> {
    const text = await this.wholeText(await vscode.workspace.openTextDocument(uri));
    const name = fileName(uri).replace(beginningName, "output.json");
    await saveCopy(name, text);
  }

  protected async textOf(uri: vscode.Uri): Promise<string> {
    const id = recordIdOf(uri);
    const record =
      id === undefined
        ? undefined
        : (this.unrecorded.get(id)?.record ?? (await this.history.find(id)));
    if (record === undefined)
      return unavailableText(vscode.l10n.t("The output of this invocation was not kept."));
    // Redact before truncating: half a key would not be found.
    const output = await this.output(record.id);
    const pointer = partOf(uri, "text");
    return this.redact(
      pointer === undefined
        ? await runYielding(outputDocument(record, output, extentOf(uri), hostLanguage()))
        : (outputTextAt(output ?? "", pointer) ?? ""),
    );
  }

  private async received(id: string): Promise<string | undefined> {
    const { latest } = this;
    const held = latest?.id === id ? latest : this.unrecorded.get(id);
    return held === undefined ? (await this.history.texts(id))?.outputText : held.output;
  }

  /** Redacts a text, even by a key that was set after the invocation. */
  private redact(text: string): Promise<string> {
    return runYielding(this.redactor.redactChunked(text));
  }
}

/** The number of held results. Each may have megabytes. */
const maxHeld = 8;

/** Returns the URI of the document of an invocation's output, from the output's text. */
export function outputUri(
  record: InvocationRecord,
  output: string | undefined,
  extent: OutputExtent = "result",
): vscode.Uri {
  const name = `${record.skillSlug} ${outputName(record, output, extent)}`;
  return recordUri(outputScheme, record, name, extent === "result" ? {} : { extent });
}

function outputName(
  { status }: InvocationRecord,
  output: string | undefined,
  extent: OutputExtent,
): string {
  if (output === undefined) return `${status}.json`;
  return isCut(output, extent) ? beginningName : `output.${jsonFileEndingOf(output)}`;
}

/** The end of the name of a document with the beginning of an output, which is no JSON. */
const beginningName = "output (beginning).txt";

function isBeginning(uri: vscode.Uri): boolean {
  return extentOf(uri) === "result" && uri.path.endsWith(beginningName);
}

/** Returns the ID of the record that an output document belongs to; undefined for a document of another kind. */
export function recordIdOf(uri: vscode.Uri): string | undefined {
  const id = recordIdIn(uri);
  return uri.scheme === outputScheme && isRecordId(id) ? id : undefined;
}

/**
 * Returns the record ID of a document that shows a result as JSON. Undefined for a side of a diff, where problems and
 * lenses would appear twice and misalign the lines.
 */
export function resultIdOf(uri: vscode.Uri): string | undefined {
  return partOf(uri, "text") !== undefined || extentOf(uri) === "side"
    ? undefined
    : recordIdOf(uri);
}

/**
 * Returns whether the active editor shows a result. A result is a preview, so opening another preview would replace it.
 */
export function isResultInFront(): boolean {
  return vscode.window.activeTextEditor?.document.uri.scheme === outputScheme;
}

/** Returns how much of an output its document shows; `result` if the document shows only a single text. */
function extentOf(uri: vscode.Uri): OutputExtent {
  const extent = partOf(uri, "extent");
  return extent === "whole" || extent === "side" ? extent : "result";
}

/** Reports that an output is not in the record. */
export function showNoOutput(): void {
  void inform(vscode.l10n.t("The output of this invocation was not kept."));
}

/** Offers to save an output that is too long for an editor. */
async function saveOutput({ skillSlug }: InvocationRecord, output: string): Promise<void> {
  const save = vscode.l10n.t("Save As…");
  const millions = Math.round(output.length / 1_000_000);
  const answer = await inform(
    vscode.l10n.t(
      "This output has {0} million characters, too many for an editor. Save it to a file to see all of it.",
      millions,
    ),
    save,
  );
  if (answer !== save) return;
  await saveCopy(`${skillSlug} output.json`, output);
}

async function saveCopy(name: string, text: string): Promise<void> {
  const filters: Record<string, string[]> = name.endsWith(".json") ? { JSON: ["json"] } : {};
  const saved = await saveText({ title: vscode.l10n.t("Save As"), name, filters }, text);
  if (saved === undefined) return;
  showStatus("save", vscode.l10n.t("Saved as {0}", fileName(saved)));
}

/** Unchanging facts about an output for its lenses. */
interface OutputFacts {
  readonly id: string;
  readonly hasTexts: boolean;
}

/** Shows what is known of an output's invocation, and the actions of the output, above its first line. */
export class OutputCodeLens extends Lenses {
  /** The last output. Reading 10 MB at each change of the record would block the window. */
  private cached: OutputFacts | undefined;

  constructor(
    private readonly history: InvocationHistory,
    private readonly outputs: OutputDocuments,
    private readonly place: WindowPlace,
  ) {
    super();
    this.own(
      vscode.languages.registerCodeLensProvider({ scheme: outputScheme }, this),
      // The first lens names the registry and environment unless this window uses them.
      place.onDidChange(() => void this.draw()),
      // The lens *Compare with Previous* depends on the other invocations.
      history.onDidChange(() => void this.draw()),
    );
  }

  protected async lensesOf({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const id = resultIdOf(uri);
    // The document itself reports that its record cannot be read.
    const record =
      id === undefined ? undefined : await this.history.find(id).catch(() => undefined);
    return record === undefined ? [] : this.recordLenses(record, uri);
  }

  private async recordLenses(
    record: InvocationRecord,
    uri: vscode.Uri,
  ): Promise<vscode.CodeLens[]> {
    const output = await this.read(record.id);
    const language = hostLanguage();
    const { title, measures, details } = outputTitle(record, {
      language,
      now: Date.now(),
      window: windowTarget(this.place),
    });
    const lens = (title: string, command: string) =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        command,
        tooltip: details,
        arguments: [{ id: record.id }],
      });
    const earlier =
      output && (await this.history.list(previousCandidatesQuery(record)).catch(() => []));
    const before = earlier && previousOutput(earlier, record);
    // Narrow editors cut the end of the line, so what can be read elsewhere too is there.
    return [
      title !== "" && lens(title, commandIds.openInvocation),
      output !== undefined && lens(vscode.l10n.t("Copy"), commandIds.copyOutput),
      isBeginning(uri) && lens(vscode.l10n.t("Show All"), commandIds.openOutput),
      output?.hasTexts && lens(vscode.l10n.t("Show as Text"), commandIds.showOutputAsText),
      before && lens(vscode.l10n.t("Compare"), commandIds.compareInvocation),
      endingToExpect(record) && lens(vscode.l10n.t("Save as Test"), commandIds.saveAsTest),
      lens(measures, commandIds.openInvocation),
    ].filter((item) => item instanceof vscode.CodeLens);
  }

  private async read(id: string): Promise<OutputFacts | undefined> {
    if (this.cached?.id === id) return this.cached;
    const output = await this.outputs.output(id);
    if (output === undefined) return undefined;
    this.cached = { id, hasTexts: longStrings(output).length > 0 };
    return this.cached;
  }
}

/** Shows past invocations as read-only JSON documents, `skill-invocation:/<time>/<skill> <status>.json?id=<record>`. */
export class InvocationDocuments extends Documents {
  constructor(private readonly history: InvocationHistory) {
    super(invocationScheme);
  }

  async open(record: InvocationRecord): Promise<void> {
    await vscode.window.showTextDocument(invocationUri(record));
  }

  protected async textOf(uri: vscode.Uri): Promise<string> {
    const record = await this.history.find(recordIdIn(uri));
    if (record === undefined) {
      return unavailableText(vscode.l10n.t("This invocation is no longer in the record."));
    }
    const order = partOf(uri, "order") === "comparison" ? "comparison" : "record";
    return runYielding(invocationDocument(record, await this.history.texts(record.id), order));
  }
}

/** Returns the URI of an invocation's document, with its facts in the order for reading or comparing. */
export function invocationUri(record: InvocationRecord, order: FactOrder = "record"): vscode.Uri {
  const name = `${record.skillSlug} ${record.status}.json`;
  return recordUri(invocationScheme, record, name, order === "record" ? {} : { order });
}

/** The maximum number of linked invocations, the newest first, since the output channel drops earlier ones. */
const maxLinked = 2_000;

/** Links the output channel's headers to their invocations, and truncated outputs to the whole output. */
export class OutputChannelLinks extends Owner implements vscode.DocumentLinkProvider {
  /** `extensionId` is part of the URI of an extension's output channels. */
  constructor(
    private readonly history: InvocationHistory,
    private readonly extensionId: string,
  ) {
    super();
    this.own(vscode.languages.registerDocumentLinkProvider({ scheme: "output" }, this));
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    // The provider is called for channels of every extension.
    if (!document.uri.path.includes(`extension-output-${this.extensionId}-`)) return [];
    const found = outputLinks(document.getText());
    if (found.length === 0) return [];
    const records = await this.history.list({ limit: maxLinked }).catch(() => []);
    const byHeading = new Map(
      records.map((record) => [channelHeading(record), record.id] as const),
    );
    return found.flatMap(({ start, end, heading, opens }) => {
      const id = byHeading.get(heading);
      if (id === undefined) return [];
      const command = opens === "output" ? commandIds.openOutput : commandIds.openInvocation;
      const argument = encodeURIComponent(JSON.stringify([{ id }]));
      const target = vscode.Uri.parse(`command:${command}?${argument}`);
      const link = new vscode.DocumentLink(rangeIn(document, { start, end }), target);
      link.tooltip =
        opens === "output" ? vscode.l10n.t("Open Output") : vscode.l10n.t("Open Invocation");
      return [link];
    });
  }
}
