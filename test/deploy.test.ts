/** The files that others run Posthorn with name what there is. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../src/config.ts'

const FOLDER = join(import.meta.dirname, '..', 'deploy')
/** The key comes from the environment alone, so no table of settings has it. */
const KNOWN = new Set([...SETTINGS.map(({ env }) => env), 'POSTHORN_SECRET_KEY'])

describe.each(readdirSync(FOLDER))('deploy/%s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8')

  test('has settings that there are', () => {
    const named = text.match(/\bPOSTHORN_[A-Z_]+/g) ?? []
    expect(named.filter((each) => !KNOWN.has(each))).toEqual([])
  })

  test('is named by the page on clusters', () => {
    const page = readFileSync(join(FOLDER, '..', 'docs', 'cluster.md'), 'utf8')
    expect(page).toContain(`deploy/${name}`)
  })
})
