import {
  agreedTerms,
  agreementToKeep,
  readAgreements,
  type Terms,
} from "../../../core/invocation/permission/terms";
import { parsedJson } from "../../../core/json/jsonValue";
import type { Agreement } from "../store";
import type { Statements } from "./statements";

/** The maximum number of stored agreements. The person is asked again about a dropped one. */
const maxAgreements = 300;

/** The terms that a person agreed to. */
export class AgreementTable {
  constructor(
    private readonly sql: Statements,
    private readonly now: () => number,
  ) {}

  agreed(terms: Terms): Agreement | undefined {
    return agreedTerms(this.ofSkill(terms), terms) as Agreement | undefined;
  }

  agree(terms: Terms): void {
    const { registry, skillSlug, version } = terms;
    const now = { ...terms, for: "person" as const, at: this.now() };
    this.sql.run(
      "INSERT OR REPLACE INTO agreement (registry, skill, version, terms) VALUES (?, ?, ?, ?)",
      ...[registry, skillSlug, version, JSON.stringify(agreementToKeep(this.ofSkill(terms), now))],
    );
    this.sql.run(
      `DELETE FROM agreement WHERE "order" <= (SELECT max("order") FROM agreement) - ?`,
      maxAgreements,
    );
  }

  /** Omits unreadable agreements, so that the person is asked again. */
  private ofSkill({ registry, skillSlug }: Terms): readonly Terms[] {
    const rows = this.sql.rows(
      `SELECT terms FROM agreement WHERE registry = ? AND skill = ? ORDER BY "order"`,
      ...[registry, skillSlug],
    );
    return readAgreements(rows.map(({ terms }) => parsedJson(String(terms))));
  }
}
