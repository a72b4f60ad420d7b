/** The URI of each dialect, by its name. */
export const uris = {
  "04": "http://json-schema.org/draft-04/schema#",
  "06": "http://json-schema.org/draft-06/schema#",
  "07": "http://json-schema.org/draft-07/schema#",
  "2019": "https://json-schema.org/draft/2019-09/schema",
  "2020": "https://json-schema.org/draft/2020-12/schema",
} as const;
