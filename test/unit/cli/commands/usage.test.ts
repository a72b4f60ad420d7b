import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { groupOf, usageBy, usageOf } from "../../../../src/core/invocation/usage/usage";
import {
  daysOf,
  filteredUsage,
  firstUsageFilter,
} from "../../../../src/core/invocation/usage/usageFilter";
import { atStore, keepRecords } from "../../../fixtures/machineStore";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { usageRecords } from "../../../fixtures/usageRecords";
import { cliFolder } from "../runTestCli";

const hour = 3_600_000;
const now = Date.now();

function ended(hours: number, others: Partial<InvocationRecord> = {}): InvocationRecord {
  const startedAt = now - hours * hour;
  return pastInvocation(startedAt, {
    id: `${String(startedAt).padStart(14, "0")}-0a1b2c3d`,
    endsBefore: startedAt + 1000,
    registry: "https://registry.example",
    skillSlug: "text-stats",
    version: "1.0.0",
    status: "success",
    durationMs: 12,
    amountCents: 2,
    currency: "USD",
    ...others,
  });
}

describe("skill-registry usage", () => {
  const folder = cliFolder();
  before(async () => {
    const { amountCents: _, ...free } = ended(4);
    const records = [
      ended(50),
      ended(3, { caller: { kind: "commandLine" } }),
      ended(2, { skillSlug: "csv-profile", durationMs: 2500, amountCents: 100 }),
      ended(1, { status: "blocked", amountCents: 0 }),
      free,
    ];
    await atStore(folder.path("machine"), (store) => keepRecords(store, records));
  });
  const usage = (...args: string[]) => folder.run(["usage", ...args]);

  it("sums by skill, with bars, and names the excluded invocations", async () => {
    const { code, out } = await usage();
    assert.equal(code, 0);
    const [head = "", first = "", second = "", total = "", note = ""] = out.split("\n");
    assert.match(head, /^SKILL +INVOCATIONS +FAILED +UNKNOWN +NOT SENT +COST +MEDIAN +P95$/);
    assert.match(first, /^text-stats +█{20} +4 +1 +- +- +\$0\.04 +12 ms +12 ms$/);
    assert.match(second, /^csv-profile +█{5} +1 +- +- +- +\$1\.00 +2\.5 s +2\.5 s$/);
    assert.match(total, /^all {2,}5 +1 +- +- +\$1\.04 /);
    assert.match(
      note,
      /^1 of them may be billed and named no amount, which is not included\. The cost of 1 is not known\.$/,
    );
  });

  it("leaves out columns on a narrow terminal", async () => {
    const { out } = await folder.run(["usage"], {}, undefined, "", undefined, undefined, 40);
    assert.ok(
      out.split("\n").every((line) => line.length <= 40 || /^(?:1 of them|On record)/.test(line)),
      out,
    );
    assert.match(out, /^SKILL +INVOCATIONS/);
  });

  it("accepts the filters of log, and sums by the requested grouping, as JSON", async () => {
    const { code, out } = await usage(
      ...["--by", "caller", "--since", "10h", "--skill", "text-stats", "--format", "json"],
    );
    assert.equal(code, 0);
    const { by, rows, total } = JSON.parse(out);
    assert.equal(by, "caller");
    assert.deepEqual(
      rows.map(({ name, invocations }: { name: string; invocations: number }) => [
        name,
        invocations,
      ]),
      [
        ["person", 2],
        ["commandLine", 1],
      ],
    );
    assert.deepEqual(total.costs, [{ currency: "USD", isSample: false, cents: 2 }]);
  });

  it("equals the Usage page for the same days, skill, project and caller", async () => {
    const from = "2026-10-23";
    const to = "2026-10-26";
    const filter = { ...firstUsageFilter, days: "own", from, to, project: "shop" } as const;
    const days = daysOf(filter, "2026-11-20");
    assert.ok(typeof days !== "string");
    const own = usageRecords(600, Date.parse("2026-11-20T12:00:00Z"));
    const page = own.map(groupOf);
    await atStore(folder.path("other"), (store) => keepRecords(store, own));
    for (const [by, others] of [
      ["day", {}],
      ["skill", { caller: "person" }],
      ["caller", { skill: "text-stats" }],
    ] as const) {
      const charted = filteredUsage(page, { ...filter, ...others }, days);
      const options = Object.entries({ ...others, project: "shop", since: from, until: to });
      const { out } = await folder.run(
        [
          "usage",
          "--by",
          by,
          "--format",
          "json",
          ...options.flatMap(([name, value]) => [`--${name}`, value]),
        ],
        { SKILL_REGISTRY_HOME: folder.path("other") },
      );
      const { rows, total } = JSON.parse(out);
      assert.ok(total.invocations > 5);
      assert.deepEqual(rows, JSON.parse(JSON.stringify(usageBy(charted, by))));
      assert.deepEqual(total, JSON.parse(JSON.stringify(usageOf(charted))));
    }
  });

  it("mentions unknown costs, and an empty record", async () => {
    assert.equal((await usage("--by", "hour")).code, 2);
    assert.equal((await usage("text-stats")).code, 2);
    const none = await usage("--skill", "json-diff");
    assert.equal(none.code, 4);
    assert.match(
      none.out,
      /^Nothing was invoked\.\nOn record: 5 invocations since \d{4}-\d\d-\d\d\.\n$/,
    );
  });
});
