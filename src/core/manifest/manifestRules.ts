import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/jsonValue";
import { type LocalizableText, l10nText } from "../text/language";
import { parseUrl } from "../text/parseUrl";

/** A broken rule at a value of a manifest, before it is located in the text. */
export interface ManifestFinding {
  /** A stable code. One that starts with `review-` is of the registry's review; all others keep a draft from being saved. */
  readonly code: string;
  /** Errors are rejected by registries or block an approval. */
  readonly severity: "error" | "warning";
  /** The JSON pointer of the value. */
  readonly pointer: string;
  /** What is wrong and what to do about it. */
  readonly message: LocalizableText;
  readonly fix?: ManifestFix;
}

/** A value to write in a manifest. */
export interface ManifestFix {
  /** Where; the last step may be a member that is missing. */
  readonly pointer: string;
  readonly value: JsonValue;
  /** Another value may be meant, so it is not written together with others. */
  readonly isGuess?: true;
}

/** What a rule finds at one value. */
type Broken = Pick<ManifestFinding, "pointer" | "fix">;

interface ManifestRule extends Omit<ManifestFinding, "pointer" | "fix"> {
  /** Lists the values that break the rule. Values of a wrong type are left to the schema. */
  readonly brokenAt: (manifest: JsonObject) => readonly Broken[];
}

/**
 * What registries reject or review beyond the schema of a manifest, in the order in which they check it. The checks of a
 * review contact no address, so all of them can be made while a manifest is typed.
 */
const manifestRules: readonly ManifestRule[] = [
  {
    code: "name",
    severity: "error",
    message: l10nText(
      "A name has 3 to 64 lowercase letters, digits and hyphens, and starts and ends with a letter or digit.",
    ),
    brokenAt: ({ name }) => {
      if (typeof name !== "string" || slugPattern.test(name)) return [];
      const slug = name
        .slice(0, 1000)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "");
      const fix = { pointer: "/name", value: slug, isGuess: true } as const;
      return [{ pointer: "/name", ...(slugPattern.test(slug) && { fix }) }];
    },
  },
  {
    code: "version",
    severity: "error",
    message: l10nText("A version has three numbers, such as 1.0.0 (semantic versioning)."),
    brokenAt: ({ version }) => {
      if (typeof version !== "string" || semanticPattern.test(version)) return [];
      const [, major, minor = "0", patch = "0"] =
        /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(version) ?? [];
      const numbers = [major, minor, patch].map(Number).join(".");
      return [broken("/version", major === undefined ? undefined : numbers)];
    },
  },
  {
    code: "tags",
    severity: "warning",
    message: l10nText(
      "Some tags are empty, repeated or surrounded by spaces. Nobody finds the skill by them.",
    ),
    brokenAt: ({ tags }) => {
      if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) return [];
      const clean = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
      const isClean = clean.length === tags.length && clean.every((tag, at) => tag === tags[at]);
      return isClean ? [] : [broken("/tags", clean.length === 0 ? undefined : clean)];
    },
  },
  {
    code: "review-description",
    severity: "warning",
    message: l10nText(
      "The review expects a description of at least 40 characters. Describe what agents use the skill for.",
    ),
    brokenAt: ({ description }) =>
      typeof description === "string" && description.trim().length < 40
        ? [broken("/description")]
        : [],
  },
  {
    code: "review-address",
    severity: "error",
    message: l10nText("This is no absolute address, which blocks an approval. Use an https URL."),
    brokenAt: (manifest) =>
      addressOf(manifest)
        .filter(({ url }) => url === undefined)
        .map(({ pointer }) => broken(pointer)),
  },
  {
    code: "review-https",
    severity: "warning",
    message: l10nText(
      "The review expects an https address. Reviewers want evidence for any other.",
    ),
    brokenAt: (manifest) =>
      addressOf(manifest)
        .filter(({ url }) => url !== undefined && url.protocol !== "https:")
        .map(({ pointer, text, url }) => {
          const isPublic = url?.protocol === "http:" && !isLoopback(url.hostname);
          return broken(pointer, isPublic ? text.replace(/^http:/i, "https:") : undefined);
        }),
  },
  {
    code: "review-command",
    severity: "error",
    message: l10nText(
      "A local skill without a command cannot be approved. Name the program, or use an http or mcp runtime.",
    ),
    brokenAt: (manifest) =>
      localCommand(manifest)?.trim() === "" ? [broken("/runtime/command")] : [],
  },
  {
    code: "review-packaging",
    severity: "warning",
    message: l10nText(
      "Reviewers ask how a local program is packaged, isolated and tested. Have this ready before you submit.",
    ),
    brokenAt: (manifest) =>
      (localCommand(manifest)?.trim() ?? "") === "" ? [] : [broken("/runtime/command")],
  },
  {
    code: "review-object",
    severity: "error",
    message: l10nText(
      "Only a schema with “type”: “object” at its top can be approved. Describe an object.",
    ),
    brokenAt: (manifest) =>
      schemasOf(manifest).flatMap(({ pointer, schema }) => {
        const type = ownValue(schema, "type");
        if (type === "object") return [];
        const isSure = type === undefined || (Array.isArray(type) && type.includes("object"));
        const fix = isSure ? { pointer: `${pointer}/type`, value: "object" } : undefined;
        return [{ pointer, ...(fix && { fix }) }];
      }),
  },
  {
    code: "review-properties",
    severity: "warning",
    message: l10nText(
      "The review expects a schema to list its properties. Add them, with examples of their values.",
    ),
    brokenAt: (manifest) =>
      schemasOf(manifest).flatMap(({ pointer, schema }) => {
        const properties = ownValue(schema, "properties");
        const isListed = isJsonObject(properties) && Object.keys(properties).length > 0;
        return isListed ? [] : [broken(pointer)];
      }),
  },
  {
    code: "review-secret",
    severity: "error",
    message: l10nText(
      "An empty secret, or “*” for all of them, blocks an approval. Name each secret that the skill needs.",
    ),
    brokenAt: (manifest) =>
      secretsOf(manifest)
        .flatMap((secret, index) =>
          typeof secret === "string" && ["", "*"].includes(secret.trim()) ? [index] : [],
        )
        .slice(0, maxListed)
        .map((index) => broken(`/permissions/secrets/${index}`)),
  },
  {
    code: "review-high",
    severity: "warning",
    message: l10nText(
      "This makes the permission level high. Reviewers ask why it is needed and what happens to the data.",
    ),
    brokenAt: (manifest) => {
      if (secretsOf(manifest).length > 0) return [broken("/permissions/secrets")];
      const isWriting = permissionsOf(manifest)["filesystem"] === "write";
      return isWriting ? [broken("/permissions/filesystem")] : [];
    },
  },
  {
    code: "review-browsing",
    severity: "warning",
    message: l10nText(
      "Reviewers ask a skill with network and browser for its domains, and for what it keeps. Write it down before you submit.",
    ),
    brokenAt: (manifest) => {
      const { network, browser } = permissionsOf(manifest);
      return network === true && browser === true ? [broken("/permissions/browser")] : [];
    },
  },
];

