/** Names show what they contain, whatever the resource. */
import { expect, test } from 'vitest'
import { isSenderName } from '../../src/contract/fields/kinds.ts'
import { checkNote } from '../../src/operations/admin/fields/field-refused.ts'
import { checkName } from '../../src/operations/admin/fields/label.ts'
import { faultOf } from '../../src/operations/admin/operators/operators.ts'

const hidden = ['\u202e', '\u202a', '\u2066', '\u2069', '\u200b', '\u200f', '\ufeff', '\u061c', '\u2028', '\u{e0041}']

test.each(hidden)('%j is in no name, sender or note', (character) => {
  const name = `Shop${character}xe`
  expect(() => checkName('name', 'the name of an account', name)).toThrow('invisible')
  expect(() => checkNote(name, 100)).toThrow('invisible')
  expect([isSenderName('rcs', name), isSenderName('chatapp', name)]).toEqual([false, false])
  expect(faultOf({ prefix: '49', operator: '26201', name })).toMatchObject({ what: 'name' })
})

test.each(['Müller & Söhne', '東京', 'שלום', 'Café 😀', 'O’Neill'])('%j is a name', (name) => {
  expect(() => checkName('name', 'the name of an account', name)).not.toThrow()
  expect(isSenderName('rcs', name)).toBe(true)
})
