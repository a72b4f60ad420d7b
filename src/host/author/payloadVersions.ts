import * as vscode from "vscode";
import {
  changeText,
  newsCountText,
  type VersionNews,
  versionNews,
  versionNewsText,
} from "../../core/payload/versionNews";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import type { SkillDetail } from "../../core/skill/skill";
import { oneLine, revealHidden } from "../../core/text/plainText";
import { editorCommandIds } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { codeAction, mark } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { choose } from "../ui/quickInput/choose";
import { type PayloadBindings, payloadLanguages } from "./payloadBindings";
import type { CheckedPayload, PayloadChecks } from "./payloadChecks";
import { versionCode } from "./payloadDiagnostics";
import { payloadDocument } from "./payloadDocument";

/**
 * Shows that a payload is bound to another version than the project runs or, without a project, than the registry's
 * current one. Lists the changes, and offers to update the payload. The payload keeps its version until the user
 * accepts.
 */
export class PayloadVersions extends Owner implements vscode.CodeActionProvider {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection("skill-registry-version"),
  );
  private readonly news = new Map<string, VersionNews>();
  private readonly compared = new WeakMap<SkillDetail, { with: SkillDetail; news?: VersionNews }>();
  private readonly changed = this.own(new vscode.EventEmitter<void>());

  /** Fires when a document gets or loses news about its version. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly checks: PayloadChecks,
    private readonly details: SkillDetails,
  ) {
    super();
    this.own(
      checks.onDidChange((document) => void this.update(document)),
      vscode.languages.registerCodeActionsProvider(payloadLanguages, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    for (const document of vscode.workspace.textDocuments) void this.update(document);
  }

  /** Returns the news for a document; undefined if it is bound to the current version. */
  find(document: vscode.TextDocument): VersionNews | undefined {
    return this.news.get(document.uri.toString());
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const news = this.find(document);
    const shown = diagnostics.filter((diagnostic) => diagnostic.code === versionCode);
    if (news === undefined || shown.length === 0) return [];
    const title = vscode.l10n.t("Update to {0}", oneLine(news.after, 40));
    const command = editorCommandIds.moveToVersion;
    const move = { title, command, arguments: [document.uri, news.after] };
    return [codeAction(title, { command: move, diagnostics: shown })];
  }

  private async update(document: vscode.TextDocument): Promise<void> {
    const checked = this.checks.find(document);
    if (checked?.state.kind === "checking") return;
    const news = checked === undefined ? undefined : await this.newsFor(checked);
    const now = this.checks.find(document);
    if (now?.binding.slug !== checked?.binding.slug) return;
    if (!isSameVersion(now?.binding.version, checked?.binding.version)) return;
    this.show(document, news);
  }

  private async newsFor({ binding, state }: CheckedPayload): Promise<VersionNews | undefined> {
    const { slug, version } = binding;
    if (version === undefined || state.kind === "checking") return undefined;
    const current = await this.details.findForCheck(slug);
    if (!current.ok) return undefined;
    if (state.kind === "unavailable") {
      const isGone = state.failure.kind === "notFound";
      return isGone ? versionNews(version, undefined, current.value, hostLanguage()) : undefined;
    }
    const cached = this.compared.get(state.skill);
    if (cached?.with === current.value) return cached.news;
    const news = versionNews(version, state.skill, current.value, hostLanguage());
    const compared = { with: current.value };
    this.compared.set(state.skill, news === undefined ? compared : { ...compared, news });
    return news;
  }

  private show(document: vscode.TextDocument, news: VersionNews | undefined): void {
    const name = document.uri.toString();
    if (this.news.get(name) === news) return;
    if (news === undefined) {
      this.news.delete(name);
      this.collection.delete(document.uri);
    } else {
      this.news.set(name, news);
      const text = revealHidden(versionNewsText(news, hostLanguage()));
      const first = new vscode.Range(0, 0, 0, 1);
      // A payload that could not be checked already has a problem with the reason.
      const isMarked = this.checks.find(document)?.state.kind === "unavailable";
      const marks = isMarked ? [] : [mark(first, text, versionCode, "information")];
      this.collection.set(document.uri, marks);
    }
    this.changed.fire();
  }
}

/** Lists the changes of a newer version for a payload, and updates the payload on request. */
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
  const notes = [...news.changes.map(changeText), ...(news.note === "" ? [] : [news.note])];
  const rows = [
    { label: title, icon: "arrow-right", value: true },
    ...notes.map((label) => ({ label, value: false })),
  ];
  const moves = await choose(rows, {
    title: vscode.l10n.t("{0} input schema: {1} ↔ {2}", news.slug, after, before),
    placeHolder: newsCountText(news, hostLanguage()),
    closesOnBlur: true,
  });
  if (moves === true) await moveToVersion(bindings, uri, news.after);
}

/** Binds a payload to another version of its skill. Ignores arguments that no fix passes. */
export async function moveToVersion(
  bindings: PayloadBindings,
  uri: unknown,
  version: unknown,
): Promise<void> {
  if (!(uri instanceof vscode.Uri) || typeof version !== "string") return;
  const binding = bindings.find(uri);
  if (binding !== undefined) await bindings.bind(uri, { slug: binding.slug, version });
}
