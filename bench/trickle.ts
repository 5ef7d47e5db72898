/**
 * What a flood by one account does to the few messages of another: the 99th percentile of the time to its answer
 * and to its `submit_sm`, beside the flood and alone; once with a carrier that takes anything, and once with a slow
 * carrier for which the flood already waits.
 */
import { Child } from './child.ts'
import type { Figure } from './figure.ts'
import { type GatewayUnderLoad, requestsOf, startGateway } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { TRICKLE_PREFIX } from './phones.ts'
import type { Asked } from './smsc-and-hook.ts'
import type { Stage } from './stage.ts'

const PER_SECOND = 5
const SLOW_PER_SECOND = 100
const BOUNDS = { must: 3, aim: 2, lessIsBetter: true } as const

interface Times {
  readonly answerMs: number
  readonly submitMs: number
}

export async function trickle(stage: Stage): Promise<readonly Figure[]> {
  const flood = new Child('./http-load.ts')
  const fast = await startGateway('sqlite', { accounts: 2 })
  const slow = await startGateway('sqlite', { accounts: 2, throughput: SLOW_PER_SECOND })
  const figures = [
    ...(await compare(stage, fast, 'a flood', () => flood.ask<Measured>(floodOf(stage, fast)))),
    ...(await compare(
      stage,
      slow,
      `a backlog, ${SLOW_PER_SECOND}/s to the carrier`,
      () => flood.ask<Measured>(backlogOf(stage, slow)),
      true,
    )),
  ]
  await Promise.all([flood.end(), fast.end(), slow.end()])
  return figures
}

async function compare(
  stage: Stage,
  gateway: GatewayUnderLoad,
  name: string,
  begin: () => Promise<Measured>,
  isBacklog = false,
): Promise<Figure[]> {
  const alone = await measure(stage, gateway)
  const flooded = begin()
  if (isBacklog) await flooded
  const beside = await measure(stage, gateway)
  await flooded
  const figureOf = (what: string, key: keyof Times): Figure => ({
    ...{ benchmark: `p99 of ${what}, ${PER_SECOND}/s beside ${name}`, comparedWith: 'alone', ...BOUNDS },
    rounds: [beside[key] / alone[key]],
    detail: `${beside[key].toFixed(1)} ms; ${alone[key].toFixed(1)} ms`,
  })
  return [figureOf('the answer', 'answerMs'), figureOf('submit_sm', 'submitMs')]
}

async function measure(stage: Stage, { port, keys, ends }: GatewayUnderLoad): Promise<Times> {
  const requests = stage.scale.seconds * PER_SECOND
  const load = { port, connections: 4, requests, perSecond: PER_SECOND, isTimed: true, keys: keys.slice(1) }
  const { p99Ms, sentAt } = await stage.load.ask<Measured>({ ...load, ...requestsOf('trickle', null) } satisfies Load)
  const submitted: number[] = []
  while (submitted.length < requests) {
    submitted.length = 0
    const arrivals = await ends.ask<Record<string, number>>({ what: 'arrivals' } satisfies Asked)
    for (const [number, at] of Object.entries(sentAt)) {
      const arrivedAt = arrivals[TRICKLE_PREFIX + number]
      if (arrivedAt !== undefined) submitted.push(arrivedAt - at)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  submitted.sort((a, b) => a - b)
  return { answerMs: p99Ms, submitMs: submitted[Math.floor(submitted.length * 0.99)] ?? Number.NaN }
}

/** Single messages, as many as are answered, for as long as the trickle takes. */
function floodOf({ scale }: Stage, { port, keys }: GatewayUnderLoad): Load {
  const load = { port, connections: 64, requests: Number.MAX_SAFE_INTEGER, seconds: scale.seconds }
  return { ...load, keys: keys.slice(0, 1), ...requestsOf('sms', null) }
}

/** Twice what the carrier takes in that time, in requests of 100. */
function backlogOf({ scale }: Stage, { port, keys }: GatewayUnderLoad): Load {
  const requests = Math.ceil((scale.seconds * SLOW_PER_SECOND * 2) / 100)
  return { port, connections: 1, requests, perRequest: 100, keys: keys.slice(0, 1), ...requestsOf('sms', null) }
}
