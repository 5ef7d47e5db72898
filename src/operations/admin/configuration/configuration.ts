/**
 * A configuration document: carriers, pools, routes, costs, price groups, prices, account settings, guards, number
 * lists and inbound numbers, sorted so that documents can be compared line by line. Contains no secrets of carriers.
 */
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import { KEPT } from '../carriers/kept-secrets.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { checkInput } from '../endpoint/check-input.ts'
import { showHooks } from '../endpoint/hook-address.ts'
import { entrySchemas, isSingle, viewsInOrder } from '../endpoint/resource.ts'
import { strictObject, type View, viewOf } from '../fields/fields.ts'
import { OperatorsReference, referTo } from '../operators/operators.ts'
import { RESOURCES } from './resources.ts'

/** Entries by section; missing sections stay unchanged. */
export interface Configuration {
  readonly sections: ReadonlyMap<string, readonly Entry[]>
  /** Identifies the table of operators that the routes were written for; the table itself is another file. */
  readonly operators: Static<typeof OperatorsReference> | null
}

export interface Entry {
  /** Place as named in errors: `routes[3]`. */
  readonly place: string
  readonly shown: object
}

/** Returns the setup without secrets, as the role may see it; builds its lists while they are read. */
export function writeConfiguration(rows: DirectoryRows, role: Role): Readonly<Record<string, unknown>> {
  const sections = RESOURCES.map((resource) => {
    const { section, fields, items } = resource
    return [
      section,
      isSingle(resource)
        ? viewOf(fields, items(rows)[0] ?? {})
        : viewsInOrder(resource, rows).map((view) => markHidden(view, showHooks(role, view))),
    ]
  })
  return { ...Object.fromEntries(sections), operators: referTo(rows.operators) }
}

/** An address without what the role may not see is marked, so that applying the document cannot store it. */
function markHidden(view: View, shown: View): View {
  if (shown === view) return view
  const marked = Object.entries(shown).map(([name, value]) => [name, value === view[name] ? value : `${KEPT} ${value}`])
  return Object.fromEntries(marked)
}

const Document = strictObject({
  ...Object.fromEntries(
    RESOURCES.map((resource): [string, TSchema] => [
      resource.section,
      Type.Optional(isSingle(resource) ? Type.Unknown() : Type.Array(Type.Unknown())),
    ]),
  ),
  operators: Type.Optional(Type.Unknown()),
})

const ENTRIES = RESOURCES.map((resource) => ({ resource, schema: strictObject(entrySchemas(resource)) }))

/**
 * Throws ChangeRefused such as `routes[3].prefix: must be a text`. The error quotes no value, because it may be a
 * secret.
 */
export async function readConfiguration(json: unknown): Promise<Configuration> {
  const document = check(Document, json, '') as Readonly<Record<string, unknown>>
  const sections = new Map<string, readonly Entry[]>()
  for (const { resource, schema } of ENTRIES) {
    const { section } = resource
    const value = document[section]
    if (value === undefined) continue
    const entries = isSingle(resource)
      ? [{ place: section, shown: check(schema, value, section) }]
      : await mapInSlices((value as readonly unknown[]).entries(), ([index, each]) => {
          const place = `${section}[${index}]`
          return { place, shown: check(schema, each, place) }
        })
    sections.set(section, entries)
  }
  const { operators } = document
  return {
    sections,
    operators: operators === undefined ? null : (check(OperatorsReference, operators, 'operators') as never),
  }
}

function check(schema: TObject, json: unknown, place: string): object {
  try {
    return checkInput(schema, json)
  } catch (error) {
    if (!(error instanceof AdminProblem)) throw error
    const [{ field, detail } = { field: 'body', detail: error.message }] = error.errors
    if (field === 'body') throw new ChangeRefused(`${place === '' ? 'the configuration' : place}: ${detail}`)
    throw new ChangeRefused(`${place === '' ? '' : `${place}.`}${field.slice(0, 80)}: ${detail}`)
  }
}
