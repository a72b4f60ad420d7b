import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/jsonValue";
import { type LocalizableText, l10nText } from "../text/language";
import { maxStarts, type NamedStart, operationsIn, toolStart } from "./manifestStarts";

/**
 * Returns one sentence for a document that publishers mistake for a manifest, such as a tool of the Model Context
 * Protocol. Undefined for a manifest, an unfinished one included: a member that only manifests have decides.
 */
export function otherKindText(document: JsonObject): LocalizableText | undefined {
  const isManifest =
    manifestMembers.some((name) => Object.hasOwn(document, name)) ||
    ["version", "inputSchema"].every((name) => Object.hasOwn(document, name));
  return isManifest ? undefined : kinds.find(({ isKind }) => isKind(document))?.text;
}

/** Lists the tools and operations in a document from which a manifest can be started. Empty for any other document. */
export function startsIn(document: JsonValue): readonly NamedStart[] {
  if (!isJsonObject(document)) return [];
  return kinds.find(({ isKind }) => isKind(document))?.starts?.(document) ?? [];
}

/** Members that none of the other kinds has. */
const manifestMembers = ["schemaVersion", "displayName", "runtime", "permissions"] as const;

const kinds: readonly {
  readonly text: LocalizableText;
  readonly isKind: (document: JsonObject) => boolean;
  readonly starts?: (document: JsonObject) => readonly NamedStart[];
}[] = [
  {
    text: l10nText(
      "This is an OpenAPI document. Describe one of its operations in a skill manifest instead.",
    ),
    isKind: (document) => has(document, "openapi", "string") || has(document, "swagger", "string"),
    starts: (document) => (has(document, "openapi", "string") ? operationsIn(document) : []),
  },
  {
    text: l10nText(
      "This is an agent card. Describe one skill of the agent in a skill manifest instead.",
    ),
    isKind: (document) =>
      has(document, "skills", "list") && has(document, "capabilities", "object"),
  },
  {
    text: l10nText(
      "This describes MCP servers. Describe one of their tools in a skill manifest instead.",
    ),
    isKind: (document) =>
      has(document, "mcpServers", "object") ||
      has(document, "servers", "object") ||
      (has(document, "name", "string") &&
        (has(document, "packages", "list") || has(document, "remotes", "list"))),
  },
  {
    text: l10nText("This lists MCP tools. Describe one of them in a skill manifest instead."),
    isKind: (document) => has(document, "tools", "list"),
    starts: (document) => {
      const tools = ownValue(document, "tools") as readonly JsonValue[];
      return tools
        .slice(0, maxStarts)
        .filter(isJsonObject)
        .flatMap((tool) => toolStart(tool) ?? []);
    },
  },
  {
    text: l10nText(
      "This is an MCP tool. Add the members of a skill manifest, beginning with “schemaVersion”.",
    ),
    isKind: (document) => has(document, "name", "string") && has(document, "inputSchema", "object"),
    starts: (document) => [toolStart(document) ?? []].flat(),
  },
];

function has(document: JsonObject, name: string, type: "string" | "list" | "object"): boolean {
  const value = ownValue(document, name);
  if (type === "list") return Array.isArray(value);
  return type === "object" ? isJsonObject(value) : typeof value === "string";
}
