/** A misspelt variable of the environment is named when a gateway starts: it would be ignored without a word. */
import { expect, test } from 'vitest'
import { readConfig, SETTINGS, unknownVariables } from '../../src/app/settings/config.ts'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine } from '../support/command-line.ts'

test('variables that are no settings are found, with the nearest setting', () => {
  const known = Object.fromEntries(SETTINGS.map(({ env }) => [env, '1']))
  const secrets = { POSTHORN_TOKEN: 'a', POSTHORN_METRICS_TOKEN: 'b', POSTHORN_SECRET_KEY: 'c', POSTHORN_SERVER: 'd' }
  expect(unknownVariables({ ...known, ...secrets, HOME: '/root' })).toEqual([])
  expect(unknownVariables({ POSTHORN_TRUSTED_PROXY: '10.0.0.0/8', POSTHORN_COLOUR: 'red' })).toEqual([
    { variable: 'POSTHORN_TRUSTED_PROXY', nearest: null },
    { variable: 'POSTHORN_COLOUR', nearest: null },
  ])
  expect(unknownVariables({ POSTHORN_ADMIN_PROT: '1' })).toEqual([
    { variable: 'POSTHORN_ADMIN_PROT', nearest: 'POSTHORN_ADMIN_PORT' },
  ])
})

test('a gateway without the setting serves JSON and REST', () => {
  expect(readConfig({}, {}).apis).toEqual(['json', 'rest'])
  expect(readConfig({}, { POSTHORN_APIS: 'none' }).apis).toEqual([])
})

test('serve logs them without their values', async () => {
  const line = new CommandLine()
  const program = new ChildProgram(['serve', '--log-level', 'warn'], {
    POSTHORN_DATA_DIR: line.dataDir,
    POSTHORN_METRICS_TOKN: 'hunter22',
  })
  expect(await program.ended()).toBe(1)
  line.close()
  expect(program.err).toMatch(
    /"variable":"POSTHORN_METRICS_TOKN","nearest":"POSTHORN_METRICS_TOKEN".*unknown environment variable ignored/,
  )
  expect(program.err).not.toContain('hunter22')
})
