import { valueAt } from "../json/jsonPointer";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  optional,
  ownObject,
  ownValue,
} from "../json/jsonValue";
import { schemaOfExamples } from "./schemaOfExamples";

/** What a new manifest takes from elsewhere. A missing part is left to the publisher. */
export interface ManifestStart {
  readonly displayName?: string;
  readonly description?: string;
  readonly entrypoint?: string;
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** A start with its name in a list, such as `POST /words`. */
export interface NamedStart extends ManifestStart {
  readonly name: string;
}

/** The maximum number of tools or operations of a document. */
export const maxStarts = 500;

/** Creates the start from a payload and an output that somebody has. Either may be missing. */
export function startFromExamples(
  payload: JsonValue | undefined,
  output: JsonValue | undefined,
): ManifestStart {
  return {
    ...(payload !== undefined && { inputSchema: schemaOfExamples([payload]) }),
    ...(output !== undefined && { outputSchema: schemaOfExamples([output]) }),
  };
}

/** Reads a tool of the Model Context Protocol. Undefined if its name or its input schema is missing. */
export function toolStart(tool: JsonObject): NamedStart | undefined {
  const name = textIn(tool, "name");
  const inputSchema = ownObject(tool, "inputSchema");
  if (name === undefined || inputSchema === undefined) return undefined;
  return {
    name,
    ...optional("displayName", textIn(tool, "title")),
    ...optional("description", textIn(tool, "description")),
    inputSchema,
    ...optional("outputSchema", ownObject(tool, "outputSchema")),
  };
}

const methods = ["get", "put", "post", "delete", "patch"] as const;

/** Reads each operation of an OpenAPI document. */
export function operationsIn(document: JsonObject): readonly NamedStart[] {
  const [server] = listIn(document, "servers");
  const address = isJsonObject(server) ? textIn(server, "url") : undefined;
  return Object.entries(ownObject(document, "paths") ?? {})
    .flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = isJsonObject(item) ? ownObject(item, method) : undefined;
        if (operation === undefined || !isJsonObject(item)) return [];
        const all = [...listIn(item, "parameters"), ...listIn(operation, "parameters")];
        const response = firstSuccess(ownObject(operation, "responses") ?? {});
        return {
          name: `${method.toUpperCase()} ${path}`,
          ...optional("displayName", textIn(operation, "summary")),
          ...optional("description", textIn(operation, "description")),
          ...optional("entrypoint", address && `${address.replace(/\/$/, "")}${path}`),
          ...optional("inputSchema", inputOf(operation, all, document)),
          ...optional("outputSchema", withDefinitions(jsonSchemaIn(response, document), document)),
        };
      }),
    )
    .slice(0, maxStarts);
}

function firstSuccess(responses: JsonObject): JsonObject {
  const [status = ""] = Object.keys(responses)
    .filter((code) => /^2/.test(code))
    .sort();
  return ownObject(responses, status) ?? {};
}

/** Joins the parameters of an operation and the properties of its body. */
function inputOf(
  operation: JsonObject,
  parameters: readonly JsonValue[],
  document: JsonObject,
): JsonObject | undefined {
  const body = jsonSchemaIn(ownObject(operation, "requestBody") ?? {}, document);
  const named = parameters.flatMap((parameter) => {
    const resolved = isJsonObject(parameter) ? target(parameter, document) : undefined;
    const name = resolved && textIn(resolved, "name");
    // Headers and cookies are the registry's to send.
    const isInput = resolved && ["query", "path"].includes(textIn(resolved, "in") ?? "");
    return isInput && name !== undefined ? [[name, resolved] as const] : [];
  });
  if (named.length === 0) return withDefinitions(body, document);
  const inner = body && target(body, document);
  const properties = {
    ...Object.fromEntries(named.map(([name, one]) => [name, describedBy(one)])),
    ...(inner && ownObject(inner, "properties")),
  };
  const required = [
    ...named.flatMap(([name, one]) => (ownValue(one, "required") === true ? [name] : [])),
    ...(inner ? listIn(inner, "required") : []),
  ];
  return withDefinitions({ type: "object", properties, required }, document);
}

function describedBy(parameter: JsonObject): JsonObject {
  const schema = ownObject(parameter, "schema") ?? {};
  return { ...optional("description", textIn(parameter, "description")), ...schema };
}

/** Returns the schema of the JSON content of a request or response. */
function jsonSchemaIn(part: JsonObject, document: JsonObject): JsonObject | undefined {
  const content = ownObject(target(part, document) ?? {}, "content") ?? {};
  const [type = ""] = Object.keys(content).filter((name) => /^application\/(.*\+)?json/.test(name));
  return ownObject(ownObject(content, type) ?? {}, "schema");
}

const componentStart = "#/components/schemas/";

/** Returns what a reference inside the document means, or the object itself. Undefined if nothing is there. */
function target(object: JsonObject, document: JsonObject): JsonObject | undefined {
  const reference = textIn(object, "$ref");
  if (reference === undefined) return object;
  const found = reference.startsWith("#/") ? valueAt(document, reference.slice(1)) : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** Writes OpenAPI's `nullable`, which no JSON Schema knows, as one more type or choice. */
function withNull(whole: JsonObject): JsonObject {
  const { nullable, ...schema } = whole;
  if (typeof nullable !== "boolean") return whole;
  if (!nullable) return schema;
  const { type, enum: listed } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"],
    ...(Array.isArray(listed) && { enum: [...new Set([...listed, null])] }),
  };
}

/** Adds the components that a schema refers to as definitions of its own, and replaces `nullable`. */
function withDefinitions(
  schema: JsonObject | undefined,
  document: JsonObject,
): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const components = ownObject(ownObject(document, "components") ?? {}, "schemas") ?? {};
  const definitions = new Map<string, JsonValue>();
  const moved = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(moved);
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([name, inner]): [string, JsonValue] =>
      name === "$ref" && typeof inner === "string"
        ? [name, movedReference(inner)]
        : [name, moved(inner)],
    );
    return withNull(Object.fromEntries(members));
  };
  const movedReference = (reference: string): string => {
    if (!reference.startsWith(componentStart)) return reference;
    const name = reference.slice(componentStart.length);
    const component = ownObject(components, name);
    if (component !== undefined && !definitions.has(name)) {
      // A component may refer to itself.
      definitions.set(name, {});
      definitions.set(name, moved(component));
    }
    return `#/$defs/${name}`;
  };
  const own = moved(schema) as JsonObject;
  return definitions.size === 0 ? own : { ...own, $defs: Object.fromEntries(definitions) };
}

function listIn(object: JsonObject, name: string): readonly JsonValue[] {
  const value = ownValue(object, name);
  return Array.isArray(value) ? value : [];
}

function textIn(object: JsonObject, name: string): string | undefined {
  const value = ownValue(object, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
