import type { JsonValue } from "../../json/jsonValue";
import { type LongText, longText } from "../../json/printJson";
import type { MakeSample } from "../../payload/payloadTemplates";
import type { OutlineNode } from "../../schema/schemaOutline";
import { revealHiddenIn } from "../../text/plainText";
import type { PermissionLevelText, PermissionSentence } from "../permissions";
import type { SkillDetail, SkillPart } from "../skill";
import type { VerificationText } from "../verification";
import type { NumberLabel } from "./numberLabels";

/** All text of a skill's page, with hidden characters escaped and long texts cut. */
export interface SkillDescription {
  readonly slug: string;
  readonly displayName: string;
  /** Empty if the registry gave none. */
  readonly version: string;
  /** Whether it is a manifest of the workspace, which no registry has. */
  readonly isLocal: boolean;
  /** Whether the page offers to invoke: a skill of a registry, or a manifest whose code is on this machine. */
  readonly offersInvoke: boolean;
  /** Undefined if this is the version that the reader expects: the requested one, else the latest. */
  readonly versionNote: VersionNote | undefined;
  readonly description: string;
  readonly tags: readonly string[];
  readonly registry: { readonly name: string; readonly builtIn: boolean };
  /** Undefined if the registry does not name one. */
  readonly publisher: PublisherText | undefined;
  /** The author that the manifest names; undefined if it names none. `url` is an https address. */
  readonly author: { readonly name: string; readonly url: string | undefined } | undefined;
  readonly verification: VerificationText & { readonly source: string; readonly review: string };
  readonly permissionLevel: PermissionLevelText;
  /** Undefined if the registry does not provide the skill's permissions. */
  readonly permissions: readonly PermissionSentence[] | undefined;
  /** Known facts, such as task, runtime and last change. */
  readonly facts: readonly Fact[];
  /** Empty if none is known. */
  readonly prices: readonly string[];
  /** Where a payload is sent. */
  readonly goesTo: string;
  readonly numbers: readonly NumberLabel[];
  /** The heading of the numbers, which also marks samples. */
  readonly numbersTitle: string;
  /** Who counted the numbers and how old they are. */
  readonly numbersAge: string;
  readonly feedback: FeedbackText | undefined;
  /** For each missing part, the reason; it may still be loading. */
  readonly absent: Readonly<Record<SkillPart, string>>;
  /** The schemas as JSON; undefined if the registry gave none. */
  readonly input: LongText | undefined;
  readonly output: LongText | undefined;
  readonly examples: readonly ExampleText[];
  /** How many more examples there are. */
  readonly moreExamples: number;
  readonly versions: readonly VersionText[];
  /** How many more versions there are. */
  readonly moreVersions: number;
  readonly manifest: LongText;
  /** An https address; undefined without one that may be opened. */
  readonly supportUrl: string | undefined;
}

/** A note that another version is shown than the reader may expect. */
export interface VersionNote {
  readonly text: string;
  /** The version to open instead; empty if the latest is shown. */
  readonly latest: string;
}

/** A label and its value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A skill's publisher, as text. */
export interface PublisherText {
  readonly name: string;
  /** Undefined if the registry does not state it. */
  readonly verified: boolean | undefined;
  /** What the byline does not say: the name, and all other facts except the usual ones of a verified publisher. */
  readonly facts: readonly Fact[];
  /** An https address, or undefined. */
  readonly url: string | undefined;
  readonly otherSkills: readonly string[];
  /** The number of further skills of the publisher; 0 if unknown. */
  readonly moreSkills: number;
}

/** An example for people: JSON texts, indented. */
export interface ExampleText {
  readonly name: string;
  readonly input: LongText;
  readonly output: LongText | undefined;
}

/** A published version as text. */
export interface VersionText {
  readonly version: string;
  /** Empty if unknown. */
  readonly published: string;
  readonly changes: string;
  readonly shown: boolean;
}

/** Feedback of users, as text. */
export interface FeedbackText {
  /** Such as "4.6 of 5, from 12 ratings"; empty without ratings. */
  readonly summary: string;
  /** From five stars to one; empty if unknown. `share` is 0 to 1. */
  readonly breakdown: readonly {
    readonly label: string;
    readonly count: number;
    readonly share: number;
  }[];
  readonly entries: readonly FeedbackEntryText[];
}

/** The feedback of one user; missing parts are empty. */
export interface FeedbackEntryText {
  readonly rating: string;
  readonly title: string;
  readonly text: string;
  readonly useCase: string;
  readonly author: string;
  readonly date: string;
  /** The publisher's reply. */
  readonly reply: string;
}

/** Input or output. */
export type SchemaSide = "input" | "output";

/** What the page shows of a schema after the reader opens it. */
export interface SchemaView {
  /** Undefined if no outline could be made. */
  readonly outline: OutlineNode | undefined;
  /** Undefined if the publisher gives an example. */
  readonly sample: SchemaSample | undefined;
}

/** A generated example, as JSON for people. */
interface SchemaSample {
  readonly json: LongText;
  /** False if it may not match the schema. */
  readonly fits: boolean;
}

/** Outlines a schema, with hidden characters escaped. Undefined if that takes too long. */
export type MakeOutline = (schema: JsonValue) => Promise<OutlineNode | undefined>;

/** Returns the schema of an input or output; undefined if the registry gave none. */
export function schemaOf(skill: SkillDetail, side: SchemaSide): JsonValue | undefined {
  return side === "input" ? skill.inputSchema : skill.outputSchema;
}

/**
 * Outlines the schema of an input or output. If the publisher gives no example of an output, generates one with every
 * property that the schema names: an input's form has one already. Undefined without a schema.
 */
export async function viewSchema(
  skill: SkillDetail,
  side: SchemaSide,
  { outline, sample }: { readonly outline: MakeOutline; readonly sample: MakeSample },
): Promise<SchemaView | undefined> {
  const schema = schemaOf(skill, side);
  if (schema === undefined) return undefined;
  const examples = skill.examples.flatMap(({ output }) => output ?? []);
  const [outlined, made] = await Promise.all([
    outline(schema),
    side === "input" || examples.length > 0
      ? undefined
      : sample({ ...skill, inputSchema: schema }, { mode: "full", examples }),
  ]);
  const json = made && revealHiddenIn(longText(made.value as JsonValue, maxLength));
  return {
    outline: outlined,
    sample: json && { json, fits: made.notes.length === 0 },
  };
}

/** The maximum number of characters of an example. Nobody reads a longer one on a page. */
const maxLength = 20_000;
