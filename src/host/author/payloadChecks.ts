import * as vscode from "vscode";
import type { ShapesReader } from "../../core/clients/client";
import { checkResolved, type PayloadResolution } from "../../core/environment/resolvedPayload";
import type { MistakesReader } from "../../core/findings/skillMistakes";
import { UnfilledPayloads } from "../../core/form/unfilledPayloads";
import type { TextRange } from "../../core/json/token";
import {
  bindingTo,
  boundSkill,
  missingSkill,
  type PayloadBinding,
} from "../../core/payload/payloadBinding";
import { type PayloadCheck, withoutSchema } from "../../core/payload/payloadCheck";
import type { PayloadState } from "../../core/payload/payloadStatus";
import type { MakeSample } from "../../core/payload/payloadTemplates";
import type { MakeOutline } from "../../core/skill/description/skillDescription";
import { inputSchemaOf, type SkillDetail, type SkillSchema } from "../../core/skill/skill";

import type { LanguageClient } from "../../language/languageClient";
import type { FormTask, MadeForm } from "../../language/languageMessages";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import type { SkillDetails } from "../inspect/skillDetails";
import { KeyInUse } from "../keys/projectKeys";
import { hostLanguage, hostTexts } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { loadedOnce, newest, unlessAborted } from "../ui/wait";
import type { PayloadBindings } from "./payloadBindings";
import { openDocument } from "./payloadDocument";

/** A payload's state, with its text and binding. */
export interface CheckedPayload {
  readonly document: vscode.TextDocument;
  /** The text that was checked. */
  readonly text: string;
  readonly binding: PayloadBinding;
  readonly state: PayloadState;
  /** The resolved payload; undefined before it was checked. */
  readonly resolution?: PayloadResolution;
}

/** Returns the skill and version that a payload was checked for, else those that it is bound to. */
export function addressOfChecked({ binding, state }: CheckedPayload): PayloadBinding {
  const { slug, unknownSlug } = binding;
  if (state.kind !== "checked" || unknownSlug !== undefined) return binding;
  return bindingTo({ slug, version: state.skill.summary.version });
}

/**
 * Checks every open bound document against its skill's schema, on opening and after each change. Only the newest text
 * counts: its check cancels an older one.
 */
export class PayloadChecks extends Owner {
  private readonly running = new Map<
    string,
    { readonly controller: AbortController; readonly work: Promise<unknown> }
  >();
  private readonly latest = new Map<string, CheckedPayload>();
  private readonly changed = this.own(new vscode.EventEmitter<vscode.TextDocument>());
  private readonly keyInUse: KeyInUse;

  private readonly startedOver = this.own(new vscode.EventEmitter<void>());

  /** The new payloads in which values were left to the user. */
  readonly unfilled = new UnfilledPayloads();
  /** Fires with a document when its state changed. */
  readonly onDidChange = this.changed.event;
  /** Fires when all previous results are invalid. */
  readonly onDidStartOver = this.startedOver.event;

  constructor(
    private readonly language: Pick<LazyLanguageClient, "get">,
    private readonly payloads: {
      readonly bindings: PayloadBindings;
      readonly details: SkillDetails;
      /** Returns the Project Key in use, which is marked wherever it occurs in a text. */
      readonly projectKey: () => Promise<string | undefined>;
      /** Resolves placeholders in a document. */
      readonly environments: Pick<WorkspaceEnvironments, "resolve" | "onDidChange">;
    },
  ) {
    super();
    this.own(
      vscode.workspace.onDidOpenTextDocument((document) => void this.check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => void this.check(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      payloads.bindings.onDidChange((uri) => this.checkOpen(uri)),
      payloads.environments.onDidChange(() => {
        this.startedOver.fire();
        this.checkAllOpen();
      }),
    );
    // Checks again to mark the new key in open payloads. Earlier verdicts stay valid, since they do not depend on the
    // key.
    this.keyInUse = new KeyInUse(payloads.projectKey, () => this.checkAllOpen());
    this.checkAllOpen();
  }

  /** Returns the last known state of a document; undefined if it is not bound. */
  find(document: vscode.TextDocument): CheckedPayload | undefined {
    return this.latest.get(document.uri.toString());
  }

  /** Checks a document's newest text. Resolves when done; undefined if it is not bound. */
  async check(document: vscode.TextDocument): Promise<CheckedPayload | undefined> {
    const name = document.uri.toString();
    const binding = this.payloads.bindings.find(document.uri);
    this.running.get(name)?.controller.abort();
    if (binding === undefined || document.isClosed) {
      this.forget(document);
      return undefined;
    }
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, this.untilDisposed]);
    const work = unlessAborted(this.run(document, binding, signal), signal);
    this.running.set(name, { controller, work });
    await newest(() => this.running.get(name)?.work);
    return this.find(document);
  }

