import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/text/json";
import { catalogue } from "../catalogue/catalogue";
import { levelOf } from "../catalogue/manifest";
import type { Release, Skill } from "../catalogue/skill";
import { type Answer, found, refused } from "../http/answer";
import { readJsonBody } from "../http/readJsonBody";
import { installState, maxPermissionLevel } from "../runtime/projectPolicy";
import type { RuntimeGateway } from "../runtime/runtimeGateway";
import type { Route } from "./route";

/**
 * The Model Context Protocol's view of the skills (JSON-RPC over HTTP): initialize, ping and
 * tools/list. With the Project Key the list says what the project may call.
 */
export function mcpRoute(gateway: RuntimeGateway): Route {
  return { method: "POST", path: "/mcp", answer: ({ message }) => answerMcp(gateway, message) };
}

async function answerMcp(gateway: RuntimeGateway, message: IncomingMessage): Promise<Answer> {
  const isKnown = message.headers.authorization !== undefined;
  const unauthorized = isKnown ? gateway.refuseKey(message) : undefined;
  if (unauthorized !== undefined) return unauthorized;
  const body = await readJsonBody(message);
  if (!body.ok) return body.answer;
  const { jsonrpc, id, method } = isJsonObject(body.value) ? body.value : {};
  if (jsonrpc !== "2.0" || typeof method !== "string") {
    return refused(400, "The body is not a JSON-RPC 2.0 request.", "invalid_request");
  }
  // A message without an ID is a notification: taken, and not answered.
  if (id === undefined) return { status: 202, body: undefined };
  return found({ jsonrpc, id, ...resultOf(method, isKnown) });
}

type Reply = { readonly result: JsonValue } | { readonly error: JsonObject };

function resultOf(method: string, isKnown: boolean): Reply {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "local-skill-registry", version: "1.0.0" },
        },
      };
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: catalogue.map((skill) => tool(skill, isKnown)) } };
    default:
      return { error: { code: -32601, message: `There is no method ${method} here.` } };
  }
}

function tool(skill: Skill, isKnown: boolean): JsonObject {
  const [release] = skill.releases;
  const { inputSchema, outputSchema } = release;
  const { slug, displayName, description } = skill;
  const told = { name: slug, title: displayName, description, inputSchema, outputSchema };
  return isKnown ? { ...told, annotations: annotations(skill, release) } : told;
}

// As on the public gateway, callable looks at the install alone: a policy can still block the call.
function annotations(skill: Skill, release: Release): JsonObject {
  return {
    callable: true,
    ...installState,
    version: release.version,
    verificationStatus: skill.verificationStatus,
    permissionLevel: levelOf(release),
    maxPermissionLevel,
  };
}
