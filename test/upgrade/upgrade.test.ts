/**
 * Upgrades from another version as docs/operations/upgrading.md describes them, under load: a cluster gateway by
 * gateway, and one gateway on SQLite with its backup, and back again.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ClusterWorld } from '../chaos/cluster-world.ts'
import type { Fault } from '../chaos/faults.ts'
import { describeFindings, expectDeliveredOnce } from '../chaos/findings.ts'
import { CrashWorld } from '../crash/crash-world.ts'
import { GatewayProcess } from '../crash/gateway-process.ts'
import { expectKept } from '../crash/promises.ts'
import { ChildProgram } from '../support/child-program.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { OtherVersion } from './other-version.ts'

const SEED = 1
const TIMEOUT_MS = 240_000
/** With its dependencies. */
const REMOVED_WITHIN_MS = 120_000
const UPDATE: Fault = {
  kind: 'rolling restart',
  gateway: 0,
  happening: 'reported',
  times: 20,
  awayMs: 0,
  comesAtOnce: true,
}

const taken = OtherVersion.take()
const postgres = await usePostgres({ durable: true })
afterAll(() => taken?.remove(), REMOVED_WITHIN_MS)

describe.skipIf(taken === null)(`an upgrade from ${taken?.name}`, () => {
  const old = taken as OtherVersion
  const folders: string[] = []
  let world: ClusterWorld | CrashWorld | null = null
  afterEach(async () => {
    await world?.end()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  test.skipIf(postgres.isMissing)('of a cluster under load, gateway by gateway', { timeout: TIMEOUT_MS }, async () => {
    const cluster = await ClusterWorld.begin(postgres.server, new SeededRandom(SEED), (setup) => old.install(setup))
    world = cluster
    try {
      await cluster.start()
      cluster.install()
      await cluster.suffer(UPDATE)
      const evidence = await cluster.finish()
      console.info(describeFindings(SEED, cluster, evidence))
      expectDeliveredOnce(cluster, evidence)
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${await cluster.diagnose()}`, { cause: error })
    }
  })

  test('of one gateway on SQLite under load, and back by the backup', { timeout: TIMEOUT_MS }, async () => {
    const one = await CrashWorld.begin(new SeededRandom(SEED), (setup) => old.install(setup))
    world = one
    await one.start()
    const load = one.load(100)
    await one.terminateIn('answered', 30)
    const restored = mkdtempSync(join(tmpdir(), 'posthorn-restored-'))
    folders.push(restored)
    await run(old.main, 'backup', join(restored, 'posthorn.db'), '--data-dir', one.folder)
    copyFileSync(join(one.folder, 'secret.key'), join(restored, 'secret.key'))

    one.install()
    await run(undefined, 'migrate', '--data-dir', one.folder)
    await one.start()
    await load
    expectKept(await one.finish())
    // The old version does not open the new tables, and works with the backup.
    await expect(run(old.main, 'account', 'list', '--data-dir', one.folder)).rejects.toThrow('use a newer Posthorn')
    expect(await run(old.main, 'ledger', 'verify', '--data-dir', restored)).toEqual({ faults: [] })
    const gateway = await GatewayProcess.make({ POSTHORN_DATA_DIR: restored })
    gateway.main = old.main
    await gateway.start()
    expect(await gateway.terminate()).toBe(0)
  })
})

/** Returns what the command prints. */
async function run(main: string | undefined, ...words: readonly string[]): Promise<unknown> {
  const program = new ChildProgram([...words, '--json'], {}, [], main)
  const exitCode = await program.ended()
  if (exitCode !== 0) throw new Error(program.err)
  return program.out === '' ? null : JSON.parse(program.out)
}
