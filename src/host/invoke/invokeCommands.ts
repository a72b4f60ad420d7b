import * as vscode from "vscode";
import { invokeBody } from "../../core/invocation/invocation";
import { invocationStatuses } from "../../core/invocation/outcome";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { MakeSample } from "../../core/payload/payloadTemplates";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import type { SkillDetail } from "../../core/skill/skill";
import { addressText } from "../../core/skill/skillAddress";
import { readFileRow } from "../../core/skillList/rows/skillFileRows";
import { oneLine } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { payloadIdOf } from "../../engine/sendInvocation";
import { sha256 } from "../../engine/sha256";
import { openNewPayload, openNewPayloadFor, openPayloadText } from "../author/newPayload";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { isBindable, payloadDocument, showDocument } from "../author/payloadDocument";
import { currentRegistryName } from "../connect/currentRegistry";
import type { RegistryConnection } from "../connect/registryConnection";
import type { SkillAction } from "../discover/pickSkill";
import type { ThisSkill } from "../discover/thisSkill";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import { commandIds, outputScheme } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { type CommandHandlers, slugArgument } from "../registerCommands";
import type { SkillFiles } from "../skillFiles";
import { openFile } from "../ui/documents";
import { confirm, inform, offer, showStatus, warn } from "../ui/messages";
import { type ChoiceRow, choose } from "../ui/quickInput/choose";
import type { Invoker } from "./invoker";
import type { RunningInvocations } from "./runningInvocations";

/** The sources for finding a skill's payloads and the last invoked one, and for opening a new one. */
export interface PayloadSources {
  readonly bindings: PayloadBindings;
  readonly unfilled: PayloadChecks["unfilled"];
  readonly details: SkillDetails;
  /** Generates a payload from a skill's schema. */
  readonly sample: MakeSample;
  readonly history: InvocationHistory;
  readonly files: Pick<SkillFiles, "payloads" | "payloadsOf">;
}

/** The dependencies of the commands that invoke and that open payloads. */
export interface InvokingParts extends PayloadSources {
  readonly connection: RegistryConnection;
  readonly invoker: Invoker;
  readonly running: RunningInvocations;
  /** Finds the record for a command: that of its row, else of the user's choice. Undefined if there is none. */
  readonly chooseInvocation: (
    argument: unknown,
    title: string,
  ) => Promise<InvocationRecord | undefined>;
  readonly thisSkill: ThisSkill;
  readonly environments: Pick<WorkspaceEnvironments, "resolve">;
}

