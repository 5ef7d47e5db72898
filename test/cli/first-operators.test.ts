/** The table of operators that a new installation begins with, and that an import replaces for good. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { firstOperators } from '../../src/app/installation/first-operators.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import { OperatorTable, writeOperators } from '../../src/domain/numbers/operator-table.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { CommandLine } from '../support/command-line.ts'

/** Mobile country codes of ITU-T E.212 by the country codes of E.164. */
const MCC_OF: Readonly<Record<string, string>> = {
  ...{ '20': '602', '212': '604', '234': '621', '254': '639', '27': '655', '30': '202', '31': '204', '32': '206' },
  ...{ '33': '208', '34': '214', '351': '268', '353': '272', '36': '216', '380': '255', '39': '222', '40': '226' },
  ...{ '41': '228', '420': '230', '43': '232', '44': '234', '45': '238', '46': '240', '47': '242', '48': '260' },
  ...{ '49': '262', '61': '505', '62': '510', '63': '515', '79': '250', '84': '452', '86': '460', '880': '470' },
  ...{ '90': '286', '92': '410', '966': '420', '971': '424', '972': '425' },
}

describe('an installation', () => {
  let line: CommandLine

  beforeEach(async () => {
    line = new CommandLine()
    await line.ask(['account', 'create', '--name', 'Shop'])
  })
  afterEach(() => line.close())

  async function operatorOf(phone: string): Promise<string | null> {
    return new Directory(await line.directory()).operatorOf(phone as Phone)
  }

  test('knows operators from its first command on', async () => {
    expect(await operatorOf('4915112345678')).toBe('26201')
    expect(await operatorOf('447521123456')).toBe('23410')
    expect(await operatorOf('5511987654321')).toBeNull()
  })

  test.each([
    ['another table', '4915,26299,Mine\n', '26299'],
    ['an empty table', '', null],
  ])('keeps %s that was imported', async (_what, csv, operator) => {
    await line.ask(['operator', 'import', '-', '--confirm'], csv)
    await line.ask(['account', 'create', '--name', 'Later'])
    await (await line.openStore('gateway')).close()
    await line.ask(['account', 'create', '--name', 'Last'])
    expect(await operatorOf('4915112345678')).toBe(operator)
    expect(await operatorOf('447521123456')).toBeNull()
  })
})

describe('the table', () => {
  const operators = firstOperators()
  const table = new OperatorTable(writeOperators(operators))

  test.each([
    ['Telekom in Germany', '4917112345678', '26201'],
    ['Vodafone in Germany', '4917212345678', '26202'],
    ['E-Plus, now O2, in Germany', '4917812345678', '26203'],
    ['O2 in Germany', '4917612345678', '26203'],
    ['Orange in France', '33607123456', '20801'],
    ['TIM in Italy', '393351234567', '22201'],
    ['Turkcell', '905321234567', '28601'],
    ['Telkomsel', '628121234567', '51010'],
    ['Grameenphone', '8801712345678', '47001'],
    ['Safaricom', '254722123456', '63902'],
    ['MTN in Nigeria', '2348031234567', '62130'],
  ])('knows %s', (_who, phone, operator) => {
    expect(table.operatorOf(phone as Phone)).toBe(operator)
  })

  test.each([
    ['of Lycamobile, beside Vodafone', '4915211234567'],
    ['of EE, which holds a code for each network that it was', '447950123456'],
    ['in India, where operators hold a code for each region', '919810123456'],
    ['in Kazakhstan, beside Russia', '77011234567'],
    ['of no mobile network', '4930123456'],
  ])('has no operator for numbers %s', (_whose, phone) => {
    expect(table.operatorOf(phone as Phone)).toBeNull()
  })

  test('gives every prefix to one operator of its own country', () => {
    const prefixes = operators.map(({ prefix }) => prefix).sort()
    const nested = prefixes.filter((prefix, index) => prefix.startsWith(prefixes[index - 1] ?? '+'))
    expect(nested).toEqual([])
    const foreign = operators.filter(
      ({ prefix, operator }) =>
        !Object.entries(MCC_OF).some(([code, mcc]) => prefix.startsWith(code) && operator.startsWith(mcc)),
    )
    expect(foreign).toEqual([])
    expect(new Set(operators.map(({ operator }) => operator.slice(0, 3)))).toEqual(new Set(Object.values(MCC_OF)))
  })

  test('has nothing that an import would refuse, and a line for each operator, in order', () => {
    const odd = operators.filter(
      ({ prefix, operator, name }) =>
        !/^\d{3,15}$/.test(prefix) || !/^\d{5,6}$/.test(operator) || !/^[\w .&+-]+$/.test(name),
    )
    expect(odd).toEqual([])
    const order = operators.map(({ operator, name }) => `${operator} ${name}`)
    expect(order).toEqual([...order].sort())
    expect(operators.length).toBeGreaterThan(4_000)
  })
})
