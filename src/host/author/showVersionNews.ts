import * as vscode from "vscode";
import { changeText } from "../../core/payload/versionNews";
import { labelText, oneLine } from "../../core/text/plainText";
import type { PayloadBindings } from "./payloadBindings";
import { payloadDocument } from "./payloadDocument";
import type { PayloadVersions } from "./payloadVersions";

/** Lists what a newer version of a payload's skill changes for it, and moves the payload if asked to. */
export async function showVersionNews(
  versions: PayloadVersions,
  bindings: PayloadBindings,
  uri: unknown,
): Promise<void> {
  const document = uri instanceof vscode.Uri ? payloadDocument(uri) : undefined;
  const news = document === undefined ? undefined : versions.find(document);
  if (document === undefined || news === undefined) return;
  const before = oneLine(news.before, 40);
  const after = oneLine(news.after, 40);
  const title = vscode.l10n.t("Update to {0}", after);
  const move = { label: `$(arrow-right) ${labelText(title)}`, isMove: true };
  const changes = news.changes.map((change) => ({
    label: labelText(changeText(change), 200),
    isMove: false,
  }));
  const note = news.note === "" ? [] : [{ label: labelText(news.note), isMove: false }];
  const picked = await vscode.window.showQuickPick([move, ...changes, ...note], {
    title: vscode.l10n.t("{0} input schema: {1} ↔ {2}", labelText(news.slug), after, before),
    placeHolder: differences(changes.length),
  });
  if (picked?.isMove) await moveToVersion(bindings, uri, news.after);
}

function differences(count: number): string {
  if (count === 0) return vscode.l10n.t("No differences");
  return count === 1 ? vscode.l10n.t("1 difference") : vscode.l10n.t("{0} differences", count);
}

/** Binds a payload to another version of its skill. Does nothing for other arguments than a fix passes. */
export async function moveToVersion(
  bindings: PayloadBindings,
  uri: unknown,
  version: unknown,
): Promise<void> {
  if (!(uri instanceof vscode.Uri) || typeof version !== "string") return;
  const binding = bindings.find(uri);
  if (binding !== undefined) await bindings.bind(uri, { slug: binding.slug, version });
}
