import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json/jsonValue";
import { catalog, findSkill } from "../catalog/catalog";
import type { Manifest } from "../catalog/sampleSkill";
import { levelOf, publicManifest } from "../catalog/skillAnswers";
import type { Install } from "../project/policy";
import type { Project } from "../project/project";
import { type Answer, bearerToken, found, type Route, type RouteRequest } from "../server/route";
import type { Runtime } from "./runtimeRoutes";

const protocolVersion = "2024-11-05";
const serverInfo = { name: "local-skill-registry", version: "1.0.0" };

/**
 * The Model Context Protocol's view of the skills: JSON-RPC over HTTP, answered with 200 whatever
 * happens. With a Project Key the list has the project's installs in their pinned version.
 */
export function mcpRoutes(runtime: Runtime): readonly Route[] {
  const metadata = { ...serverInfo, protocolVersion, endpoint: "/mcp" };
  return [
    { method: "GET", path: "/mcp", answer: () => found(metadata) },
    { method: "POST", path: "/mcp", answer: (request) => answerMcp(runtime, request) },
  ];
}

async function answerMcp(runtime: Runtime, request: RouteRequest): Promise<Answer> {
  const { id = null, method } = request.body.members;
  if (method === "notifications/initialized") return { status: 204, body: undefined };
  return found({ jsonrpc: "2.0", id, ...(await replyTo(runtime, request)) });
}

type Reply = { readonly result: JsonValue } | { readonly error: JsonObject };

async function replyTo(runtime: Runtime, request: RouteRequest): Promise<Reply> {
  const { id, method, params } = request.body.members;
  const given = isJsonObject(params) ? params : {};
  switch (id === undefined ? "" : method) {
    case "initialize":
      return {
        result: { protocolVersion, capabilities: { resources: {}, tools: {} }, serverInfo },
      };
    case "ping":
      return { result: {} };
    case "tools/list":
      return listTools(runtime, bearerToken(request.authorization));
    case "tools/call":
      return callTool(runtime, request, given);
    case "resources/list":
      return { result: { resources: catalog.map(({ slug }) => resource(slug)) } };
    case "resources/read":
      return readResource(given["uri"]);
    default:
      return failure(-32601, "Method not found.");
  }
}

function failure(code: number, message: string): Reply {
  return { error: { code, message } };
}

function listTools({ workspace }: Runtime, token: string | undefined): Reply {
  if (token === undefined) {
    return {
      result: {
        tools: catalog.map(({ releases: [{ manifest }] }) =>
          tool(manifest, publicAnnotations(manifest)),
        ),
      },
    };
  }
  const project = workspace.findKey(token)?.project;
  if (project === undefined) return failure(-32001, "Invalid or revoked project API key.");
  const installs = [...project.installs.values()].filter(({ status }) => status !== "removed");
  const tools = installs.map((one) => tool(one.manifest, projectAnnotations(project, one)));
  return { result: { tools } };
}

function tool(manifest: Manifest, annotations: JsonObject): JsonObject {
  const { name, displayName, description, inputSchema, outputSchema } = manifest;
  return { name, title: displayName, description, inputSchema, outputSchema, annotations };
}

function publicAnnotations(manifest: Manifest): JsonObject {
  const { tags, version, runtime } = manifest;
  return {
    tags: [...tags],
    version,
    runtimeType: runtime.type,
    permissionLevel: levelOf(manifest),
  };
}

// callable looks at the install alone: a policy can still block the invocation.
function projectAnnotations(project: Project, { skill, manifest, status, approvalState }: Install) {
  return {
    projectSlug: project.slug,
    ...publicAnnotations(manifest),
    maxPermissionLevel: project.policies.get(skill.slug)?.maxPermissionLevel ?? null,
    verificationStatus: skill.verificationStatus,
    installStatus: status,
    approvalState,
    callable: status === "installed" && approvalState === "approved",
  };
}

/** A tool's output is the whole answer of the runtime route; the request carries the same key. */
async function callTool(
  runtime: Runtime,
  request: RouteRequest,
  params: JsonObject,
): Promise<Reply> {
  const { name, arguments: input = {} } = params;
  if (typeof name !== "string" || name === "") return failure(-32602, "Missing tool name.");
  const members = { skillSlug: name, input };
  const body = { text: request.body.text, value: members, members };
  const { status, body: answer } = await runtime.invoke({ ...request, body });
  const text = JSON.stringify(answer);
  return {
    result: {
      content: [{ type: "text", text }],
      isError: status !== 200,
      structuredContent: answer as JsonObject,
    },
  };
}

const resourceStart = "skillhub://skills/";

function resource(slug: string): JsonObject {
  return { uri: `${resourceStart}${slug}`, name: slug, mimeType: "application/json" };
}

function readResource(uri: JsonValue | undefined): Reply {
  const slug = String(uri).startsWith(resourceStart) && String(uri).slice(resourceStart.length);
  const skill = findSkill(slug);
  if (skill === undefined) return failure(-32004, "Resource not found.");
  const text = JSON.stringify(publicManifest(skill.releases[0].manifest));
  return { result: { contents: [{ ...resource(skill.slug), text }] } };
}
