import { isRecordId } from "../core/invocation/record/invocationRecord";
import {
  copyTargets,
  type PageMessage,
  recoveryActions,
  resultTargets,
  textTargets,
} from "./pageMessages";

/**
 * Reads a message of the page. Undefined for anything but a defined message, exactly: unknown types,
 * additional members, wrong or oversized values, objects with another prototype.
 */
export function readPageMessage(value: unknown): PageMessage | undefined {
  const members = plainMembers(value);
  if (members === undefined) return undefined;
  const { type, ...rest } = members;
  switch (type) {
    case "ready":
    case "find":
    case "openPayload":
    case "copyAs":
    case "retry":
    case "compareWith":
    case "setProjectKey":
    case "reviewSkill":
    case "allowAgents":
    case "checkProjectKey":
    case "listByPublisher":
    case "readProject":
      return hasOnly(rest) ? { type } : undefined;
    case "newPayload":
    case "invokeExample":
    case "cancelExample":
      return hasOnly(rest, "example") && isIndex(rest["example"])
        ? { type, example: rest["example"] }
        : undefined;
    case "runExampleAction": {
      const { example, action } = rest;
      return hasOnly(rest, "example", "action") && isIndex(example) && isIndex(action)
        ? { type, example, action }
        : undefined;
    }
    case "openResult": {
      const { example, what } = rest;
      return hasOnly(rest, "example", "what") && isIndex(example) && isOneOf(what, resultTargets)
        ? { type, example, what }
        : undefined;
    }
    case "openExample":
    case "copyExample": {
      const { example, side } = rest;
      return hasOnly(rest, "example", "side") &&
        isIndex(example) &&
        isOneOf(side, ["input", "output"])
        ? { type, example, side }
        : undefined;
    }
    case "listByTag":
      return hasOnly(rest, "tag") && isIndex(rest["tag"]) ? { type, tag: rest["tag"] } : undefined;
    case "selectVersion":
      return hasOnly(rest, "version") && isText(rest["version"], 200)
        ? { type, version: rest["version"] }
        : undefined;
    case "compareVersions":
    case "diffManifests": {
      const { before, after } = rest;
      return hasOnly(rest, "before", "after") && isText(before, 200) && isText(after, 200)
        ? { type, before, after }
        : undefined;
    }
    case "openSkill":
    case "removeSkill":
      return hasOnly(rest, "slug") && isText(rest["slug"], 200)
        ? { type, slug: rest["slug"] }
        : undefined;
    case "openLink":
      return hasOnly(rest, "url") && isHttps(rest["url"]) ? { type, url: rest["url"] } : undefined;
    case "viewSchema":
      return hasOnly(rest, "side") && isOneOf(rest["side"], ["input", "output"])
        ? { type, side: rest["side"] }
        : undefined;
    case "runAction":
      return hasOnly(rest, "action") && isOneOf(rest["action"], recoveryActions)
        ? { type, action: rest["action"] }
        : undefined;
    case "copy":
      return hasOnly(rest, "what") && isOneOf(rest["what"], copyTargets)
        ? { type, what: rest["what"] }
        : undefined;
    case "openRecord": {
      const { id } = rest;
      return hasOnly(rest, "id") && isText(id, 100) && isRecordId(id) ? { type, id } : undefined;
    }
    case "copyTable":
      return hasOnly(rest, "text") && isText(rest["text"], longestChart)
        ? { type, text: rest["text"] }
        : undefined;
    case "saveChart": {
      const { file, text } = rest;
      return hasOnly(rest, "file", "text") && isChartFile(file) && isText(text, longestChart)
        ? { type, file, text }
        : undefined;
    }
    case "openText":
      return hasOnly(rest, "what") && isOneOf(rest["what"], textTargets)
        ? { type, what: rest["what"] }
        : undefined;
    default:
      return undefined;
  }
}

/** A chart of 4,000 pixels by 2,000 has about a megabyte; a table of 90 days and 500 skills, three. */
const longestChart = 16 * 1024 * 1024;

function isChartFile(value: unknown): value is string {
  return isText(value, 60) && /^[a-z-]+\.(?:csv|svg|png)$/.test(value);
}

type Members = Record<string, unknown>;

function plainMembers(value: unknown): Members | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const names = Reflect.ownKeys(value);
  // No message has more than three members; the names are checked one by one later.
  if (names.length > 3 || names.some((name) => typeof name === "symbol")) return undefined;
  return { ...value };
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1000;
}

function hasOnly(rest: Members, ...names: string[]): boolean {
  const given = Object.keys(rest);
  return given.length === names.length && names.every((name) => Object.hasOwn(rest, name));
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= maxLength;
}

function isHttps(value: unknown): value is string {
  return isText(value, 2048) && URL.canParse(value) && new URL(value).protocol === "https:";
}

function isOneOf<Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return words.some((word) => word === value);
}
