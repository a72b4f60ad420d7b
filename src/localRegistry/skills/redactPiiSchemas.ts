import { schemaDialect } from "../catalogue/schemaDialect";
import { type PersonalDataKind, personalDataKinds } from "../computations/findPersonalData";

/** The kinds version 1 knew: all but IP addresses. */
export const kinds1 = personalDataKinds.filter((kind) => kind !== "ipAddress");

const text = {
  type: "string",
  title: "Text",
  description: "The text to go through, at most 100,000 characters.",
  maxLength: 100_000,
};

/** What version 2 takes. */
export const redactInput = {
  $schema: schemaDialect,
  title: "Text to redact",
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: {
    text,
    kinds: kindsSchema(personalDataKinds),
    replacement: {
      title: "Replacement",
      description: "What stands where personal data stood.",
      oneOf: [{ $ref: "#/$defs/label" }, { $ref: "#/$defs/mask" }],
      default: { style: "label" },
    },
    allow: {
      type: "array",
      title: "Leave these alone",
      description:
        "Texts that may stay although they look like personal data, such as your own support address.",
      items: { type: "string", minLength: 3, maxLength: 200 },
      maxItems: 200,
      uniqueItems: true,
      default: [],
    },
  },
  $defs: {
    label: {
      title: "A label that names the kind, such as [e-mail]",
      type: "object",
      required: ["style"],
      additionalProperties: false,
      properties: { style: { const: "label" } },
    },
    mask: {
      title: "A mask that hides the characters one by one",
      type: "object",
      required: ["style"],
      additionalProperties: false,
      properties: {
        style: { const: "mask" },
        character: { type: "string", title: "Character", minLength: 1, maxLength: 1, default: "*" },
        keepLast: {
          type: "integer",
          title: "Characters left readable at the end",
          minimum: 0,
          maximum: 4,
          default: 0,
        },
      },
    },
  },
};

/** What version 1 took. */
export const redactInput1 = {
  $schema: schemaDialect,
  title: "Text to redact",
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: {
    text,
    kinds: kindsSchema(kinds1),
    mask: { type: "string", title: "Mask", minLength: 1, maxLength: 1, default: "*" },
  },
};

/** What every version gives. */
export const redactOutput = {
  $schema: schemaDialect,
  type: "object",
  required: ["text", "found", "counts"],
  properties: {
    text: { type: "string", description: "The text with personal data replaced." },
    found: {
      type: "array",
      description: "Where personal data stood in the text that was sent.",
      items: {
        type: "object",
        required: ["kind", "start", "end"],
        properties: {
          kind: { enum: [...personalDataKinds] },
          start: { type: "integer", minimum: 0 },
          end: { type: "integer", minimum: 1 },
        },
      },
    },
    counts: { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
  },
};

function kindsSchema(known: readonly PersonalDataKind[]) {
  return {
    type: "array",
    title: "What to look for",
    description: "Kinds of personal data to replace. Left out: all of them.",
    items: { enum: [...known] },
    minItems: 1,
    uniqueItems: true,
    default: [...known],
  };
}
