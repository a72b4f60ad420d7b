import * as vscode from "vscode";
import { endingToExpect } from "../../core/invocation/outcome";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { parseExactly } from "../../core/json/exactJson";
import { type JsonValue, parsedJson } from "../../core/json/jsonValue";
import { valueRange } from "../../core/payload/payloadCheck";
import { type MakeSample, sampleTemplate } from "../../core/payload/payloadTemplates";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { isDeviceName, type SkillAddress } from "../../core/skill/skillAddress";
import { casePointer } from "../../core/suite/caseReport";
import { shownValue } from "../../core/suite/judgeCase";
import {
  caseCountText,
  caseName,
  caseNameProblem,
  needsPayloadFile,
  outputValues,
  variationText,
  varyingPointers,
} from "../../core/suite/newCase";
import { isTooDeepForCase } from "../../core/suite/runSuite";
import {
  type Expectation,
  readSuite,
  type Suite,
  type SuiteCase,
  suiteEnding,
} from "../../core/suite/suite";
import { addCaseEdit, suiteText } from "../../core/suite/suiteText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { chooseInvocation, orOnScreen } from "../audit/auditCommands";
import type { OutputDocuments } from "../audit/outputDocuments";
import { freePayloadFile } from "../author/newPayload";
import type { ThisSkill } from "../discover/thisSkill";
import type { SkillDetails } from "../inspect/skillDetails";
import { rangeIn } from "../marks";
import type { CommandHandlers } from "../registerCommands";
import type { SkillFiles } from "../skillFiles";
import { openFile } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { inform } from "../ui/messages";
import { readShown } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { choose, chooseMany } from "../ui/quickInput/choose";
import { askForFile, fileName, writeText } from "../ui/saveText";
import { editSuite, mayStore, storeOutput, suitesOf } from "./suiteFiles";

/** The dependencies of the commands that write suites. */
export interface SuiteCommandsParts {
  readonly history: InvocationHistory;
  readonly outputs: OutputDocuments;
  readonly files: SkillFiles;
  readonly details: SkillDetails;
  /** Generates a payload from a skill's schema. */
  readonly sample: MakeSample;
  /** Returns the Project Key in use, which must not be in any file. */
  readonly projectKey: () => Promise<string | undefined>;
  readonly thisSkill: ThisSkill;
}

/** Builds the commands that write suites. */
export function suiteCommands(parts: SuiteCommandsParts) {
  return {
    saveAsTest: (argument: unknown) => saveAsTest(parts, argument),
    newSuite: async (argument: unknown) => {
      const slug = await parts.thisSkill.choose(argument, newSuiteTitle());
      if (slug !== undefined) await newSuite(parts, slug);
    },
  } satisfies Partial<CommandHandlers>;
}

/** A past invocation with its payload, and its output if the skill returned one. */
interface Run extends SkillAddress {
  readonly record: InvocationRecord;
  readonly payloadText: string;
  readonly payload: JsonValue;
  readonly output: JsonValue | undefined;
}

/**
 * Saves a past invocation as a case of a suite: its payload, and the expectations that the user chooses. The user
 * chooses where to save a new suite, and names the case. Shows the case.
 */
async function saveAsTest(parts: SuiteCommandsParts, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Save as Test");
  const record = await chooseInvocation(parts.history, orOnScreen(argument), {
    title,
    words: (item) => parts.outputs.words(item),
    among: (item) => endingToExpect(item) !== undefined,
    none: noResultText(),
  });
  const run = record && (await readRun(parts, record));
  if (run === undefined) return;
  const chosen = await askForExpectation(parts, run, title);
  if (chosen === undefined) return;
  const { expect } = chosen;
  const stored = expect?.snapshot ? run.output : undefined;
  const written = [
    run.payloadText,
    ...[stored, expect?.output].map((part) => JSON.stringify(part)),
  ];
  if (!(await mayStore(written, await parts.projectKey()))) return;
  const target = await chooseSuite(parts, run.slug, title);
  if (target === undefined) return;
  const name = await askForCaseName(run, target.suite?.cases ?? [], title);
  if (name === undefined) return;
  const payload = await payloadOf(run, target.uri);
  if (payload === undefined) return;
  const suiteCase: SuiteCase = { name, ...payload, ...(expect !== undefined && { expect }) };
  const isSaved =
    target.suite === undefined
      ? await writeText(target.uri, suiteText(run, [suiteCase]))
      : await editSuite(target.uri, (text, { address, cases }) => {
          // If another case got this name meanwhile, the output of the new case would replace that case's stored
          // output.
          const isFree = address.slug === run.slug && cases.every((other) => other.name !== name);
          return isFree ? addCaseEdit(text, suiteCase) : undefined;
        });
  if (!isSaved) return;
  if (stored !== undefined) await storeOutput(target.uri, name, stored);
  await showCase(target.uri, name, "name");
}

