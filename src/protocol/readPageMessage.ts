import { isRecordId } from "../core/invocation/record/invocationRecord";
import type { TemplateKind } from "../core/payload/payloadTemplates";
import type { SchemaSide } from "../core/skill/description/skillDescription";
import type { NoticeActionName } from "../core/text/notice";
import { parseUrl } from "../core/text/parseUrl";
import { pageCommandNames } from "./pageCommands";
import type { TrialName } from "./pageMessages";
import { isFormEdit, isPointer, plainMembers } from "./readFormEdit";

/** The actions that a page may request for failures between here and a registry. All of them happen outside the page. */
export const recoveryActions = [
  "connect",
  "openSettings",
  "openProxySettings",
  "showLog",
] as const satisfies readonly NoticeActionName[];

/** Names one of the actions for failures. */
export type RecoveryAction = (typeof recoveryActions)[number];

/** The texts of a page that can be opened in an editor. */
export const textTargets = ["manifest", "inputSchema", "outputSchema"] as const;

/** Names a text that can be opened. */
export type TextTarget = (typeof textTargets)[number];

/** The texts of a page that can be copied. */
const copyTargets = ["slug", ...textTargets] as const;

/**
 * The actions for the result of an invocation from a page: open its output or record, copy the output, make a test of
 * it.
 */
const resultTargets = ["output", "copy", "record", "test", "payload"] as const;

/** Names what can be done with such a result. */
export type ResultTarget = (typeof resultTargets)[number];

const versionPair = { before: isName, after: isName };

/**
 * What each page may request of the host: a row for each message, with the type of its members. Everything else is
 * dropped; `PageHandlers` requires a handler for each row. Only `invokeExample`, `invokeForm`, and an action on their
 * result can send anything to the registry that is not a read; both go through the steps of every invocation, with the
 * editor's own questions.
 */
const requests = {
  skill: {
    retry: {},
    runCommand: { command: oneOf(pageCommandNames) },
    /** Opens a new payload from the example of that index. */
    newPayload: { example: isIndex },
    /** Invokes the skill with the input of the example of that index. */
    invokeExample: { example: isIndex },
    /** Cancels the invocation of an example, or of the form. */
    cancelTrial: { trial: isTrial },
    /** Runs the action of that index on its result. */
    runTrialAction: { trial: isTrial, action: isIndex },
    /** Opens or copies its result, outside the page. */
    openResult: { trial: isTrial, what: oneOf(resultTargets) },
    /** Saves the image, text or file of that index in its output. */
    saveTrialPart: { trial: isTrial, part: isIndex },
    /** Requests the form of a payload; it is kept as long as the page shows the skill. */
    readForm: {},
    /** Changes the payload of the form. The next form has that revision or a later one. */
    editForm: { edit: isFormEdit, revision: isCount },
    /** Shows this many fields of a group of the form; 0 closes it. */
    showFields: { pointer: isPointer, count: isCount },
    /** Restarts the payload of the form. */
    startForm: { from: isStart },
    /** Invokes the skill with the payload of the form. */
    invokeForm: {},
    /** Opens the payload of the form as JSON. */
    openForm: {},
    /** Opens one side of an example that is too long for the page, read-only. */
    openExample: { example: isIndex, side: isSide },
    /** Copies one side of the example of that index. */
    copyExample: { example: isIndex, side: isSide },
    /** Shows the payload of the skill, a new one where none is open. */
    openPayload: {},
    /** Requests the outline of a schema, and an example where the skill has none. */
    viewSchema: { side: isSide },
    /** Runs an action for a failure. */
    runAction: { action: oneOf(recoveryActions) },
    /** Lists the skills that have the skill's tag of that index. */
    listByTag: { tag: isIndex },
    /** Lists the skills of the skill's publisher. */
    listByPublisher: {},
    selectVersion: { version: isName },
    /** Shows how two versions differ. */
    compareVersions: versionPair,
    /** Opens the manifests of two versions side by side in an editor. */
    diffManifests: versionPair,
    /** Opens another skill of the same registry. */
    openSkill: { slug: isName },
    openLink: { url: isHttps },
    /** Opens the editor's own search in the page. */
    find: {},
    copy: { what: oneOf(copyTargets) },
    /** Opens the whole text in an editor of its own. */
    openText: { what: oneOf(textTargets) },
  },
  comparison: {
    retry: {},
    openSkill: { slug: isName },
    /** Lets the reader choose which skills to add. */
    compareWith: {},
    removeSkill: { slug: isName },
  },
  usage: {
    openPayload: {},
    /** Reads the invocations from one local day to another; they are sent, and again with each change of the record. */
    readUsage: { from: isDay, to: isDay },
    /** Opens the record of an invocation. */
    openRecord: { id: isRecord },
    /** Reads the project's record where it was not read a moment ago; a snapshot follows. */
    readProject: {},
    /** Copies a table of the page. */
    copyTable: { text: isChart },
    /** Saves a chart, where the reader says; `text` is base64 for PNG. */
    saveChart: { file: isChartFile, text: isChart },
  },
} satisfies Record<string, Rows>;

