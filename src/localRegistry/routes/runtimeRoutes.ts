import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json/jsonValue";
import { evaluateSchema } from "../../core/schema/evaluate/evaluateSchema";
import type { InstancePath } from "../../core/schema/evaluate/evaluation";
import { describeFailure } from "../../core/schema/explain/describeFailure";
import { readSchema } from "../../core/schema/read/readSchema";
import { english } from "../../core/text/language";
import { catalog, findSkill, type Manifest, type Skill } from "../catalog/catalog";
import { levelOf, publicManifest } from "../catalog/skillResponses";
import {
  type Answer,
  type Body,
  bearerToken,
  okAnswer,
  type Route,
  type RouteRequest,
  refused,
} from "../handleRequest";
import { findBlock, type Install, type Project } from "../project/project";
import type { SeenInvocation, Workspace } from "../project/workspace";
import { type RunContext, SkillFailure } from "../skills/skillRun";

/** The kind of an invocation: with a Project Key, or as a signed-in user's test run, which is free. */
type Mode = "local" | "console_test";

/** Responds to invocations: checks key, install and policy, and runs the skill. */
export class Runtime {
  constructor(
    readonly workspace: Workspace,
    readonly wait: RunContext["wait"],
  ) {}

  /** Responds to the runtime route. Reports a missing key before a missing slug, but a wrong key after it. */
  async invoke({ authorization, body, signal }: RouteRequest): Promise<Answer> {
    const refuse = (status: number, error: string, code: string) => {
      this.#note(body, { outcome: "refused", httpStatus: status, code });
      return refused(status, error, code);
    };
    const token = bearerToken(authorization);
    if (token === undefined) return refuse(401, "Missing project API key.", "missing_api_key");
    // The gateway fails for a null body, and does not report whether the skill ran.
    if (body.value === null) return refused(503, "Cannot read properties of null.");
    const missing = missingSlug(body);
    if (missing) return refuse(400, "Missing skillSlug.", "missing_skill_slug");
    const owner = this.workspace.findKey(token);
    if (owner === undefined) {
      return refuse(401, "Invalid or revoked project API key.", "invalid_api_key");
    }
    const answer = await this.run(owner.project, body, "local", signal);
    const isRun = answer.status === 200 || answer.status === 502;
    if (isRun) owner.key.lastUsedAt = new Date(this.workspace.now()).toISOString();
    return answer;
  }

  /** Runs the skill that a body names in a project. The signal aborts when the caller disconnects. */
  async run(project: Project, body: Body, mode: Mode, signal: AbortSignal): Promise<Answer> {
    const { skillSlug, version, input } = body.members;
    const invocationId = randomUUID();
    const install = project.installs.get(String(skillSlug));
    const pin = install?.manifest.version;
    if (install === undefined || (version ?? pin) !== pin) {
      const code = "skill_not_installed";
      const { slug: projectSlug } = project;
      this.#note(body, { outcome: "blocked", httpStatus: 403, code, invocationId, projectSlug });
      const error = "Skill is not installed for this project.";
      return { status: 403, body: { error, code, invocationId, mode } };
    }
    const { skill, manifest } = install;
    const now = this.workspace.now();
    const seen = {
      invocationId,
      projectSlug: project.slug,
      skillSlug: skill.slug,
      version: manifest.version,
    };
    const use = project.use(skill.slug, now);
    const block = findBlock(install, project.policies.get(skill.slug), use);
    if (block !== undefined) {
      const { error, code, policy } = block;
      this.#note(body, { outcome: "blocked", httpStatus: 403, code, ...seen });
      return { status: 403, body: { error, code, invocationId, mode, policy } };
    }
    const settle = this.#note(body, { outcome: "running", ...seen });
    const context = { now: this.workspace.now, wait: this.wait, signal };
    const result = await runSkill(skill, manifest, input, context);
    const latencyMs = Math.max(0, Math.round(this.workspace.now() - now));
    const account = { ...seen, mode, latencyMs };
    const answer = accountOf(account, install, result);
    project.spend(skill.slug, answer.body.amountCents, now);
    const outcome = result.ok ? ("success" as const) : ("error" as const);
    const end = { outcome, httpStatus: answer.status, latencyMs };
    settle(signal.aborted ? { outcome: "cancelled" } : end);
    return answer;
  }

  #note(body: Body, seen: Omit<SeenInvocation, "receivedAt" | "bodyText">) {
    return this.workspace.log.add({
      receivedAt: this.workspace.now(),
      bodyText: body.text,
      ...seen,
    });
  }
}

/** Returns whether a body lacks the skill's slug. */
export function missingSlug({ members }: Body): boolean {
  return typeof members["skillSlug"] !== "string" || members["skillSlug"] === "";
}

// A failed run looks like a runtime that responded 500 with the failure's message as output.
function accountOf(seen: { readonly mode: Mode }, { skill }: Install, result: RunResult) {
  const isBilled = result.ok && seen.mode !== "console_test";
  const amountCents = isBilled ? skill.price.unitAmountCents : 0;
  const account = { ...seen, billable: amountCents > 0, amountCents, currency: "USD" };
  return result.ok
    ? { status: 200, body: { ...account, status: "success", output: result.output } }
    : {
        status: 502,
        body: {
          ...account,
          status: "error",
          error: "Runtime returned 500.",
          output: { error: result.error },
        },
      };
}

