import type { JsonValue } from "../../json/jsonValue";
import { longText } from "../../json/printJson";
import type { MakeSample } from "../../payload/payloadTemplates";
import type { OutlineNode } from "../../schema/schemaOutline";
import { revealHiddenIn } from "../../text/plainText";
import type { PermissionLevelText, PermissionSentence } from "../permissions";
import type { SkillDetail, SkillPart } from "../skill";
import type { VerificationText } from "../verification";
import type { NumberLabel } from "./numberLabels";

/** Everything the page of a skill shows, in words, with hidden characters escaped and long texts cut. */
export interface SkillDescription {
  readonly slug: string;
  readonly displayName: string;
  /** Empty where the registry gave none. */
  readonly version: string;
  /** Undefined where this is the version the reader expects: the one asked for, else the latest. */
  readonly versionNote: VersionNote | undefined;
  readonly description: string;
  readonly tags: readonly string[];
  readonly registry: { readonly name: string; readonly builtIn: boolean };
  /** Undefined where the registry does not name one. */
  readonly publisher: PublisherText | undefined;
  /** Who wrote it, as the manifest states; undefined where it does not. `url` is an https address. */
  readonly author: { readonly name: string; readonly url: string | undefined } | undefined;
  readonly verification: VerificationText & { readonly source: string; readonly review: string };
  readonly permissionLevel: PermissionLevelText;
  /** Undefined where the registry does not say what the skill may do. */
  readonly permissions: readonly PermissionSentence[] | undefined;
  /** Task, runtime, last change and the like; those not given are left out. */
  readonly facts: readonly Fact[];
  /** Undefined where the registry did not answer; empty where it names no price. */
  readonly prices: readonly string[] | undefined;
  readonly numbers: readonly NumberLabel[];
  /** Stands above the numbers, and says where they are samples. */
  readonly numbersTitle: string;
  /** Says who counted and how old the numbers are. */
  readonly numbersAge: string;
  readonly feedback: FeedbackText | undefined;
  /** Says of each part why it is not there, where it is not: it may be on its way. */
  readonly absent: Readonly<Record<SkillPart, string>>;
  /** Undefined where the registry gave no schema. */
  readonly input: SchemaDescription | undefined;
  readonly output: SchemaDescription | undefined;
  readonly examples: readonly ExampleText[];
  /** How many examples there are besides. */
  readonly moreExamples: number;
  readonly versions: readonly VersionText[];
  /** How many versions there are besides. */
  readonly moreVersions: number;
  readonly manifest: LongText;
  /** An https address; undefined where there is none that may be opened. */
  readonly supportUrl: string | undefined;
}

/** Says that another version is shown than the reader may expect. */
export interface VersionNote {
  readonly text: string;
  /** The version to open instead; empty where the latest is shown. */
  readonly latest: string;
}

/** A label and what it stands for. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Who publishes a skill, in words. */
export interface PublisherText {
  readonly name: string;
  /** Undefined where the registry does not say. */
  readonly verified: boolean | undefined;
  /** Empty where the registry does not say. */
  readonly status: string;
  readonly trustLevel: string;
  /** An https address, or undefined. */
  readonly url: string | undefined;
  readonly otherSkills: readonly string[];
  /** How many further skills are not listed, as far as is known. */
  readonly moreSkills: number;
}

/** A schema for people, beside its JSON. */
export interface SchemaDescription {
  readonly outline: OutlineNode;
  readonly json: LongText;
}

/** A text that may have been cut to be shown; `whole` is false then. */
export interface LongText {
  readonly text: string;
  readonly whole: boolean;
}

/** An example for people: JSON texts, indented. */
export interface ExampleText {
  readonly name: string;
  readonly input: LongText;
  readonly output: LongText | undefined;
}

/** A published version in words. */
export interface VersionText {
  readonly version: string;
  /** Empty where not given. */
  readonly published: string;
  readonly changes: string;
  /** True for the one that is shown. */
  readonly shown: boolean;
}

/** What users said, in words. */
export interface FeedbackText {
  /** Such as "4.6 of 5, from 12 ratings"; empty where there are none. */
  readonly summary: string;
  /** From five stars to one; empty where not given. `share` is 0 to 1. */
  readonly breakdown: readonly {
    readonly label: string;
    readonly count: number;
    readonly share: number;
  }[];
  readonly entries: readonly FeedbackEntryText[];
}

/** What one user said; what was not given is empty. */
export interface FeedbackEntryText {
  readonly rating: string;
  readonly title: string;
  readonly text: string;
  readonly useCase: string;
  readonly author: string;
  readonly date: string;
  /** What the publisher answered. */
  readonly reply: string;
}

/** What a skill takes or what it returns. */
export type SchemaSide = "input" | "output";

/** An example that was made here, as JSON for people. */
export interface SchemaSample {
  readonly json: LongText;
  /** False where it may not be what the schema asks for. */
  readonly fits: boolean;
}

/** Makes an example of what a skill takes or returns, with every property its schema names. */
export async function sampleOfSchema(
  skill: SkillDetail,
  side: SchemaSide,
  makeSample: MakeSample,
): Promise<SchemaSample> {
  const inputSchema = side === "input" ? skill.inputSchema : skill.outputSchema;
  const examples = skill.examples.flatMap((example) => example[side] ?? []);
  const { value, notes } = await makeSample({ ...skill, inputSchema }, { mode: "full", examples });
  const json = revealHiddenIn(longText(value as JsonValue, maxLength));
  return { json, fits: notes.length === 0 };
}

const maxLength = 20_000;
