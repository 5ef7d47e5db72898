/** The texts of Jasmin's answers. */
import { isError, type JasminOutcome } from './execute.ts'

/** Returns the text of an answer. */
export type WriteOutcome = (outcome: JasminOutcome) => string

export const writeSend: WriteOutcome = (outcome) =>
  isError(outcome) ? `Error "${outcome.text}"` : `Success "${String(outcome['msg_id'])}"`

export const writeRate: WriteOutcome = (outcome) => JSON.stringify(isError(outcome) ? outcome.text : rateOf(outcome))

export const writeBalance: WriteOutcome = (outcome) =>
  JSON.stringify(isError(outcome) ? outcome.text : { balance: outcome['amount'], sms_count: 'ND' })

/** The rate is that of one part of the message. */
function rateOf({ price, steps }: Readonly<Record<string, unknown>>): object {
  const parts = Math.max(1, ...(steps as readonly { readonly parts: number }[]).map((step) => step.parts))
  return { unit_rate: Number((Number(price) / parts).toFixed(6)), submit_sm_count: parts }
}
