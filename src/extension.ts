import * as vscode from "vscode";
import type { SkillRow } from "./core/skillList/skillRows";
import type { ProjectRow } from "./core/workspace/projectRows";
import type { InvocationRow } from "./host/audit/invocationsView";
import { PayloadBindings } from "./host/author/payloadBindings";
import { authenticationId, viewIds } from "./host/ids";
import type { Journey } from "./host/journey";
import { LateSuites } from "./host/lateSuites";
import { LazyTreeDataProvider } from "./host/lazyTreeDataProvider";
import { registerCommands } from "./host/registerCommands";
import { UserSessions } from "./host/workspace/userSessions";

/**
 * Registers what can wake the extension: commands, views, pages that come back after a reload, and
 * documents that are payloads. The rest is loaded with the first of them (`src/host/journey.ts`), so
 * that opening just any JSON costs next to nothing. Awaits nothing.
 */
export function activate(context: vscode.ExtensionContext): void {
  const own = <Part extends vscode.Disposable>(part: Part): Part => {
    context.subscriptions.push(part);
    return part;
  };
  let journey: Promise<Journey> | undefined;
  const start = (): Promise<Journey> => {
    journey ??= import("./host/journey").then(({ startJourney }) =>
      startJourney(context, { bindings, skills, project, invocations, sessions }),
    );
    return journey;
  };
  const bindings = own(new PayloadBindings(context.workspaceState));
  const skills = own(
    new LazyTreeDataProvider<SkillRow>(viewIds.skills, start, { canSelectMany: true }),
  );
  const invocations = own(new LazyTreeDataProvider<InvocationRow>(viewIds.invocations, start));
  const project = own(new LazyTreeDataProvider<ProjectRow>(viewIds.project, start));
  // The editor asks for sessions at once, so that these are read without the rest.
  const sessions = own(new UserSessions(context.secrets));
  own(
    vscode.authentication.registerAuthenticationProvider(
      authenticationId,
      "Skill Registry",
      {
        onDidChangeSessions: sessions.onDidChange,
        getSessions: (_scopes, options) => sessions.asEditorSessions(options?.account),
        createSession: async () => (await start()).signIn(),
        removeSession: async (id) => (await start()).signOut(id),
      },
      { supportsMultipleAccounts: true },
    ),
  );
  own(
    registerCommands(
      async (name, argument, option) => (await start()).commands[name](argument, option),
      async (text) => (await start()).note(text),
    ),
  );
  own(
    vscode.window.registerWebviewPanelSerializer(viewIds.skillPage, {
      deserializeWebviewPanel: async (view, kept) =>
        (await start()).pages.deserializeWebviewPanel(view, kept),
    }),
  );
  own(
    vscode.window.registerWebviewPanelSerializer(viewIds.comparisonPage, {
      deserializeWebviewPanel: async (view, kept) =>
        (await start()).comparisons.deserializeWebviewPanel(view, kept),
    }),
  );
  own(
    vscode.window.registerUriHandler({
      handleUri: async ({ path }) => (await start()).openLink(path),
    }),
  );
  own(new LateSuites(async (controller) => (await start()).suites(controller)));
  const startForPayload = (uri: vscode.Uri) => {
    if (bindings.find(uri) !== undefined) void start();
  };
  own(vscode.workspace.onDidOpenTextDocument(({ uri }) => startForPayload(uri)));
  own(bindings.onDidChange(startForPayload));
  for (const { uri } of vscode.workspace.textDocuments) startForPayload(uri);
}