/** Saves a new suite with one case of a sample payload in a file that the user chooses, and shows it. */
async function newSuite({ details, sample }: SuiteCommandsParts, slug: string): Promise<void> {
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), () => details.find(slug));
  if (skill === undefined) return;
  const uri = await askForSuite(slug);
  if (uri === undefined) return;
  const { value: payload } = await sampleTemplate(skill, "example", sample);
  const name = caseName(payload, slug, []);
  if (await writeText(uri, suiteText(skill.summary, [{ name, payload }]))) {
    await showCase(uri, name, "selectedName");
  }
}

/** Reads the payload and output of an invocation. Undefined if they cannot be a case, which is shown. */
async function readRun(
  { history, outputs }: SuiteCommandsParts,
  record: InvocationRecord,
): Promise<Run | undefined> {
  const ending = endingToExpect(record);
  if (ending === undefined) return void inform(noResultText());
  const payloadText = (await history.texts(record.id))?.inputText;
  const payload = payloadText === undefined ? undefined : parsed(payloadText);
  if (payloadText === undefined || payload === undefined) {
    return void inform(vscode.l10n.t("The payload of this invocation was not kept."));
  }
  const output = ending === "output" ? parsed((await outputs.output(record.id)) ?? "") : undefined;
  if (ending === "output" && output === undefined) {
    return void inform(vscode.l10n.t("The output of this invocation was not kept."));
  }
  const { skillSlug: slug, version } = record;
  return { slug, version, record, payloadText, payload, output };
}

/** Parses JSON. Undefined for invalid JSON, or nesting too deep to compare. */
function parsed(text: string): JsonValue | undefined {
  const value = parsedJson(text);
  return value === undefined || isTooDeepForCase(value) ? undefined : parseExactly(text);
}

interface ChosenExpectation {
  /** Undefined for success with an output that matches its schema. */
  readonly expect: Expectation | undefined;
}

/**
 * Asks which parts of an output are expected. For an invocation without an output, asks whether it should end the same
 * way. Undefined if the user canceled.
 */
async function askForExpectation(
  parts: SuiteCommandsParts,
  { record, output }: Run,
  title: string,
): Promise<ChosenExpectation | undefined> {
  const ending = endingToExpect(record);
  if (typeof ending === "object") return { expect: ending };
  if (output === undefined) return undefined;
  const others = await otherOutputs(parts, record);
  const varies = varyingPointers(output, others);
  const ask = (): Promise<ChosenExpectation | undefined> =>
    choose<() => Promise<ChosenExpectation | undefined>>(rows, {
      title,
      placeHolder: vscode.l10n.t("What is expected of this payload?"),
    }).then((expectation) => expectation?.());
  const wholeOutput = {
    label: vscode.l10n.t("The same output"),
    description: variationText(varies ?? [], others.length, hostLanguage()),
    value: async (): Promise<ChosenExpectation> => ({
      expect: { snapshot: true, ...((varies ?? []).length > 0 && { ignore: varies ?? [] }) },
    }),
  };
  const rows = [
    ...(varies === undefined ? [] : [wholeOutput]),
    {
      label: vscode.l10n.t("Chosen values…"),
      description: vscode.l10n.t("only these are compared"),
      value: () => askForValues(output, varies ?? [], title, ask),
    },
    {
      label: vscode.l10n.t("Any output that matches the schema"),
      description: vscode.l10n.t("no value is compared"),
      value: async () => ({ expect: undefined }),
    },
  ];
  return ask();
}

/** The number of outputs that are compared to find the varying parts. Each is read completely. */
const maxOthers = 5;
/** The number of the skill's newest invocations that are searched for outputs of the same payload. */
const maxSearched = 1_000;

/** Reads the outputs of the newest other invocations with the same payload. */
async function otherOutputs(
  { history, outputs }: SuiteCommandsParts,
  record: InvocationRecord,
): Promise<readonly JsonValue[]> {
  const { registry, skillSlug } = record;
  const ofSkill = await history.list({ registry, skills: [skillSlug], limit: maxSearched });
  const same = ofSkill.filter(
    (other) =>
      other.id !== record.id &&
      other.requestSha256 !== undefined &&
      other.requestSha256 === record.requestSha256 &&
      isSameVersion(other.version, record.version) &&
      endingToExpect(other) === "output",
  );
  const texts = await Promise.all(same.slice(0, maxOthers).map(({ id }) => outputs.output(id)));
  return texts.map((text) => parsed(text ?? "")).filter((output) => output !== undefined);
}

