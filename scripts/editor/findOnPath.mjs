import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Finds the first program of these names in the folders of PATH; undefined where there is none. */
export async function findOnPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? [".cmd", ".exe"] : [""];
  for (const folder of folders) {
    for (const name of names.flatMap((it) => endings.map((ending) => it + ending))) {
      const file = join(folder, name);
      if (await canRun(file)) return file;
    }
  }
  return undefined;
}

/** Returns whether a file exists and is executable. */
export async function canRun(file) {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
