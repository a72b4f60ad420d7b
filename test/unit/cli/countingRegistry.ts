import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** How the next invocation with a text is answered instead. */
type Instead = "rateLimit" | "policy" | "lost" | "unavailable" | "never" | "held";

/**
 * What may change at a registry: a word of verification, what an invocation costs, whether answers name that, routes
 * that fail, and how many seconds a rate limit asks for that refuses all.
 */
interface SaidOfSkill {
  /** How long an invocation takes, in milliseconds. */
  readonly takesMs: number;
  readonly verificationStatus: string;
  readonly cents: number;
  readonly namesCost: boolean;
  readonly refusesFor: number | undefined;
  readonly fails: "" | "prices" | "skill" | "silent";
}

/** A registry with one skill, which costs, that counts how often each text came in. */
export interface CountingRegistry {
  readonly url: string;
  /** Text → how often it was invoked with. */
  readonly counts: ReadonlyMap<string, number>;
  readonly total: () => number;
  readonly forget: () => void;
  readonly answerNext: (instead: Instead, text: string) => void;
  /** Answers what is held. */
  readonly letGo: () => void;
  /** How many were under way at once, at most. */
  readonly mostAtOnce: () => number;
  /** What it says of its skill from now on. */
  readonly describe: (said: Partial<SaidOfSkill>) => void;
  /** Resolves once so many invocations came in. */
  readonly reached: (total: number) => Promise<void>;
  /** Ends what was not answered. */
  readonly hangUp: () => void;
  readonly close: () => void;
}

const manifest = {
  schemaVersion: "0.1",
  name: "text-stats",
  displayName: "Text statistics",
  version: "1.0.0",
  description: "",
  tags: [],
  runtime: { type: "http", entrypoint: "https://run.example/" },
  permissions: { network: false, browser: false, filesystem: "none", secrets: [] },
  inputSchema: {
    type: "object",
    required: ["text"],
    properties: { text: { type: "string" } },
  },
  outputSchema: true,
};

const asAtFirst: SaidOfSkill = {
  takesMs: 0,
  verificationStatus: "verified",
  cents: 2,
  namesCost: true,
  refusesFor: undefined,
  fails: "",
};

/** Starts it on a free port of this machine. */
export async function startCountingRegistry(): Promise<CountingRegistry> {
  const counts = new Map<string, number>();
  const instead = new Map<string, Instead>();
  let held: (() => void)[] = [];
  let [underWay, mostAtOnce] = [0, 0];
  let said = asAtFirst;
  let waiting: { readonly total: number; readonly done: () => void } | undefined;
  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const invoke = (
    text: string,
  ): readonly [status: number, body: object, isHeld?: boolean] | "lost" | "never" => {
    counts.set(text, (counts.get(text) ?? 0) + 1);
    const answer = instead.get(text);
    instead.delete(text);
    if (waiting !== undefined && total() >= waiting.total) waiting.done();
    if (answer === "lost" || answer === "never") return answer;
    if (answer === "unavailable") return [503, { error: "Unavailable." }];
    const invocationId = `${text} ${counts.get(text)}`;
    const blocked = (status: number, code: string) =>
      [status, { error: "Blocked.", code, invocationId }] as const;
    if (answer === "rateLimit" || said.refusesFor !== undefined)
      return blocked(429, "rate_limit_exceeded");
    if (answer === "policy") return blocked(403, "budget_exceeded");
    const cost = said.namesCost ? { amountCents: 2, currency: "USD", billable: true } : {};
    return [
      200,
      { invocationId, status: "success", ...cost, version: "1.0.0", output: { of: text } },
      answer === "held",
    ];
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk;
    });
    request.on("end", () => {
      const send = (status: number, value: object) => {
        const retry = String(said.refusesFor ?? 1);
        response.writeHead(status, { "content-type": "application/json", "retry-after": retry });
        response.end(JSON.stringify(value));
      };
      const path = (request.url ?? "").replace(/\?.*/, "");
      if (path === "/v1/runtime/invoke") {
        const { text } = JSON.parse(body).input;
        const answer = invoke(text);
        underWay += 1;
        mostAtOnce = Math.max(mostAtOnce, underWay);
        response.once("close", () => {
          underWay -= 1;
        });
        if (answer === "lost") request.socket.destroy();
        else if (answer !== "never") {
          const [status, value, isHeld] = answer;
          if (isHeld) held.push(() => send(status, value));
          else setTimeout(() => send(status, value), said.takesMs);
        }
      } else if (path === "/v1/skills/text-stats/prices") {
        if (said.fails === "prices") return send(500, { error: "Failed." });
        const price = { billingModel: "per_call", unitAmountCents: said.cents, currency: "USD" };
        send(200, { prices: [{ ...price, status: "active" }] });
      } else if (path === "/v1/publishers") send(200, { publishers: [] });
      else if (path === "/v1/skills/search") send(200, { skills: [] });
      else if (path === "/v1/skills/text-stats") {
        if (said.fails === "silent") return;
        if (said.fails === "skill") return send(500, { error: "Failed." });
        send(200, { ...manifest, verificationStatus: said.verificationStatus });
      } else send(404, { error: "Not found." });
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    total,
    forget: () => {
      counts.clear();
      instead.clear();
      mostAtOnce = 0;
      said = asAtFirst;
    },
    answerNext: (how, text) => instead.set(text, how),
    letGo: () => {
      for (const answer of held) answer();
      held = [];
    },
    mostAtOnce: () => mostAtOnce,
    describe: (changes) => {
      said = { ...said, ...changes };
    },
    reached: (wanted) =>
      new Promise((done) => {
        waiting = { total: wanted, done };
        if (total() >= wanted) done();
      }),
    hangUp: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
