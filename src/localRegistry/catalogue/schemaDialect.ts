/** The JSON Schema dialect all sample skills are written in. */
export const schemaDialect = "https://json-schema.org/draft/2020-12/schema";
