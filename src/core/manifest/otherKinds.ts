import { isJsonObject, type JsonObject, ownValue } from "../json/jsonValue";
import { type LocalizableText, l10nText } from "../text/language";

/**
 * Returns one sentence for a document that publishers mistake for a manifest, such as a tool of the Model Context
 * Protocol. Undefined for a manifest, an unfinished one included: a member that only manifests have decides.
 */
export function otherKindText(document: JsonObject): LocalizableText | undefined {
  const isManifest = manifestMembers.some((name) => Object.hasOwn(document, name));
  return isManifest ? undefined : kinds.find(([, isKind]) => isKind(document))?.[0];
}

/** Members that none of the other kinds has. */
const manifestMembers = ["schemaVersion", "displayName", "runtime", "permissions"] as const;

const kinds: readonly (readonly [
  text: LocalizableText,
  isKind: (document: JsonObject) => boolean,
])[] = [
  [
    l10nText(
      "This is an OpenAPI document. Describe one of its operations in a skill manifest instead.",
    ),
    (document) => has(document, "openapi", "string") || has(document, "swagger", "string"),
  ],
  [
    l10nText("This is an agent card. Describe one skill of the agent in a skill manifest instead."),
    (document) => has(document, "skills", "list") && has(document, "capabilities", "object"),
  ],
  [
    l10nText(
      "This describes MCP servers. Describe one of their tools in a skill manifest instead.",
    ),
    (document) =>
      has(document, "mcpServers", "object") ||
      has(document, "servers", "object") ||
      (has(document, "name", "string") &&
        (has(document, "packages", "list") || has(document, "remotes", "list"))),
  ],
  [
    l10nText("This lists MCP tools. Describe one of them in a skill manifest instead."),
    (document) => has(document, "tools", "list"),
  ],
  [
    l10nText(
      "This is an MCP tool. Add the members of a skill manifest, beginning with “schemaVersion”.",
    ),
    (document) =>
      has(document, "name", "string") &&
      has(document, "inputSchema", "object") &&
      !Object.hasOwn(document, "version"),
  ],
];

function has(document: JsonObject, name: string, type: "string" | "list" | "object"): boolean {
  const value = ownValue(document, name);
  if (type === "list") return Array.isArray(value);
  return type === "object" ? isJsonObject(value) : typeof value === "string";
}