/** Builds the commands that invoke. Each sends only visible text. */
export function invokeCommands(parts: InvokingParts) {
  return {
    invoke: (argument) => invokeSkill(parts, argument),
    testRun: (argument) => invokeSkill(parts, argument, true),
    openPayload: (argument) => openPayload(parts, argument),
    invokeLast: (argument) => invokeLast(parts, argument),
    cancelInvocation: (argument) => parts.running.cancel(argument),
    rerunInvocation: async (argument) => {
      const title = vscode.l10n.t("Rerun Invocation");
      const record = await parts.chooseInvocation(argument, title);
      if (record !== undefined) await rerunInvocation(parts, record);
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Runs “Invoke Skill” or “Test Run”, which send only visible text. In a payload: invokes its skill, or reports that it
 * is running. On a payload's row: shows the payload first. In other JSON: offers to bind it. Elsewhere: opens a payload
 * of the skill.
 */
async function invokeSkill(
  parts: InvokingParts,
  argument: unknown,
  isTestRun = false,
): Promise<void> {
  const row = readFileRow(argument);
  const named = row === undefined ? slugArgument(argument) : undefined;
  const document =
    row === undefined && named === undefined ? payloadDocument(argument) : await shownFile(row);
  if (row !== undefined && document === undefined) return;
  if (document !== undefined && parts.bindings.find(document.uri) !== undefined) {
    const running = parts.running.find(document.uri);
    if (running === undefined) return parts.invoker.invoke(document, isTestRun);
    parts.running.show(running);
    return;
  }
  if (document !== undefined && isBindable(document)) {
    void offerToBind(document);
    return;
  }
  await openPayload(parts, named);
}

/** Shows the file of a row, since only visible text is sent. */
async function shownFile(row: ReturnType<typeof readFileRow>) {
  if (row === undefined) return undefined;
  const uri = vscode.Uri.parse(row.address, true);
  const document = await openFile(uri);
  return document && (await showDocument(document)).document;
}

/** Opens the payload of a skill, or of a skill that the user picks. Sends nothing. */
export async function openPayload(parts: InvokingParts, argument: unknown): Promise<void> {
  const another: SkillAction = {
    icon: "new-file",
    title: vscode.l10n.t("New Payload"),
    run: (slug) => openNewPayloadFor(parts, slug),
  };
  const title = vscode.l10n.t("Open Payload");
  const slug = await parts.thisSkill.choose(argument, title, [another]);
  if (slug === undefined) return;
  const payloads = (await payloadsOf(parts, slug)).map((uri) => ({ uri }));
  await showOneOf(payloads, () => openNewPayloadFor(parts, slug));
}

/** Shows the only saved payload of the workspace, or the chosen one of several. Shows nothing if there is none. */
export async function openSavedPayload({ files }: Pick<PayloadSources, "files">): Promise<void> {
  await showOneOf((await files.payloads()).map((uri) => ({ uri })));
}

/**
 * Shows and invokes the last invoked payload; without one in this window, that of the newest recorded invocation. Asks
 * first, unless the key binding was pressed in that payload or in an output: the command spends, and the palette offers
 * it for other words too.
 */
async function invokeLast(parts: InvokingParts, argument: unknown): Promise<void> {
  const here = await currentRegistryName(parts.connection);
  const { last } = parts.invoker;
  const document = last?.document;
  const binding = document?.isClosed === false ? parts.bindings.find(document.uri) : undefined;
  if (document !== undefined && binding !== undefined) {
    const { slug, version = "" } = binding;
    const isClear = isPressedIn(argument, document);
    if (!isClear && !(await confirmAgain(addressText(slug, version), here, document.getText())))
      return;
    const isVisible = vscode.window.visibleTextEditors.some(
      (editor) => editor.document === document,
    );
    if (!isVisible) await showDocument(document);
    return invokeSkill(parts, document.uri, last?.isTestRun);
  }
  const statuses = invocationStatuses.filter((item) => item !== "running");
  const [newest] =
    here === "" ? [] : await parts.history.list({ registry: here, statuses, limit: 1 });
  if (newest === undefined) {
    void inform(vscode.l10n.t("No skill was invoked yet."));
    return;
  }
  const texts = await parts.history.texts(newest.id);
  const isAgreed =
    texts?.inputText === undefined ||
    (await confirmAgain(addressText(newest.skillSlug, newest.version), here, texts.inputText));
  if (isAgreed) await rerunInvocation(parts, newest);
}

/** Returns whether the key binding of *Invoke Last Payload Again* was pressed in a payload or in an output. */
function isPressedIn(argument: unknown, payload: vscode.TextDocument): boolean {
  const isKey = typeof argument === "object" && argument !== null && "ofThis" in argument;
  const active = vscode.window.activeTextEditor?.document;
  return isKey && (active === payload || active?.uri.scheme === outputScheme);
}

/** The maximum length of a payload in a question, in characters. */
const maxAskedText = 400;

function confirmAgain(address: string, registry: string, payload: string): Promise<boolean> {
  return confirm({
    message: vscode.l10n.t("Invoke {0} again?", address),
    detail: [
      vscode.l10n.t("Payload: {0}", oneLine(payload, maxAskedText)),
      vscode.l10n.t("Registry: {0}", registry),
    ],
    agree: vscode.l10n.t("Invoke"),
  });
}

function offerToBind({ uri }: vscode.TextDocument): Promise<void> {
  return offer(
    vscode.l10n.t("This JSON is not bound to a skill. Bind it to check and invoke it."),
    vscode.l10n.t("Bind to a Skill…"),
    () => vscode.commands.executeCommand(commandIds.bindPayload, uri),
  );
}

/**
 * Shows a payload for a skill in the version of its page: an open or saved one, the chosen one of several, or a new
 * one. A payload for another version is shown only if the user chooses it.
 */
export async function showPayload(parts: PayloadSources, skill: SkillDetail): Promise<void> {
  const { slug, version } = skill.summary;
  const [payloads, current] = await Promise.all([
    payloadsOf(parts, slug),
    parts.details.find(slug),
  ]);
  const otherVersionOf = (uri: vscode.Uri) => {
    // A payload that is bound to no version follows the project or the registry.
    const followed = current.ok ? current.value.summary.version : undefined;
    const bound = parts.bindings.find(uri)?.version ?? followed;
    return isSameVersion(bound, version) ? undefined : addressText(slug, bound ?? "");
  };
  const shown = payloads.map((uri) => ({ uri, otherVersion: otherVersionOf(uri) }));
  await showOneOf(shown, () => openNewPayload(skill, parts));
}

/** A payload to show. */
interface ShownPayload {
  readonly uri: vscode.Uri;
  /**
   * The skill and version of a payload that is for another version than the page's. It is shown only if the user
   * chooses it.
   */
  readonly otherVersion?: string | undefined;
}

/**
 * Shows the only payload, or the chosen one of several, and explains how to send it. With `openNew`, the user can
 * choose a new payload too, which opens at once if there is no other.
 */
async function showOneOf(
  payloads: readonly ShownPayload[],
  openNew?: () => Promise<unknown>,
): Promise<void> {
  const others = payloads.filter(({ otherVersion }) => otherVersion !== undefined);
  const matching = payloads.filter(({ otherVersion }) => otherVersion === undefined);
  const [only, ...more] = matching;
  const rowOf = ({ uri, otherVersion = "" }: ShownPayload) => ({
    label: vscode.workspace.asRelativePath(uri),
    description: otherVersion,
    value: uri,
  });
  const rows: readonly ChoiceRow<vscode.Uri | (() => Promise<unknown>)>[] = [
    ...matching.map(rowOf),
    ...(openNew === undefined ? [] : [{ label: vscode.l10n.t("New Payload"), value: openNew }]),
    ...others.map(rowOf),
  ];
  const question = { title: vscode.l10n.t("Open Payload"), closesOnBlur: true };
  const isClear = only === undefined ? others.length === 0 : more.length === 0;
  const chosen = isClear ? (only?.uri ?? openNew) : await choose(rows, question);
  if (chosen === undefined) return;
  if (chosen instanceof vscode.Uri) {
    const document = await openFile(chosen);
    if (document === undefined) return;
    await showDocument(document);
  } else await chosen();
  showStatus("info", vscode.l10n.t("Check the payload, then press ▷ to send it."));
}

/** The number of the newest invocations by which payloads are ranked. */
const maxRanked = 1_000;

/** Lists the skill's payloads that are open or saved in the workspace, the last invoked first. */
async function payloadsOf(
  { details, history, files }: PayloadSources,
  slug: string,
): Promise<readonly vscode.Uri[]> {
  const known = await files.payloadsOf(slug, (file) => details.exists(file));
  if (known.length < 2) return known;
  const records = await history.list({ skills: [slug], limit: maxRanked }).catch(() => []);
  const invoked = records.map(({ payloadId }) => payloadId);
  const rankOf = (uri: vscode.Uri) => {
    const rank = invoked.indexOf(payloadIdOf(`${uri}`));
    return rank < 0 ? invoked.length : rank;
  };
  return known.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/**
 * Repeats a past invocation: opens its payload as typed, bound to the same skill and version, and invokes it from
 * there, so that it is checked like any other. Refuses if the invocation was sent to another registry than the current
 * one.
 */
async function rerunInvocation(
  parts: Pick<InvokingParts, "connection" | "history" | "bindings" | "invoker" | "environments">,
  record: InvocationRecord,
): Promise<void> {
  if (!(await isAtRegistryOf(parts, record))) return;
  const texts = await parts.history.texts(record.id);
  if (texts?.inputText === undefined) {
    void warn(
      vscode.l10n.t(
        "The payload of this invocation was not kept, so it cannot be invoked again from the record.",
      ),
    );
    return;
  }
  const { skillSlug: slug, version } = record;
  const editor = await openPayloadText({ slug, version }, texts.inputText, parts.bindings);
  if (!(await mayRepeat(parts.environments, editor.document, record))) return;
  // The user may have connected to another registry while the question was open.
  if (!(await isAtRegistryOf(parts, record))) return;
  await parts.invoker.invokeAgain(editor.document, record);
}

/** Returns whether the window is connected to the registry of an invocation, after it offered to connect there. */
async function isAtRegistryOf(
  { connection }: Pick<InvokingParts, "connection">,
  { registry, environment }: InvocationRecord,
): Promise<boolean> {
  if ((await currentRegistryName(connection)) === registry) return true;
  const connect = vscode.l10n.t("Connect to {0}…", oneLine(environment ?? registry, 80));
  const message = vscode.l10n.t(
    "This invocation went to another registry ({0}). Connect to it to invoke again.",
    registry,
  );
  if ((await warn(message, connect)) !== connect) return false;
  await vscode.commands.executeCommand(commandIds.connect, { registry, environment });
  return (await currentRegistryName(connection)) === registry;
}

/**
 * Returns whether to repeat an invocation. Asks if the payload's values changed since it was sent, because the
 * invocation would then differ.
 */
async function mayRepeat(
  environments: InvokingParts["environments"],
  document: vscode.TextDocument,
  { environment, requestSha256, skillSlug, version, askedVersion }: InvocationRecord,
): Promise<boolean> {
  const resolution = await environments.resolve(document.uri, document.getText());
  if (!resolution.ok) return true;
  const { text, written, environment: now } = resolution.value;
  if (environment === undefined && written === undefined) return true;
  const invocation = { skillSlug, version: askedVersion ?? version, inputText: text };
  if (sha256(invokeBody(invocation)) === requestSha256) return true;
  if (now === undefined) {
    void warn(
      vscode.l10n.t(
        "Not sent: it used values of the environment {0}, which no open folder has.",
        environment ?? "",
      ),
    );
    return false;
  }
  return confirm({
    message: vscode.l10n.t("The values of this payload have changed since. Invoke it with these?"),
    detail: vscode.l10n.t("Environment: {0}", now),
    agree: vscode.l10n.t("Invoke"),
  });
}
