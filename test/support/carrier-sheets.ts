/** Sheets as carriers send them, with 600 networks: a German text file, and an English workbook with titles. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countryName } from '../../src/domain/numbers/country.ts'
import { countryOfMcc } from '../../src/domain/numbers/mobile-country.ts'
import { writeXlsx } from './write-xlsx.ts'

interface Network {
  readonly mcc: string
  readonly mnc: string
  readonly name: string
  readonly country: string
  /** Ten-thousandths of a euro. */
  readonly price: number
}

const OPERATORS = readFileSync(join(import.meta.dirname, '../../assets/operators.txt'), 'utf8')
const LINES = 600

/** Those of the first table of operators, and made up ones of the same countries. */
export const NETWORKS: readonly Network[] = networks()

function networks(): readonly Network[] {
  const known = OPERATORS.split('\n').flatMap((line) => {
    const [code = '', name = ''] = line.split('|')
    return /^\d{5,6}$/.test(code) ? [{ mcc: code.slice(0, 3), mnc: code.slice(3), name }] : []
  })
  const codes = new Set(known.map(({ mcc, mnc }) => mcc + mnc))
  const others = Array.from({ length: 30 }, (_, at) => String(at + 60)).flatMap((mnc) =>
    [...new Set(known.map(({ mcc }) => mcc))].map((mcc) => ({ mcc, mnc, name: `Network ${mnc}` })),
  )
  const all = [...new Map(known.map((each) => [each.mcc + each.mnc, each])).values()].concat(
    others.filter(({ mcc, mnc }) => !codes.has(mcc + mnc)),
  )
  return all.slice(0, LINES).map((each, at) => ({
    ...each,
    country: countryName(countryOfMcc(each.mcc)) ?? '',
    price: 300 + ((at * 37) % 600),
  }))
}

/** Semicolons, decimal commas, days as Germans write them, a total; `change` of every price in percent. */
export function germanSheet(change = 100): string {
  const lines = NETWORKS.map(({ mcc, mnc, name, country, price }) => {
    const amount = ((price * change) / 1_000_000).toFixed(4).replace('.', ',')
    return [country, mcc, mnc, name, `${amount} €`].join(';')
  })
  return [
    'Muster Telekom GmbH – Preisliste SMS',
    '',
    'Land;MCC;MNC;Netz;Preis pro SMS',
    ...lines,
    'Kiribati;545;09;Kein Vertrag;auf Anfrage',
    `Summe;;;;${LINES},00 €`,
    '',
  ].join('\r\n')
}

/** Titles above the heads, numbers for codes, so that `01` is 1. */
export function englishWorkbook(): Uint8Array {
  const rows = NETWORKS.map(({ mcc, mnc, name, country, price }) => {
    return [country, Number(mcc), Number(mnc), name, price / 10_000, new Date('2030-01-01')]
  })
  return writeXlsx([
    {
      name: 'Internal',
      rows: [
        ['margin', 'Price'],
        ['x', 9],
      ],
      hidden: true,
    },
    {
      name: 'SMS MT',
      rows: [
        ['Example Telecom Ltd.'],
        ['Wholesale price list, EUR per message, confidential'],
        [],
        ['Country', 'MCC', 'MNC', 'Network', 'Rate (EUR)', 'Effective date'],
        ...rows,
      ],
    },
  ])
}
