import * as vscode from "vscode";
import { isJsonObject, type JsonObject, parsedJson } from "../../core/json/jsonValue";
import { isManifestFile, skillManifestSchema } from "../../core/manifest/manifestFile";
import { problemsOfFindings, withRules } from "../../core/manifest/manifestProblems";
import { ownVersion, rejectionFindings } from "../../core/manifest/publishing";
import {
  type ReleaseChanges,
  releaseChanges,
  versionFindings,
} from "../../core/manifest/versionStep";
import { hiddenProblemsText, type PayloadCheck } from "../../core/payload/payloadCheck";
import type { SkillDetail } from "../../core/skill/skill";
import { ChangeEvent } from "../../engine/changeEvent";
import { isWorkingCopy } from "../author/payloadBindings";
import type { LazyLanguageClient } from "../author/payloadChecks";
import { diagnosticOf, ProblemMarks } from "../author/payloadDiagnostics";
import type { CheckedPart, EmbeddedPayload, EmbeddedPayloads } from "../embeddedPayloads";
import { diagnosticSource } from "../ids";
import { mark } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { LatestRequest, unlessAborted } from "../ui/wait";
import { localSkill, type PublishedSkill, type PublishedSkills } from "./publishedSkills";

/** A manifest that was checked. */
export interface CheckedManifest {
  readonly document: vscode.TextDocument;
  readonly text: string;
  readonly check: PayloadCheck;
  /** Undefined where the text is no JSON object. */
  readonly manifest: JsonObject | undefined;
  /** Undefined where it has no usable name. */
  readonly skill: SkillDetail | undefined;
  /** What changes since the newest approved version; undefined where that is not known. */
  readonly changes: ReleaseChanges | undefined;
}

/** Returns whether a document is a manifest that somebody works on. */
function isManifest({ uri }: vscode.TextDocument): boolean {
  return isManifestFile(uri.path) && isWorkingCopy(uri);
}

/** Checks open manifests, on opening and after each change, and when more is known of their skills. Only the newest text counts. */
export class ManifestChecks extends Owner implements EmbeddedPayloads {
  private readonly marks = this.own(new ProblemMarks(`${diagnosticSource}-manifests`));
  private readonly running = new Map<string, LatestRequest>();
  private readonly latest = new Map<string, CheckedManifest>();
  /** What was known of the skill of a manifest last, so that nothing flickers while it is typed. */
  private readonly known = new Map<string, PublishedSkill>();
  private readonly changed = this.own(new ChangeEvent<CheckedManifest>());
  /** Fires with each manifest that was checked. */
  readonly onDidCheck = this.changed.event;

  constructor(
    private readonly language: Pick<LazyLanguageClient, "get">,
    private readonly published: Pick<PublishedSkills, "find" | "onDidChange">,
  ) {
    super();
    const { onDidOpenTextDocument, onDidChangeTextDocument, onDidCloseTextDocument } =
      vscode.workspace;
    this.own(
      onDidOpenTextDocument((document) => void this.check(document)),
      onDidChangeTextDocument(({ document }) => void this.check(document)),
      onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      published.onDidChange((slug) => {
        for (const { document, skill } of this.latest.values()) {
          if (skill?.summary.slug === slug) void this.check(document);
        }
      }),
    );
    for (const document of vscode.workspace.textDocuments) void this.check(document);
  }

  /** Finds the text of a manifest, which is described by the schema of manifests. */
  async payloadAt(document: vscode.TextDocument): Promise<EmbeddedPayload | undefined> {
    if (!isManifest(document)) return undefined;
    return { from: 0, text: document.getText(), schema: skillManifestSchema };
  }

  /** Returns the check of a manifest. Undefined where there is none of the current text. */
  checkedAt(document: vscode.TextDocument): CheckedPart | undefined {
    const checked = this.latest.get(document.uri.toString());
    if (checked?.text !== document.getText()) return undefined;
    return { from: 0, text: checked.text, schema: skillManifestSchema, check: checked.check };
  }

  /** Checks a manifest. Resolves once all is known; undefined for another document, and where a newer check replaced it. */
  async check(document: vscode.TextDocument): Promise<CheckedManifest | undefined> {
    if (!isManifest(document) || document.isClosed) return undefined;
    const name = document.uri.toString();
    const requests = this.running.get(name) ?? new LatestRequest();
    this.running.set(name, requests);
    const signal = AbortSignal.any([requests.begin(), this.untilDisposed]);
    const work = this.checkText(document, name, signal);
    return unlessAborted(work, signal);
  }

  private async checkText(
    document: vscode.TextDocument,
    name: string,
    signal: AbortSignal,
  ): Promise<CheckedManifest> {
    const text = document.getText();
    const check = await (await this.language.get()).manifest(text, signal);
    signal.throwIfAborted();
    const value = check.problems.some(isUnread) ? undefined : parsedJson(text);
    const manifest = isJsonObject(value) ? value : undefined;
    const skill = manifest && localSkill(manifest);
    const bare = { document, text, check, manifest, skill, changes: undefined };
    const slug = skill?.summary.slug;
    const before = slug === undefined ? undefined : this.known.get(slug);
    const shown = this.show(name, before === undefined ? bare : withPublished(bare, before));
    if (slug === undefined) return shown;
    const published = await this.published.find(slug);
    signal.throwIfAborted();
    this.known.set(slug, published);
    return this.show(name, withPublished(bare, published));
  }

  private show(name: string, checked: CheckedManifest): CheckedManifest {
    const { document, check } = checked;
    this.latest.set(name, checked);
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
    this.running.get(name)?.dispose();
    this.running.delete(name);
    this.latest.delete(name);
    this.marks.delete(uri);
  }
}

/** A text that is too long, or was not checked, is not read here either. */
function isUnread({ code }: PayloadCheck["problems"][number]): boolean {
  return code === "size" || code === "unchecked";
}

/** Adds what follows from what the registry has of the skill. */
function withPublished(
  checked: CheckedManifest,
  { versions = [], approved }: PublishedSkill,
): CheckedManifest {
  const { text, check, manifest, skill } = checked;
  if (manifest === undefined || skill === undefined) return checked;
  const language = hostLanguage();
  const changes = approved && releaseChanges(approved, skill, language);
  const own = ownVersion(versions, skill.summary.version);
  const findings = [
    ...(approved && changes ? versionFindings(approved, skill, changes) : []),
    ...(own === undefined ? [] : rejectionFindings(own, manifest)),
  ];
  const found = problemsOfFindings(text, manifest, findings, language);
  const problems = [...withRules(check.problems, found)];
  const isBroken = problems.some(({ severity }) => severity === "error");
  const state = isBroken ? "invalid" : check.state;
  return { ...checked, changes, check: { ...check, state, problems } };
}
