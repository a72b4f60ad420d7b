import { currencyOf } from "../../core/skill/description/priceWords";
import type { Price } from "../../core/skill/skill";
import type { JsonValue } from "../../core/text/json";
import { unwrapList } from "./envelope";
import { given, listOf, member, numberOf, objectOf, textOf, wordOf } from "./field";

/** Reads a list of prices, bare or in an envelope. Undefined where there is none. */
export function readPrices(body: JsonValue | undefined): readonly Price[] | undefined {
  const list = body === undefined ? undefined : unwrapList(body, "prices");
  return list && listOf([...list.items], readPrice);
}

function readPrice(value: JsonValue): Price | undefined {
  const source = objectOf(value);
  const billingModel = source && wordOf(member(source, "billingModel", "model"));
  if (source === undefined || billingModel === undefined) return undefined;
  return {
    billingModel,
    ...given("unitAmountCents", numberOf(member(source, "unitAmountCents", "amountCents"))),
    ...given("currency", readCurrency(member(source, "currency"))),
    ...given("status", textOf(member(source, "status"), 60)),
  };
}

/** Reads a currency, spelled in one way; undefined where none is named. */
export function readCurrency(value: JsonValue | undefined): string | undefined {
  const word = textOf(value, 20);
  return word === undefined ? undefined : currencyOf(word) || undefined;
}
