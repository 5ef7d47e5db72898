/**
 * What a bulk does to the single messages of the same account: the 99th percentile of the time to their answer and to
 * their `submit_sm`, beside a bulk at its pace and alone, in turn.
 */
import type { Figure } from './figure.ts'
import type { GatewayUnderLoad } from './gateways.ts'
import { PREFIX } from './phones.ts'
import type { Stage } from './stage.ts'
import { compare, type Disturb, figuresOf, measure } from './trickle.ts'

/** Messages a second. */
const PACE = 500
/** The bulk goes on a little longer than the trickle. */
const SPARE_SECONDS = 5
const UPLOAD_LINES = 50_000

interface BulkFacts {
  readonly bulk_id: number
  readonly state: string
  readonly lines: number
  readonly accepted: number
}

export async function bulk(stage: Stage): Promise<readonly Figure[]> {
  const gateway = await stage.start('sqlite', { accounts: 2 })
  const uploads: number[] = []
  const sent: number[] = []
  const disturb: Disturb = async () => {
    const begunAt = performance.now()
    const { bulk_id } = await ask(gateway, { type: 'bulk/create', message: MESSAGE, pace: PACE })
    const lines = PACE * (stage.scale.seconds + SPARE_SECONDS)
    for (let from = 0; from < lines; from += UPLOAD_LINES) {
      await upload(gateway, bulk_id, { from, until: Math.min(lines, from + UPLOAD_LINES) })
    }
    uploads.push(lines / ((performance.now() - begunAt) / 1_000))
    const startedAt = performance.now()
    await ask(gateway, { type: 'bulk/start', bulk_id })
    const isUnderWay = async () => (await ask(gateway, { type: 'bulk/status', bulk_id })).accepted > PACE
    while (!(await isUnderWay())) await pause()
    return { end: async () => void sent.push(await stop(gateway, bulk_id, startedAt)) }
  }
  await measure(stage, gateway)
  const compared = await compare(stage, gateway, disturb, stage.scale.rounds)
  await gateway.end()
  const rates = `lines checked and stored: ${perSecond(uploads)}; sent: ${perSecond(sent)}`
  return figuresOf(`a bulk of the same account, pace ${PACE}`, compared).map((figure) => ({
    ...figure,
    detail: `${figure.detail}; ${rates}`,
  }))
}

const MESSAGE = { type: 'sms', sms_signature: 'Posthorn', sms_message: 'Hello {{name}}, your parcel is here.' }

function perSecond(rates: readonly number[]): string {
  return rates.map((rate) => `${rate.toFixed(0)}/s`).join(', ')
}

/** Returns how many messages it has sent per second. */
async function stop(gateway: GatewayUnderLoad, bulk_id: number, startedAt: number): Promise<number> {
  const { accepted } = await ask(gateway, { type: 'bulk/status', bulk_id })
  const seconds = (performance.now() - startedAt) / 1_000
  await ask(gateway, { type: 'bulk/stop', bulk_id })
  return accepted / seconds
}

interface Lines {
  readonly from: number
  readonly until: number
}

async function upload({ port, keys }: GatewayUnderLoad, bulkId: number, { from, until }: Lines): Promise<void> {
  const rows = Array.from({ length: until - from }, (_, index) => {
    const number = from + index
    return `${PREFIX}${String(number).padStart(7, '0')},Ann ${number}`
  })
  const response = await fetch(`http://127.0.0.1:${port}/api/bulk/${bulkId}/lines?from_line=${from + 1}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[1]}`, 'content-type': 'text/csv' },
    body: `phone,name\n${rows.join('\n')}\n`,
  })
  const { success, data } = (await response.json()) as { success: boolean; data?: { lines: number; refused: number } }
  if (!success || data?.lines !== until || data.refused > 0)
    throw new Error(`the upload failed: ${JSON.stringify(data)}`)
}

async function ask({ port, keys }: GatewayUnderLoad, operation: object): Promise<BulkFacts> {
  const response = await fetch(`http://127.0.0.1:${port}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: keys[1], data: [operation] }),
  })
  const answer = (await response.json()) as { data?: readonly [{ success: boolean; data: BulkFacts }] }
  const [result] = answer.data ?? []
  if (result?.success !== true) throw new Error(`a bulk failed: ${JSON.stringify(answer)}`)
  return result.data
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}
