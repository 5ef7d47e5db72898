/**
 * Runs the benchmarks and prints a table: what was measured (median of the rounds, lowest and highest), what it is
 * compared with in the same run, and whether it is as it must be. Fails only if something does not work, never for a
 * figure.
 *
 *     npm run bench -- [--quick] [names] [--rounds=3] [--messages=4000] [--warming=120000] [--seconds=20]
 *       [--accounts=10000] [--stored=100000] [--remembered=40000] [--unfinished=20000] [--backlog=1000000]
 */
import { parseArgs } from 'node:util'
import { accepting, manyAccounts } from './accepting.ts'
import { bulk } from './bulk.ts'
import { codes } from './codes.ts'
import { chain, endToEnd, mainThread } from './end-to-end.ts'
import { type Figure, formatTable } from './figure.ts'
import { memory } from './memory.ts'
import { restart } from './restart.ts'
import { shortLink } from './short-link.ts'
import { Stage } from './stage.ts'
import { stored } from './stored.ts'
import { trickle } from './trickle.ts'

const BENCHMARKS: Readonly<Record<string, (stage: Stage) => Promise<readonly Figure[]>>> = {
  'end-to-end': endToEnd,
  chain,
  'main-thread': mainThread,
  accept: accepting,
  accounts: manyAccounts,
  'short-link': shortLink,
  stored,
  memory,
  restart,
  trickle,
  codes,
  bulk,
}

const NUMBERS = { rounds: 3, messages: 4_000, warming: 120_000, seconds: 20, accounts: 10_000, stored: 100_000 }
const MORE_NUMBERS = { remembered: 40_000, unfinished: 20_000, backlog: 1_000_000 }
const FULL = { ...NUMBERS, ...MORE_NUMBERS }
const QUICK = {
  ...{
    rounds: 1,
    messages: 200,
    warming: 200,
    seconds: 1,
    accounts: 100,
    stored: 1_000,
    remembered: 800,
    unfinished: 400,
    backlog: 1_000,
  },
}

const option = { type: 'string' } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    ...{ rounds: option, messages: option, warming: option, seconds: option, accounts: option },
    ...{ stored: option, remembered: option, unfinished: option, backlog: option },
  },
})
const { quick, ...numbers } = values
const given = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]))
const wrong = [
  ...positionals.filter((name) => !(name in BENCHMARKS)),
  ...Object.keys(given).filter((name) => !(Number(given[name]) >= 1)),
]
if (wrong.length > 0) {
  console.error(`unknown: ${wrong.join(', ')}. Benchmarks: ${Object.keys(BENCHMARKS).join(', ')}`)
  process.exit(2)
}
const connections = quick ? [16, 64] : [16, 64, 128, 256]
const stage = new Stage({ ...(quick ? QUICK : FULL), ...given, connections })
const figures: Figure[] = []
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) {
    const startedAt = performance.now()
    figures.push(...((await BENCHMARKS[name]?.(stage)) ?? []))
    console.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  }
} finally {
  await stage.end()
}
console.log(`\n${formatTable(figures)}`)
