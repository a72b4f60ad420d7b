// Reads all files of a folder and validates each against one schema with ajv alone: node ajvFiles.cjs FOLDER SCHEMA.json
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { default: Ajv } = require("ajv/dist/2020");

const [folder, schema] = process.argv.slice(2);
const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(schema, "utf8")));
for (const name of readdirSync(folder)) {
  if (!validate(JSON.parse(readFileSync(join(folder, name), "utf8")))) process.exitCode = 1;
}
