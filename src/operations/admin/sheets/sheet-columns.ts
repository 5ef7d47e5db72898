/** Which column of a carrier's sheet is what: named by the operator, or guessed from the heads of the columns. */
import Type, { type Static } from 'typebox'
import { readWrittenAmount } from '../../../domain/money/written-amount.ts'
import { whole } from '../fields/shapes.ts'

const MAX_COLUMN = 100

const column = (description: string) => Type.Optional(whole({ minimum: 1, maximum: MAX_COLUMN, description }))

/** Columns count from 1. */
export const SHEET_COLUMNS = Type.Object(
  {
    country: column('name of the country, or its code of two letters'),
    mcc: column('mobile country code, or MCC and MNC together'),
    mnc: column('mobile network code; several, or all'),
    prefix: column('first digits of the numbers'),
    price: column('amount for one part'),
    currency: column('currency, ISO 4217'),
    from: column('first day of validity'),
  },
  { additionalProperties: false },
)

export type SheetColumns = Static<typeof SHEET_COLUMNS>
type ColumnName = keyof SheetColumns

const COLUMN_NAMES = Object.keys(SHEET_COLUMNS.properties) as readonly ColumnName[]

/** Words of heads without signs, in the order of trust. `Network` alone is a name, which says nothing. */
const HEADS: Readonly<Record<ColumnName, RegExp>> = {
  mcc: /^(?:mcc|mcc ?mnc|mccmnc|mobile country code|plmn)$/,
  mnc: /^(?:mnc|mobile network code|netzcode)$/,
  prefix: /^(?:prefix|dial ?code|dialing code|country prefix|vorwahl|landesvorwahl|e ?164|destination code)$/,
  price: /^(?:(?:new|unit|sms|mt|neuer|netto|net) ?)*(?:price|rate|cost|preis|einkaufspreis|tariff?|kosten)\b/,
  currency: /^(?:currency|curr|ccy|wahrung|waehrung)$/,
  from: /^(?:from|valid from|effective(?: date| from)?|start(?: date)?|gultig ab|gueltig ab|ab|date|datum)$/,
  country: /^(?:country(?: name)?|land|destination(?: country)?|ziel|staat|iso|country code iso|iso code)$/,
}

/** Lines before the head: a title, an address, the validity of the list. */
const MAX_TITLE_LINES = 50

function plainHead(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** Returns the columns of the first line whose heads name a price and more. */
export function guessColumns(lines: readonly (readonly string[])[]): SheetColumns {
  for (const cells of lines.slice(0, MAX_TITLE_LINES)) {
    const heads = cells.map(plainHead)
    const found = COLUMN_NAMES.flatMap((name) => {
      const at = heads.findIndex((head) => HEADS[name].test(head))
      return at < 0 ? [] : [[name, at + 1] as const]
    })
    const columns: SheetColumns = Object.fromEntries(found)
    if (columns.price !== undefined && found.length > 1) return columns
  }
  return {}
}

/** Returns why no line can be read with them; null if lines can. */
export function faultOfColumns({ country, mcc, mnc, prefix, price, ...others }: SheetColumns): string | null {
  const named = [country, mcc, mnc, prefix, price, ...Object.values(others)].filter((each) => each !== undefined)
  if (price === undefined) return 'must say which column has the price: its head is unknown'
  if (new Set(named).size < named.length) return 'must name each column once'
  if ((country ?? mcc ?? prefix) === undefined) return 'must say which column has the country, the MCC or the prefix'
  return null
}

/** Cells that say that there is no price. */
const NO_PRICE =
  /^(?:|n\/?a|n\.a\.|#n\/a|[-–—]+|\?|none|no price|keine?|(?:on|upon) request|auf anfrage|tb[ad]|t\.b\.[ad]\.|pending|folgt)$/i

export function isNoPrice(cell: string): boolean {
  return NO_PRICE.test(cell)
}

/** Returns an empty text for a column that the sheet does not have. */
export function cellOf(cells: readonly string[], column: number | undefined): string {
  return column === undefined ? '' : (cells[column - 1] ?? '').trim()
}

/** Returns the place of the first line with an amount, or without a price, that follows titles and heads. */
export function firstLineOf(lines: readonly (readonly string[])[], { price }: SheetColumns): number {
  const cells = lines.map((line) => cellOf(line, price))
  const amount = cells.findIndex((cell) => readWrittenAmount(cell, '.') !== null)
  const head = cells.findLastIndex((cell, at) => !isNoPrice(cell) && (amount < 0 || at < amount))
  return head + 1
}
