/**
 * What a flood by one account does to the few messages of another: the 99th percentile of the time to its answer
 * and to its `submit_sm`, beside the flood and alone, in turn; once with a carrier that takes anything, and once with a
 * slow carrier for which the flood already waits. A bare `node:http` server gets the same trickle beside the same
 * flood: what the processors, shared with the generators, cost a server that does nothing.
 */
import { Child } from './child.ts'
import type { Figure } from './figure.ts'
import { type GatewayUnderLoad, requestsOf } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { TRICKLE_PREFIX } from './phones.ts'
import type { Asked } from './smsc-and-hook.ts'
import type { Stage } from './stage.ts'

const PER_SECOND = 5
export const SLOW_PER_SECOND = 100
const FLOOD_CONNECTIONS = 128
const BOUNDS = { must: 3, aim: 2, lessIsBetter: true } as const

/** A gateway, or a server that needs no key and submits nothing. */
type Target = Pick<GatewayUnderLoad, 'port'> & Partial<Pick<GatewayUnderLoad, 'keys' | 'ends'>>

/** Milliseconds of each request of a trickle. */
interface Times {
  readonly answers: readonly number[]
  readonly submits: readonly number[]
}

/** The same of all rounds. */
interface Compared {
  readonly alone: Times
  readonly beside: Times
}

/** Resolves once the disturbance is there; `end` is called after the measurement, and resolves with its end. */
export type Disturb = () => Promise<{ readonly end: () => Promise<unknown> }>

export async function trickle(stage: Stage): Promise<readonly Figure[]> {
  const generator = new Child('./http-load.ts')
  const fast = await stage.start('sqlite', { accounts: 2 })
  const slow = await stage.start('sqlite', { accounts: 2, throughput: SLOW_PER_SECOND })
  const bare = await stage.bare()
  const flood = (target: Target) => async () => {
    const flooding = generator.ask<Measured>(floodOf(stage, target))
    return { end: () => flooding }
  }
  const backlog = async () => {
    const sent = await generator.ask<Measured>(backlogOf(stage, slow))
    return { end: async () => sent }
  }
  const { rounds } = stage.scale
  // The first requests are slower.
  for (const target of [fast, bare]) await measureBeside(stage, target, flood(target))
  await measure(stage, slow)
  const beside = await compare(stage, fast, flood(fast), rounds)
  const floor = await compare(stage, bare, flood(bare), rounds)
  // What is left of a backlog would disturb the next round.
  const behind = await compare(stage, slow, backlog, 1)
  await Promise.all([generator.end(), fast.end(), slow.end()])
  const { ratio, detail } = ratioOf(floor, 'answers')
  const [answer, submit] = figuresOf('a flood', beside)
  const withFloor = { ...answer, detail: `${answer.detail}; bare node:http: ${ratio.toFixed(2)} (${detail})` }
  return [withFloor, submit, ...figuresOf(`a backlog, ${SLOW_PER_SECOND}/s to the carrier`, behind)]
}

/** Alone and beside the disturbance in turn. */
export async function compare(stage: Stage, target: Target, disturb: Disturb, rounds: number): Promise<Compared> {
  const alone: Times[] = []
  const beside: Times[] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await measure(stage, target))
    beside.push(await measureBeside(stage, target, disturb))
  }
  return { alone: join(alone), beside: join(beside) }
}

async function measureBeside(stage: Stage, target: Target, disturb: Disturb): Promise<Times> {
  const { end } = await disturb()
  const times = await measure(stage, target)
  await end()
  return times
}

export async function measure(
  stage: Stage,
  { port, keys, ends }: Target,
  kind: 'trickle' | 'code' = 'trickle',
): Promise<Times> {
  const requests = stage.scale.seconds * PER_SECOND
  const load = { port, connections: 4, requests, perSecond: PER_SECOND, isTimed: true }
  const trickle = { ...(keys === undefined ? {} : { keys: keys.slice(1) }), ...requestsOf(kind, null) }
  const { timesMs, sentAt } = await stage.load.ask<Measured>({ ...load, ...trickle } satisfies Load)
  const submits: number[] = []
  while (ends !== undefined && submits.length < requests) {
    submits.length = 0
    const arrivals = await ends.ask<Record<string, number>>({ what: 'arrivals' } satisfies Asked)
    for (const [number, at] of Object.entries(sentAt)) {
      const arrivedAt = arrivals[TRICKLE_PREFIX + number]
      if (arrivedAt !== undefined) submits.push(arrivedAt - at)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { answers: timesMs, submits }
}

function join(all: readonly Times[]): Times {
  return { answers: all.flatMap(({ answers }) => answers), submits: all.flatMap(({ submits }) => submits) }
}

export function figuresOf(name: string, compared: Compared): readonly [Figure, Figure] {
  const figureOf = (what: string, key: keyof Times): Figure => {
    const { ratio, detail } = ratioOf(compared, key)
    const benchmark = `p99 of ${what}, ${PER_SECOND}/s beside ${name}`
    return { benchmark, comparedWith: 'alone', ...BOUNDS, rounds: [ratio], detail }
  }
  return [figureOf('the answer', 'answers'), figureOf('submit_sm', 'submits')]
}

/** Of the 99th percentiles; the detail has the medians too. */
function ratioOf({ alone, beside }: Compared, key: keyof Times): { readonly ratio: number; readonly detail: string } {
  const describe = (times: readonly number[]) => `${at(times, 0.99).toFixed(1)} ms, p50 ${at(times, 0.5).toFixed(1)}`
  const detail = `${describe(beside[key])}; ${describe(alone[key])}`
  return { ratio: at(beside[key], 0.99) / at(alone[key], 0.99), detail }
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN
}

/** Single messages, as many as are answered, for as long as the trickle takes. */
function floodOf({ scale }: Stage, { port, keys }: Target): Load {
  const load = { port, connections: FLOOD_CONNECTIONS, requests: Number.MAX_SAFE_INTEGER, seconds: scale.seconds }
  return { ...load, ...(keys === undefined ? {} : { keys: keys.slice(0, 1) }), ...requestsOf('sms', null) }
}

/** Twice what the carrier takes in that time, in requests of 100. */
function backlogOf({ scale }: Stage, { port, keys }: GatewayUnderLoad): Load {
  const requests = Math.ceil((scale.seconds * SLOW_PER_SECOND * 2) / 100)
  return { port, connections: 1, requests, perRequest: 100, keys: keys.slice(0, 1), ...requestsOf('sms', null) }
}
