/** At most one copy of an installation may be used, however often it was moved and however far a move was undone. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { PostgresEnd } from '../../src/stores/postgres/move-end.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { CommandLine } from '../support/command-line.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('an installation that was moved more than once', () => {
  let line: CommandLine
  let database: TestDatabase
  beforeEach(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    line = new CommandLine()
    line.stopped = new Promise(() => {})
    line.environment = { POSTHORN_SECRET_KEY: TEST_KEYS.kind === 'given' ? TEST_KEYS.keys : '' }
    await line.ask(['account', 'create', '--name', 'Shop'])
  })
  afterEach(() => line.close())

  const move = (from: string, to: string) => line.ask(['move', '--from', from, '--to', to])
  const undo = async (...words: readonly string[]) => {
    const { exitCode, err } = await line.run(['move', '--undo', ...words])
    return { exitCode, err }
  }
  const done = { exitCode: 0, err: '' }
  const refusal = (why: RegExp) => ({ exitCode: 1, err: expect.stringMatching(why) })
  const at = (place: string) => [place.startsWith('postgres') ? '--database' : '--data-dir', place]
  const work = (place: string) => line.ask(['account', 'top-up', '--account', '1', '--amount', '5', ...at(place)])
  /** The places where commands and gateways may work. */
  const usable = async (...places: readonly string[]) => {
    const answers = await Promise.all(places.map((place) => line.run(['account', 'list', ...at(place)])))
    return places.filter((_, index) => answers[index]?.exitCode === 0)
  }

  it('cannot be used at its first place, confirmed or not, while it is at the third', async () => {
    const [first, third] = [line.dataDir, line.path('third')]
    await move(first, database.url)
    await work(database.url)
    const places = ['--from', first, '--to', database.url]
    expect(await undo(...places)).toEqual(refusal(/has worked on the database .* since the move/))
    await move(database.url, third)
    await work(third)
    const movedOn = refusal(/was moved to the database .*, and from there to .*third, .*use it there, or undo that/)
    expect(await undo(...places)).toEqual(movedOn)
    expect(await undo(...places, '--yes')).toEqual(movedOn)
    expect(await undo('--from', first, '--yes')).toEqual(refusal(/give the place of the database .* with --to/))
    expect(await usable(first, database.url, third)).toEqual([third])
  })

  it('is not unlocked at its source, confirmed or not, while it is being moved on or cannot be read', async () => {
    const [first, third] = [line.dataDir, line.path('third')]
    await move(first, database.url)
    const places = ['--from', first, '--to', database.url, '--yes']
    const moving = new PostgresEnd(database.url, systemClock)
    expect(await moving.enter()).toBe(true)
    expect(await undo(...places)).toEqual(refusal(/^error: another move is running on the database/))
    await moving.close()
    await move(database.url, third)
    await database.query('UPDATE schema_version SET version = 999')
    expect(await undo(...places)).toEqual(refusal(/newer Posthorn/))
    expect(await usable(first, third)).toEqual([third])
  })

  it('is not unlocked at its source, confirmed or not, while the database refuses the user', async () => {
    await move(line.dataDir, database.url)
    const withOtherUser = database.url.replace(/\/\/[^@]*@/, '//someone:wrong@')
    const places = ['--from', line.dataDir, '--to', withOtherUser]
    const refused = refusal(/^error: cannot open the database: .*password authentication failed/)
    expect(await undo(...places)).toEqual(refused)
    expect(await undo(...places, '--yes')).toEqual(refused)
    expect(await usable(line.dataDir, database.url)).toEqual([database.url])
  })

  it('is unlocked in one copy of its source only', async () => {
    const [first, copy] = [line.dataDir, line.path('copy')]
    await move(first, database.url)
    cpSync(first, copy, { recursive: true })
    expect(await undo('--from', copy, '--to', database.url)).toEqual(done)
    expect(await undo('--from', first, '--to', database.url)).toEqual(refusal(/was undone already: use .* in .*copy/))
    expect(await usable(first, copy, database.url)).toEqual([copy])
  })

  it('returns to its first place when the moves are undone one by one, the last one first', async () => {
    const [first, third] = [line.dataDir, line.path('third')]
    await move(first, database.url)
    await move(database.url, third)
    expect(await undo('--from', database.url)).toEqual(done)
    expect(await usable(first, database.url, third)).toEqual([database.url])
    // Listing the accounts changed nothing there.
    expect(await undo('--from', first, '--to', database.url)).toEqual(done)
    expect(await usable(first, database.url, third)).toEqual([first])
  })

  it('is undone without confirmation after commands that only read, which are what verifies a move', async () => {
    await move(line.dataDir, database.url)
    for (const words of [
      ['ledger', 'verify'],
      ['account', 'list'],
      ['message', 'find', '--from', '2026-01-01'],
    ]) {
      expect(await line.run([...words, '--database', database.url])).toMatchObject({ exitCode: 0 })
    }
    expect(await undo('--from', line.dataDir, '--to', database.url)).toEqual(done)
    expect(await usable(line.dataDir, database.url)).toEqual([line.dataDir])
  })

  it('is not undone after a gateway has started on PostgreSQL, though it changed nothing', async () => {
    await move(line.dataDir, database.url)
    await (await openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })).close()
    expect(await undo('--from', line.dataDir, '--to', database.url)).toEqual(refusal(/has worked on/))
  })

  it('cannot be used at its first place while it is being moved on from the second', async () => {
    const first = line.dataDir
    await move(first, database.url)
    await database.query(`INSERT INTO moving VALUES (1, 'x', 'out', 'elsewhere', '{"table":0,"after":null,"rows":0}')`)
    expect(await undo('--from', first, '--to', database.url)).toEqual(refusal(/and from there to elsewhere/))
    await database.query(`UPDATE moving SET direction = 'in'`)
    expect(await undo('--from', first, '--to', database.url)).toEqual(refusal(/target of another move, from elsewhere/))
    expect(await usable(first, database.url)).toEqual([])
  })

  it('is not undone from its middle when it came round to its first place again', async () => {
    const [first, third] = [line.dataDir, await postgres.takeDatabase({ isNew: true })]
    const second = line.path('second')
    await move(first, database.url)
    await move(database.url, second)
    await move(second, third.url)
    rmSync(first, { recursive: true })
    await move(third.url, first)
    expect(await undo('--from', second, '--to', third.url)).toEqual(refusal(/and from there to .*data/))
    expect(await undo('--from', database.url)).toEqual(refusal(/was moved to .*second, and from there to the database/))
    expect(await usable(first, second, database.url, third.url)).toEqual([first])
    expect(await undo('--from', third.url)).toEqual(done)
    expect(await usable(first, second, database.url, third.url)).toEqual([third.url])
  })

  it('is not undone, and not moved again, without a word because its second place was emptied', async () => {
    const [second, third] = [line.path('second'), await postgres.takeDatabase({ isNew: true })]
    await move(line.dataDir, database.url)
    await move(database.url, second)
    await move(second, third.url)
    rmSync(second, { recursive: true })
    const [from, to] = [database.url, second]
    expect(await undo('--from', from, '--to', to)).toEqual(refusal(/nothing is left in .*second: if .* moved on/))
    expect(await line.run(['move', '--from', from, '--to', to])).toMatchObject(refusal(/and nothing is left there/))
    expect(await usable(line.dataDir, database.url, third.url)).toEqual([third.url])
    expect(await undo('--from', from, '--to', to, '--yes')).toEqual(done)
  })

  it('is undone without a word if the move was interrupted before it wrote anything', async () => {
    tamper(line.dataDir, `INSERT INTO moving VALUES (1, 'x', 'out', 'the database none', '{"table":0}')`)
    const name = new URL(database.url)
    tamper(line.dataDir, `UPDATE moving SET other = 'the database ${name.host}${name.pathname}'`)
    expect(await undo('--from', line.dataDir, '--to', database.url)).toEqual(done)
    expect(await usable(line.dataDir)).toEqual([line.dataDir])
  })

  it('resumes an undo that was interrupted between the two locks', async () => {
    await move(line.dataDir, database.url)
    const mark = tamper(line.dataDir, 'SELECT * FROM moving')
    expect(await undo('--from', line.dataDir, '--to', database.url)).toEqual(done)
    const values = Object.values(mark).map((value) => (typeof value === 'number' ? value : `'${value}'`))
    tamper(line.dataDir, `INSERT INTO moving VALUES (${values.join(', ')})`)
    expect(await undo('--from', line.dataDir, '--to', database.url)).toEqual(done)
    expect(await usable(line.dataDir, database.url)).toEqual([line.dataDir])
  })

  it('is not used in the copy again after an undo, unless what was done since is given up', async () => {
    await move(line.dataDir, database.url)
    expect(await undo('--from', line.dataDir, '--to', database.url)).toEqual(done)
    await work(line.dataDir)
    const again = ['--from', database.url, '--to', line.dataDir]
    expect(await undo(...again)).toEqual(refusal(/is an old copy: the move from .* was undone.*add --yes to give up/))
    expect(await line.run(['move', '--from', database.url, '--to', line.path('x')])).toMatchObject(
      refusal(/is an old copy/),
    )
    expect(await usable(line.dataDir, database.url)).toEqual([line.dataDir])
    expect(await undo(...again, '--yes')).toEqual(done)
    expect(await usable(line.dataDir, database.url)).toEqual([database.url])
  })

  it('is not undone after a gateway has worked on the folder, however often starts were refused on PostgreSQL', async () => {
    const folder = line.path('folder')
    await move(line.dataDir, database.url)
    await move(database.url, folder)
    const gateway = await openSqliteStore({ file: join(folder, 'posthorn.db'), keys: TEST_KEYS, inline: true })
    await gateway.close()
    for (let times = 0; times < 3; times += 1) expect(await usable(database.url)).toEqual([])
    expect(await undo('--from', database.url)).toEqual(refusal(/a gateway or a command has worked on .*folder since/))
  })

  it('is not undone after a command alone has worked on the folder that it was moved to', async () => {
    const folder = line.path('folder')
    await move(line.dataDir, database.url)
    await move(database.url, folder)
    await work(folder)
    expect(await undo('--from', database.url)).toEqual(refusal(/a gateway or a command has worked on .*folder since/))
    expect(await usable(database.url, folder)).toEqual([folder])
  })
})

function tamper(folder: string, sql: string): Record<string, unknown> {
  const file = new DatabaseSync(join(folder, 'posthorn.db'))
  const row = sql.startsWith('SELECT') ? file.prepare(sql).get() : undefined
  if (row === undefined) file.exec(sql)
  file.close()
  return row ?? {}
}
