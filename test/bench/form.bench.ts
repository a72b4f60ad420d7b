import { editForm } from "../../src/core/form/editForm";
import type { Form, FormDraft, ShownFields } from "../../src/core/form/formField";
import { readForm } from "../../src/core/form/readForm";
import { type TestableSchema, testableSchema } from "../../src/core/schema/read/testableSchema";
import { english } from "../../src/core/text/language";
import { fullSkill } from "../fixtures/skillDetail";
import { startPageBrowser } from "../webview/pageBrowser";
import { ready } from "../webview/samplePages";
import { floorMs } from "./probes/held";
import type { Measure } from "./probes/measure";

const rounds = 5;
/** The delay after a key press that nobody notices, in milliseconds. */
const unnoticedMs = 100;

/** Measures the form of a payload: the time from a key press until the form is computed, and until it is drawn. */
export async function run(): Promise<Measure[]> {
  const all = { "": 1000 };
  const kinds: readonly [name: string, count: number, shown: ShownFields, times: number][] = [
    ["form of 1,000 fields after a key", 1000, all, 15],
    // The most properties that a skill's schema may have. The page shows some, and the form reads through all.
    ["form of 25,000 fields after a key", 25_000, {}, 60],
  ];
  const made = kinds.map(([name, count, shown, times]) => {
    const schema = testableSchema(schemaOf(count));
    const draft = draftOf(count);
    return measured(name, times, () => void formAfterKey(schema, draft, shown));
  });
  const first = formAfterKey(testableSchema(schemaOf(1000)), draftOf(1000), {});
  return [...made, await drawing(first)];
}

function formAfterKey(schema: TestableSchema, draft: FormDraft, shown: ShownFields): Form {
  const edit = { what: "write", pointer: "/field7", text: "typed" } as const;
  return readForm(schema, editForm(schema, draft, edit), shown, english);
}

function measured(name: string, times: number, work: () => void): Measure {
  const ours: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(floorMs());
    const start = performance.now();
    work();
    ours.push(performance.now() - start);
  }
  return measureOf(name, ours, floors, times);
}

/** Measures the time from the message to the frame that shows the first fields and the number of further ones. */
async function drawing(form: Form): Promise<Measure> {
  const browser = await startPageBrowser();
  const [ours, floors]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const { page, show, showForm, close } = await browser.open();
    await show(ready(fullSkill));
    await page.click("#input-tab");
    floors.push(floorMs());
    const part = { form, problems: undefined, revision: 0, notes: [], starts: [], payload: "" };
    const start = performance.now();
    await showForm(part);
    ours.push(performance.now() - start);
    await close();
  }
  await browser.close();
  return measureOf("draw a form of 1,000 fields", ours, floors, 15);
}

/**
 * Compares the best round, since other programs run too, with the unnoticed delay, or with `factor` times the floor if
 * the machine is so busy that this is more.
 */
function measureOf(
  name: string,
  times: readonly number[],
  floors: readonly number[],
  factor: number,
): Measure {
  const ours = Math.min(...times);
  const peer = Math.max(unnoticedMs, factor * Math.min(...floors));
  return { name, ours, peer, ratio: ours / peer, limit: 1 };
}

/** Returns a schema of texts, numbers and choices. */
function schemaOf(count: number) {
  const kinds = [
    { type: "string", title: "A text", maxLength: 50, description: "What it is for." },
    { type: "integer", minimum: 0, maximum: 10, default: 3 },
    { enum: ["one", "two", "three"] },
  ];
  const fields = Array.from({ length: count }, (_, at) => [`field${at}`, kinds[at % 3]] as const);
  return { type: "object", properties: Object.fromEntries(fields), required: ["field0"] };
}

function draftOf(count: number): FormDraft {
  const values = ["a text", 5, "two"];
  const members = Array.from({ length: count }, (_, at) => [`field${at}`, values[at % 3]] as const);
  return { text: JSON.stringify(Object.fromEntries(members), undefined, 2), unread: {} };
}
