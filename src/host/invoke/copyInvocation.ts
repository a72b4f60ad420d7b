import * as vscode from "vscode";
import type { Invocation } from "../../core/invocation/invocation";
import {
  curlCommand,
  curlForCmd,
  curlForPowerShell,
  fetchModule,
  isJsonText,
  pythonScript,
} from "../../core/invocation/invocationCopies";
import { type FoundSecret, findSecrets } from "../../core/payload/findSecrets";
import { type MakeSample, sampleTemplate } from "../../core/payload/payloadTemplates";
import { projectKeyVariable } from "../../core/registry/credential";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { payloadLink } from "../../core/skill/skillAddress";
import type { PayloadBindings } from "../author/payloadBindings";
import { noPayloadText, payloadDocument } from "../author/payloadDocument";
import { currentKey, currentRegistry } from "../connect/currentRegistry";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { registryInUse } from "../connect/withRegistry";
import type { ThisSkill } from "../discover/thisSkill";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import { commandIds, editorCommandIds } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import type { ProjectKeys } from "../keys/projectKeys";
import { type CommandHandlers, slugArgument, slugArguments } from "../registerCommands";
import { copyText, inform, showError, warn } from "../ui/messages";
import { choose } from "../ui/quickInput/choose";
import { showFailure } from "../ui/showNotice";
import { askAboutSecrets, showSecrets } from "./preparePayload";

/** The dependencies of copying an invocation. */
export interface CopyInvocationParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly bindings: PayloadBindings;
  readonly details: SkillDetails;
  readonly environments: Pick<WorkspaceEnvironments, "copied">;
  /** Creates a payload from a skill's schema. */
  readonly sample: MakeSample;
  readonly thisSkill: ThisSkill;
}

/** A format in which an invocation can be copied, with its name and use in the list, and the title of its dialogs. */
interface CopyFormat {
  readonly name: string;
  readonly use: string;
  readonly title: string;
  readonly write: (baseUrl: string, invocation: Invocation) => string;
  /** The maximum length of a command in its shell, in characters. */
  readonly maxLength?: number;
}

/** The maximum number of skills whose invocations are copied at once, since each skill must be read. */
const maxSkills = 20;

/** Builds the commands that copy invocations. */
export function copyCommands(parts: CopyInvocationParts) {
  const formats = copyFormats();
  const copy = (form: CopyFormat, argument: unknown, option: unknown) => {
    const slugs = slugArguments(argument, option);
    return slugs.length > 1 ? copyCalls(parts, form, slugs) : copyCall(parts, form, argument);
  };
  return {
    copyAsCurl: (argument, option) => copy(formats.curl, argument, option),
    copyAs: async (argument, option) => {
      const isOnSkills = slugArguments(argument, option).length > 0;
      const payload = isOnSkills ? undefined : payloadFor(parts, argument);
      const running =
        (command: string, ...given: readonly unknown[]) =>
        () =>
          vscode.commands.executeCommand(command, ...given);
      const linkWithPayload = payload && {
        label: vscode.l10n.t("Link with Payload"),
        description: vscode.l10n.t("Opens the skill with this payload in an editor"),
        value: running(editorCommandIds.copyPayloadLink, payload.document.uri),
      };
      const chosen = await choose<() => unknown>(
        [
          ...(linkWithPayload === undefined ? [] : [linkWithPayload]),
          {
            label: vscode.l10n.t("Link"),
            description: vscode.l10n.t("Address of the skill at the registry"),
            value: running(commandIds.copySkillLink, argument, option),
          },
          {
            label: vscode.l10n.t("Slug"),
            description: vscode.l10n.t("Name of the skill in files and commands"),
            value: running(commandIds.copySlug, argument, option),
          },
          ...Object.values(formats).map((form) => ({
            label: form.name,
            description: form.use,
            value: () => copy(form, argument, option),
          })),
          {
            label: "TypeScript",
            description: vscode.l10n.t("Client with the types of input and output"),
            value: running(commandIds.copyAsTypeScript, argument, option),
          },
        ],
        { title: vscode.l10n.t("Copy As"), closesOnBlur: true },
      );
      await chosen?.();
    },
  } satisfies Partial<CommandHandlers>;
}

