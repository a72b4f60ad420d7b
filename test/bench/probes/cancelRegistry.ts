import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { holdStore } from "../../fixtures/holdStore";
import { startForeignRegistry } from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import type { Answer } from "../../fixtures/registries/testRegistry";

/** How the registry of the measurement behaves, until it is told otherwise. */
export type Conduct =
  | "usual"
  /** Never responds with the skill. */
  | "keepsSkill"
  /** Gives the skill a schema that takes long to apply. */
  | "slowSchema"
  /** Receives invocations and never responds. */
  | "keepsAnswer"
  /** Sends 5 MB a second without end. */
  | "drips"
  /** Sends 10 MB of rows except the last byte, which it sends at `finish`. */
  | "almostEnds"
  /** Locks the store like another window, sends a text of 10 MB, and unlocks the store at `finish`. */
  | "holdsStore";

/** A running registry of the measurement. `POST /conduct/<Conduct>` or `/conduct/finish` steers it. */
export interface CancelRegistry {
  readonly baseUrl: string;
  readonly projectKey: string;
  close(): Promise<void>;
}

const head = '{"invocationId":"inv-1","status":"success","output":';
const rows = Buffer.from(`${head}${JSON.stringify(Array.from({ length: 110_000 }, row))}`);
const longText = Buffer.from(`${head}${JSON.stringify("Line of a text.\n".repeat(600_000))}`);
const piece = longText.subarray(head.length, head.length + 100_000);

/** A row of some 90 bytes, with escapes and letters beyond ASCII. */
function row(_: unknown, id: number): JsonObject {
  return { id, name: `Row "${id}" – Zürich`, price: id / 7, tags: ["a", "b"], isOpen: true };
}

/**
 * Starts the registry whose invocations are canceled, in a process other than the window's, so that it takes no time of
 * the measured extension host. `storage` is that window's storage folder.
 */
export async function startCancelRegistry(storage: string): Promise<CancelRegistry> {
  let conduct: Conduct = "usual";
  let finish: () => unknown = () => undefined;
  const manifest = foreignSkills[0]?.manifest as JsonObject;
  const usualSchema = manifest["inputSchema"] ?? null;
  const steer = (name: string) => {
    if (name === "finish") return finish();
    conduct = name as Conduct;
    manifest["inputSchema"] = conduct === "slowSchema" ? slowSchema() : usualSchema;
  };
  const answers: Partial<Record<Conduct, () => Answer | Promise<Answer>>> = {
    keepsAnswer: () => "never",
    drips: () => ({ body: drip() }),
    almostEnds: () => {
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { body: endedAfter(finished) };
    },
    holdsStore: async () => {
      finish = await holdStore(storage);
      return { body: Buffer.concat([longText, Buffer.from("}")]) };
    },
  };
  const registry = await startForeignRegistry({ dialect: "camel" });
  registry.answer("**", ({ method, path, passOn }) => {
    const [, order] = /^\/conduct\/(\w+)$/.exec(path) ?? [];
    if (order !== undefined) {
      steer(order);
      return {};
    }
    if (conduct === "keepsSkill" && path.startsWith("/v1/skills/word-tally")) return "never";
    return (method === "POST" && answers[conduct]?.()) || passOn();
  });
  return registry;
}

async function* drip(): AsyncGenerator<string | Buffer> {
  yield head;
  for (;;) {
    await setTimeout(20);
    yield piece;
  }
}

async function* endedAfter(finished: Promise<void>): AsyncGenerator<string | Buffer> {
  yield rows;
  await finished;
  yield "}";
}

/** Returns a schema whose patterns each search a whole long text. */
function slowSchema(): JsonObject {
  const patterns = Array.from({ length: 50 }, (_, index) => ({
    pattern: `^(a|b{${index + 1}})*$`,
  }));
  return { type: "object", properties: { text: { allOf: patterns } } };
}