async function askForValues(
  output: JsonValue,
  varies: readonly string[],
  title: string,
  back: () => Promise<ChosenExpectation | undefined>,
): Promise<ChosenExpectation | undefined> {
  const placeHolder = vscode.l10n.t("Select the values that have to be the same");
  const chosen = await chooseMany(
    outputValues(output, varies).map((outputValue) => ({
      label: outputValue.pointer || "/",
      description: shownValue(outputValue.value),
      value: outputValue,
    })),
    { title, placeHolder, back },
  );
  if (chosen === undefined || "expect" in chosen) return chosen;
  if (chosen.length === 0) return undefined;
  return {
    expect: { output: Object.fromEntries(chosen.map(({ pointer, value }) => [pointer, value])) },
  };
}

/** A suite to which the case is added. A new suite has no cases yet. */
interface SuiteTarget {
  readonly uri: vscode.Uri;
  readonly suite: Suite | undefined;
}

/** Lets the user choose among the skill's suites and a new one. Without suites, returns a new one at once. */
async function chooseSuite(
  { files }: SuiteCommandsParts,
  slug: string,
  title: string,
): Promise<SuiteTarget | undefined> {
  const known = await suitesOf(slug, await files.suites());
  const rows = known.map((suite) => ({
    label: vscode.workspace.asRelativePath(suite.uri),
    description: caseCountText(suite.suite, hostLanguage()),
    value: suite,
  }));
  const chosen =
    known.length === 0
      ? "new"
      : await choose<SuiteTarget | "new">(
          [...rows, { label: vscode.l10n.t("New Suite…"), value: "new" }],
          { title, placeHolder: vscode.l10n.t("Select a suite") },
        );
  if (chosen !== "new") return chosen;
  const uri = await askForSuite(slug);
  return uri && { uri, suite: undefined };
}

function askForSuite(slug: string): Promise<vscode.Uri | undefined> {
  return askForFile({
    title: newSuiteTitle(),
    name: `${slug}${isDeviceName(slug) ? "_skill" : ""}${suiteEnding}`,
    filters: { JSON: ["json"] },
    ending: suiteEnding,
  });
}

/**
 * Asks for the name of a case before anything is written: a stored output belongs to the case of its name, so a case
 * that is renamed later by typing would lose it. Undefined if the user canceled.
 */
function askForCaseName(
  { payload, payloadText, slug }: Run,
  cases: Suite["cases"],
  title: string,
): Promise<string | undefined> {
  const named = needsPayloadFile(payloadText) ? null : payload;
  return ask({
    title,
    prompt: vscode.l10n.t("Name of the case"),
    value: caseName(named, slug, cases),
    problemOf: (text) => caseNameProblem(text, cases, hostLanguage()),
  });
}

/**
 * Returns the payload as part of its case: in the suite, or in a file beside it if storing it in the suite would change
 * it.
 */
async function payloadOf(
  { payload, payloadText, slug }: Run,
  suite: vscode.Uri,
): Promise<Pick<SuiteCase, "payload" | "payloadFile"> | undefined> {
  if (!needsPayloadFile(payloadText)) return { payload };
  const file = await freePayloadFile(vscode.Uri.joinPath(suite, ".."), slug);
  if (!(await writeText(file, payloadText))) return undefined;
  return { payloadFile: fileName(file) };
}

/**
 * Shows a case at its name. The name is selected only where no stored output belongs to it, since typing renames the
 * case alone.
 */
async function showCase(uri: vscode.Uri, name: string, at: "name" | "selectedName"): Promise<void> {
  const document = await openFile(uri);
  if (document === undefined) return;
  const text = document.getText();
  const read = readSuite(text, hostLanguage());
  const index = read.ok ? read.value.cases.findIndex((item) => item.name === name) : -1;
  const range = index < 0 ? undefined : valueRange(text, casePointer(index, {}));
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (range === undefined) return;
  const { start, end } = rangeIn(document, { start: range.start + 1, end: range.end - 1 });
  // With the cursor at its end, the beginning of a long name would scroll out of view.
  editor.selection = new vscode.Selection(at === "name" ? start : end, start);
  editor.revealRange(new vscode.Range(start, start));
}

function newSuiteTitle(): string {
  return vscode.l10n.t("New Suite");
}

function noResultText(): string {
  return vscode.l10n.t("This invocation has no result that a test could expect.");
}
