import { momentText } from "../text/dates";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { type Account, accountLabel } from "./sessions";

/** A user token as the registry lists it: never the token itself. Times in milliseconds since 1970. */
export interface TokenRow {
  readonly id: string;
  /** Such as `Password login session`, or a name chosen by a person. */
  readonly name: string;
  /** The last four characters; empty if the registry returns none. */
  readonly last4: string;
  readonly createdAt?: number;
  readonly lastUsedAt?: number;
  /** Missing for a token that never expires. */
  readonly expiresAt?: number;
  /** Whether this token requested the list. */
  readonly isCurrent: boolean;
  /** False for a revoked or expired token. */
  readonly isActive: boolean;
}

/** A new user token. The registry returns its text only once. */
export interface NewToken {
  readonly row: TokenRow;
  readonly token: string;
}

/** Lists the tokens that still work: the current one first, then the last used. */
export function activeTokens(rows: readonly TokenRow[]): readonly TokenRow[] {
  const usedAt = ({ lastUsedAt, createdAt = 0 }: TokenRow) => lastUsedAt ?? createdAt;
  return rows
    .filter(({ isActive }) => isActive)
    .toSorted(
      (one, other) =>
        Number(other.isCurrent) - Number(one.isCurrent) || usedAt(other) - usedAt(one),
    );
}

/** Names a token on screen, with its last characters if the registry returns them. */
export function tokenLabel({ name, last4 }: TokenRow): string {
  const words = oneLine(name, 60);
  return last4 === "" ? words : `${words} (…${last4})`;
}

/** Describes when a token was used last and when it ends. */
export function tokenFacts(row: TokenRow, language: Language): string {
  const { t } = language;
  const { createdAt, lastUsedAt, expiresAt } = row;
  const facts = [
    lastUsedAt === undefined
      ? t("never used")
      : t("used {time}", { time: momentText(lastUsedAt, language) }),
    createdAt === undefined ? "" : t("created {time}", { time: momentText(createdAt, language) }),
    expiresAt === undefined
      ? t("never ends")
      : t("ends {time}", { time: momentText(expiresAt, language) }),
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

/** Returns whether a role may create tokens: an owner or admin. Unknown roles may try. */
export function mayCreateTokens(role: string): boolean {
  return !["developer", "publisher", "reviewer", "finance"].includes(role.toLowerCase());
}

/** The maximum length of a token's name. */
const maxName = 80;

/** Describes the problem with a token's name; empty for a valid one. */
export function tokenNameProblem(text: string, { t }: Language): string {
  if (text.trim() === "") return t("Name what will use the token.");
  return text.trim().length > maxName ? t("At most {count} characters.", { count: maxName }) : "";
}

/** Builds the question whether to create a token for CI and copy it once. */
export function tokenQuestion(name: string, account: Account, { t }: Language) {
  const { role } = account;
  return {
    message: t("Create the user token {name} and copy it once?", { name: oneLine(name, maxName) }),
    detail: [
      role === ""
        ? t("It can do everything that {account} can, and never ends.", {
            account: accountLabel(account),
          })
        : t("It can do everything that {account} can as {role}, and never ends.", {
            account: accountLabel(account),
            role,
          }),
      t("It is copied to the clipboard, which other programs can read, and not stored."),
      t("Revoke it in Sessions… when it is no longer needed."),
    ],
    agree: t("Create and Copy Once"),
  };
}

/** Builds the question whether to revoke a token. */
export function revokeTokenQuestion(row: TokenRow, language: Language) {
  const { t } = language;
  return {
    message: t("Revoke {token}?", { token: tokenLabel(row) }),
    detail: [
      tokenFacts(row, language),
      t("Whatever uses it is signed out at once; this cannot be undone."),
    ],
    agree: t("Revoke"),
  };
}