/** Sent once, by a page that is ready. A snapshot follows. */
const start = { ready: {} };

type Guard<Value> = (value: unknown) => value is Value;

type Rows = Readonly<Record<string, Readonly<Record<string, Guard<unknown>>>>>;

type Read<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends Guard<infer V> ? V : never;
};

type MessagesOf<Table> = {
  readonly [Type in keyof Table]: { readonly type: Type } & Read<Table[Type]>;
};

type Requests = { readonly [Page in keyof typeof requests]: MessagesOf<(typeof requests)[Page]> };

/** What a page requests, by the name of the message. */
type PageRequests = Requests["skill"] & Requests["comparison"] & Requests["usage"];

/** A message from a page to the host. */
export type PageMessage = PageRequests[keyof PageRequests] | MessagesOf<typeof start>["ready"];

/** The handlers for the messages of a page. */
export type PageHandlers<Page extends keyof Requests> = {
  readonly [Type in keyof Requests[Page]]: (message: Requests[Page][Type]) => unknown;
};

/** What is done for the messages of a page, whichever it is. */
export type SomeHandlers = {
  readonly [Type in keyof PageRequests]?: (message: PageRequests[Type]) => unknown;
};

const rows: ReadonlyMap<unknown, Rows[string]> = new Map(
  [start, ...Object.values(requests)].flatMap((table) => Object.entries<Rows[string]>(table)),
);

/**
 * Reads a message of the page. Undefined for anything but a defined message, exactly: unknown types,
 * additional members, wrong or oversized values, objects with another prototype.
 */
export function readPageMessage(value: unknown): PageMessage | undefined {
  const { type, ...given } = plainMembers(value) ?? {};
  const row = rows.get(type);
  if (row === undefined) return undefined;
  const names = Object.keys(row);
  const fits =
    Object.keys(given).length === names.length &&
    names.every((name) => Object.hasOwn(given, name) && row[name]?.(given[name]));
  return fits ? ({ type, ...given } as PageMessage) : undefined;
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1000;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTrial(value: unknown): value is TrialName {
  return value === "form" || isIndex(value);
}

function isStart(value: unknown): value is TemplateKind {
  return value === "minimal" || value === "full" || isIndex(value);
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= maxLength;
}

/** A slug or a version. */
function isName(value: unknown): value is string {
  return isText(value, 200);
}

function isHttps(value: unknown): value is string {
  return isText(value, 2048) && parseUrl(value)?.protocol === "https:";
}

function isSide(value: unknown): value is SchemaSide {
  return value === "input" || value === "output";
}

function isRecord(value: unknown): value is string {
  return isText(value, 100) && isRecordId(value);
}

/** A chart of 4,000 pixels by 2,000 has about a megabyte; a table of 90 days and 500 skills, three. */
function isChart(value: unknown): value is string {
  return isText(value, 16 * 1024 * 1024);
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);
}

function isChartFile(value: unknown): value is string {
  return isText(value, 60) && /^[a-z-]+\.(?:csv|svg|png)$/.test(value);
}

function oneOf<const Word extends string>(words: readonly Word[]): Guard<Word> {
  return (value): value is Word => words.some((word) => word === value);
}
