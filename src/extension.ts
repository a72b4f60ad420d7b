import * as vscode from "vscode";
import { environmentsPath } from "./core/environment/environmentsPath";
import { isManifestFile } from "./core/manifest/manifestFile";
import { reviewsPath } from "./core/review/files/reviewFiles";
import { registerAgentTools } from "./host/agents/agentTools";
import type { App, ViewTrees } from "./host/app";
import { isWorkingCopy, PayloadBindings } from "./host/author/payloadBindings";
import {
  authenticationId,
  documentSchemes,
  listedCommands,
  policyScheme,
  snapshotFilePattern,
  suiteFilePattern,
  viewIds,
} from "./host/ids";
import { LazyFileSystem, LazyPages, LazyTreeDataProvider } from "./host/lazyProviders";
import { registerCommands } from "./host/registerCommands";
import { restoreContextKeys, setContextKey } from "./host/state/contextKeys";
import { LazyTestController } from "./host/suites/lazyTestController";
import { loadedOnce } from "./host/ui/wait";
import { UserSessions } from "./host/workspace/account/userSessions";
import type { Link } from "./window/link";

/**
 * Registers everything that can activate the extension: commands, views, pages restored after a reload, and documents
 * that are payloads. The rest is loaded on the first use of any of them (`src/host/app.ts`), so that opening just any
 * JSON costs next to nothing. Awaits nothing.
 */
export function activate(context: vscode.ExtensionContext): void {
  const register = <Part extends vscode.Disposable>(part: Part): Part => {
    context.subscriptions.push(part);
    return part;
  };
  restoreContextKeys({ user: context.globalState, workspace: context.workspaceState });
  const start = loadedOnce(async (): Promise<App> => {
    const { composeExtension } = await import("./host/app");
    const app = composeExtension(context, { bindings, trees, sessions, tests });
    void offerTerminals();
    return app;
  });
  const offerTerminals = loadedOnce(async () => {
    const { TerminalOffer } = await import("./host/terminal/offerTerminals");
    const serve = async (link: Link) => (await start()).serveCommand(link);
    const noteFailure = (text: string) =>
      void start().then(
        (app) => app.noteFailure(text),
        () => undefined,
      );
    return register(new TerminalOffer({ context, serve, noteFailure }));
  });
  const bindings = register(new PayloadBindings(context.workspaceState));
  // Offer the command line when the first terminal opens. That is early enough: the editor restarts a terminal without
  // typed input to apply new variables.
  register(vscode.window.onDidOpenTerminal(() => void offerTerminals()));
  if (vscode.window.terminals.length > 0) void offerTerminals();
  const several = { canSelectMany: true };
  const trees: ViewTrees = {
    skills: register(new LazyTreeDataProvider(viewIds.skills, start, several)),
    project: register(new LazyTreeDataProvider(viewIds.project, start)),
    invocations: register(new LazyTreeDataProvider(viewIds.invocations, start, several)),
  };
  const tests = register(
    new LazyTestController(async (controller) => (await start()).tests(controller)),
  );
  // The editor requests sessions immediately, so they are read without loading the rest.
  const sessions = register(new UserSessions(context.secrets));
  register(
    vscode.authentication.registerAuthenticationProvider(
      authenticationId,
      "Skill Registry",
      {
        onDidChangeSessions: sessions.onDidChange,
        getSessions: (_scopes, options) => sessions.asEditorSessions(options?.account),
        createSession: async () => {
          const id = await (await start()).signIn();
          const session = (await sessions.asEditorSessions()).find((item) => item.id === id);
          if (session === undefined) throw new vscode.CancellationError();
          return session;
        },
        removeSession: async (id) => (await start()).signOut(id),
      },
      { supportsMultipleAccounts: true },
    ),
  );
  register(
    registerCommands(listedCommands, async (...call) => (await start()).runCommand(...call)),
  );
  register(registerAgentTools(async (...call) => (await start()).callAgentTool(...call)));
  register(new LazyPages(async (page) => (await start()).pages[page]));
  register(
    vscode.window.registerUriHandler({
      handleUri: async (link) => (await start()).openLink(link),
    }),
  );
  for (const scheme of documentSchemes) {
    const isReadonly = scheme !== policyScheme;
    register(new LazyFileSystem(scheme, isReadonly, async () => (await start()).files[scheme]));
  }
  const startForPayload = (uri: vscode.Uri) => {
    if (bindings.find(uri) !== undefined) void start();
  };
  const suitePatterns = [suiteFilePattern, snapshotFilePattern];
  const startFor = (document: vscode.TextDocument) => {
    const isSuite = suitePatterns.some((pattern) => vscode.languages.match({ pattern }, document));
    if ((isSuite || isManifestFile(document.uri.path)) && isWorkingCopy(document.uri)) void start();
    else startForPayload(document.uri);
  };
  register(vscode.workspace.onDidOpenTextDocument(startFor));
  register(bindings.onDidChange(startForPayload));
  for (const document of vscode.workspace.textDocuments) startFor(document);
  // Show the commands of reviews, and offer their registry if another one is in use. Load the rest only for that offer.
  const followReviews = async () => {
    const [hasReviews, hasEnvironments] = await Promise.all([
      hasFile(reviewsPath),
      hasFile(environmentsPath),
    ]);
    if (hasReviews) void setContextKey("reviews", true);
    if (!hasReviews && !hasEnvironments) return;
    const { mayOfferRegistry } = await import("./host/connect/glanceAtReviews");
    if (await mayOfferRegistry(context.workspaceState)) void start();
  };
  register(vscode.workspace.onDidGrantWorkspaceTrust(followReviews));
  void followReviews();
}

/** Returns whether a folder of a trusted workspace has a file. Never rejects. */
async function hasFile(path: string): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const roots = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    roots.map(({ uri }) =>
      Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, path))).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
