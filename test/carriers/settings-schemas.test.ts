/** The schemas of carrier settings describe each setting, mark secrets, and make the reference. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CARRIER_SCHEMAS } from '../../src/app/carriers/carrier-drivers.ts'
import { isSecret } from '../../src/operations/admin/carriers/kept-secrets.ts'
import { CommandLine } from '../support/command-line.ts'

interface Schema {
  readonly description?: string
  readonly writeOnly?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const KINDS = Object.entries(CARRIER_SCHEMAS as Readonly<Record<string, Schema>>)
const page = readFileSync(new URL('../../docs/reference/carrier-settings.md', import.meta.url), 'utf8')

/** Returns every setting that has a name, with its path. */
function settingsIn(schema: Schema, path = ''): readonly (readonly [path: string, schema: Schema])[] {
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`)
  const named = Object.entries(schema.properties ?? {}).map(([name, each]) => [inner(name), each] as const)
  const unnamed = [...Object.values(schema.patternProperties ?? {}), ...(schema.items ? [schema.items] : [])]
  return [
    ...named.filter(([name]) => !name.endsWith('.kind')),
    ...named.flatMap(([name, each]) => settingsIn(each, name)),
    ...unnamed.flatMap((each) => settingsIn(each, inner('name'))),
    ...(schema.anyOf ?? []).flatMap((each) => settingsIn(each, path)),
  ]
}

describe.each(KINDS)('settings of %s', (_kind, schema) => {
  test('have a sentence each', () => {
    const settings = settingsIn(schema)
    expect(settings.length).toBeGreaterThan(8)
    expect(settings.filter(([, each]) => !/^\S.*\.$/.test(each.description ?? '')).map(([path]) => path)).toEqual([])
  })

  test('stand in the reference', () => {
    const names = settingsIn(schema).map(([path]) => path.split('.').at(-1))
    expect(names.filter((name) => !new RegExp(`\\| \`(?:[^\`]*\\.)?${name}\` \\|`).test(page))).toEqual([])
  })

  test('that are secret are hidden when settings are shown', () => {
    const secrets = settingsIn(schema).filter(([, each]) => each.writeOnly === true)
    expect(secrets.filter(([path]) => !isSecret('abcdefghijkl', path)).map(([path]) => path)).toEqual([])
  })
})

test('the schemas are listed for forms, with secrets marked', async () => {
  const line = new CommandLine()
  const { exitCode, out } = await line.run(['carrier', 'kinds', '--json'])
  line.close()
  expect(exitCode).toBe(0)
  const kinds: readonly { kind: string; channels: readonly string[]; settings: Schema }[] = JSON.parse(out).data
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(KINDS.map(([kind]) => kind).sort())
  const smpp = kinds.find(({ kind }) => kind === 'smpp')
  expect(smpp?.channels).toEqual(['sms'])
  expect(smpp?.settings).toMatchObject({
    required: ['host', 'port', 'systemId', 'password'],
    properties: {
      window: { type: 'integer', minimum: 1, maximum: 10_000, default: 10 },
      password: { type: 'string', writeOnly: true },
      responseTimeoutMs: { unit: 'milliseconds' },
    },
  })
})
