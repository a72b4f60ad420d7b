/** Every command that the manifest names, by the name the code uses. */
export const listedCommands = [
  "connect",
  "search",
  "filter",
  "clearFilters",
  "viewAs",
  "refresh",
  "openSkill",
  "trySkill",
  "editAsForm",
  "newPayload",
  "bindPayload",
  "unbindPayload",
  "findSkillForJson",
  "validatePayload",
  "openPayload",
  "invoke",
  "testRun",
  "invokeLast",
  "cancelInvocation",
  "projectKey",
  "setProjectKey",
  "checkProjectKey",
  "removeProjectKey",
  "signIn",
  "signOut",
  "createCiToken",
  "showSessions",
  "chooseProject",
  "newProject",
  "createProjectKey",
  "rotateProjectKey",
  "revokeProjectKey",
  "installSkill",
  "manageSkill",
  "suspendSkill",
  "restoreSkill",
  "uninstallSkill",
  "approveSkill",
  "rateSkill",
  "adoptUpdate",
  "decideUpdate",
  "rollBackSkill",
  "editPolicy",
  "showWhy",
  "newManifest",
  "tryAsSkill",
  "saveDraft",
  "submitSkill",
  "mySkills",
  "reviewSkill",
  "checkReviews",
  "checkReadiness",
  "addCiWorkflow",
  "allowAgents",
  "showAgents",
  "stopAgents",
  "copyAgentSetup",
  "showOutput",
  "openInvocation",
  "rerunInvocation",
  "copyInvocationId",
  "openOutput",
  "copyOutput",
  "saveDocument",
  "showOutputAsText",
  "compareInvocation",
  "saveAsTest",
  "useAsPayload",
  "acceptOutput",
  "storeOutput",
  "newSuite",
  "runSuite",
  "pinInvocation",
  "unpinInvocation",
  "deleteInvocation",
  "filterInvocations",
  "clearInvocationFilter",
  "exportInvocations",
  "showUsage",
  "copyReport",
  "copyAs",
  "compareSkills",
  "addFavorite",
  "removeFavorite",
] as const;

/** The other commands. Rows, links and lists of a loaded extension run them, so they are registered with it. */
export const unlistedCommands = [
  "connectToReviewed",
  "loadMore",
  "removeFilter",
  "copySlug",
  "copySkillLink",
  "fillPayload",
  "copyAsCurl",
  "setAgentLimits",
  "copyAsTypeScript",
] as const;

/** The name of a command in the code. */
export type CommandName = (typeof listedCommands)[number] | (typeof unlistedCommands)[number];

/** Returns the id of a command. */
export function commandId<Name extends CommandName>(name: Name): `skillRegistry.${Name}` {
  return `skillRegistry.${name}`;
}

/** The argument with which *Show Output* shows the log channel instead. */
export const logArgument = "log";

/**
 * The id of every command, by its name. A test compares them with package.json. The bundler may leave them out of what
 * every window loads.
 */
export const commandIds = /* @__PURE__ */ allCommandIds();

function allCommandIds() {
  const ids = [...listedCommands, ...unlistedCommands].map((name) => [name, commandId(name)]);
  return Object.fromEntries(ids) as { readonly [Name in CommandName]: `skillRegistry.${Name}` };
}

/**
 * Commands that only this extension's own lenses, fixes and rows run. They are not in the manifest, take arguments
 * and check them.
 */
export const editorCommandIds = {
  setSecret: "skillRegistry.editor.setSecret",
  setValue: "skillRegistry.editor.setValue",
  moveToSecret: "skillRegistry.editor.moveToSecret",
  showSent: "skillRegistry.editor.showSent",
  chooseValue: "skillRegistry.editor.chooseValue",
  choosePayloadAction: "skillRegistry.editor.choosePayloadAction",
  copyPayloadLink: "skillRegistry.editor.copyPayloadLink",
  showVersionNews: "skillRegistry.editor.showVersionNews",
  moveToVersion: "skillRegistry.editor.moveToVersion",
  showMoreInvocations: "skillRegistry.editor.showMoreInvocations",
  showWindow: "skillRegistry.editor.showWindow",
} as const;

/** Every view of the container. */
export const viewIds = {
  skills: "skillRegistry.skills",
  project: "skillRegistry.project",
  invocations: "skillRegistry.invocations",
} as const;

