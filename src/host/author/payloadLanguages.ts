/** The languages of documents that may be payloads. */
export const payloadLanguages = [{ language: "json" }, { language: "jsonc" }];
