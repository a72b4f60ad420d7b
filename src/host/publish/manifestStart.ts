import * as vscode from "vscode";
import { isJsonObject, type JsonValue, parsedJson } from "../../core/json/jsonValue";
import {
  type ManifestStart,
  type NamedStart,
  startFromExamples,
} from "../../core/manifest/manifestStarts";
import { otherKindText, startsIn } from "../../core/manifest/otherKinds";
import { localize } from "../../core/text/language";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { chooseInvocation } from "../audit/auditCommands";
import { type OutputDocuments, showNoOutput } from "../audit/outputDocuments";
import { unlistedFiles } from "../lazyProviders";
import { hostLanguage } from "../ui/hostLanguage";
import { showError } from "../ui/messages";
import { type ChoiceRow, choose } from "../ui/quickInput/choose";
import { fileName } from "../ui/saveText";
import { readEditedFile } from "../workspaceFile";

/** The dependencies of starting a manifest from what somebody has. */
export interface ManifestStartParts {
  readonly history: InvocationHistory;
  readonly outputs: Pick<OutputDocuments, "output" | "words">;
}

/** The maximum number of files to choose from. */
const maxFiles = 1_000;
/** The maximum size of a file in bytes. A longer example says no more, and YAML takes longer to read. */
const [maxJsonBytes, maxYamlBytes] = [5_000_000, 1_000_000];

/** Lets the user choose where the schemas of a new manifest come from. Undefined if they canceled. */
export async function chooseManifestStart(
  parts: ManifestStartParts,
): Promise<ManifestStart | undefined> {
  const title = vscode.l10n.t("Start From");
  const row = (
    label: string,
    detail: string,
    value: () => Promise<ManifestStart | undefined>,
  ): ChoiceRow<() => Promise<ManifestStart | undefined>> => ({ label, detail, value });
  const start = await choose(
    [
      row(
        vscode.l10n.t("Empty Manifest"),
        vscode.l10n.t("You write the schemas"),
        async () => ({}),
      ),
      row(
        vscode.l10n.t("Invocation…"),
        vscode.l10n.t("Schemas that describe its payload and output"),
        () => startFromInvocation(parts),
      ),
      row(
        vscode.l10n.t("JSON or YAML File…"),
        vscode.l10n.t("A payload, an MCP tool or an OpenAPI document of this workspace"),
        startFromFile,
      ),
    ],
    { title },
  );
  return start?.();
}

async function startFromInvocation({
  history,
  outputs,
}: ManifestStartParts): Promise<ManifestStart | undefined> {
  const title = vscode.l10n.t("Start from an Invocation");
  const words = (record: Parameters<typeof outputs.words>[0]) => outputs.words(record);
  const record = await chooseInvocation(history, undefined, { title, words });
  if (record === undefined) return undefined;
  const [texts, output] = await Promise.all([history.texts(record.id), outputs.output(record.id)]);
  const payload = texts?.inputText;
  if (payload === undefined && output === undefined) {
    showNoOutput();
    return undefined;
  }
  return startFromExamples(parsedJson(payload ?? ""), parsedJson(output ?? ""));
}

async function startFromFile(): Promise<ManifestStart | undefined> {
  const title = vscode.l10n.t("Start from a JSON or YAML File");
  const files = vscode.workspace.findFiles("**/*.{json,yaml,yml}", unlistedFiles, maxFiles);
  const rows = Promise.resolve(files).then((found) =>
    found.map((uri) => ({
      label: fileName(uri),
      description: vscode.workspace.asRelativePath(uri),
      value: uri,
    })),
  );
  const none = vscode.l10n.t("This workspace has no JSON or YAML file.");
  const uri = await choose(rows, { title, none });
  if (uri === undefined) return undefined;
  const value = await valueIn(uri);
  if (value === undefined) {
    void showError(vscode.l10n.t("{0} is too long, or neither JSON nor YAML.", fileName(uri)));
    return undefined;
  }
  const starts = startsIn(value);
  if (starts.length > 0) return chooseStart(starts);
  const other = isJsonObject(value) ? otherKindText(value) : undefined;
  if (other === undefined) return startFromExamples(value, undefined);
  void showError(localize(other, hostLanguage()));
  return undefined;
}

/** Reads a file as JSON. Undefined if it is too long, or neither JSON nor YAML. */
async function valueIn(uri: vscode.Uri): Promise<JsonValue | undefined> {
  const isJson = uri.path.endsWith(".json");
  const read = await readEditedFile(uri, isJson ? maxJsonBytes : maxYamlBytes);
  if (read.kind !== "text") return undefined;
  if (isJson) return parsedJson(read.text);
  const { readYaml } = await import("./readYaml");
  return readYaml(read.text);
}

function chooseStart(starts: readonly NamedStart[]): Promise<ManifestStart | undefined> {
  const title = vscode.l10n.t("Start from a Tool or Operation");
  const rows = starts.map((start) => ({
    label: start.name,
    detail: start.displayName ?? start.description ?? "",
    value: start,
  }));
  return choose(rows, { title, takesOnly: true });
}
