import { parentPort, workerData } from "node:worker_threads";
import { type LanguageTexts, languageOf } from "../core/text/language";
import type { AssistanceAnswer, AssistanceQuestion } from "./assistanceMessages";
import { SchemaAssistance } from "./schemaAssistance";

// Entry of the thread, started with the language to answer in: holds the schemas it was sent and answers one question after the other.
const { locale, words } = workerData as LanguageTexts;
const language = languageOf(locale, words);
const kept = new Map<string, SchemaAssistance>();

parentPort?.on("message", async (question: AssistanceQuestion) => {
  const { id, wants, text, offset } = question;
  t({ kind: "started", id });
  for (const key of question.forget) kept.delete(key);
  const assistance = assistanceFor(question);
  if (wants === "proposals") {
    t({ kind: "proposals", id, proposals: await assistance.proposals(text, offset) });
  } else {
    t({ kind: "explanation", id, explanation: await assistance.explanation(text, offset) });
  }
});

function assistanceFor({ schemaKey, schemaText }: AssistanceQuestion): SchemaAssistance {
  const known = kept.get(schemaKey);
  if (known !== undefined) return known;
  if (schemaText === undefined) throw new Error("The schema of this key was never sent.");
  const made = new SchemaAssistance(JSON.parse(schemaText), language);
  kept.set(schemaKey, made);
  return made;
}

function t(answer: AssistanceAnswer): void {
  parentPort?.postMessage(answer);
}
