/**
 * Memory of a gateway as the package carries it, after many messages, and then with one hook among live ones that never
 * answers.
 */
import { deliver, systemOf } from './deliveries.ts'
import type { Figure } from './figure.ts'
import { requestsOf } from './gateways.ts'
import type { Stage } from './stage.ts'

const QUARTERS = 4
const CONNECTIONS = 128

export async function memory(stage: Stage): Promise<readonly Figure[]> {
  const { remembered } = stage.scale
  const gateway = await stage.start('sqlite', {})
  const live = systemOf(gateway)
  // A message without a hook that answers ends at the SMSC.
  const dead = { ...live, requests: () => requestsOf('sms', gateway.deadHookPort) }
  const [alone, beside]: [number[], number[]] = [[], []]
  const messages = Math.ceil(remembered / QUARTERS)
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    const { spent } = await deliver(stage.load, live, { messages, connections: CONNECTIONS })
    alone.push(spent.mebibytes)
  }
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    const few = Math.ceil(messages / 10)
    await deliver(stage.load, dead, { messages: few, connections: CONNECTIONS, isReported: false })
    const { spent } = await deliver(stage.load, live, { messages, connections: CONNECTIONS })
    beside.push(spent.mebibytes)
  }
  await gateway.end()
  const figureOf = (benchmark: string, quarters: readonly number[]): Figure => ({
    ...{ benchmark, comparedWith: '', rounds: [Math.max(...quarters)], unit: ' MiB', must: 350, aim: 200 },
    ...{ lessIsBetter: true, detail: `after each quarter: ${quarters.map((each) => each.toFixed(0)).join(', ')}` },
  })
  return [
    figureOf(`memory after ${remembered} messages`, alone),
    figureOf(`memory after as many more, and ${Math.ceil(remembered / 10)} to a dead hook`, beside),
  ]
}
