import * as vscode from "vscode";
import {
  boundSkill,
  isPayloadFile,
  payloadLabel,
  slugsOfPayloadFile,
} from "../../core/payload/payloadBinding";
import { type PayloadCheck, verdictText } from "../../core/payload/payloadCheck";
import { registryFailureText } from "../../core/registry/registryFailure";
import { unreadableText } from "../../core/review/files/reviewFolder";
import { inputSchemaOf } from "../../core/skill/skill";
import { addressText } from "../../core/skill/skillAddress";
import { labelText, oneLine, revealHidden } from "../../core/text/plainText";
import { maxTextBytes } from "../../engine/files/repositoryFile";
import { sha256 } from "../../engine/sha256";
import { orAbort, otherWork, settled } from "../../registry/wait";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import type { SkillDetails } from "../inspect/skillDetails";
import { isListed } from "../lazyProviders";
import { maxPayloadRows, type SkillFileChange, type SkillFiles } from "../skillFiles";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { LatestRequest } from "../ui/wait";
import { readEditedFile } from "../workspaceFile";
import type { SkillItems, WantedRun } from "./skillTests";
import { problemMessages } from "./suiteCases";

/** The dependencies of checking saved inputs. */
export interface PayloadTestsParts {
  readonly bindings: PayloadBindings;
  readonly details: SkillDetails;
  readonly checks: PayloadChecks;
  readonly files: Pick<SkillFiles, "payloads" | "onDidChangeFile">;
}

/**
 * Fills the Test Explorer with the saved inputs of the workspace, by skill, and checks them against
 * the version each is bound to. Nothing is ever invoked.
 */
export class PayloadTests extends Owner {
  private readonly items: PayloadTestItems;
  /** By file, the digest of the last checked text; undefined while a run is about to read it. */
  private readonly judged = new Map<string, string | undefined>();

  constructor(
    controller: vscode.TestController,
    skills: SkillItems,
    private readonly parts: PayloadTestsParts,
  ) {
    super();
    this.items = new PayloadTestItems(controller, skills, parts.bindings);
    this.own(
      parts.files.onDidChangeFile((change) => this.followFile(change)),
      parts.bindings.onDidChange((uri) => this.follow(uri)),
      parts.checks.onDidStartOver(() => this.items.outdateAll()),
    );
  }

  /** Discovers the files again. */
  async discover(): Promise<void> {
    const found = await this.parts.files.payloads();
    await this.items.replace(found.slice(0, maxPayloadRows), found.length > maxPayloadRows);
  }

  /** Checks the requested payloads. Resolves when all have been checked or the user stopped the run. */
  async run({ requested, run, signal }: WantedRun): Promise<void> {
    const wanted = this.items.all.filter((item) => requested.has(item));
    for (const item of wanted) {
      run.enqueued(item);
      this.judged.set(`${item.uri}`, undefined);
    }
    for (const item of wanted) {
      if (signal.aborted) run.skipped(item);
      else await this.check(await this.settled(item, signal), run, signal);
      if (this.judged.get(`${item.uri}`) === undefined) this.judged.delete(`${item.uri}`);
    }
  }

  /**
   * Marks the result of a file as outdated, unless it belongs to the current text: one write may be reported
   * twice, the second time after a run has read it.
   */
  private async outdate(uri: vscode.Uri): Promise<void> {
    const name = `${uri}`;
    const isReadNext = () => this.judged.has(name) && this.judged.get(name) === undefined;
    if (isReadNext()) return;
    const found = this.judged.has(name) ? await readEditedFile(uri, maxTextBytes) : undefined;
    const isSame = found?.kind === "text" && this.judged.get(name) === sha256(found.text);
    if (!isSame && !isReadNext()) this.items.outdate(uri);
  }

  private followFile({ use, kind, uri }: SkillFileChange): void {
    if (use !== "payload") return;
    if (kind === "deleted") this.items.remove(uri);
    else if (kind === "changed") void this.outdate(uri);
    else this.items.put(uri);
  }

  /** Moves a file below the skill that its name means, which may query the registry: only where it is run. */
  private async settle(uri: vscode.Uri): Promise<void> {
    const { bindings, details } = this.parts;
    await bindings.settle(uri, (slug) => details.exists(slug));
    this.items.put(uri);
  }

  private follow(uri: vscode.Uri): void {
    const isSaved = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const isFile = isSaved && uri.scheme !== "untitled" && isPayloadFile(uri.path);
    if (isFile && isListed(uri)) this.items.put(uri);
  }

  /** The item of the same file after its name was resolved, which may have moved it. */
  private async settled(item: vscode.TestItem, signal: AbortSignal): Promise<vscode.TestItem> {
    if (item.uri === undefined) return item;
    await settled(this.settle(item.uri), signal);
    return this.items.find(item.uri) ?? item;
  }

