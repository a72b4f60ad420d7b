import { type PageCommandName, pageCommandNames, pageCommands } from "../protocol/pageCommands";

const pageCommandIds = Object.fromEntries(
  pageCommandNames.map((name) => [name, pageCommands[name].id]),
) as { readonly [Name in PageCommandName]: (typeof pageCommands)[Name]["id"] };

/** Every command, by the name the code uses. The test compares them with package.json. */
export const commandIds = {
  ...pageCommandIds,
  connect: "skillRegistry.connect",
  search: "skillRegistry.search",
  filter: "skillRegistry.filter",
  clearFilters: "skillRegistry.clearFilters",
  removeFilter: "skillRegistry.removeFilter",
  saveFilterSet: "skillRegistry.saveFilterSet",
  useFilterSet: "skillRegistry.useFilterSet",
  sortSkills: "skillRegistry.sortSkills",
  groupSkills: "skillRegistry.groupSkills",
  refresh: "skillRegistry.refresh",
  loadMore: "skillRegistry.loadMore",
  openSkill: "skillRegistry.openSkill",
  trySkill: "skillRegistry.trySkill",
  editAsForm: "skillRegistry.editAsForm",
  newPayload: "skillRegistry.newPayload",
  fillPayload: "skillRegistry.fillPayload",
  bindPayload: "skillRegistry.bindPayload",
  unbindPayload: "skillRegistry.unbindPayload",
  findSkillForJson: "skillRegistry.findSkillForJson",
  validatePayload: "skillRegistry.validatePayload",
  openPayload: "skillRegistry.openPayload",
  invoke: "skillRegistry.invoke",
  testRun: "skillRegistry.testRun",
  invokeLast: "skillRegistry.invokeLast",
  cancelInvocation: "skillRegistry.cancelInvocation",
  removeProjectKey: "skillRegistry.removeProjectKey",
  signIn: "skillRegistry.signIn",
  signOut: "skillRegistry.signOut",
  createCiToken: "skillRegistry.createCiToken",
  showSessions: "skillRegistry.showSessions",
  chooseProject: "skillRegistry.chooseProject",
  newProject: "skillRegistry.newProject",
  createProjectKey: "skillRegistry.createProjectKey",
  rotateProjectKey: "skillRegistry.rotateProjectKey",
  revokeProjectKey: "skillRegistry.revokeProjectKey",
  installSkill: "skillRegistry.installSkill",
  suspendSkill: "skillRegistry.suspendSkill",
  restoreSkill: "skillRegistry.restoreSkill",
  uninstallSkill: "skillRegistry.uninstallSkill",
  approveSkill: "skillRegistry.approveSkill",
  rateSkill: "skillRegistry.rateSkill",
  adoptUpdate: "skillRegistry.adoptUpdate",
  decideUpdate: "skillRegistry.decideUpdate",
  rollBackSkill: "skillRegistry.rollBackSkill",
  editPolicy: "skillRegistry.editPolicy",
  showWhy: "skillRegistry.showWhy",
  tryAsSkill: "skillRegistry.tryAsSkill",
  saveDraft: "skillRegistry.saveDraft",
  submitSkill: "skillRegistry.submitSkill",
  mySkills: "skillRegistry.mySkills",
  checkReviews: "skillRegistry.checkReviews",
  checkReadiness: "skillRegistry.checkReadiness",
  addCiWorkflow: "skillRegistry.addCiWorkflow",
  showAgents: "skillRegistry.showAgents",
  stopAgents: "skillRegistry.stopAgents",
  setAgentLimits: "skillRegistry.setAgentLimits",
  copyAgentSetup: "skillRegistry.copyAgentSetup",
  showOutput: "skillRegistry.showOutput",
  showLog: "skillRegistry.showLog",
  openInvocation: "skillRegistry.openInvocation",
  rerunInvocation: "skillRegistry.rerunInvocation",
  copyInvocationId: "skillRegistry.copyInvocationId",
  openOutput: "skillRegistry.openOutput",
  copyOutput: "skillRegistry.copyOutput",
  showOutputAsText: "skillRegistry.showOutputAsText",
  compareInvocation: "skillRegistry.compareInvocation",
  saveAsTest: "skillRegistry.saveAsTest",
  useAsPayload: "skillRegistry.useAsPayload",
  acceptOutput: "skillRegistry.acceptOutput",
  newSuite: "skillRegistry.newSuite",
  runSuite: "skillRegistry.runSuite",
  pinInvocation: "skillRegistry.pinInvocation",
  unpinInvocation: "skillRegistry.unpinInvocation",
  deleteInvocation: "skillRegistry.deleteInvocation",
  filterInvocations: "skillRegistry.filterInvocations",
  clearInvocationFilter: "skillRegistry.clearInvocationFilter",
  exportInvocations: "skillRegistry.exportInvocations",
  showUsage: "skillRegistry.showUsage",
  copyReport: "skillRegistry.copyReport",
  copyAsCurl: "skillRegistry.copyAsCurl",
  copyAsTypeScript: "skillRegistry.copyAsTypeScript",
  copySlug: "skillRegistry.copySlug",
  copySkillLink: "skillRegistry.copySkillLink",
  addFavorite: "skillRegistry.addFavorite",
  removeFavorite: "skillRegistry.removeFavorite",
  hideSkill: "skillRegistry.hideSkill",
  unhideSkill: "skillRegistry.unhideSkill",
  hiddenSkills: "skillRegistry.hiddenSkills",
  showHiddenSkills: "skillRegistry.showHiddenSkills",
  hideHiddenSkills: "skillRegistry.hideHiddenSkills",
} as const;

