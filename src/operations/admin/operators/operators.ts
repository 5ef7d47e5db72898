/** The operator table: which mobile operator a number prefix belongs to, one `prefix,mccmnc,name` a line. */

import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { type OperatorPrefix, readOperators, writeOperators } from '../../../domain/numbers/operator-table.ts'
import { hasHiddenCharacters } from '../../../domain/text/hidden-characters.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { isHeading, readCsv } from '../fields/csv.ts'
import { checkField } from '../fields/field-refused.ts'
import { lossOf } from '../fields/loss-of.ts'
import { OPERATORS, READERS, whole } from '../fields/shapes.ts'
import { WrongLines } from '../fields/wrong-lines.ts'

/** Every gateway holds the table in memory. */
export const MAX_PREFIXES = 200_000
export const TOO_MANY_PREFIXES = `a table takes at most ${MAX_PREFIXES} prefixes`
const LIMITS = { maxLines: MAX_PREFIXES + 1, tooMany: TOO_MANY_PREFIXES }
export const LONGEST_NAME = 100

/** Identifies a table: equal tables have equal references. */
export const OperatorsReference = Type.Object(
  { prefixes: whole(), sha256: Type.String() },
  { additionalProperties: false },
)

/** Entries of the table that the audit log names. */
const MAX_ENTRIES = 20

export const OPERATOR_CHANGES = {
  'set operators': {
    what: 'the table of operators',
    may: OPERATORS,
    audit: ({ operators: after }, { operators: before }) =>
      entry('operators', entriesIn(before, after), entriesIn(after, before)),
  },
} satisfies Changes

/** How many prefixes a table of operators has, and those that the other one has not, if they are few. */
function entriesIn(operators: string, other: string): object {
  const others = new Set(other.split('\n'))
  const own = operators.split('\n').filter((line) => !others.has(line))
  const entries =
    own.length === 0 || own.length > MAX_ENTRIES ? {} : { entries: own.map((line) => line.split('\t').join(',')) }
  return { prefixes: readOperators(operators).length, ...entries }
}

export const OPERATOR_ENDPOINTS = [
  endpoint({
    name: 'showOperators',
    method: 'GET',
    path: '/operators',
    command: 'operator show',
    summary: 'show the size and the hash of the table of operators',
    may: READERS,
    result: OperatorsReference,
    run: async ({ store }) => referTo((await store.loadDirectory()).operators),
  }),
  endpoint({
    name: 'importOperators',
    method: 'PUT',
    path: '/operators',
    ownCommand: 'operator import',
    summary: 'replace the table of number prefixes and operators',
    may: OPERATORS,
    body: {
      csv: Type.String({ description: 'a line prefix,mccmnc,name for each prefix: 4917,26202,Vodafone' }),
      confirm: Type.Optional(
        Type.Boolean({ description: 'accept a file without prefixes, or one that removes more than half of them' }),
      ),
    },
    result: Type.Object({ prefixes: whole() }),
    maxBytes: 32 * 1024 * 1024,
    run: async ({ store }, input) => ({ prefixes: await importOperators(store, input) }),
  }),
]

/** `operators` is the text of an OperatorTable. */
export function referTo(operators: string): Static<typeof OperatorsReference> {
  const sha256 = createHash('sha256').update(operators).digest('hex')
  return { prefixes: readOperators(operators).length, sha256 }
}

interface OperatorImport {
  readonly csv: string
  readonly confirm?: boolean
}

/** Returns the number of prefixes. Skips a line of headings. Throws ChangeRefused naming the wrong lines. */
async function importOperators(store: SetupStore, { csv, confirm = false }: OperatorImport): Promise<number> {
  const operators = await readLines(csv)
  const { operators: before, revision } = await store.loadDirectory()
  if (!confirm) refuseLoss(readOperators(before), operators)
  const set = { kind: 'set operators', operators: writeOperators(operators) } as const
  await store.change({ kind: 'all', revision, changes: [set] })
  return operators.length
}

/** Throws FieldRefused unless the user has confirmed what goes. */
function refuseLoss(before: readonly OperatorPrefix[], after: readonly OperatorPrefix[]): void {
  const kept = new Set(after.map(({ prefix }) => prefix))
  const removed = before.filter(({ prefix }) => !kept.has(prefix)).length
  const loss = lossOf({ read: after.length, stored: before.length, removed })
  checkField('csv', loss !== 'all', 'must not be empty')
  checkField('confirm', loss === null, 'required')
}

async function readLines(csv: string): Promise<readonly OperatorPrefix[]> {
  const operators = new Map<string, OperatorPrefix>()
  const lines = await readCsv(csv, LIMITS)
  const wrong = new WrongLines()
  await mapInSlices(lines, ({ number, cells }) => {
    if (number === 1 && isHeading(cells, 2)) return
    const read = readLine(cells)
    if (typeof read === 'string') return wrong.add(`line ${number}: ${read}`)
    if (operators.has(read.prefix)) return wrong.add(`line ${number}: ${read.prefix} occurs twice`)
    if (operators.size === MAX_PREFIXES) throw new ChangeRefused(LIMITS.tooMany)
    operators.set(read.prefix, read)
  })
  wrong.refuse()
  return [...operators.values()]
}

/** Returns a text if the line is invalid, saying why. */
function readLine([prefix = '', operator = '', name = '', ...more]: readonly string[]): OperatorPrefix | string {
  if (more.length > 0) return 'must have only prefix, mccmnc and name'
  const entry = { prefix: prefix.replace(/^\+/, ''), operator, name }
  const fault = faultOf(entry)
  return fault === null ? entry : `the ${fault.what} ${fault.rule}`
}

interface EntryFault {
  readonly what: 'prefix' | 'operator' | 'name'
  readonly rule: string
}

/** Returns what is wrong with an entry of the table; null if nothing is. */
export function faultOf({ prefix, operator, name }: OperatorPrefix): EntryFault | null {
  if (!/^[1-9]\d{0,14}$/.test(prefix)) return { what: 'prefix', rule: 'must be 1 to 15 digits, country code first' }
  if (!/^\d{5,6}$/.test(operator)) {
    return { what: 'operator', rule: 'must be its MCC and MNC, 5 or 6 digits such as 26201' }
  }
  if (name.length > LONGEST_NAME || !name.isWellFormed() || hasHiddenCharacters(name)) {
    return { what: 'name', rule: `must have at most ${LONGEST_NAME} characters and no control or invisible characters` }
  }
  return null
}
