import { type PayloadCheck, withoutSchema } from "../../core/payload/payloadCheck";
import type { MakeSample } from "../../core/payload/payloadTemplates";
import type { SkillSchema } from "../../core/skill/skill";
import { english } from "../../core/text/language";
import type { Terminal } from "../terminal";

/** Checks payloads as the editor does, in a thread of its own, until `close`. */
export interface PayloadChecker {
  /** `key` is marked where it stands in the text. */
  readonly check: (
    text: string,
    schema: SkillSchema,
    key?: string | undefined,
  ) => Promise<PayloadCheck>;
  readonly sample: MakeSample;
  readonly close: () => void;
}

/** Starts the thread with the first payload. */
export async function openChecker({ threads, signal }: Terminal): Promise<PayloadChecker> {
  const client = await threads.language();
  return {
    check: async (text, { schema, lossyNumbers }, key) => {
      const secrets = key === undefined ? [] : [key];
      const request = { text, schema: schema ?? true, lossyNumbers, secrets };
      const check = await client.check(request, signal);
      return schema === undefined ? withoutSchema(check, english) : check;
    },
    sample: (skill, options) => client.sample(skill.inputSchema ?? true, options, signal),
    close: () => client.dispose(),
  };
}
