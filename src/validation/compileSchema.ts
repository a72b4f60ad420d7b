import Ajv, { type ErrorObject } from "ajv/dist/2020";

/** A schema that is ready to be applied, or the reason why it cannot be. */
export type CompiledSchema =
  | { kind: "ready"; validate: (value: unknown) => ErrorObject[] }
  | { kind: "refused"; reason: string };

/** Compiles a schema. Never throws: what cannot be compiled is refused with a reason. */
export function compileSchema(schema: unknown): CompiledSchema {
  const isSchema = typeof schema === "boolean" || (typeof schema === "object" && schema !== null);
  if (!isSchema) return { kind: "refused", reason: "The skill's schema is not a JSON Schema." };
  try {
    const ajv = new Ajv({
      allErrors: true,
      strict: false,
      validateFormats: false,
      ownProperties: true,
      logger: false,
    });
    const validate = ajv.compile(schema);
    return { kind: "ready", validate: (value) => (validate(value) ? [] : (validate.errors ?? [])) };
  } catch {
    return { kind: "refused", reason: "The skill's schema cannot be compiled." };
  }
}
