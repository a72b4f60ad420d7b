import assert from "node:assert/strict";
import { inspect } from "node:util";
import { after, before, describe, it } from "mocha";
import { outcomeNotice } from "../../../../src/core/invocation/outcomeNotice";
import {
  recordsAsCsv,
  recordsAsJsonLines,
} from "../../../../src/core/invocation/record/exportRecords";
import { endSummary } from "../../../../src/core/invocation/record/invocationLabels";
import {
  finishedRecord,
  type InvocationRecord,
  newRecordId,
  writeRecord,
} from "../../../../src/core/invocation/record/invocationRecord";
import { outputBlock } from "../../../../src/core/invocation/record/outputBlock";
import { outputDocument } from "../../../../src/core/invocation/record/outputDocument";
import { invocationDocument } from "../../../../src/core/invocation/record/recordDocument";
import { supportReport } from "../../../../src/core/invocation/record/supportReport";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { RegistryClient } from "../../../../src/registry/registryClient";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { plainNetwork } from "../../../fixtures/registries/clientFor";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../../fixtures/registries/testRegistry";

const key = "skh_CANARY0123456789abcdefCANARY0123456789abcdef";
const spelled = key.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const forms: readonly (readonly [name: string, text: string])[] = [
  ["as it is", key],
  ["in Bearer", `Bearer ${key}`],
  ["in Base64", Buffer.from(`:${key}`).toString("base64")],
  ["in URL-safe Base64", Buffer.from(key).toString("base64url")],
  ["URL-encoded", spelled],
];
const statuses = [200, 400, 401, 402, 403, 404, 413, 429, 500, 502, 503];

const running: InvocationRecord = pastInvocation(1, {
  id: newRecordId(1, "0a1b2c3d"),
  endsBefore: 2,
  registry: "https://registry.example.com",
  skillSlug: "text-stats",
  version: "1.0.0",
  status: "running",
  durationMs: 0,
});

describe("a registry that returns the key", () => {
  let server: TestRegistry;
  let client: RegistryClient;
  let answer: Answer = {};
  before(async () => {
    server = await startTestRegistry({ "**": () => answer });
    client = new RegistryClient({
      baseUrl: server.baseUrl,
      network: plainNetwork,
      requestTimeoutSeconds: 5,
      invokeTimeoutSeconds: 5,
      maxResponseBytes: 1_000_000,
    });
  });
  after(async () => {
    client.close();
    await server.close();
  });

  for (const [name, echo] of forms) {
    it(`${name} never leaks it into anything stored or shown`, async () => {
      for (const status of statuses) {
        const words = { error: echo, code: echo, message: echo, invocationId: echo, mode: echo };
        const policy = { code: echo, maxPermissionLevel: echo, installStatus: echo };
        const end = { status: status === 502 ? "error" : "success", currency: echo };
        answer = { status, body: { ...words, policy, ...end, output: { [echo]: [echo] } } };
        const call = { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" };
        const outcome = await client.invoke(call, key, new AbortController().signal);
        const record = finishedRecord(running, outcome);
        const outputText = "outputText" in outcome ? (outcome.outputText ?? "") : "";
        const texts = { inputText: "{}", outputText };
        const everything = [
          inspect(outcome, { depth: 10 }),
          writeRecord(record),
          outputBlock(record, outputText),
          inspect(outcomeNotice("text-stats", outcome, english), { depth: 10 }),
          endSummary(record, english),
          runSync(invocationDocument(record, texts)),
          runSync(outputDocument(record, outputText, "result", english)),
          recordsAsCsv([record]),
          recordsAsJsonLines([record]),
          supportReport(
            { versions: {}, settings: {}, registry: "", projectKey: "", records: [record] },
            (text) => text,
          ),
        ].join("\n");
        assert.ok(everything.includes("[Project Key]"), `${status}: nothing was echoed`);
        assert.ok(!everything.includes("CANARY"), `${status}: ${everything}`);
        assert.ok(!everything.includes(echo.slice(8, -4)), `${status}: ${everything}`);
      }
    });
  }
});
