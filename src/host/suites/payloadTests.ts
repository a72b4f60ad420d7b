import * as vscode from "vscode";
import { boundSkill, isPayloadFile, payloadLabel } from "../../core/payload/payloadBinding";
import { type PayloadCheck, verdictText } from "../../core/payload/payloadCheck";
import { registryFailureText } from "../../core/registry/registryFailure";
import { unreadableText } from "../../core/review/files/reviewFolder";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { inputSchemaOf } from "../../core/skill/skill";
import { addressText } from "../../core/skill/skillAddress";
import { oneLine, revealHidden } from "../../core/text/plainText";
import { maxTextBytes } from "../../engine/files/repositoryFile";
import { sha256 } from "../../engine/sha256";
import { orAbort, settled } from "../../registry/wait";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import type { SkillDetails } from "../inspect/skillDetails";
import { isListed } from "../lazyProviders";
import type { SkillFiles } from "../skillFiles";
import { hostLanguage } from "../ui/hostLanguage";
import { readEditedFile } from "../workspaceFile";
import { type ExplorerRun, FileTests, runTest } from "./fileTests";
import { problemMessages } from "./suiteCases";
import type { SkillItems } from "./testItems";

/** The dependencies of checking saved payloads. */
export interface PayloadTestsParts {
  readonly bindings: PayloadBindings;
  readonly details: SkillDetails;
  readonly checks: PayloadChecks;
  readonly files: SkillFiles;
}

/**
 * Fills the Test Explorer with the saved payloads of the workspace, by skill, and checks them against their bound
 * versions. Nothing is ever invoked.
 */
export class PayloadTests extends FileTests {
  /**
   * The digest of the text that was checked, by the ID of the file's item. Undefined while a run is about to read the
   * file.
   */
  private readonly checkedDigests = new Map<string, string | undefined>();
  /** The versions of skills that files were last checked against. */
  private readonly versions = new WeakMap<vscode.TestItem, string>();

  constructor(
    controller: vscode.TestController,
    skills: SkillItems,
    private readonly parts: PayloadTestsParts,
  ) {
    super(controller, skills, "payload", parts.files);
    this.own(
      parts.bindings.onDidChange((uri) => this.followBinding(uri)),
      parts.checks.onDidStartOver(() => this.controller.invalidateTestResults(this.items)),
    );
  }

  /** Checks the requested payloads. Resolves when all have been checked or the user stopped the run. */
  async run(wanted: ExplorerRun): Promise<void> {
    const { requested, run, signal } = wanted;
    const items = this.items.filter((item) => requested.has(item));
    for (const item of items) {
      run.enqueued(item);
      this.checkedDigests.set(item.id, undefined);
    }
    for (const item of items) {
      const current = signal.aborted ? item : await this.settled(item, signal);
      await runTest(wanted, current, (time) => this.check(current, wanted, time));
      if (this.checkedDigests.get(item.id) === undefined) this.checkedDigests.delete(item.id);
    }
  }

  /**
   * Places a payload below its bound skill, or removes it if it is unbound. If the file's name fits several skills, the
   * shortest slug counts, and the rest of the name is a label. A result for another version than the bound one is
   * marked as outdated.
   */
  protected put(uri: vscode.Uri): void {
    const { bindings } = this.parts;
    const slug = bindings.slugsOf(uri).at(-1);
    const version = bindings.find(uri)?.version;
    const item = this.itemOf(uri);
    if (item !== undefined && item.parent?.id === slug) {
      const judged = this.versions.get(item);
      const isOther =
        judged !== undefined && version !== undefined && !isSameVersion(judged, version);
      if (isOther) this.controller.invalidateTestResults(item);
      return;
    }
    this.remove(uri);
    if (slug === undefined) return;
    const beside = this.controller.items.get(slug)?.children ?? [];
    const others = [...beside].map(([, { label }]) => label);
    const label = payloadLabel(vscode.workspace.asRelativePath(uri), others);
    this.skills.put(this.add(uri, label), slug);
  }

  /**
   * Marks the result of a file as outdated, unless it belongs to the current text. The editor may report one write
   * twice, the second time after a run has read the file.
   */
  protected override async change(uri: vscode.Uri): Promise<void> {
    const digest = () => this.checkedDigests.get(`${uri}`);
    const isReadNext = () => this.checkedDigests.has(`${uri}`) && digest() === undefined;
    if (isReadNext()) return;
    const found = digest() === undefined ? undefined : await readEditedFile(uri, maxTextBytes);
    const isSame = found?.kind === "text" && digest() === sha256(found.text);
    const item = this.itemOf(uri);
    if (!isSame && !isReadNext() && item) this.controller.invalidateTestResults(item);
  }

  private followBinding(uri: vscode.Uri): void {
    const isSaved = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const isFile = isSaved && uri.scheme !== "untitled" && isPayloadFile(uri.path);
    if (isFile && isListed(uri)) this.put(uri);
  }

  /**
   * Finds out which skill a file's name means, and returns the file's item below that skill. This may need a request to
   * the registry, so only a run does it.
   */
  private async settled(item: vscode.TestItem, signal: AbortSignal): Promise<vscode.TestItem> {
    const { uri } = item;
    if (uri === undefined) return item;
    const { bindings, details } = this.parts;
    const settling = bindings.resolveName(uri, (slug) => details.exists(slug));
    await settled(
      settling.then(() => this.put(uri)),
      signal,
    );
    return this.itemOf(uri) ?? item;
  }

  private async check(
    item: vscode.TestItem,
    { run, signal }: ExplorerRun,
    time: () => number,
  ): Promise<void> {
    const { uri } = item;
    const binding = uri === undefined ? undefined : this.parts.bindings.find(uri);
    if (uri === undefined || binding === undefined) return run.skipped(item);
    const read = await readEditedFile(uri, maxTextBytes);
    if (read.kind === "none") {
      // The editor does not report the files of a deleted folder as deleted.
      run.skipped(item);
      return this.remove(uri);
    }
    if (read.kind !== "text") {
      return run.errored(item, new vscode.TestMessage(unreadableText(read, hostLanguage())));
    }
    const { text } = read;
    this.checkedDigests.set(item.id, sha256(text));
    const asked = this.parts.details.find(binding.slug, binding.version);
    const found = await orAbort(asked, signal);
    if (found === undefined) return run.skipped(item);
    const skill = boundSkill(found, binding, hostLanguage());
    if (!skill.ok) {
      const words = revealHidden(registryFailureText(skill.failure, hostLanguage()));
      return run.errored(item, new vscode.TestMessage(words));
    }
    const { slug, version } = skill.value.summary;
    const schema = inputSchemaOf(skill.value);
    const { check } = await this.parts.checks.checkIn(uri, schema, text, signal);
    this.versions.set(item, version);
    report(run, item, uri, check, text, time());
    const name = oneLine(addressText(slug, version), 80);
    const path = oneLine(vscode.workspace.asRelativePath(uri));
    run.appendOutput(`${path}  ${name}  ${verdictText(check, hostLanguage())}\r\n`);
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
