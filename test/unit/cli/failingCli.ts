import { mkdir, writeFile } from "node:fs/promises";
import { after, before } from "mocha";
import { type CountingRegistry, startCountingRegistry } from "./countingRegistry";
import { cliFolder } from "./runTestCli";

const key = "skh_counting_0123456789";

/** The environment variables of a command that invokes. */
export const env = { SKILL_REGISTRY_PROJECT_KEY: key };

/** Writes a file of payloads, one for each text. */
export const lines = (...texts: readonly string[]) =>
  texts.map((text) => `${JSON.stringify({ text })}\n`).join("");

/** Runs commands in a folder with broken files, at a registry that counts and fails. */
export function failingCli() {
  const folder = cliFolder();
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
    const suite = { format: 1, skill: "text-stats", cases: [{ name: "a", payload: { text: "" } }] };
    await writeFile(folder.path("a.skill-suite.json"), JSON.stringify(suite));
    await writeFile(folder.path("text-stats.skill-input.json"), '{"text":"a"}');
    await writeFile(folder.path("text-stats.jsonl"), '{"text":"a"}\n');
    await mkdir(folder.path("folder.jsonl"));
    // The text contains an é in ISO 8859-1, which is invalid UTF-8.
    const latin = Buffer.from('{"text":"caf\xe9"}', "latin1");
    await writeFile(folder.path("text-stats.latin.skill-input.json"), latin);
    await writeFile(folder.path("latin.jsonl"), Buffer.concat([Buffer.from("\n\n"), latin]));
    await mkdir(folder.path("taken"));
    await writeFile(folder.path("taken/.skill-registry"), "");
    await mkdir(folder.path("broken/.skill-registry/policy.json"), { recursive: true });
  });
  after(() => registry.close());
  return {
    folder,
    get registry() {
      return registry;
    },
  };
}