/** The formats in which invocations are copied, in the order of their picker. */
function copyFormats() {
  const inShell = (shell: string) => vscode.l10n.t("Command for {0}", shell);
  return {
    curl: {
      name: "cURL",
      use: inShell("sh, bash, zsh"),
      title: vscode.l10n.t("Copy as cURL"),
      write: curlCommand,
    },
    powerShell: {
      name: "cURL (PowerShell)",
      use: inShell("PowerShell"),
      title: vscode.l10n.t("Copy as cURL (PowerShell)"),
      write: curlForPowerShell,
    },
    cmd: {
      name: "cURL (cmd)",
      use: inShell("cmd"),
      title: vscode.l10n.t("Copy as cURL (cmd)"),
      write: curlForCmd,
      // cmd accepts lines of at most 8,191 characters, and the key is longer than the variable that it replaces.
      maxLength: 8000,
    },
    fetch: {
      name: "fetch",
      use: vscode.l10n.t("JavaScript module"),
      title: vscode.l10n.t("Copy as fetch"),
      write: fetchModule,
    },
    python: {
      name: "Python",
      use: vscode.l10n.t("Script with the standard library"),
      title: vscode.l10n.t("Copy as Python"),
      write: pythonScript,
    },
  } satisfies Readonly<Record<string, CopyFormat>>;
}

/**
 * Copies the invocation of the active payload, or one with a generated payload for the command's skill. The copied
 * program reads the key from an environment variable, so it contains none.
 */
async function copyCall(
  parts: CopyInvocationParts,
  form: CopyFormat,
  argument: unknown,
): Promise<void> {
  const registry = await registryInUse(parts.connection);
  const invocation = registry && (await invocationToCopy(parts, form.title, argument));
  if (registry === undefined || invocation === undefined) return;
  const { document, inputText, remaining = [] } = invocation;
  if (!isJsonText(inputText)) return showNotJson();
  if (document !== undefined) {
    const found = await shownSecrets(document, inputText, await parts.keys.find(registry));
    if (!(await askAboutSecrets("copy", inputText, found))) return;
  }
  if (!(await isStillInUse(parts, registry))) return;
  const text = form.write(registry.baseUrl, invocation);
  if (text.length > (form.maxLength ?? Number.POSITIVE_INFINITY)) {
    void warn(
      vscode.l10n.t(
        "Not copied: the command has {0} characters, and cmd allows {1}. Copy it for PowerShell instead.",
        text.length,
        form.maxLength ?? 0,
      ),
    );
    return;
  }
  await copyProgram(text, remaining);
}

/**
 * Copies an invocation with a generated payload for each skill, one below the other. Reports how many skills could not
 * be copied.
 */
async function copyCalls(
  parts: CopyInvocationParts,
  form: CopyFormat,
  slugs: readonly string[],
): Promise<void> {
  const registry = await registryInUse(parts.connection);
  if (registry === undefined) return;
  const texts: string[] = [];
  const wanted = slugs.slice(0, maxSkills);
  for (const slug of wanted) {
    const invocation = await firstInvocation(parts, slug, () => undefined);
    const text = invocation === undefined ? "" : form.write(registry.baseUrl, invocation);
    if (text !== "" && text.length <= (form.maxLength ?? text.length)) texts.push(text);
  }
  if (!(await isStillInUse(parts, registry))) return;
  if (texts.length > 0) await copyProgram(`${texts.join("\n\n")}\n`);
  if (wanted.length < slugs.length) {
    void inform(
      vscode.l10n.t(
        "Only the first {0} of {1} skills are copied at once.",
        maxSkills,
        slugs.length,
      ),
    );
  }
  if (texts.length < wanted.length) {
    void warn(
      vscode.l10n.t(
        "{0} of {1} skills could not be copied.",
        wanted.length - texts.length,
        wanted.length,
      ),
    );
  }
}

/** Returns whether the registry that the skills and the key were read from is still in use. Shows a warning if not. */
async function isStillInUse(
  { connection }: Pick<CopyInvocationParts, "connection">,
  { baseUrl }: ConnectedRegistry,
): Promise<boolean> {
  const now = await currentRegistry(connection);
  if (now?.baseUrl === baseUrl) return true;
  void warn(vscode.l10n.t("Not copied: another registry was chosen meanwhile. Copy it again."));
  return false;
}

/**
 * Copies a program, and reminds the user to insert the key. `placeholders` are those in the payload, which the user
 * must replace as well.
 */
