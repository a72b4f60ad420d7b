import type { Example } from "../catalogue/skill";

/** Examples of version 2. */
export const profileExamples: readonly Example[] = [
  {
    name: "Orders",
    input: {
      csv: "id,customer,total,paid,date\n1,Ana,12.50,true,2026-03-01\n2,Ben,,false,2026-03-04\n3,Ana,7.25,true,2026-02-27\n",
    },
    output: {
      rows: 3,
      delimiter: ",",
      unevenRows: 0,
      columns: [
        {
          name: "id",
          type: "integer",
          values: 3,
          nulls: 0,
          distinct: 3,
          min: 1,
          max: 3,
          mean: 2,
          samples: ["1", "2", "3"],
        },
        {
          name: "customer",
          type: "text",
          values: 3,
          nulls: 0,
          distinct: 2,
          min: "Ana",
          max: "Ben",
          mean: null,
          samples: ["Ana", "Ben"],
        },
        {
          name: "total",
          type: "number",
          values: 2,
          nulls: 1,
          distinct: 2,
          min: 7.25,
          max: 12.5,
          mean: 9.875,
          samples: ["12.50", "7.25"],
        },
        {
          name: "paid",
          type: "boolean",
          values: 3,
          nulls: 0,
          distinct: 2,
          min: null,
          max: null,
          mean: null,
          samples: ["true", "false"],
        },
        {
          name: "date",
          type: "date",
          values: 3,
          nulls: 0,
          distinct: 3,
          min: "2026-02-27",
          max: "2026-03-04",
          mean: null,
          samples: ["2026-03-01", "2026-03-04", "2026-02-27"],
        },
      ],
    },
  },
  {
    name: "Two columns of a semicolon table",
    input: {
      csv: "code;weight;note\n007;1e3;-\n012;250;heavy\n012;-;-\n",
      delimiter: ";",
      columns: ["code", "weight"],
      nullWords: ["-"],
      samples: 2,
    },
    output: {
      rows: 3,
      delimiter: ";",
      unevenRows: 0,
      columns: [
        {
          name: "code",
          type: "text",
          values: 3,
          nulls: 0,
          distinct: 2,
          min: "007",
          max: "012",
          mean: null,
          samples: ["007", "012"],
        },
        {
          name: "weight",
          type: "number",
          values: 2,
          nulls: 1,
          distinct: 2,
          min: 250,
          max: 1000,
          mean: 625,
          samples: ["1e3", "250"],
        },
      ],
    },
  },
];

/** Examples of version 1.1. */
export const profileExamples11: readonly Example[] = [
  {
    name: "A table without header",
    input: { text: "7|north\n9|?\n", separator: "|", header: false, nullText: "?" },
    output: {
      rows: 2,
      delimiter: "|",
      unevenRows: 0,
      columns: [
        {
          name: "column1",
          type: "integer",
          values: 2,
          nulls: 0,
          distinct: 2,
          min: 7,
          max: 9,
          mean: 8,
          samples: [],
        },
        {
          name: "column2",
          type: "text",
          values: 1,
          nulls: 1,
          distinct: 1,
          min: "north",
          max: "north",
          mean: null,
          samples: [],
        },
      ],
    },
  },
];

/** Examples of version 1.0. */
export const profileExamples10: readonly Example[] = [
  {
    name: "Two rows",
    input: { text: "id,name\n1,Ana\n2,Ben\n" },
    output: {
      rows: 2,
      delimiter: ",",
      unevenRows: 0,
      columns: [
        {
          name: "id",
          type: "integer",
          values: 2,
          nulls: 0,
          distinct: 2,
          min: 1,
          max: 2,
          mean: 1.5,
          samples: [],
        },
        {
          name: "name",
          type: "text",
          values: 2,
          nulls: 0,
          distinct: 2,
          min: "Ana",
          max: "Ben",
          mean: null,
          samples: [],
        },
      ],
    },
  },
];
