/** Each kind of change by an operator is defined once: its roles, whose it is, and its words in the audit log. */
import { expect, test } from 'vitest'
import { CHANGES, unite } from '../../src/operations/admin/changes/all-changes.ts'
import type { ChangeDefinition, Changes } from '../../src/operations/admin/endpoint/change.ts'

test('each kind of change names its subject and its roles, without repetition', () => {
  for (const [kind, { what, may, audit }] of Object.entries(CHANGES)) {
    expect(what, kind).toMatch(/^\S.*\S$/)
    expect(may.length, kind).toBeGreaterThan(0)
    expect(new Set(may).size, kind).toBe(may.length)
    expect(audit, kind).toBeTypeOf('function')
  }
})

test('the compiler refuses a kind of change without a definition, words or roles', () => {
  const { 'add key': addKey, ...others } = CHANGES
  // @ts-expect-error a kind has no definition
  const incomplete: Required<Changes> = others
  const { audit: _, ...silent } = addKey
  // @ts-expect-error the definition has no words
  const withoutWords: ChangeDefinition<'add key'> = silent
  const { may: __, ...open } = addKey
  // @ts-expect-error the definition has no roles
  const withoutRoles: ChangeDefinition<'add key'> = open
  // @ts-expect-error there is no such kind
  const unknown = { 'add kee': addKey } satisfies Changes
  expect([incomplete, withoutWords, withoutRoles, unknown]).toHaveLength(4)
})

test('two definitions of one kind are an error wherever they stand, and not one overwrites the other', () => {
  const { 'add key': addKey, 'set route': setRoute, ...others } = CHANGES
  const [key, route] = [{ 'add key': addKey }, { 'set route': setRoute }]
  expect(unite(key, others, route)).toEqual(CHANGES)
  expect(() => unite(key, route, others, key)).toThrow('two definitions of the change "add key"')
  expect(() => unite(route, CHANGES)).toThrow('two definitions of the change "set route"')
  const copy = { 'add key': { ...addKey, may: [] } } satisfies Changes
  expect(() => unite(others, key, copy)).toThrow('two definitions of the change "add key"')
})
