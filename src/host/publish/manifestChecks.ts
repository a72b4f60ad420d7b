import * as vscode from "vscode";
import { isJsonObject, type JsonObject, parsedJson } from "../../core/json/jsonValue";
import { isManifestFile, skillManifestSchema } from "../../core/manifest/manifestFile";
import { problemsOfFindings, withRules } from "../../core/manifest/manifestProblems";
import { isReviewCode } from "../../core/manifest/manifestRules";
import { type OwnVersion, ownVersion, rejectionFindings } from "../../core/manifest/publishing";
import {
  type ReleaseChanges,
  releaseChanges,
  versionFindings,
} from "../../core/manifest/versionStep";
import { hiddenProblemsText, type PayloadCheck } from "../../core/payload/payloadCheck";
import type { SkillDetail } from "../../core/skill/skill";
import { ChangeEvent } from "../../engine/changeEvent";
import { readLocalSkill } from "../../registry/decode/readSkillDetail";
import { isWorkingCopy } from "../author/payloadBindings";
import type { LazyLanguageClient } from "../author/payloadChecks";
import { diagnosticOf, ProblemMarks } from "../author/payloadDiagnostics";
import type { CheckedPart, EmbeddedPayload, EmbeddedPayloads } from "../embeddedPayloads";
import { diagnosticSource } from "../ids";
import { mark } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { LatestRequest, newest, unlessAborted } from "../ui/wait";
import { type PublishedSkill, type PublishedSources, readPublished } from "./publishedSkill";

/** A checked manifest. */
export interface CheckedManifest {
  readonly document: vscode.TextDocument;
  readonly text: string;
  readonly check: PayloadCheck;
  /** Undefined if the text is no JSON object. */
  readonly manifest: JsonObject | undefined;
  /** Undefined if it has no usable name. */
  readonly skill: SkillDetail | undefined;
  /** The changes since the newest approved version; undefined if unknown. */
  readonly changes: ReleaseChanges | undefined;
}

/** Returns whether a document is an editable manifest. */
export function isManifest({ uri }: vscode.TextDocument): boolean {
  return isManifestFile(uri.path) && isWorkingCopy(uri);
}

/**
 * Checks open manifests, on opening and after each change. Only the newest text counts. Reads the registry's versions
 * when a manifest is opened, saved or published, but not while typing, which would request a name letter by letter.
 */
export class ManifestChecks extends Owner implements EmbeddedPayloads {
  private readonly marks = this.own(new ProblemMarks(`${diagnosticSource}-manifests`));
  private readonly running = new Map<
    string,
    { readonly requests: LatestRequest; readonly work: Promise<unknown> }
  >();
  private readonly latest = new Map<string, CheckedManifest>();
  /** The manifests whose registry versions were not read yet. */
  private readonly unread = new Set<string>();
  /** The registry's data about skills that was read. */
  private readonly published = new Map<string, PublishedSkill>();
  /** The readings of the registry's data. A change of registry, account or role aborts them. */
  private readonly reads = this.own(new LatestRequest());
  private readonly changed = this.own(new ChangeEvent<CheckedManifest>());
  /** Fires with each checked manifest. */
  readonly onDidCheck = this.changed.event;

  constructor(
    private readonly language: Pick<LazyLanguageClient, "get">,
    private readonly sources: PublishedSources,
  ) {
    super();
    const { workspace } = vscode;
    const checkAll = (slug?: string) => {
      for (const document of workspace.textDocuments) {
        const known = this.latest.get(`${document.uri}`)?.skill?.summary.slug;
        if (slug === undefined || slug === known) void this.check(document);
      }
    };
    this.own(
      workspace.onDidOpenTextDocument((document) => void this.check(document)),
      workspace.onDidSaveTextDocument((document) => void this.check(document)),
      workspace.onDidChangeTextDocument(({ document }) => void this.check(document, false)),
      workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      sources.details.onDidChange(checkAll),
      // The registry, the account or a role changed.
      sources.project.onDidChange(() => {
        this.reads.begin();
        checkAll();
      }),
    );
    checkAll();
  }

  /** Returns the text of a manifest with the schema of manifests. */
  async payloadAt(document: vscode.TextDocument): Promise<EmbeddedPayload | undefined> {
    if (!isManifest(document)) return undefined;
    return { from: 0, text: document.getText(), schema: skillManifestSchema };
  }

  /** Returns the check of a manifest. Undefined if the current text was not checked. */
  checkedAt(document: vscode.TextDocument): CheckedPart | undefined {
    const checked = this.latest.get(document.uri.toString());
    if (checked?.text !== document.getText()) return undefined;
    return { from: 0, text: checked.text, schema: skillManifestSchema, check: checked.check };
  }

