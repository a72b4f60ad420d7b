// Lists the bundled packages for tools that search for known vulnerabilities (CycloneDX 1.6).
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundledPackages } from "./thirdPartyNotices.mjs";

/** The name of the file among the bundles. */
export const billName = "sbom.cdx.json";

/**
 * Resolves to the bundled packages as JSON, sorted by name, without times or random numbers, so that equal bundles have
 * equal bills.
 */
export async function softwareBill(metafiles, root) {
  const { name, version, license } = await manifestIn(root);
  const components = await Promise.all(
    bundledPackages(metafiles).map((folder) => componentOf(join(root, folder))),
  );
  const byAddress = new Map(components.map((component) => [component.purl, component]));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name, version, licenses: licensesOf(license) } },
    components: [...byAddress.keys()].sort().map((address) => byAddress.get(address)),
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

async function componentOf(folder) {
  const { name, version, license } = await manifestIn(folder);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", "bom-ref": purl, name, version, purl, licenses: licensesOf(license) };
}

function licensesOf(license) {
  return typeof license === "string" ? [{ expression: license }] : [];
}

async function manifestIn(folder) {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}
