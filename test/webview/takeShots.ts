import { mkdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readForm } from "../../src/core/form/readForm";
import { endedTrial } from "../../src/core/invocation/output/exampleTrial";
import { testableSchema } from "../../src/core/schema/read/testableSchema";
import type { SkillDetail } from "../../src/core/skill/skill";
import { runSync } from "../../src/core/text/chunked";
import { english, type Language, languageOf } from "../../src/core/text/language";
import { pageTabs, type SkillPage } from "../../src/protocol/pageMessages";
import { pngOf } from "../fixtures/images";
import { pastInvocation } from "../fixtures/pastInvocation";
import { bareSkill, fixtureNow, fullSkill, powerfulSkill } from "../fixtures/skillDetail";
import { startPageBrowser } from "./pageBrowser";
import { compared, comparison, driftedReview, ready } from "./samplePages";
import { takeUsageShots } from "./takeUsageShots";
import { type ThemeName, themes } from "./themes";

/** Takes pictures of the page in every theme, state and tab into a folder, to look at. */
async function takeShots(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await startPageBrowser();
  const shoot = async (
    name: string,
    theme: ThemeName,
    width: number,
    shown: SkillPage,
    tab = "overview",
    words: Readonly<Record<string, string>> = {},
  ) => {
    const opened = await browser.open({ theme, width, words });
    await opened.show(shown);
    if (tab !== "overview") await opened.page.click(`#${tab}-tab`);
    const language = Object.keys(words).length > 0 ? languageOf("de", words) : english;
    if (tab === "input") await opened.showForm(formIn(language));
    await opened.page.screenshot({ path: resolve(folder, `${name}.png`), fullPage: true });
    for (const problem of opened.problems) console.log(`${name}: ${problem}`);
    await opened.close();
  };
  const { inputSchema = true, examples } = fullSkill;
  const text = JSON.stringify(examples[0]?.input ?? {}, undefined, 2);
  const formIn = (language: Language) => ({
    form: readForm(testableSchema(inputSchema), { text, unread: {} }, {}, language),
    problems: undefined,
    revision: 0,
    notes: [],
    starts: [],
    payload: "",
  });
  for (const tab of pageTabs) {
    await shoot(`dark-900-${tab}`, "dark", 900, ready(fullSkill), tab);
    await shoot(`light-320-${tab}`, "light", 320, ready(fullSkill), tab);
  }
  for (const theme of Object.keys(themes) as ThemeName[]) {
    await shoot(`${theme}-1100-comparison`, theme, 1100, comparison);
    await shoot(
      `${theme}-900-difference`,
      theme,
      900,
      { ...ready(fullSkill), compared },
      "versions",
    );
    const drifted = { ...ready(powerfulSkill), review: driftedReview };
    await shoot(`${theme}-1100-powerful`, theme, 1100, drifted);
    await shoot(`${theme}-900-input`, theme, 900, ready(fullSkill), "input");
    const tried = { ...ready(fullSkill), trials: { form: sampleTrial } };
    await shoot(`${theme}-1100-tried`, theme, 1100, tried, "input");
    await shoot(`${theme}-320-tried`, theme, 320, tried, "input");
  }
  const drifted = { ...ready(powerfulSkill), review: driftedReview };
  await shoot("light-640-drifted", "light", 640, drifted);
  await shoot("dark-320-drifted", "dark", 320, drifted);
  await shoot("dark-320-drifted-input", "dark", 320, drifted, "input");
  await shoot("light-300-comparison", "light", 300, comparison);
  await shoot("dark-320-difference", "dark", 320, { ...ready(fullSkill), compared }, "versions");
  const german = JSON.parse(await readFile("l10n/bundle.l10n.de.json", "utf8"));
  const inGerman = (skill: SkillDetail) => ready(skill, languageOf("de", german));
  for (const tab of pageTabs) {
    await shoot(`light-640-german-${tab}`, "light", 640, inGerman(fullSkill), tab, german);
    await shoot(`dark-900-german-${tab}`, "dark", 900, inGerman(fullSkill), tab, german);
  }
  await shoot("dark-320-german", "dark", 320, inGerman(powerfulSkill), "overview", german);
  await shoot("light-900-bare", "light", 900, ready(bareSkill));
  for (const state of emptyStates) await shoot(`dark-600-${state.kind}`, "dark", 600, state);
  await browser.close();
}

const emptyStates: readonly SkillPage[] = [
  { kind: "loading", slug: "csv-profile" },
  { kind: "gone", slug: "csv-profile", registryName: "registry.example" },
  {
    kind: "failed",
    slug: "csv-profile",
    message:
      "The registry did not respond within 30 seconds. Check the connection, then try again.",
    actions: [
      { action: "connect", title: "Connect to Registry…" },
      { action: "showLog", title: "Show Log" },
    ],
  },
];

/** The result of the form, with an image, a text and a file in the output. */
const sampleTrial = runSync(
  endedTrial(
    pastInvocation(fixtureNow, { status: "success", durationMs: 84, invocationId: "63615c78" }),
    JSON.stringify({
      chart: `data:image/png;base64,${pngOf(160, 60)}`,
      note: "# Columns\n\n- name\n- age",
      report: "data:application/pdf;base64,JVBERi0xLjcK",
    }),
    { language: english, now: fixtureNow },
  ),
);

const folder = process.argv[2] ?? resolve("out/page");
await takeUsageShots(folder);
if (!process.argv.includes("--usage")) await takeShots(folder);