/** Every kind of page. The editor restores them after a restart. */
export const pageIds = {
  skillPage: "skillRegistry.skillPage",
  comparisonPage: "skillRegistry.comparisonPage",
  usagePage: "skillRegistry.usagePage",
} as const;

/** The pages of manifests of the workspace, which the editor does not restore. */
export const manifestPageId = "skillRegistry.manifestPage";

/** A kind of page. */
export type PageKind = keyof typeof pageIds;

/** The provider of sessions in the editor's Accounts menu. */
export const authenticationId = "skill-registry";

/** Every context key in `when` clauses of package.json. `src/host/state` sets them. */
export const contextKeys = {
  /** The state of the Skills view: loading, ready, empty, notConnected or failed. */
  list: "skillRegistry.list",
  /** A search text or a filter is active. */
  filtered: "skillRegistry.filtered",
  /** A folder of the workspace reviews skills. */
  reviews: "skillRegistry.reviews",
  /** The record of this machine has an invocation. */
  recorded: "skillRegistry.recorded",
  /** The Invocations view is filtered. */
  invocationsFiltered: "skillRegistry.invocationsFiltered",
  /**
   * The state of the Project view: loading, notConnected, signedOut, ended, notOffered, wrongRole,
   * noProjects, choose, gone, failed or project.
   */
  project: "skillRegistry.projectState",
  /** A user is signed in at the registry in use. */
  signedIn: "skillRegistry.signedIn",
  /** This workspace works with a project of that user. */
  hasProject: "skillRegistry.hasProject",
  /** Test runs are offered: a user is signed in and works with a project. */
  canTestRun: "skillRegistry.canTestRun",
  /** The active editor holds a payload. */
  payloadBound: "skillRegistry.payloadBound",
  /**
   * The open payloads, in the format of `resourcePath`: the menus of an editor depend on its own document,
   * active or not.
   */
  payloads: "skillRegistry.payloads",
  /** The open payloads that are being invoked. */
  runningPayloads: "skillRegistry.runningPayloads",
  /** This window is invoking a skill. */
  running: "skillRegistry.running",
} as const;

/**
 * The range of ports for the embedded registry, which uses a free one. In a remote window, package.json keeps the
 * editor from forwarding them. No other program is known to use them.
 */
export const embeddedPorts = [29_170, 29_269] as const;

/** The scheme of the read-only documents that show past invocations. */
export const invocationScheme = "skill-invocation";

/** The scheme of the read-only documents that show outputs of past invocations. */
export const outputScheme = "skill-output";

/** The source of every diagnostic of this extension. */
export const diagnosticSource = "skill-registry";

/** The entry of skills, with their saved payloads and suites, in the Test Explorer. */
export const testControllerId = "skillRegistry.tests";

/**
 * Tags the items of the Test Explorer that have cases. A profile that sends something applies only to tagged items, so
 * never to a saved payload.
 */
export const casesTag = "cases";

/** Matches suites by their names. */
export const suiteFilePattern = "**/*.skill-suite.json";

/** Matches the outputs stored beside suites, in any folder. */
export const snapshotFilePattern = "**/*.skill-snapshots.json";

/** Matches files whose names bind them to a skill. */
export const payloadFilePattern = "**/*.skill-input.json";

/** The scheme of the read-only documents that show input schemas. */
export const schemaScheme = "skill-schema";

/** The scheme of the read-only documents that show the readiness of skills. */
export const readinessScheme = "skill-readiness";
/** The scheme of the read-only documents that show contracts. */
export const contractScheme = "skill-contract";

/** The scheme of the read-only documents with the sent text of payloads. */
export const sentScheme = "skill-sent";

/** The scheme of the read-only documents that show manifests. */
export const manifestScheme = "skill-manifest";

/** The prefix that the editor requires in the names of this extension's tools. */
export const agentToolPrefix = "skill-registry_";

/** The scheme of the documents that hold policies of a project. */
export const policyScheme = "skill-policy";

/** The schemes of this extension's documents. Each is a file system; all except policies are read-only. */
export const documentSchemes = [
  invocationScheme,
  outputScheme,
  schemaScheme,
  sentScheme,
  readinessScheme,
  contractScheme,
  manifestScheme,
  policyScheme,
] as const;

/** A scheme of this extension's documents. */
export type DocumentScheme = (typeof documentSchemes)[number];
