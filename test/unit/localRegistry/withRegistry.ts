import { after, before } from "mocha";
import {
  type LocalRegistry,
  type LocalRegistryOptions,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { type RawAnswer, rawRequest } from "./rawRequest";

/** A registry that runs during the tests of a describe block. */
export interface TestRegistry {
  readonly registry: LocalRegistry;
  get(path: string, headers?: Record<string, string>): Promise<RawAnswer>;
  /** Invokes a skill with the right key. */
  invoke(body: unknown, headers?: Record<string, string>): Promise<RawAnswer>;
}

/** Starts a registry before the block's tests and closes it after them. */
export function withRegistry(options: LocalRegistryOptions = {}): TestRegistry {
  let started: LocalRegistry | undefined;
  const registry = () => {
    if (started === undefined) throw new Error("The registry runs during tests only.");
    return started;
  };
  before(async () => {
    started = await startLocalRegistry(options);
  });
  after(() => started?.close());
  return {
    get registry() {
      return registry();
    },
    get: (path, headers = {}) => rawRequest(registry().baseUrl + path, { headers }),
    invoke: (body, headers = {}) =>
      rawRequest(`${registry().baseUrl}/v1/runtime/invoke`, {
        method: "POST",
        headers: { authorization: `Bearer ${registry().projectKey}`, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}
