import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownObject,
  ownValue,
} from "../json/jsonValue";
import { type LocalizableText, l10nText } from "../text/language";
import { parseUrl } from "../text/parseUrl";
import { hasPlaceholder, isFiller, isPrivateHost } from "./fillers";

/** A broken rule at a value of a manifest, before it is located in the text. */
export interface ManifestFinding {
  /**
   * A stable code. Codes that start with `review-` come from the registry's review. Every other code prevents saving a
   * draft.
   */
  readonly code: string;
  /** Registries reject a manifest with errors, or do not approve it. */
  readonly severity: "error" | "warning";
  /** The JSON pointer of the value. */
  readonly pointer: string;
  /** The problem and its remedy. */
  readonly message: LocalizableText;
  readonly fix?: ManifestFix;
  /** A better name for the member at the pointer, whose name is then marked instead of its value. */
  readonly betterName?: string;
}

/**
 * A value to write at a pointer; the pointer's last member may be missing. `isGuess`: the publisher may want another
 * value.
 */
export interface ManifestFix {
  readonly pointer: string;
  readonly value: JsonValue;
  readonly isGuess?: true;
}

/** Returns whether the registry makes this check only after a version was submitted. */
export function isReviewCode(code: string): boolean {
  return code.startsWith("review-");
}

/** Lists the rules that a manifest breaks, in the order of the rules. */
export function manifestFindings(manifest: JsonObject): readonly ManifestFinding[] {
  return rules.flatMap(([code, severity, message, brokenAt]) =>
    brokenAt(manifest).map((found) => ({ code, severity, message, ...found })),
  );
}

/** Describes the names that registries accept. */
export const nameRule = l10nText(
  "A name has 3 to 64 lowercase letters, digits and hyphens, and starts and ends with a letter or digit.",
);

/** Turns a text, such as a folder's name, into the name of a skill. Undefined if too little of it is left, or too much. */
export function skillNameFrom(text: string): string | undefined {
  const lower = text.slice(0, 1000).toLowerCase();
  const name = lower.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
  return slugPattern.test(name) ? name : undefined;
}

/** A value that breaks a rule. Rules ignore values of a wrong type, since the schema reports those. */
type Broken = Pick<ManifestFinding, "pointer" | "fix">;

type ManifestRule = readonly [
  code: string,
  severity: ManifestFinding["severity"],
  message: LocalizableText,
  brokenAt: (manifest: JsonObject) => readonly Broken[],
];

/**
 * The rules of registries and their reviews beyond the schema of a manifest, in the registry's order. A review contacts
 * no address, so every rule can run while a manifest is typed.
 */
