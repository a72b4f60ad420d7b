import { setTimeout as delay } from "node:timers/promises";
import { plainManifest } from "../../fixtures/registries/manifestRegistry";
import { type Answer, startTestRegistry } from "../../fixtures/registries/testRegistry";

/** The special response to the next invocation with a text. */
type SpecialResponse = "rateLimit" | "policy" | "fails" | "lost" | "unavailable" | "never" | "held";

/**
 * The facts of the registry's skill that a test may change: the verification, the cost of an invocation, whether
 * responses name the cost, failing routes, and the seconds of a rate limit that rejects everything.
 */
interface SkillFacts {
  /** The duration of an invocation, in milliseconds. */
  readonly takesMs: number;
  readonly verificationStatus: string;
  readonly cents: number;
  readonly namesCost: boolean;
  /** The version that runs. */
  readonly version: string;
  /** A version that it lists beside 1.0.0. */
  readonly alsoLists: string;
  /** Whether it executes the invocations that it accepts. */
  readonly executes: boolean;
  readonly refusesFor: number | undefined;
  readonly fails: "" | "prices" | "skill" | "silent";
}

/** A registry with one priced skill. It counts how often each text arrived. */
export interface CountingRegistry {
  readonly url: string;
  /** Maps each text to the number of its invocations. */
  readonly counts: ReadonlyMap<string, number>;
  readonly total: () => number;
  readonly forget: () => void;
  readonly answerNext: (instead: SpecialResponse, text: string) => void;
  /** Answers the held invocations. */
  readonly answerHeld: () => void;
  /** The maximum number of invocations that ran at once. */
  readonly mostAtOnce: () => number;
  /** Changes facts of its skill. */
  readonly describe: (facts: Partial<SkillFacts>) => void;
  /** Resolves at the next request of a path, without its query. */
  readonly asked: (path: string) => Promise<void>;
  /** Resolves once so many invocations have arrived. */
  readonly reached: (total: number) => Promise<void>;
  /** Closes the connections of unanswered invocations. */
  readonly hangUp: () => void;
  readonly close: () => void;
}

const inputSchema = {
  type: "object",
  required: ["text"],
  properties: { text: { type: "string" } },
};
const manifest = plainManifest("text-stats", { inputSchema, outputSchema: true });

const initialFacts: SkillFacts = {
  takesMs: 0,
  verificationStatus: "verified",
  cents: 2,
  namesCost: true,
  version: "1.0.0",
  alsoLists: "",
  executes: true,
  refusesFor: undefined,
  fails: "",
};

/** Starts it on a free port of this machine. */
export async function startCountingRegistry(): Promise<CountingRegistry> {
  const counts = new Map<string, number>();
  const instead = new Map<string, SpecialResponse>();
  const held: (() => void)[] = [];
  let [underWay, mostAtOnce] = [0, 0];
  let facts = initialFacts;
  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const answer = (status: number, body: object): Answer => {
    return { status, headers: { "retry-after": String(facts.refusesFor ?? 1) }, body };
  };
  const failed = answer(500, { error: "Failed." });
  const invoke = async (text: string): Promise<Answer> => {
    counts.set(text, (counts.get(text) ?? 0) + 1);
    const how = instead.get(text);
    instead.delete(text);
    if (how === "lost" || how === "never") return how;
    const invocationId = `${text} ${counts.get(text)}`;
    const given = () => {
      if (how === "unavailable") return answer(503, { error: "Unavailable." });
      const blocked = { error: "Blocked.", invocationId };
      if (how === "rateLimit" || facts.refusesFor !== undefined)
        return answer(429, { ...blocked, code: "rate_limit_exceeded" });
      if (how === "policy") return answer(403, { ...blocked, code: "budget_exceeded" });
      if (how === "fails")
        return answer(200, {
          ...{ ...blocked, status: "error", code: "row_invalid", error: text },
          version: facts.version,
        });
      const cost = facts.namesCost ? { amountCents: 2, currency: "USD", billable: true } : {};
      const output = facts.executes ? { of: text } : { mode: "metered_contract" };
      const rest = { version: facts.version, output };
      return answer(200, { invocationId, status: "success", ...cost, ...rest });
    };
    const found = given();
    if (how === "held") await new Promise<void>((done) => held.push(done));
    else await delay(facts.takesMs);
    return found;
  };
  const server = await startTestRegistry({
    "/v1/runtime/invoke": ({ body, ended }) => {
      underWay += 1;
      mostAtOnce = Math.max(mostAtOnce, underWay);
      void ended.then(() => {
        underWay -= 1;
      });
      return invoke(JSON.parse(body).input.text);
    },
    "/v1/skills/text-stats/prices": () => {
      if (facts.fails === "prices") return failed;
      const price = { billingModel: "per_call", unitAmountCents: facts.cents, currency: "USD" };
      return { body: { prices: [{ ...price, status: "active" }] } };
    },
    "/v1/publishers": { body: { publishers: [] } },
    "/v1/skills/search": { body: { skills: [] } },
    "/v1/skills/text-stats": ({ query }) => {
      if (facts.fails === "silent") return "never";
      if (facts.fails === "skill") return failed;
      const version = query.get("version") === facts.alsoLists ? facts.alsoLists : "1.0.0";
      return { body: { ...manifest, version, verificationStatus: facts.verificationStatus } };
    },
  });
  return {
    url: server.baseUrl,
    counts,
    total,
    forget: () => {
      counts.clear();
      instead.clear();
      mostAtOnce = 0;
      facts = initialFacts;
    },
    answerNext: (how, text) => instead.set(text, how),
    answerHeld: () => {
      for (const done of held.splice(0)) done();
    },
    mostAtOnce: () => mostAtOnce,
    describe: (changes) => {
      facts = { ...facts, ...changes };
    },
    asked: async (wanted) => {
      const before = new Set(server.requests);
      await server.heard((one) => one.path.split("?")[0] === wanted && !before.has(one));
    },
    reached: async (wanted) => void (await server.heard(() => total() >= wanted)),
    hangUp: server.hangUp,
    close: () => void server.close(),
  };
}
