/**
 * Messages all the way, beside Kannel under the same load: each round goes through all systems and all counts of
 * connections in turn. The same run compares few connections with many, a chain of three channels with one, and the
 * CPU of a message with that of a bare request.
 */
import { median } from './child.ts'
import { type Delivered, deliver, systemOf } from './deliveries.ts'
import { type Figure, perSecond, ratios } from './figure.ts'
import type { Stage } from './stage.ts'

const FEW = 16

export async function endToEnd(stage: Stage): Promise<readonly Figure[]> {
  const { rounds, messages, connections } = stage.scale
  const systems = await stage.systems()
  const results = new Map<string, Delivered[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of connections) {
      for (const system of systems) {
        const count = round === 0 ? Math.ceil(messages / 4) : messages
        const delivered = await deliver(stage.load, system, { messages: count, connections: each })
        // The first round warms up.
        if (round > 0)
          results.set(`${system.name} ${each}`, [...(results.get(`${system.name} ${each}`) ?? []), delivered])
      }
    }
  }
  const many = connections.filter((each) => each > FEW)
  const ratesOf = (name: string, each: number) => (results.get(`${name} ${each}`) ?? []).map((one) => one.perSecond)
  /** Of each round the best of all counts of connections. */
  const bestOf = (name: string) =>
    Array.from({ length: rounds }, (_, round) => Math.max(...many.map((each) => ratesOf(name, each)[round] ?? 0)))
  const cpuOf = (name: string) =>
    `${median(many.flatMap((each) => (results.get(`${name} ${each}`) ?? []).map(({ spent }) => spent.cpuMicros))).toFixed(0)} µs of CPU each`
  const compare = (name: string, other: string, must: number, aim: number): Figure[] => {
    if (![name, other].every((each) => systems.some((system) => system.name === each))) return []
    const [ours, theirs] = [bestOf(name), bestOf(other)]
    const detail = `${perSecond(ours)}, ${cpuOf(name)}; ${other}: ${perSecond(theirs)}, ${cpuOf(other)}`
    const benchmark = `end to end, ${name}, best of ${many.join('/')} connections`
    return [{ benchmark, comparedWith: other, rounds: ratios(ours, theirs), must, aim, detail }]
  }
  const largest = many.at(-1) ?? FEW
  const [few, full] = [ratesOf('sqlite', FEW), ratesOf('sqlite', largest)]
  return [
    ...compare('sqlite', 'Kannel, nothing stored', 1.5, 2),
    ...compare('sqlite', 'Kannel, spool store', 4, 6),
    ...compare('sqlite, batched reports', 'Kannel, nothing stored', 2, 3),
    {
      ...{ benchmark: `end to end, sqlite, ${FEW} connections`, comparedWith: `our own at ${largest}` },
      ...{ rounds: ratios(few, full), must: 0.6, aim: 0.8, detail: `${perSecond(few)}; ${perSecond(full)}` },
    },
    ...compare('postgres', 'Kannel, nothing stored', 0.9, 1.3),
  ]
}

export async function chain(stage: Stage): Promise<readonly Figure[]> {
  const { rounds, messages } = stage.scale
  const system = systemOf(await stage.gateway('sqlite'))
  const rates: Record<'sms' | 'chain', number[]> = { sms: [], chain: [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of ['sms', 'chain'] as const) {
      const { perSecond } = await deliver(stage.load, system, { messages, connections: 128, kind })
      if (round > 0) rates[kind].push(perSecond)
    }
  }
  return [
    {
      ...{ benchmark: 'RCS refused, chat app refused, SMS delivered, reported', comparedWith: 'our SMS end to end' },
      ...{ rounds: ratios(rates.chain, rates.sms), must: 0.4, aim: 0.6 },
      detail: `${perSecond(rates.chain)}; ${perSecond(rates.sms)}`,
    },
  ]
}

export async function mainThread(stage: Stage): Promise<readonly Figure[]> {
  const { rounds, messages } = stage.scale
  const [bare, system] = [await stage.bare(), systemOf(await stage.gateway('sqlite'))]
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    // More requests, because the kernel counts CPU in hundredths of a second.
    const plain = await bare.measure(stage.load, { requests: messages * 4, connections: 128 })
    const delivered = await deliver(stage.load, system, { messages: messages * 2, connections: 128 })
    if (round === 0) continue
    ours.push(delivered.spent.mainMicros)
    theirs.push(plain.spent.cpuMicros)
  }
  return [
    {
      ...{ benchmark: 'CPU of the main thread for one message end to end', comparedWith: 'CPU of a bare request' },
      ...{ rounds: ratios(ours, theirs), must: 3.5, aim: 2.5, lessIsBetter: true },
      detail: `${median(ours).toFixed(0)} µs; ${median(theirs).toFixed(0)} µs`,
    },
  ]
}