async function copyProgram(text: string, placeholders: readonly string[] = []): Promise<void> {
  const key = vscode.l10n.t(
    "Copied. Put your Project Key into {0} before you run it.",
    projectKeyVariable,
  );
  await copyText(
    text,
    placeholders.length === 0 ? key : `${key} ${placeholdersText(placeholders)}`,
  );
}

function placeholdersText(placeholders: readonly string[]): string {
  return vscode.l10n.t("Also replace {0} in the copied text.", placeholders.join(", "));
}

interface CopiedInvocation extends Invocation {
  /** The payload that the user wrote; left out if it was generated from the schema. */
  readonly document?: vscode.TextDocument;
  /** The placeholders that were not replaced, such as those of secrets. */
  readonly remaining?: readonly string[];
}

async function invocationToCopy(
  parts: CopyInvocationParts,
  title: string,
  argument: unknown,
): Promise<CopiedInvocation | undefined> {
  const payload = payloadFor(parts, argument);
  if (payload !== undefined) {
    const { document, binding } = payload;
    const { slug: skillSlug, version = "" } = binding;
    const { text, remaining } = await parts.environments.copied(document.uri, document.getText());
    return { skillSlug, version, inputText: text, document, remaining };
  }
  const skillSlug = await parts.thisSkill.choose(argument, title);
  return skillSlug === undefined ? undefined : firstInvocation(parts, skillSlug, showFailure);
}

/** Finds the payload of a command. Undefined if the command was run on a skill, or while a skill's page is active. */
function payloadFor(
  { bindings, thisSkill }: Pick<CopyInvocationParts, "bindings" | "thisSkill">,
  argument: unknown,
) {
  const named =
    slugArgument(argument) ?? (argument === undefined ? thisSkill.activePage() : undefined);
  const document = named === undefined ? payloadDocument(argument) : undefined;
  const binding = document && bindings.find(document.uri);
  return document && binding && { document, binding };
}

/**
 * Copies a link that opens a payload and its skill in the editor of everyone who follows the link. Copies no payload
 * that seems to contain a credential.
 */
export async function copyPayloadLink(
  parts: Pick<CopyInvocationParts, "connection" | "keys" | "bindings" | "environments">,
  extensionId: string,
  argument: unknown,
): Promise<void> {
  const document = payloadDocument(argument);
  const binding = document && parts.bindings.find(document.uri);
  if (document === undefined || binding === undefined) return void inform(noPayloadText());
  const { text, remaining } = await parts.environments.copied(document.uri, document.getText());
  if (!isJsonText(text)) return showNotJson();
  const key = await currentKey(parts.connection, parts.keys);
  if ((await shownSecrets(document, text, key)).length > 0) {
    return void showError(
      vscode.l10n.t(
        "Not copied: the payload appears to contain a credential. Whoever sees the link could use it.",
      ),
    );
  }
  const { slug, version = "" } = binding;
  const editor = `${vscode.env.uriScheme}://${extensionId}`;
  const link = payloadLink(editor, { slug, version }, text);
  if (link === undefined) {
    return void showError(
      vscode.l10n.t("Not copied: the payload is too long for a link. Share it as a file instead."),
    );
  }
  const done = vscode.l10n.t("Link copied. It opens the payload and sends nothing.");
  await copyText(link, remaining.length === 0 ? done : `${done} ${placeholdersText(remaining)}`);
}

/** Finds the credentials in the text to copy, and selects them in the document. */
async function shownSecrets(
  document: vscode.TextDocument,
  text: string,
  key: string | undefined,
): Promise<readonly FoundSecret[]> {
  const found = findSecrets(text, key === undefined ? [] : [key]);
  // If values of the environment were inserted, the text differs from the document, and nothing is selected.
  await showSecrets(document, text, found);
  return found;
}

function showNotJson(): void {
  void showError(vscode.l10n.t("Not copied: the payload is not JSON yet."));
}

/** Returns an invocation with a generated payload. If the skill cannot be read, `failed` shows why. */
async function firstInvocation(
  parts: CopyInvocationParts,
  skillSlug: string,
  failed: (failure: RegistryFailure) => unknown,
): Promise<Invocation | undefined> {
  const found = await parts.details.find(skillSlug);
  if (!found.ok) {
    failed(found.failure);
    return undefined;
  }
  const { value } = await sampleTemplate(found.value, "example", parts.sample);
  const { version } = found.value.summary;
  return { skillSlug, version, inputText: JSON.stringify(value) };
}