  /** Checks the resolved text of a document, with the values of the environment in use. Rejects only when aborted. */
  async checkIn(
    uri: vscode.Uri,
    schema: SkillSchema,
    text: string,
    signal: AbortSignal,
  ): Promise<{ readonly check: PayloadCheck; readonly resolution: PayloadResolution }> {
    const resolution = await this.resolve(uri, text);
    return { resolution, check: await this.checkResolution(resolution, schema, signal) };
  }

  /** Replaces the placeholders of a text by the environment of a document, or returns why not. Never rejects. */
  resolve(uri: vscode.Uri, text: string): Promise<PayloadResolution> {
    return this.payloads.environments.resolve(uri, text);
  }

  /** Checks a resolved payload, with its problems at their ranges in the text as written. Rejects only when aborted. */
  async checkResolution(
    resolution: PayloadResolution,
    schema: SkillSchema,
    signal: AbortSignal,
  ): Promise<PayloadCheck> {
    const check = (text: string, allowedSecrets: readonly TextRange[]) =>
      this.checkText(schema, text, signal, allowedSecrets);
    return checkResolved(resolution, check, hostLanguage());
  }

  /**
   * Checks a text without placeholders, in a document or not: a payload for a skill, or an output. Rejects only when
   * aborted.
   */
  async checkText(
    { schema, lossyNumbers }: SkillSchema,
    text: string,
    signal: AbortSignal,
    allowedSecrets: readonly TextRange[] = [],
  ): Promise<PayloadCheck> {
    const client = await this.language.get();
    const secrets = this.keyInUse.lastKnown();
    const request = { text, schema: schema ?? true, secrets, lossyNumbers, allowedSecrets };
    const check = await client.check(request, signal);
    return schema === undefined ? withoutSchema(check, hostLanguage()) : check;
  }

  /** Lists the properties that a schema declares for the object in a text, in the checking thread. */
  async declared(
    schema: unknown,
    text: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const client = await this.language.get();
    return client.declared(schema, text, signal);
  }

  /** Stores the binding of a document that was bound by its name alone. */
  async keepBinding({ document, binding: { slug } }: CheckedPayload): Promise<void> {
    await this.payloads.bindings.bind(document.uri, { slug });
  }

  /** Fires when a file was renamed, or a new payload was saved. */
  get onDidMove(): PayloadBindings["onDidMove"] {
    return this.payloads.bindings.onDidMove;
  }

  /** Creates a payload from a skill's schema, in the checking thread. */
  readonly sample: MakeSample = async ({ inputSchema }, options) =>
    (await this.language.get()).sample(inputSchema ?? true, options, neverAborted());

  /**
   * Creates the form of a payload for a skill in the checking thread, after a change if one is passed. Undefined if the
   * thread does not answer.
   */
  readonly form = async (
    { inputSchema }: SkillDetail,
    asked: Omit<FormTask, "kind">,
  ): Promise<MadeForm | undefined> =>
    (await this.language.get()).form(inputSchema ?? true, asked, neverAborted());

