import { noEnvironment, type PayloadEnvironment } from "../../core/environment/payloadEnvironment";
import { checkResolved, resolvePayload } from "../../core/environment/resolvedPayload";
import type { MistakesReader } from "../../core/findings/skillMistakes";
import type { TextRange } from "../../core/json/token";
import { type PayloadCheck, withoutSchema } from "../../core/payload/payloadCheck";
import type { MakeSample } from "../../core/payload/payloadTemplates";
import type { SkillSchema } from "../../core/skill/skill";
import { inputSchemaOf } from "../../core/skill/skill";
import { english } from "../../core/text/language";
import type { SentPayload } from "../../engine/attempt";
import type { Terminal } from "../terminal";

/** Options for finding credentials in a payload. */
interface CheckOptions {
  /** A key to mark wherever it occurs. */
  readonly key?: string | undefined;
  /** The ranges of secrets that a person allowed to send. */
  readonly allowedSecrets?: readonly TextRange[];
}

/** Checks payloads as the editor does, in a thread of its own, until `close`. */
export interface PayloadChecker {
  readonly check: (
    text: string,
    schema: SkillSchema,
    options?: CheckOptions,
  ) => Promise<PayloadCheck>;
  readonly sample: MakeSample;
  readonly mistakes: MistakesReader;
  readonly close: () => void;
}

/** Starts the thread that checks payloads. */
export async function openChecker({ threads, signal }: Terminal): Promise<PayloadChecker> {
  const client = await threads.language();
  return {
    check: async (text, { schema, lossyNumbers }, { key, allowedSecrets = [] } = {}) => {
      const secrets = key === undefined ? [] : [key];
      const request = { text, schema: schema ?? true, lossyNumbers, secrets, allowedSecrets };
      const check = await client.check(request, signal);
      return schema === undefined ? withoutSchema(check, english) : check;
    },
    sample: (skill, options) => client.sample(skill.inputSchema ?? true, options, signal),
    mistakes: (schema) => client.mistakes(schema, signal),
    close: () => client.dispose(),
  };
}

/** The inputs of a payload's check besides its skill. */
export interface PayloadContext {
  /** The Project Key, to mark wherever it occurs in the payload. */
  readonly key: string | undefined;
  /** Resolves placeholders; left out without an environment. */
  readonly environment?: PayloadEnvironment;
}

/** Creates a payload that the thread of `checker` checks, with its placeholders resolved. */
export function checkedBy(
  checker: PayloadChecker,
  text: string,
  source: string,
  { key, environment = noEnvironment }: PayloadContext,
  found: (check: PayloadCheck) => void = () => undefined,
): SentPayload {
  const resolution = resolvePayload(text, environment, english);
  return {
    // The check reports an unresolved placeholder, and nothing is sent.
    ...(resolution.ok ? resolution.value : { text }),
    source,
    check: async (skill) => {
      const schema = inputSchemaOf(skill);
      const check = await checkResolved(
        resolution,
        (resolved, allowedSecrets) => checker.check(resolved, schema, { key, allowedSecrets }),
        english,
      );
      found(check);
      return check;
    },
  };
}
