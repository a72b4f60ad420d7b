import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import type { Asker } from "../../../src/engine/asker";
import { WindowInvocations } from "../../../src/window/invocations";
import type { Link } from "../../../src/window/link";
import { maxMessageBytes } from "../../../src/window/protocol";

describe("The invocations of a command by its window", () => {
  it("do not include a payload longer than a message, which would end the connection", async () => {
    const asked: unknown[] = [];
    const link = {
      onRequest: () => undefined,
      onNotification: () => ({ dispose: () => undefined }),
      closed: new AbortController().signal,
      sendRequest: async (_method: unknown, request: unknown) => {
        asked.push(request);
        return { kind: "stopped", stop: { kind: "canceled" } };
      },
    } as unknown as Link;
    const invocations = new WindowInvocations(link, () => undefined);
    const invoke = (text: string) => {
      const payload = { text, source: "a.json", folder: "/" };
      const wanted = {
        ...{
          slug: "word-tally",
          version: "",
          command: "invoke" as const,
          registry: "r",
          folder: "/",
        },
        ...{ isTestRun: false, isWaitedFor: false, isNumberChosen: false },
      };
      const signal = new AbortController().signal;
      return invocations.invoke({ wanted, payload }, {} as Asker, signal);
    };
    assert.deepEqual(await invoke("ä".repeat(maxMessageBytes / 2)), { kind: "tooLong" });
    assert.deepEqual(asked, []);
    assert.equal((await invoke("{}")).kind, "stopped");
    assert.equal(asked.length, 1);
  });
});
