// Collects the licenses of the bundled packages, found by the files in esbuild's metafiles.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The name of the file among the bundles. */
export const noticesName = "THIRD_PARTY_NOTICES.txt";

/** Returns the folders of the bundled packages, relative to the root, sorted. */
export function bundledPackages(metafiles) {
  const files = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      // A file that tree shaking removed completely is not part of the bundle.
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [file] : [],
      ),
    ),
  );
  const folders = files.flatMap(
    (file) => file.match(/^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
  );
  return [...new Set(folders)].sort();
}

/** Resolves to the text of all licenses, which is the same for the same bundles. Rejects if a package has none. */
export async function thirdPartyNotices(metafiles, root) {
  const notices = await Promise.all(
    bundledPackages(metafiles).map((folder) => noticeOf(join(root, folder))),
  );
  const unique = [...new Set(notices)].sort();
  return `This extension contains the following packages.\n\n${unique.join(`\n${"-".repeat(80)}\n\n`)}`;
}

async function noticeOf(folder) {
  const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const { name, version, license } = about;
  const texts = await licenseTexts(folder);
  if (texts.length === 0 && license === "MIT") texts.push(mitLicense(about.author));
  if (texts.length === 0)
    throw new Error(`${name}@${version} comes without the text of its license.`);
  return `${name} ${version} (${license ?? "see below"})\n\n${texts.join("\n\n")}\n`;
}

async function licenseTexts(folder) {
  const names = (await readdir(folder)).filter((name) =>
    /^(?:licen[cs]e|notice|copying)\b/i.test(name),
  );
  const texts = await Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")));
  return texts.map((text) => text.replaceAll("\r\n", "\n").trim());
}

/** Returns the MIT license, since some packages only name it and have its text in their repository. */
function mitLicense(author) {
  const holder = typeof author === "string" ? author.replace(/ *[<(].*/, "") : author?.name;
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO
EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR
THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
