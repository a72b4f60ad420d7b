import { randomUUID } from "node:crypto";
import type { SeenInvocation } from "../project/invocationLog";
import { findBlock, type Install } from "../project/policy";
import type { Project } from "../project/project";
import { type RunResult, runSkill } from "../project/runSkill";
import type { Workspace } from "../project/workspace";
import type { Body } from "../server/answerRequest";
import { type Answer, bearerToken, type Route, type RouteRequest, refused } from "../server/route";
import type { RunContext } from "../skills/skillRun";

/** How an invocation came: with a Project Key, or as a signed-in user's test run, which costs nothing. */
type Mode = "local" | "console_test";

/** Answers invocations: checks key, install and policy, and runs the skill. */
export class Runtime {
  constructor(
    readonly workspace: Workspace,
    readonly wait: RunContext["wait"],
  ) {}

  /** The runtime route. The missing key is told before the missing slug, the wrong key after it. */
  async invoke({ authorization, body, signal }: RouteRequest): Promise<Answer> {
    const refuse = (status: number, error: string, code: string) => {
      this.#note(body, { outcome: "refused", httpStatus: status, code });
      return refused(status, error, code);
    };
    const token = bearerToken(authorization);
    if (token === undefined) return refuse(401, "Missing project API key.", "missing_api_key");
    // The gateway fails where the body is null, and does not say whether it ran something.
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

  /** Runs what a body asks for in a project. The signal aborts when the caller has gone. */
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

/** Tells whether a body names no skill. */
export function missingSlug({ members }: Body): boolean {
  return typeof members["skillSlug"] !== "string" || members["skillSlug"] === "";
}

// A failed run is told as a runtime that answered 500, with what it said as the output.
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

/** The routes that run skills. */
export function runtimeRoutes(runtime: Runtime): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/runtime/invoke",
      answer: (request) => runtime.invoke(request),
    },
  ];
}
