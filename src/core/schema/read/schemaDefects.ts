import { type LocalizableText, l10nText } from "../../text/localizableText";
import type { SchemaRules } from "../schemaRules";

/** A part of a schema that cannot be applied, so that it is left out. */
export interface SchemaDefect {
  readonly why: RefusalCause;
  /** One plain sentence that names the part. */
  readonly reason: LocalizableText;
  /** Where it stands in the skill's schema; undefined in a document from elsewhere. */
  readonly pointer: string | undefined;
}

/** Collects what is left out of one schema: the first of them whole, the others as a number. */
export class SchemaDefects {
  first: SchemaDefect | undefined;
  count = 0;

  /** Notes that what stands at a path below a schema is left out; "" is the schema itself. */
  add(
    rules: SchemaRules,
    path: string,
    reason: LocalizableText,
    why: RefusalCause = "malformed",
  ): void {
    const [keyword = ""] = path.split("/");
    rules.leftOut ??= new Set();
    rules.leftOut.add(keyword);
    this.count += 1;
    const pointer = path === "" ? rules.pointer : `${rules.pointer}/${path}`;
    this.first ??= { why, reason, pointer: rules.pointer === undefined ? undefined : pointer };
  }

  /** Notes a malformed keyword and what it must be in the schema's dialect. */
  addMalformed(rules: SchemaRules, path: string, expected: LocalizableText): void {
    const reason = l10nText(
      "The skill's schema is malformed at {place}: {keyword} must be {expected} in {dialect}.",
      {
        place: rules.pointer?.slice(0, 200) || l10nText("the schema root"),
        keyword: `"${path.slice(0, 100)}"`,
        expected,
        dialect: rules.resource.dialect,
      },
    );
    this.add(rules, path, reason);
  }

  /** Does what may be refused for a reference that leads nowhere, and notes that instead. */
  tryReference<Found>(rules: SchemaRules, keyword: string, find: () => Found): Found | undefined {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof SchemaRefusal) || !error.isOfReference) throw error;
      this.add(rules, keyword, error.reason, error.why);
      return undefined;
    }
  }
}

/** Why a schema cannot be applied: what it needs is elsewhere, or it is malformed. */
export type RefusalCause = "outside" | "dialect" | "malformed" | "ambiguous" | "asynchronous";

/** Thrown while a schema is read; the reader of the whole schema catches it. */
export class SchemaRefusal extends Error {
  readonly why: RefusalCause;
  /** One plain sentence for the person who writes a payload for the schema. */
  readonly reason: LocalizableText;
  /** Nothing but one reference is at fault: the rest of the schema can be read without it. */
  readonly isOfReference: boolean;

  constructor(why: RefusalCause, reason: LocalizableText, isOfReference = false) {
    super(reason.text);
    this.name = "SchemaRefusal";
    this.why = why;
    this.reason = reason;
    this.isOfReference = isOfReference;
  }
}
