import { join } from "node:path";
import type { JsonValue } from "../core/json/jsonValue";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import { withoutSchema } from "../core/payload/payloadCheck";
import { english } from "../core/text/language";
import type { Terminal } from "./command";

/** Checks payloads as the editor does, in a thread of its own, until `close`. */
export interface PayloadChecker {
  /** `schema` is undefined where the registry provides none. `key` is marked where it stands in the text. */
  readonly check: (
    text: string,
    schema: JsonValue | undefined,
    key?: string | undefined,
  ) => Promise<PayloadCheck>;
  readonly close: () => void;
}

/** Starts the thread with the first payload. */
export async function openChecker({ partsFolder, signal }: Terminal): Promise<PayloadChecker> {
  const { LanguageClient } = await import("../language/languageClient");
  const client = new LanguageClient({ workerPath: join(partsFolder, "languageWorker.js") });
  return {
    check: async (text, schema, key) => {
      const secrets = key === undefined ? [] : [key];
      const check = await client.check({ text, schema: schema ?? true, secrets }, signal);
      return schema === undefined ? withoutSchema(check, english) : check;
    },
    close: () => client.dispose(),
  };
}