  private async check(
    item: vscode.TestItem,
    run: vscode.TestRun,
    signal: AbortSignal,
  ): Promise<void> {
    const { uri } = item;
    const binding = uri === undefined ? undefined : this.parts.bindings.find(uri);
    if (uri === undefined || binding === undefined) {
      run.skipped(item);
      return;
    }
    run.started(item);
    const start = performance.now();
    try {
      const read = await readEditedFile(uri, maxTextBytes);
      if (read.kind === "none") {
        // The files of a deleted folder are not reported as deleted.
        run.skipped(item);
        this.items.remove(uri);
        return;
      }
      if (read.kind !== "text") {
        run.errored(item, new vscode.TestMessage(unreadableText(read, hostLanguage())));
        return;
      }
      const { text } = read;
      this.judged.set(`${uri}`, sha256(text));
      const asked = this.parts.details.find(binding.slug, binding.version);
      const found = await orAbort(asked, signal);
      if (found === undefined) return run.skipped(item);
      const skill = boundSkill(found, binding, hostLanguage());
      if (!skill.ok) {
        const words = revealHidden(registryFailureText(skill.failure, hostLanguage()));
        run.errored(item, new vscode.TestMessage(words));
        return;
      }
      const { summary } = skill.value;
      const check = await this.parts.checks.checkText(inputSchemaOf(skill.value), text, signal);
      this.items.judged(item, summary.version);
      report(run, item, uri, check, text, performance.now() - start);
      const name = oneLine(addressText(summary.slug, summary.version), 80);
      const path = oneLine(vscode.workspace.asRelativePath(uri));
      run.appendOutput(`${path}  ${name}  ${verdictText(check, hostLanguage())}\r\n`);
    } catch (error) {
      if (!signal.aborted) throw error;
      run.skipped(item);
    }
  }
}

function report(
  run: vscode.TestRun,
  item: vscode.TestItem,
  uri: vscode.Uri,
  check: PayloadCheck,
  text: string,
  milliseconds: number,
): void {
  if (check.state === "valid") {
    run.passed(item, milliseconds);
    return;
  }
  const errors = check.problems.filter(({ severity }) => severity === "error");
  const messages = problemMessages(errors, text, uri);
  if (check.state === "invalid") {
    run.failed(item, [...messages], milliseconds);
    return;
  }
  const reason = check.reason ?? vscode.l10n.t("This payload could not be validated.");
  run.errored(item, [new vscode.TestMessage(revealHidden(reason)), ...messages], milliseconds);
}

/** Payloads that are added to the Test Explorer before yielding to the editor: a few milliseconds. */
const sliceSize = 100;

/** The saved inputs in the Test Explorer: below their skill, once each. */
export class PayloadTestItems {
  private readonly files = new Map<string, vscode.TestItem>();
  private readonly rounds = new LatestRequest();
  private readonly judges = new WeakMap<vscode.TestItem, string>();

  constructor(
    private readonly controller: vscode.TestController,
    private readonly skills: SkillItems,
    private readonly bindings: Pick<PayloadBindings, "find" | "isSettled">,
  ) {}

  /** Those that are known. */
  get all(): readonly vscode.TestItem[] {
    return [...this.files.values()];
  }

  /**
   * Keeps `uris` with their state, adds new ones, removes the others, and adds an entry where there are more than
   * these. Ends early when it is called again.
   */
  async replace(uris: readonly vscode.Uri[], areMore: boolean): Promise<void> {
    const signal = this.rounds.begin();
    const names = new Set(uris.map((uri) => uri.toString()));
    const gone = [...this.files].filter(([name]) => !names.has(name));
    const steps = [
      ...gone.map(
        ([, { uri }]) =>
          () =>
            uri && this.remove(uri),
      ),
      ...uris.map((uri) => () => this.put(uri)),
    ];
    for (const [index, step] of steps.entries()) {
      if (index > 0 && index % sliceSize === 0) {
        await otherWork();
        if (signal.aborted) return;
      }
      step();
    }
    this.skills.noteMore("payloads", areMore ? uris.length : undefined);
  }

  /**
   * Places an input below the skill it is bound to, or removes it where it is bound to none. Where its name leaves
   * that open, everything behind the first dot counts as a label. Its result for another version is outdated.
   */
  put(uri: vscode.Uri): void {
    const { slug: bound, version } = this.bindings.find(uri) ?? {};
    const isOpen = bound !== undefined && !this.bindings.isSettled(uri);
    const slug = isOpen ? slugsOfPayloadFile(uri.path).at(-1) : bound;
    const item = this.find(uri);
    if (item !== undefined && item.parent?.id === slug) {
      const judge = this.judges.get(item);
      if (judge !== undefined && version !== undefined && judge !== version) this.outdate(uri);
      return;
    }
    this.remove(uri);
    if (slug === undefined) return;
    const beside = this.controller.items.get(slug)?.children ?? [];
    const others = [...beside].map(([, { label }]) => label);
    const label = labelText(payloadLabel(vscode.workspace.asRelativePath(uri), others));
    const file = this.controller.createTestItem(uri.toString(), label, uri);
    this.files.set(file.id, file);
    this.skills.put(file, slug);
  }

  /** Remembers the version of its skill that an input was checked against. */
  judged(item: vscode.TestItem, version: string): void {
    this.judges.set(item, version);
  }

  /** Removes an input, and its skill with the last file. */
  remove(uri: vscode.Uri): void {
    const file = this.find(uri);
    this.files.delete(uri.toString());
    if (file !== undefined) this.skills.remove(file);
  }

  /** Marks the result of an input as outdated. */
  outdate(uri: vscode.Uri): void {
    const item = this.find(uri);
    if (item !== undefined) this.controller.invalidateTestResults(item);
  }

  /** Marks all results as outdated. */
  outdateAll(): void {
    this.controller.invalidateTestResults(this.all);
  }

  /** The item of a file; undefined where it is bound to no skill. */
  find(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.files.get(uri.toString());
  }
}
