import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { JsonObject } from "../../core/text/json";
import type { Release, Skill } from "../catalogue/skill";
import { type Answer, found, refused } from "../http/answer";
import { readJsonBody } from "../http/readJsonBody";
import { InvocationLog, type SeenInvocation } from "./invocationLog";
import { checkProjectKey } from "./projectKey";
import { findBlock } from "./projectPolicy";
import { RateWindow } from "./rateWindow";
import { type Call, readCall } from "./readCall";
import { runSkill } from "./runSkill";
import type { RunContext } from "./skillRun";

/** The mode every answer of this registry carries. */
const mode = "local";
/** The only project there is. */
const projectSlug = "local-demo";

/** Answers the runtime route: checks the key, the gates and the version, and runs the skill. */
export class RuntimeGateway {
  readonly log = new InvocationLog();
  readonly #rate = new RateWindow();
  readonly #spentCents = new Map<string, number>();

  constructor(
    readonly projectKey: string,
    readonly world: Pick<RunContext, "now" | "wait">,
  ) {}

  /** Answers one call. The signal aborts when the caller has gone; the answer is then of no use. */
  async invoke(request: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const receivedAt = this.world.now();
    const refuse = (bodyText: string, answer: Answer, seen: Partial<SeenInvocation> = {}) => {
      const code = (answer.body as { code?: string }).code ?? "";
      const outcome = answer.status === 403 ? "blocked" : "refused";
      this.log.add({ receivedAt, bodyText, outcome, httpStatus: answer.status, code, ...seen });
      return answer;
    };

    const unauthorized = this.refuseKey(request);
    if (unauthorized !== undefined) return refuse("", unauthorized);
    const body = await readJsonBody(request);
    if (!body.ok) return refuse(body.text, body.answer);
    const call = readCall(body.value);
    if (!call.ok) return refuse(body.text, call.answer);

    const { skill, release } = call;
    const invocationId = randomUUID();
    const seen = { invocationId, skillSlug: skill.slug, version: release.version };
    const blocked = findBlock(skill, release, {
      callsInWindow: this.#rate.count(skill.slug, receivedAt),
      spentCents: this.#spentCents.get(skill.slug) ?? 0,
    });
    if (blocked !== undefined) {
      const { code, message } = blocked;
      const answer = { error: message, code, invocationId, mode, policy: blocked };
      return refuse(body.text, { status: 403, body: answer }, seen);
    }
    const entry = { receivedAt, bodyText: body.text, outcome: "running", ...seen } as const;
    const settle = this.log.add(entry);
    const outcome = await this.#run(call, invocationId, signal);
    settle(signal.aborted ? { outcome: "cancelled" } : outcome.seen);
    return outcome.answer;
  }

  /** Refuses a request without the Project Key; undefined where it has it. */
  refuseKey(request: IncomingMessage): Answer | undefined {
    const verdict = checkProjectKey(request.headers.authorization, this.projectKey);
    if (verdict === "right") return undefined;
    return verdict === "missing"
      ? refused(401, "A Project Key is needed.", "missing_api_key", {
          "WWW-Authenticate": "Bearer",
        })
      : refused(401, "This Project Key is not valid here.", "invalid_api_key", {
          "WWW-Authenticate": 'Bearer error="invalid_token"',
        });
  }

  async #run({ skill, release, input }: Call, invocationId: string, signal: AbortSignal) {
    const startedAt = this.world.now();
    const result =
      release.run === undefined
        ? { ok: true as const, output: meteredOutput(skill, release) }
        : await runSkill(release.run, input, { ...this.world, signal });
    const latencyMs = Math.max(0, Math.round(this.world.now() - startedAt));
    const amountCents = result.ok ? skill.price.unitAmountCents : 0;
    this.#spentCents.set(skill.slug, (this.#spentCents.get(skill.slug) ?? 0) + amountCents);
    const account = {
      invocationId,
      mode,
      projectSlug,
      skillSlug: skill.slug,
      version: release.version,
      status: result.ok ? "success" : "error",
      latencyMs,
      billable: amountCents > 0,
      amountCents,
      currency: "USD",
    } as const;
    const answer: Answer = result.ok
      ? found({ ...account, output: result.output })
      : { status: 502, body: { ...account, error: result.error } };
    const seen = { outcome: account.status, httpStatus: answer.status, latencyMs };
    return { answer, seen };
  }
}

function meteredOutput(skill: Skill, release: Release): JsonObject {
  return {
    mode: "metered_contract",
    message: `${skill.displayName} ${release.version} runs on the caller's own machine. The call was recorded and not run here.`,
  };
}