/** Returns the routes that run skills. */
export function runtimeRoutes(runtime: Runtime): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/runtime/invoke",
      answer: (request) => runtime.invoke(request),
    },
  ];
}

/** The result of a run: an output, or an error message for the caller. */
export type RunResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: string };

/**
 * Runs a version of a skill, so that no unexpected payload can crash the registry. Checks the payload here, because the
 * gateway does not. Skills that run elsewhere are only recorded and metered.
 */
export async function runSkill(
  { run }: Skill,
  manifest: Manifest,
  input: JsonValue | undefined,
  context: Omit<RunContext, "version">,
): Promise<RunResult> {
  const { version } = manifest;
  if (run === undefined) {
    const message = "The invocation was recorded and metered; the skill runs elsewhere.";
    return { ok: true, output: { mode: "metered_contract", message } };
  }
  try {
    const problem = findProblem(manifest.inputSchema, input);
    if (problem !== undefined) return { ok: false, error: problem };
    const output = await run(input as never, { ...context, version });
    // Fail here, and not when sending the response, if the output is nested too deeply for JSON.
    JSON.stringify(output);
    return { ok: true, output };
  } catch (error) {
    if (context.signal.aborted) return { ok: false, error: "The run was canceled." };
    if (error instanceof SkillFailure) return { ok: false, error: error.message };
    const isDeep = error instanceof RangeError;
    const cause = isDeep
      ? "The input is too large or nested too deeply."
      : "It stopped unexpectedly.";
    return { ok: false, error: cause };
  }
}

/** Describes the first violation of the schema; undefined if the payload is valid. */
function findProblem(schema: JsonObject, input: JsonValue | undefined): string | undefined {
  if (input === undefined) return "The input is missing.";
  const read = readSchema(schema);
  if (read.refusal !== undefined) return "The input could not be checked.";
  // Patterns come from the sample skills only, so none of them is slow.
  const testOf = (pattern: string) => (text: string) => new RegExp(pattern, "u").test(text);
  const verdict = evaluateSchema({ root: read.root, all: read.all, testOf }, input);
  if (verdict.kind !== "decided") return "The input could not be checked.";
  const [failure] = verdict.findings.failures;
  if (verdict.fits) return undefined;
  if (failure === undefined) return "The input does not match the schema.";
  return `${pointerOf(failure.path)}: ${describeFailure(failure, english)}`;
}

function pointerOf(path: InstancePath | undefined): string {
  return path === undefined ? "input" : `${pointerOf(path.parent)}/${path.key}`;
}

const protocolVersion = "2024-11-05";
const serverInfo = { name: "local-skill-registry", version: "1.0.0" };

/**
 * Returns the Model Context Protocol's routes: JSON-RPC over HTTP, always with status 200. With a Project Key, the list
 * has the project's installs in their pinned versions.
 */
export function mcpRoutes(runtime: Runtime): readonly Route[] {
  const metadata = { ...serverInfo, protocolVersion, endpoint: "/mcp" };
  return [
    { method: "GET", path: "/mcp", answer: () => okAnswer(metadata) },
    { method: "POST", path: "/mcp", answer: (request) => answerMcp(runtime, request) },
  ];
}

async function answerMcp(runtime: Runtime, request: RouteRequest): Promise<Answer> {
  const { id = null, method } = request.body.members;
  if (method === "notifications/initialized") return { status: 204, body: undefined };
  return okAnswer({ jsonrpc: "2.0", id, ...(await replyTo(runtime, request)) });
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
  const tools = installs.map((install) =>
    tool(install.manifest, projectAnnotations(project, install, workspace.now())),
  );
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

// `callable` only describes the install: a policy can still block the invocation, as `approvalRequired` shows.
function projectAnnotations(
  project: Project,
  { skill, manifest, status, approvalState }: Install,
  now: number,
) {
  const policy = project.policies.get(skill.slug);
  return {
    projectSlug: project.slug,
    ...publicAnnotations(manifest),
    maxPermissionLevel: policy?.maxPermissionLevel ?? null,
    approvalRequired: policy === undefined ? null : policy.approvalRequired,
    ...(policy !== undefined && {
      allowNetwork: policy.allowNetwork,
      allowBrowser: policy.allowBrowser,
      filesystemAccess: policy.filesystemAccess,
      allowSecretAccess: policy.allowSecretAccess,
      monthlyBudgetCents: policy.monthlyBudgetCents,
      spentThisMonthCents: project.spentInMonth(skill.slug, now),
    }),
    verificationStatus: skill.verificationStatus,
    installStatus: status,
    approvalState,
    callable: status === "installed" && approvalState === "approved",
  };
}

/**
 * Runs a tool as the runtime route does, with the key of the request. The result is the whole response of that route.
 */
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