  /**
   * Checks a manifest by the registry's data as last read; with `reads`, reads that data again. Resolves when the
   * newest check of the document is done. Undefined if the document is no manifest, or if its text has changed since.
   */
  async check(document: vscode.TextDocument, reads = true): Promise<CheckedManifest | undefined> {
    if (!isManifest(document) || document.isClosed) return undefined;
    const name = document.uri.toString();
    if (reads) this.unread.add(name);
    const requests = this.running.get(name)?.requests ?? new LatestRequest();
    const signal = AbortSignal.any([requests.begin(), this.untilDisposed]);
    const work = unlessAborted(this.checkAndLearn(document, name, signal), signal);
    this.running.set(name, { requests, work });
    await newest(() => this.running.get(name)?.work);
    const latest = this.latest.get(name);
    return latest?.text === document.getText() ? latest : undefined;
  }

  /**
   * Checks a manifest, and then reads the registry's data if that was requested and not done yet. If a newer check
   * replaces this one, that check reads the data.
   */
  private async checkAndLearn(
    document: vscode.TextDocument,
    name: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { skill } = await this.checkText(document, signal);
    if (skill !== undefined && this.unread.delete(name)) await this.learn(skill.summary.slug);
  }

  /** Resolves to the open manifest of a skill, with its current text; undefined if none is open. */
  async manifestOf(slug: string): Promise<JsonObject | undefined> {
    const checking = vscode.workspace.textDocuments.map((document) => this.check(document, false));
    const all = await Promise.all(checking);
    return all.find((checked) => checked?.skill?.summary.slug === slug)?.manifest;
  }

  /** Reads the registry's data about a skill. Uses `versions` if given, instead of reading them. */
  async learn(slug: string, versions?: readonly OwnVersion[]): Promise<void> {
    const { signal } = this.reads;
    const work = readPublished(this.sources, slug, signal, versions);
    const published = await unlessAborted(work, signal);
    if (published === undefined || signal.aborted) return;
    this.published.set(slug, published);
    for (const { document, skill } of [...this.latest.values()]) {
      if (skill?.summary.slug === slug) await this.check(document, false);
    }
  }

  private async checkText(
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<CheckedManifest> {
    const text = document.getText();
    const check = await (await this.language.get()).manifest(text, signal);
    signal.throwIfAborted();
    // A text that is too long or was not checked is not parsed here either.
    const isUnread = check.problems.some(({ code }) => code === "size" || code === "unchecked");
    const value = isUnread ? undefined : parsedJson(text);
    const manifest = isJsonObject(value) ? value : undefined;
    const skill = manifest && readLocalSkill(manifest);
    const published = this.published.get(skill?.summary.slug ?? "");
    const bare = { document, text, check, manifest, skill, changes: undefined };
    return this.show(withPublished(bare, published));
  }

  private show(checked: CheckedManifest): CheckedManifest {
    const { document, check } = checked;
    this.latest.set(document.uri.toString(), checked);
    const more = hiddenProblemsText(check, hostLanguage());
    const first = document.lineAt(0).range;
    this.marks.set(document, [
      ...check.problems.map((problem) => ({
        problem,
        diagnostic: diagnosticOf(document, problem, undefined),
      })),
      ...(more === "" ? [] : [{ diagnostic: mark(first, more, "more", "information") }]),
    ]);
    this.changed.fire(checked);
    return checked;
  }

  private forget(uri: vscode.Uri): void {
    const name = uri.toString();
    this.running.get(name)?.requests.dispose();
    this.running.delete(name);
    this.latest.delete(name);
    this.unread.delete(name);
    this.marks.delete(uri);
  }
}

/** Adds findings that depend on the registry's data about the skill. */
function withPublished(
  checked: CheckedManifest,
  { versions = [], approved }: Partial<PublishedSkill> = {},
): CheckedManifest {
  const { text, check, manifest, skill } = checked;
  if (manifest === undefined || skill === undefined) return checked;
  const language = hostLanguage();
  const changes = approved && releaseChanges(approved, skill, language);
  const own = ownVersion(versions, skill.summary.version);
  const rejected = own === undefined ? [] : rejectionFindings(own, manifest);
  const findings = [
    ...(approved && changes ? versionFindings(approved, skill, changes) : []),
    ...rejected,
  ];
  const found = problemsOfFindings(text, manifest, findings, language);
  // The review said at these places what our rules only expected of it.
  const said = new Set(rejected.map(({ pointer }) => pointer));
  const rules = check.problems.filter(
    ({ code, pointer }) => !(isReviewCode(code) && said.has(pointer)),
  );
  const problems = [...withRules(rules, found)];
  const isBroken = problems.some(({ severity }) => severity === "error");
  const state = isBroken ? "invalid" : check.state;
  return { ...checked, changes, check: { ...check, state, problems } };
}