const rules: readonly ManifestRule[] = [
  [
    "name",
    "error",
    nameRule,
    ({ name }) => {
      if (typeof name !== "string" || slugPattern.test(name)) return [];
      const value = skillNameFrom(name);
      if (value === undefined) return [broken("/name")];
      return [{ pointer: "/name", fix: { pointer: "/name", value, isGuess: true } }];
    },
  ],
  [
    "version",
    "error",
    l10nText("A version has three numbers, such as 1.0.0 (semantic versioning)."),
    ({ version }) => {
      if (typeof version !== "string" || semanticPattern.test(version)) return [];
      const [, major, minor = "0", patch = "0"] =
        /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(version) ?? [];
      const numbers = [major, minor, patch].map(Number).join(".");
      return [broken("/version", major === undefined ? undefined : numbers)];
    },
  ],
  [
    "tags",
    "warning",
    l10nText(
      "Some tags are empty, repeated or surrounded by spaces. Nobody finds the skill by them.",
    ),
    ({ tags }) => {
      if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) return [];
      const clean = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
      const isClean = clean.length === tags.length && clean.every((tag, at) => tag === tags[at]);
      return isClean ? [] : [broken("/tags", clean.length === 0 ? undefined : clean)];
    },
  ],
  [
    "review-filler",
    "warning",
    l10nText("This text was left from a template. Describe the skill in your own words."),
    ({ displayName, description, tags }) => {
      const listed = Array.isArray(tags) ? tags.slice(0, maxListed) : [];
      return [
        ["/displayName", displayName] as const,
        ["/description", description] as const,
        ...listed.map((tag, index) => [`/tags/${index}`, tag] as const),
      ].flatMap(([pointer, text]) =>
        typeof text === "string" && isFiller(text) ? [broken(pointer)] : [],
      );
    },
  ],
  [
    "review-description",
    "warning",
    l10nText(
      "The review expects a description of at least 40 characters. Describe what agents use the skill for.",
    ),
    ({ description }) =>
      typeof description === "string" && description.trim().length < 40 && !isFiller(description)
        ? [broken("/description")]
        : [],
  ],
  [
    "review-address",
    "error",
    l10nText("This is no absolute address, which blocks an approval. Use an https URL."),
    (manifest) =>
      addressOf(manifest).flatMap(({ pointer, url }) =>
        url === undefined ? [broken(pointer)] : [],
      ),
  ],
  [
    "review-https",
    "warning",
    l10nText("The review expects an https address. Reviewers want evidence for any other."),
    (manifest) =>
      addressOf(manifest).flatMap(({ pointer, text, url }) => {
        if (url === undefined || url.protocol === "https:" || isOutOfReach(url)) return [];
        const isPublic = url.protocol === "http:";
        return [broken(pointer, isPublic ? text.replace(/^http:/i, "https:") : undefined)];
      }),
  ],
  [
    "review-reach",
    "warning",
    l10nText("Only your machine or network reaches this address. Use a public https URL."),
    (manifest) =>
      allAddresses(manifest).flatMap(({ pointer, url }) =>
        url !== undefined && isOutOfReach(url) ? [broken(pointer)] : [],
      ),
  ],
  [
    "review-placeholder",
    "warning",
    l10nText("This address still has a placeholder. Replace it with the real one."),
    (manifest) =>
      allAddresses(manifest).flatMap(({ pointer, url }) =>
        url !== undefined && hasPlaceholder(url) ? [broken(pointer)] : [],
      ),
  ],
  [
    "review-command",
    "error",
    l10nText(
      "A local skill without a command cannot be approved. Name the program, or use an http or mcp runtime.",
    ),
    (manifest) => (localCommand(manifest) === "" ? [broken("/runtime/command")] : []),
  ],
  [
    "review-packaging",
    "warning",
    l10nText(
      "Reviewers ask how a local program is packaged, isolated and tested. Have this ready before you submit.",
    ),
    (manifest) => (localCommand(manifest) ? [broken("/runtime/command")] : []),
  ],
  [
    "review-object",
    "error",
    l10nText("Only a schema with “type”: “object” at its top can be approved. Describe an object."),
    (manifest) =>
      schemasOf(manifest).flatMap(({ pointer, schema }) => {
        const type = ownValue(schema, "type");
        if (type === "object") return [];
        const isSure = type === undefined || (Array.isArray(type) && type.includes("object"));
        const fix = { pointer: `${pointer}/type`, value: "object" };
        return [{ pointer, ...(isSure && { fix }) }];
      }),
  ],
  [
    "review-properties",
    "warning",
    l10nText(
      "The review expects a schema to list its properties. Add them, with examples of their values.",
    ),
    (manifest) =>
      schemasOf(manifest).flatMap(({ pointer, schema }) => {
        const isListed = Object.keys(objectIn(schema, "properties")).length > 0;
        return isListed ? [] : [broken(pointer)];
      }),
  ],
  [
    "review-secret",
    "error",
    l10nText(
      "An empty secret, or “*” for all of them, blocks an approval. Name each secret that the skill needs.",
    ),
    (manifest) =>
      secretsOf(manifest)
        .flatMap((secret, index) => (["", "*"].includes(String(secret).trim()) ? [index] : []))
        .slice(0, maxListed)
        .map((index) => broken(`/permissions/secrets/${index}`)),
  ],
  [
    "review-high",
    "warning",
    l10nText(
      "This makes the permission level high. Reviewers ask why it is needed and what happens to the data.",
    ),
    (manifest) => {
      if (secretsOf(manifest).length > 0) return [broken("/permissions/secrets")];
      const { filesystem } = objectIn(manifest, "permissions");
      return filesystem === "write" ? [broken("/permissions/filesystem")] : [];
    },
  ],
  [
    "review-browsing",
    "warning",
    l10nText(
      "Reviewers ask which domains a skill with network and browser contacts, and what it stores. Write this down before you submit.",
    ),
    (manifest) => {
      const { network, browser } = objectIn(manifest, "permissions");
      return network === true && browser === true ? [broken("/permissions/browser")] : [];
    },
  ],
];

const slugPattern = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;
const semanticPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
/** The maximum number of findings of one rule. The rest appear after these are fixed. */
const maxListed = 20;
/** The names of the schemas in a manifest. */
export const schemaMembers = ["inputSchema", "outputSchema"] as const;

function broken(pointer: string, value?: JsonValue): Broken {
  return value === undefined ? { pointer } : { pointer, fix: { pointer, value } };
}

function isOutOfReach({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && isPrivateHost(hostname);
}

function objectIn(outer: JsonObject, name: string): JsonObject {
  return ownObject(outer, name) ?? {};
}

function secretsOf(manifest: JsonObject): readonly JsonValue[] {
  const { secrets } = objectIn(manifest, "permissions");
  return Array.isArray(secrets) ? secrets : [];
}

/** Returns the trimmed command of a local runtime; undefined for another runtime or a missing command. */
function localCommand(manifest: JsonObject): string | undefined {
  const { type, command } = objectIn(manifest, "runtime");
  return type === "local" && typeof command === "string" ? command.trim() : undefined;
}

/** Returns the address of an http or mcp runtime; at most one. */
function addressOf(manifest: JsonObject) {
  const { type, entrypoint, serverUrl } = objectIn(manifest, "runtime");
  const [name, text] = type === "http" ? ["entrypoint", entrypoint] : ["serverUrl", serverUrl];
  if (typeof text !== "string" || (type !== "http" && type !== "mcp")) return [];
  return [{ pointer: `/runtime/${name}`, text, url: parseUrl(text) }];
}

/** Returns the address of the runtime and that of the author, as far as the manifest has them. */
function allAddresses(manifest: JsonObject) {
  const { url } = objectIn(manifest, "author");
  const author = {
    pointer: "/author/url",
    url: typeof url === "string" ? parseUrl(url) : undefined,
  };
  return [...addressOf(manifest), author];
}

function schemasOf(manifest: JsonObject) {
  return schemaMembers.flatMap((name) => {
    const schema = ownValue(manifest, name);
    return isJsonObject(schema) ? [{ pointer: `/${name}`, schema }] : [];
  });
}