  /** Outlines a schema, in the checking thread. */
  readonly outline: MakeOutline = async (schema) =>
    (await this.language.get()).outline(schema, neverAborted());

  /** Reads the shape of a schema, in the checking thread. */
  readonly shapes: ShapesReader = async (schema, lossyNumbers) =>
    (await this.language.get()).shapes(schema, lossyNumbers, neverAborted());

  /** Lists likely mistakes in a schema, in the checking thread. */
  readonly mistakes: MistakesReader = async (schema) =>
    (await this.language.get()).mistakes(schema, neverAborted());

  /** Checks all open payloads again, for instance after the registry changed. */
  checkAll(): void {
    this.payloads.bindings.forgetResolvedNames();
    this.startedOver.fire();
    this.checkAllOpen();
  }

  private checkAllOpen(): void {
    for (const document of vscode.workspace.textDocuments) void this.check(document);
  }

  /** Rechecks the open payloads of a skill whose description has changed. */
  checkAgain(slug: string): void {
    for (const document of vscode.workspace.textDocuments) {
      if (this.payloads.bindings.find(document.uri)?.slug === slug) void this.check(document);
    }
  }

  private async run(
    document: vscode.TextDocument,
    binding: PayloadBinding,
    signal: AbortSignal,
  ): Promise<void> {
    const name = document.uri.toString();
    const text = document.getText();
    const show = (state: PayloadState, resolution?: PayloadResolution) => {
      const sent = resolution === undefined ? {} : { resolution };
      this.latest.set(name, { document, text, binding, state, ...sent });
      this.changed.fire(document);
    };
    if (this.latest.get(name)?.state.kind !== "checked") show({ kind: "checking" });
    const { bindings, details } = this.payloads;
    await bindings.resolveName(document.uri, (slug) => details.exists(slug));
    if (signal.aborted) return;
    const found = await details.findForCheck(binding.slug, binding.version);
    if (signal.aborted) return;
    if (!found.ok) {
      const isNamed = bindings.isBoundByName(document.uri);
      return show({
        kind: "unavailable",
        failure: missingSkill(found.failure, binding, isNamed, hostLanguage()),
      });
    }
    const skill = found.value;
    const { slug, version } = skill.summary;
    // A file that is bound only by its name uses the project's version, which may change. So no version is stored for
    // it.
    if (binding.version === undefined && version !== "" && !bindings.isBoundByName(document.uri)) {
      return bindings.bind(document.uri, { slug, version });
    }
    const bound = boundSkill(found, binding, hostLanguage());
    if (!bound.ok) return show({ kind: "unavailable", failure: bound.failure });
    const schema = inputSchemaOf(skill);
    const { check, resolution } = await this.checkIn(document.uri, schema, text, signal);
    if (!signal.aborted) show({ kind: "checked", skill, check }, resolution);
  }

  private checkOpen(uri: vscode.Uri): void {
    const document = openDocument(uri);
    if (document !== undefined) void this.check(document);
  }

  private forget(document: vscode.TextDocument): void {
    const name = document.uri.toString();
    this.running.get(name)?.controller.abort();
    this.running.delete(name);
    if (this.latest.delete(name)) this.changed.fire(document);
  }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Loads the client of the language thread with the first request; one client for the whole window. */
export class LazyLanguageClient implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private isDisposed = false;
  private readonly load = loadedOnce(async () => {
    const { LanguageClient } = await import("../../language/languageClient");
    const { workerPath } = this;
    this.client = new LanguageClient({ workerPath, language: hostTexts() });
    if (this.isDisposed) this.client.dispose();
    return this.client;
  });

  /** `workerPath` is the thread's bundle. */
  constructor(private readonly workerPath: string) {}

  get(): Promise<LanguageClient> {
    return this.load();
  }

  dispose(): void {
    this.isDisposed = true;
    this.client?.dispose();
  }
}
