import { resolve } from "node:path";
import { version } from "../../../package.json";
import { findingsOf, type ReportItem, stateOfCheck } from "../../core/findings/report";
import { isManifestFile } from "../../core/manifest/manifestFile";
import { readError, readText } from "../../engine/files/textFile";
import { command } from "../command";
import { findFiles, nothingFoundText, unreadItems } from "../files/findFiles";
import { readReport, reportOptions, writeReport } from "../output/writeReport";
import { UsageError } from "../terminal";

export const manifest = command({
  name: "manifest",
  operands: "check [FILES…]",
  summary: "Check skillhub.json as registries and their reviewers do, before it is submitted.",
  details: [
    "FILES are manifests, folders that are searched for skillhub.json, or patterns. Default: skillhub.json in the current folder.",
    "Checks the manifest against its schema, the rules of registries and the rules of reviews; its own schemas; and its examples against these. Sends no request. Warnings do not count as findings.",
  ],
  options: reportOptions,
  words: ["check"],
  examples: [
    ["Check the manifest of this folder", "skill-registry manifest check"],
    ["Mark problems in a pull request", "skill-registry manifest check . --format github"],
  ],
  run: async ({ operands: [action, ...named], options }, terminal) => {
    const forms = readReport(options);
    if (action !== "check") throw new UsageError("Specify what to do: check.");
    const { cwd, threads, signal } = terminal;
    const names = named.length === 0 ? ["skillhub.json"] : named;
    const found = await findFiles(cwd, names, isManifestFile);
    const source = { command: "manifest check", version, folder: cwd };
    const unread = unreadItems(found);
    if (found.files.length === 0) {
      const nothing = nothingFoundText("skillhub.json", names);
      return writeReport(unread, forms, { ...source, nothing }, terminal);
    }
    const client = await threads.language();
    try {
      const items: ReportItem[] = [];
      for (const file of found.files) {
        const text = await readText(resolve(cwd, file)).catch((error: unknown) => {
          throw readError(file, error);
        });
        const check = await client.manifest(text, signal);
        const findings = findingsOf(check.problems, text, file);
        items.push({ name: file, file, state: stateOfCheck(check), findings });
      }
      return writeReport([...items, ...unread], forms, source, terminal);
    } finally {
      client.dispose();
    }
  },
});
