/**
 * Requests accepted, each on disk before its answer, beside bare `node:http`; the same by requests of 100 messages;
 * and with many accounts beside one.
 */
import { accept, type Delivered, deliver, systemOf } from './deliveries.ts'
import { type Figure, perSecond, ratios } from './figure.ts'
import type { GatewayUnderLoad } from './gateways.ts'
import type { Stage } from './stage.ts'

const CONNECTIONS = 128
const BATCH = 100
/** So many times the messages by hundreds: a tenth of a second has a dozen of their requests, too few to measure. */
export const MORE_BY_HUNDREDS = 4

export async function accepting(stage: Stage): Promise<readonly Figure[]> {
  const { rounds, messages } = stage.scale
  const bare = await stage.bare()
  const postgres = await stage.postgres('silent')
  const sqlite = await stage.gateway('sqlite', 'silent')
  const gateways = [sqlite, ...(postgres === null ? [] : [postgres])]
  const rates = new Map<string, number[]>()
  const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate])
  for (let round = 0; round <= rounds; round += 1) {
    const plain = await bare.measure(stage.load, { requests: messages * 2, connections: CONNECTIONS })
    if (round > 0) note('bare', plain.perSecond)
    for (const gateway of gateways) {
      const rate = await rateOf(stage, gateway, 1)
      if (round > 0) note(gateway.name, rate)
    }
    const rate = await rateOf(stage, sqlite, BATCH)
    if (round > 0) note('by hundreds', rate)
  }
  const compare = (
    benchmark: string,
    name: string,
    other: string,
    [must, aim]: readonly [number, number],
  ): Figure[] => {
    const [ours, theirs] = [rates.get(name), rates.get(other)]
    if (ours === undefined || theirs === undefined) return []
    const comparedWith = other === 'bare' ? 'bare node:http' : 'single requests'
    const detail = `${perSecond(ours)}; ${perSecond(theirs)}`
    return [{ benchmark, comparedWith, rounds: ratios(ours, theirs), must, aim, detail }]
  }
  return [
    ...compare('accept, sqlite', 'sqlite', 'bare', [0.65, 0.9]),
    ...compare('accept, postgres', 'postgres', 'bare', [0.45, 0.6]),
    ...compare('accept, requests of 100 messages', 'by hundreds', 'sqlite', [3, 5]),
  ]
}

/** Messages accepted per second. */
async function rateOf({ load, scale }: Stage, gateway: GatewayUnderLoad, perRequest: number): Promise<number> {
  const messages = scale.messages * (perRequest === 1 ? 1 : MORE_BY_HUNDREDS)
  const requests = Math.ceil(messages / perRequest)
  const connections = Math.min(CONNECTIONS, requests)
  const { seconds } = await accept(load, gateway, { connections, perRequest, requests })
  return (requests * perRequest) / seconds
}

export async function manyAccounts(stage: Stage): Promise<readonly Figure[]> {
  const { rounds, messages, accounts } = stage.scale
  const many = await stage.start('sqlite', { accounts })
  await stage.warmUp(many)
  const systems = [systemOf(await stage.gateway('sqlite')), systemOf(many)] as const
  const rates: [Delivered[], Delivered[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    for (const index of [0, 1] as const) {
      const delivered = await deliver(stage.load, systems[index], { messages, connections: CONNECTIONS })
      if (round > 0) rates[index].push(delivered)
    }
  }
  await many.end()
  const [one, all] = rates.map((each) => each.map(({ perSecond }) => perSecond)) as [number[], number[]]
  return [
    {
      ...{ benchmark: `end to end with ${accounts} accounts`, comparedWith: 'one account' },
      ...{ rounds: ratios(all, one), must: 0.9, aim: 1, detail: `${perSecond(all)}; ${perSecond(one)}` },
    },
  ]
}