/** Lists what a manifest breaks of the rules, in their order. */
export function manifestFindings(manifest: JsonObject): readonly ManifestFinding[] {
  return manifestRules.flatMap(({ brokenAt, ...rule }) =>
    brokenAt(manifest).map((found) => ({ ...rule, ...found })),
  );
}

const slugPattern = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;
const semanticPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
/** More of one kind are mended one after the other. */
const maxListed = 20;

function broken(pointer: string, value?: JsonValue): Broken {
  return value === undefined ? { pointer } : { pointer, fix: { pointer, value } };
}

function memberObject(manifest: JsonObject, name: string): JsonObject {
  const value = ownValue(manifest, name);
  return isJsonObject(value) ? value : {};
}

function permissionsOf(manifest: JsonObject): JsonObject {
  return memberObject(manifest, "permissions");
}

function secretsOf(manifest: JsonObject): readonly JsonValue[] {
  const secrets = ownValue(permissionsOf(manifest), "secrets");
  return Array.isArray(secrets) ? secrets : [];
}

/** The command of a local runtime; undefined for another runtime, and where the schema misses it. */
function localCommand(manifest: JsonObject): string | undefined {
  const { type, command } = memberObject(manifest, "runtime");
  return type === "local" && typeof command === "string" ? command : undefined;
}

/** The address of an http or mcp runtime, at most one. */
function addressOf(manifest: JsonObject) {
  const runtime = memberObject(manifest, "runtime");
  const names: Readonly<Record<string, string>> = { http: "entrypoint", mcp: "serverUrl" };
  const type = ownValue(runtime, "type");
  const name = typeof type === "string" && Object.hasOwn(names, type) ? names[type] : undefined;
  const text = name === undefined ? undefined : ownValue(runtime, name);
  if (typeof text !== "string") return [];
  return [{ pointer: `/runtime/${name}`, text, url: parseUrl(text) }];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.startsWith("127.") || host === "[::1]";
}

/** Names the schemas of a manifest. */
export const schemaMembers = ["inputSchema", "outputSchema"] as const;

function schemasOf(manifest: JsonObject) {
  return schemaMembers.flatMap((name) => {
    const schema = ownValue(manifest, name);
    return isJsonObject(schema) ? [{ pointer: `/${name}`, schema }] : [];
  });
}
