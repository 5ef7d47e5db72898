/**
 * Power cuts: what the SQLite store does to its files is recorded, and disks are rebuilt as a power cut at some instant
 * can leave them. On each of them a store is opened and every promise is checked. strace records every write and fsync;
 * where it is missing the files are sampled after each commit. More by hand: `CUTS=2000 SEED=7 npx vitest run
 * test/power-cut`; a failure prints its seed.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { Disk } from './disk.ts'
import { type Fact, openStore, runLoad } from './load.ts'
import { brokenPromises } from './promises.ts'
import { type LogEntry, readTrace, TRACED_CALLS } from './read-trace.ts'
import { FileSampler } from './sample-files.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const CUTS = Number(process.env['CUTS'] ?? 60)
const CONTROL_CUTS = 60
const TIMEOUT_MS = 60_000 + CUTS * 1_000
const LOAD = fileURLToPath(new URL('./load-process.ts', import.meta.url))
const LONGEST_WRITE_BYTES = '10000000'

const STRACE = findTracer()

const RECORDINGS = [
  { how: 'recorded by strace', isHere: STRACE !== null, record: () => trace(STRACE ?? '') },
  { how: 'sampled after each commit', isHere: true, record: () => sample() },
]

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'posthorn-power-'))
})
afterAll(() => rmSync(root, { recursive: true }))

for (const { how, isHere, record } of RECORDINGS) {
  describe.skipIf(!isHere)(`a power cut, ${how}`, () => {
    let log: readonly LogEntry[]
    beforeAll(async () => {
      log = await record()
    }, TIMEOUT_MS)

    test(`at ${CUTS} instants breaks no promise`, { timeout: TIMEOUT_MS }, async () => {
      const random = new SeededRandom(SEED)
      const broken = await cutAt(log, chooseInstants(log, CUTS, random), random)
      expect({ seed: SEED, broken }).toEqual({ seed: SEED, broken: [] })
    })

    test('loses acknowledged messages of a disk that ignores fsync', { timeout: TIMEOUT_MS }, async () => {
      const setUp = log.findIndex(({ kind }) => kind === 'fact')
      const unsynced = log.filter(({ kind }, at) => at <= setUp || !kind.startsWith('sync'))
      const random = new SeededRandom(SEED)
      const broken = await cutAt(unsynced, chooseInstants(unsynced, CONTROL_CUTS, random), random)
      expect(broken.join('\n')).toContain('lost: {"kind":"accepted"')
    })
  })
}

/** Null where it is not installed or may not trace, as in some containers. */
function findTracer(): string | null {
  const traced = ['-f', '--seccomp-bpf', '-o', '/dev/null', process.execPath, '--version']
  return findProgram('strace', 'strace', { words: traced })
}

async function trace(strace: string): Promise<readonly LogEntry[]> {
  const [file, folder] = [join(root, 'trace'), join(root, 'traced')]
  const about = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', LONGEST_WRITE_BYTES, '-e', `trace=${TRACED_CALLS}`]
  execFileSync(strace, [...about, '-e', 'signal=none', '-o', file, process.execPath, LOAD, folder])
  return readTrace(file, folder)
}

async function sample(): Promise<readonly LogEntry[]> {
  const folder = join(root, 'sampled')
  const sampler = new FileSampler(folder)
  const open = () => {
    const store = openStore(folder, () => sampler.sample())
    sampler.sample()
    return store
  }
  await runLoad(open, (fact) => sampler.entries.push({ kind: 'fact', text: JSON.stringify(fact) }))
  return sampler.entries
}

/** Half of them right after something was acknowledged, where a missing fsync would show; the others anywhere. */
function chooseInstants(log: readonly LogEntry[], count: number, random: SeededRandom): ReadonlySet<number> {
  const facts = log.flatMap(({ kind }, at) => (kind === 'fact' ? [at] : []))
  const chosen = Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? random.below(log.length) : facts[random.below(facts.length)],
  )
  return new Set(chosen.map(Number))
}

/** What is broken, each with the number of the entry after which power was cut. */
async function cutAt(
  log: readonly LogEntry[],
  instants: ReadonlySet<number>,
  random: SeededRandom,
): Promise<readonly string[]> {
  const disk = new Disk()
  const facts: Fact[] = []
  const broken: string[] = []
  for (const [at, entry] of log.entries()) {
    if (entry.kind === 'fact') facts.push(JSON.parse(entry.text) as Fact)
    else disk.apply(entry)
    if (!instants.has(at)) continue
    const folder = join(root, `cut-${at}`)
    mkdirSync(folder)
    for (const [name, content] of disk.cutPower(random)) writeFileSync(join(folder, name), content)
    broken.push(...(await brokenPromises(folder, facts)).map((promise) => `after entry ${at}: ${promise}`))
    rmSync(folder, { recursive: true })
  }
  return broken
}
