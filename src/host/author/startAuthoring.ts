import * as vscode from "vscode";
import { currentKey } from "../connect/currentRegistry";
import type { RegistryConnection } from "../connect/registryConnection";
import type { ThisSkill } from "../discover/thisSkill";
import { type EmbeddedPayloads, eitherOf } from "../embeddedPayloads";
import { EnvironmentsProblems } from "../environments/environmentsProblems";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import { editorCommandIds } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import type { ProjectKeys } from "../keys/projectKeys";
import type { CommandHandlers } from "../registerCommands";
import type { Register } from "../ui/owner";
import { findSkillForJson, useAsPayload } from "./findSkillForJson";
import {
  askForNewPayload,
  fillPayload,
  openNewPayloadFor,
  PayloadFillActions,
  templateArgument,
} from "./newPayload";
import { type PayloadActionParts, PayloadActions } from "./payloadActions";
import { PayloadAssistance } from "./payloadAssistance";
import { type LazyLanguageClient, PayloadChecks } from "./payloadChecks";
import { PayloadDiagnostics, SchemaDocuments } from "./payloadDiagnostics";
import { bindPayload, unbindPayload, validatePayload } from "./payloadDocument";
import { chooseValue, PayloadFixActions } from "./payloadFixActions";
import { PayloadStatus } from "./payloadStatus";
import { moveToVersion, PayloadVersions, showVersionNews } from "./payloadVersions";
import { PlaceholderActions } from "./placeholders/placeholderActions";
import { PlaceholderHelp } from "./placeholders/placeholderHelp";
import { SentDocuments } from "./placeholders/sentDocuments";

/** The dependencies of writing payloads. */
interface AuthoringParts extends Omit<PayloadActionParts, "checks" | "versions" | "place"> {
  readonly details: SkillDetails;
  readonly environments: WorkspaceEnvironments;
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly register: Register;
  readonly language: LazyLanguageClient;
  /** Lets the user choose a skill. Undefined if they canceled. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  readonly thisSkill: ThisSkill;
  readonly manifests: EmbeddedPayloads;
  /** Finds and checks the payloads in suites with these checks. */
  readonly suitesOf: (
    checks: PayloadChecks,
    schemas: SchemaDocuments,
  ) => EmbeddedPayloads & { readonly checkAll: () => void };
}

/** Builds everything that checks, explains, fixes and shows payloads in the editor. */
export function startAuthoring(parts: AuthoringParts) {
  const { bindings, details, connection, keys, register, language, pickSkill, thisSkill } = parts;
  const projectKey = () => currentKey(connection, keys);
  const { environments } = parts;
  const checks = register(new PayloadChecks(language, { ...parts, projectKey }));
  const { sample, unfilled } = checks;
  const payloads = { bindings, unfilled, details, sample };
  const versions = register(new PayloadVersions(checks, details));
  const schemas = register(new SchemaDocuments(details));
  const suites = parts.suitesOf(checks, schemas);
  register(new PayloadDiagnostics(checks, schemas));
  const others = eitherOf(suites, parts.manifests);
  register(new PayloadFixActions(language, checks, others, environments));
  register(new PayloadFillActions(checks));
  register(new EnvironmentsProblems());
  register(new PlaceholderActions(checks, suites, environments));
  const placeholders = register(new PlaceholderHelp(checks, environments));
  const sent = register(new SentDocuments(checks));
  register(new PayloadAssistance(language, checks, others, placeholders));
  register(new PayloadStatus(bindings, checks));
  register(new PayloadActions({ ...parts, checks, versions, place: environments.place }));
  const { registerCommand } = vscode.commands;
  register(registerCommand(editorCommandIds.chooseValue, chooseValue));
  register(
    registerCommand(editorCommandIds.showVersionNews, (uri) =>
      showVersionNews(versions, bindings, uri),
    ),
  );
  register(
    registerCommand(editorCommandIds.moveToVersion, (uri, version) =>
      moveToVersion(bindings, uri, version),
    ),
  );
  const finding = { connection, details, checks, bindings, environments };
  const commands = {
    newPayload: async (argument, option) => {
      const slug = await thisSkill.choose(argument, vscode.l10n.t("New Payload for Skill"));
      if (slug === undefined) return;
      if (argument === undefined) await askForNewPayload(payloads, slug);
      else await openNewPayloadFor(payloads, slug, templateArgument(option));
    },
    fillPayload: (argument) => fillPayload(checks, argument),
    bindPayload: (argument) => bindPayload(bindings, pickSkill, argument),
    unbindPayload: () => unbindPayload(bindings),
    findSkillForJson: (argument) => findSkillForJson(finding, argument),
    validatePayload: (argument) => validatePayload(checks, argument),
  } satisfies Partial<CommandHandlers>;
  /** Rechecks the open payloads of a skill whose description changed, including those in suites. */
  const checkAgain = (slug: string) => {
    checks.checkAgain(slug);
    suites.checkAll();
  };
  /** Opens a JSON text as a new payload of a skill that accepts it, chosen by the user. */
  const usePayload = (text: string) => useAsPayload(finding, text);
  return { checks, payloads, checkAgain, commands, schemas, sent, usePayload };
}