/**
 * Those of them that the manifest does not name: rows, links and lists run them, and so do key bindings and scripts
 * that know them from when they stood in the palette.
 */
export const unlistedCommands: ReadonlySet<keyof typeof commandIds> = new Set([
  "connectToReviewed",
  "loadMore",
  "removeFilter",
  "saveFilterSet",
  "showHiddenSkills",
  "hideHiddenSkills",
  "copySlug",
  "copySkillLink",
]);

/**
 * Commands that only this extension's own lenses and fixes run. They are not in the manifest, take arguments
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
} as const;

/** Every view of the container. */
export const viewIds = {
  skills: "skillRegistry.skills",
  project: "skillRegistry.project",
  invocations: "skillRegistry.invocations",
} as const;

/** Every kind of page, as the editor brings them back after a restart. */
export const pageIds = {
  skillPage: "skillRegistry.skillPage",
  comparisonPage: "skillRegistry.comparisonPage",
  usagePage: "skillRegistry.usagePage",
} as const;

/** The pages of manifests of the workspace, which the editor does not bring back. */
export const manifestPageId = "skillRegistry.manifestPage";

/** A kind of page. */
export type PageKind = keyof typeof pageIds;

/** The provider of sessions in the editor's Accounts menu. */
export const authenticationId = "skill-registry";

/** Every context key that `when` clauses in package.json read. `src/host/state` sets them. */
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
  /** That user may publish skills, by the role that is known. */
  canPublish: "skillRegistry.canPublish",
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
  /** Those of them that are being invoked. */
  runningPayloads: "skillRegistry.runningPayloads",
  /** This window is invoking a skill. */
  running: "skillRegistry.running",
} as const;

/**
 * The ports for the embedded registry, of which it uses a free one. In a remote window, package.json keeps
 * the editor from forwarding them automatically. No other program is known to use them.
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

/** Marks what has cases in the Test Explorer: their profiles may send something, which a saved payload never does. */
export const casesTag = "cases";

/** Matches suites by their names. */
export const suiteFilePattern = "**/*.skill-suite.json";

/** Matches the files that bind themselves to a skill by their names. */
export const payloadFilePattern = "**/*.skill-input.json";

/** The scheme of the read-only documents that show input schemas. */
export const schemaScheme = "skill-schema";

/** The scheme of the read-only documents that show the readiness of skills. */
export const readinessScheme = "skill-readiness";
/** The scheme of the read-only documents that show contracts. */
export const contractScheme = "skill-contract";

/** The scheme of the read-only documents that show what is sent of payloads. */
export const sentScheme = "skill-sent";

/** The scheme of the read-only documents that show manifests. */
export const manifestScheme = "skill-manifest";

/** The prefix of the names of tools for agents, which the editor wants to be its own. */
export const agentToolPrefix = "skill-registry_";

/** The scheme of the documents that hold policies of a project. */
export const policyScheme = "skill-policy";

/** The schemes of this extension's documents. Each is a file system; all but that of policies are read-only. */
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
