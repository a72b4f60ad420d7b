import applicator2019 from "ajv/dist/refs/json-schema-2019-09/meta/applicator.json";
import content2019 from "ajv/dist/refs/json-schema-2019-09/meta/content.json";
import core2019 from "ajv/dist/refs/json-schema-2019-09/meta/core.json";
import format2019 from "ajv/dist/refs/json-schema-2019-09/meta/format.json";
import metaData2019 from "ajv/dist/refs/json-schema-2019-09/meta/meta-data.json";
import validation2019 from "ajv/dist/refs/json-schema-2019-09/meta/validation.json";
import schema2019 from "ajv/dist/refs/json-schema-2019-09/schema.json";
import applicator2020 from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json";
import content2020 from "ajv/dist/refs/json-schema-2020-12/meta/content.json";
import core2020 from "ajv/dist/refs/json-schema-2020-12/meta/core.json";
import format2020 from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json";
import metaData2020 from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json";
import unevaluated2020 from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json";
import validation2020 from "ajv/dist/refs/json-schema-2020-12/meta/validation.json";
import schema2020 from "ajv/dist/refs/json-schema-2020-12/schema.json";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json";
import draft07 from "ajv/dist/refs/json-schema-draft-07.json";
import draft04 from "ajv-draft-04/dist/refs/json-schema-draft-04.json";

/**
 * Returns a published meta-schema by its URI, so that references to it work without a network. Undefined for any other
 * URI.
 */
export function metaSchema(uri: string): object | undefined {
  return documents.find((document) => identifierOf(document).replace(/#$/, "") === uri);
}

const documents: readonly object[] = [
  draft04,
  draft06,
  draft07,
  schema2019,
  core2019,
  applicator2019,
  validation2019,
  metaData2019,
  format2019,
  content2019,
  schema2020,
  core2020,
  applicator2020,
  unevaluated2020,
  validation2020,
  metaData2020,
  format2020,
  content2020,
];

function identifierOf(document: object): string {
  if ("$id" in document) return String(document.$id);
  return "id" in document ? String(document.id) : "";
}
