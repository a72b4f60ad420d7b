import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canRun, findOnPath } from "../findOnPath.mjs";
import { installOnce } from "../install/installOnce.mjs";
import { root, sharedInstalls } from "../paths.mjs";
import { runQuietly } from "../runQuietly.mjs";

const programs = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The same language on every machine. Otherwise Chromium finds no page below a folder such as `Ärger` if the machine's
 * language is not installed, and takes dates as they are typed in that language.
 */
const language = { LC_ALL: "C.UTF-8" };

const onePerSite = ["--process-per-site"];

/**
 * Finds a Chromium: the one in the environment variable CHROMIUM, else the one in the npm package @sparticuz/chromium
 * (Linux x64; the same on every machine), else an installed Chrome or Chromium. Resolves to `{ executable, env,
 * fewProcesses }`, where `env` is the environment that it needs, and `fewProcesses` are the arguments with which it
 * starts as few processes as it can. Rejects if there is none.
 */
export async function findChromium() {
  if (process.env.CHROMIUM)
    return { executable: process.env.CHROMIUM, env: language, fewProcesses: onePerSite };
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  const executable = (await findOnPath(programs)) ?? (await firstThatRuns(applications));
  if (executable !== undefined) return { executable, env: language, fewProcesses: onePerSite };
  throw new Error(
    "No Chrome or Chromium found. Install one, or name its executable in the variable CHROMIUM.",
  );
}

async function firstThatRuns(files) {
  for (const file of files) if (await canRun(file)) return file;
  return undefined;
}

async function unpackChromium() {
  const manifest = join(root, "node_modules/@sparticuz/chromium/package.json");
  const { version } = JSON.parse(await readFile(manifest, "utf8"));
  const folder = join(sharedInstalls(), `chromium-${version}`);
  await installOnce(folder, async (unfinished) => {
    // The package unpacks into the temporary folder and reuses whatever is there, of any user and version, so it gets
    // its own folder. The variable makes it unpack its libraries, such as libnss3, as well.
    const unpack = 'import("@sparticuz/chromium").then((it) => it.default.executablePath())';
    const env = { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };
    await runQuietly(process.execPath, ["-e", unpack], { cwd: root, env });
    await writeFile(join(unfinished, "fonts/fonts.conf"), fontConfiguration(folder));
  });
  return {
    executable: join(folder, "chromium"),
    env: {
      FONTCONFIG_FILE: join(folder, "fonts/fonts.conf"),
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      ...language,
    },
    // Made for functions in a cloud, it runs in a single process. An installed Chromium may crash in one.
    fewProcesses: ["--single-process", "--no-zygote"],
  };
}

/** The machine's own fonts, if it has any, and the one that comes with the browser. */
function fontConfiguration(folder) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts/cache</cachedir>
</fontconfig>
`;
}
