import {
  agreedTerms,
  readAgreements,
  type Terms,
  withAgreement,
} from "../../core/invocation/permission/terms";
import { SharedFile } from "../files/sharedFile";

/** Terms that were agreed to. */
export interface Agreement extends Terms {
  /** Who it counts for: a person, wherever they invoke on this machine, and nobody who only runs unattended. */
  readonly for: "person";
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** What was agreed to on this machine, in one file. */
export class Agreements {
  private readonly file: SharedFile<readonly Agreement[]>;
  /** What was agreed to a moment ago counts before it is on the disk. */
  private keeping: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.file = new SharedFile<readonly Agreement[]>(path, (value) =>
      readAgreements(value).filter(isAgreement),
    );
  }

  /** Finds what a person agreed to of a skill: for this version, else for the last one. Never rejects. */
  async find(terms: Terms): Promise<Agreement | undefined> {
    await this.keeping;
    return agreedTerms(await this.file.get(), terms) as Agreement | undefined;
  }

  /** Keeps what a person agreed to. Where the disk fails, they are asked again in another window. Never rejects. */
  keep(terms: Terms): Promise<void> {
    const agreement: Agreement = { ...terms, for: "person", at: Date.now() };
    this.keeping = this.file.change((all) => withAgreement(all, agreement) as readonly Agreement[]);
    return this.keeping;
  }
}

function isAgreement(terms: Terms): terms is Agreement {
  const { for: who, at } = terms as Partial<Agreement>;
  return who === "person" && typeof at === "number";
}
