import { isRecordId } from "../core/invocation/record/invocationRecord";
import type { TemplateKind } from "../core/payload/payloadTemplates";
import type { SchemaSide } from "../core/skill/description/skillDescription";
import type { NoticeActionName } from "../core/text/notice";
import { parseUrl } from "../core/text/parseUrl";
import { pageCommandNames } from "./pageCommands";
import type { TrialName } from "./pageMessages";
import { isFormEdit, isIndex, isPointer, plainMembers } from "./readFormEdit";

/** The actions that a page may request after the registry could not be reached. They run outside the page. */
export const recoveryActions = [
  "connect",
  "openSettings",
  "openProxySettings",
  "showLog",
] as const satisfies readonly NoticeActionName[];

/** The name of a recovery action. */
export type RecoveryAction = (typeof recoveryActions)[number];

/** The texts of a page that can be copied or opened in an editor. */
export const textTargets = ["manifest", "inputSchema", "outputSchema"] as const;

/** The name of a text that can be copied or opened in an editor. */
export type TextTarget = (typeof textTargets)[number];

/** The actions for the result of an invocation from a page. */
const resultTargets = ["output", "copy", "record", "test", "payload"] as const;

/** The name of an action for a result. */
export type ResultTarget = (typeof resultTargets)[number];

const versionPair = { before: isName, after: isName };

/**
 * The messages that each page may send: a row per message, with the types of its members. All other messages are
 * dropped. `PageHandlers` requires a handler for each row. Most rows only read from the registry. `invokeExample`,
 * `invokeForm` and actions on their results can do more; these run through all steps of an invocation, with the
 * editor's own questions.
 */
const requests = {
  skill: {
    retry: {},
    runCommand: { command: oneOf(pageCommandNames) },
    newPayload: { example: isIndex },
    /** Invokes the skill with the input of an example. */
    invokeExample: { example: isIndex },
    /** Cancels the invocation of an example, or of the form. */
    cancelTrial: { trial: isTrial },
    runTrialAction: { trial: isTrial, action: isIndex },
    /** Opens or copies a result, outside the page. */
    openResult: { trial: isTrial, what: oneOf(resultTargets) },
    /** Saves an image, a text or a file from the output of a result, by its index. */
    saveTrialPart: { trial: isTrial, part: isIndex },
    /** Requests the form of a payload. The host keeps the form while the page shows the skill. */
    readForm: {},
    /** Edits the payload of the form. The next form has this revision or a later one. */
    editForm: { edit: isFormEdit, revision: isCount },
    /** Shows this many fields of a group in the form. 0 closes the group. */
    showFields: { pointer: isPointer, count: isCount },
    /** Replaces the payload of the form by one of its `starts`. */
    startForm: { from: isStart },
    /** Invokes the skill with the payload of the form. */
    invokeForm: {},
    /** Opens the payload of the form as JSON. */
    openForm: {},
    /** Opens an example's input or output, which is too long for the page, in a read-only editor. */
    openExample: { example: isIndex, side: isSide },
    /** Copies the input or output of an example. */
    copyExample: { example: isIndex, side: isSide },
    /** Shows the payload of the skill. Creates one if none is open. */
    openPayload: {},
    /** Requests the outline of a schema, and a sample if the skill has no example. */
    viewSchema: { side: isSide },
    runAction: { action: oneOf(recoveryActions) },
    /** Lists the skills with one of this skill's tags, by the index of the tag. */
    listByTag: { tag: isIndex },
    listByPublisher: {},
    selectVersion: { version: isName },
    /** Requests the differences of two versions. */
    compareVersions: versionPair,
    /** Opens the manifests of two versions in a diff editor. */
    diffManifests: versionPair,
    /** Opens another skill of the same registry. */
    openSkill: { slug: isName },
    openLink: { url: isHttps },
    /** Opens the editor's find widget in the page. */
    find: {},
    copy: { what: oneOf(textTargets) },
    /** Opens a whole text in an editor. */
    openText: { what: oneOf(textTargets) },
  },
  comparison: {
    retry: {},
    openSkill: { slug: isName },
    /** Lets the reader add skills to the comparison. */
    compareWith: {},
    removeSkill: { slug: isName },
  },
  usage: {
    openPayload: {},
    /** Requests the invocations of a range of local days. Repeated with each change of the record. */
    readUsage: { from: isDay, to: isDay },
    openRecord: { id: isRecord },
    /** Reads the project's record again, unless it was read a moment ago. A snapshot follows. */
    readProject: {},
    copyTable: { text: isChart },
    /** Saves a chart to a file that the reader chooses. `text` is base64 for PNG. */
    saveChart: { file: isChartFile, text: isChart },
  },
} satisfies Record<string, Rows>;

/** Sent once when the page is ready. A snapshot follows. */
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

/** All messages of all pages, by name. */
type PageRequests = Requests["skill"] & Requests["comparison"] & Requests["usage"];

/** A message from a page to the host. */
export type PageMessage = PageRequests[keyof PageRequests] | MessagesOf<typeof start>["ready"];

/** The handlers for the messages of a page. */
export type PageHandlers<Page extends keyof Requests> = {
  readonly [Type in keyof Requests[Page]]: (message: Requests[Page][Type]) => unknown;
};

/** Handlers for messages of any page. */
export type SomeHandlers = {
  readonly [Type in keyof PageRequests]?: (message: PageRequests[Type]) => unknown;
};

const rows: ReadonlyMap<unknown, Rows[string]> = new Map(
  [start, ...Object.values(requests)].flatMap((table) => Object.entries<Rows[string]>(table)),
);

/**
 * Reads a message from a page. Undefined unless it matches a row exactly. Unknown types, additional members, wrong or
 * oversized values and objects with another prototype are invalid.
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

/** Returns whether a value may be a slug or a version. */
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

/**
 * Returns whether a value may be an exported chart or table. The limit has room for a chart of 4,000 × 2,000 pixels, and
 * for a table of 90 days and 500 skills.
 */
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
