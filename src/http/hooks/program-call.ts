/** Requests to hooks in the forms of programs that exist: no signature, and an answer that may say something. */
import { isInboundReport } from '../../domain/reports/program-event.ts'
import { readTarget } from '../../domain/reports/report-target.ts'
import type { HookCall } from '../../ports/hooks/hook-post.ts'
import type { AnswerBody } from './hook-connection.ts'
import { writeJasminCall } from './jasmin-call.ts'
import { readReply, writeKannelCall } from './kannel-call.ts'
import type { ProgramCall } from './program-request.ts'

/** Returns null for an address without a form, and for a report that the form cannot say. */
export function writeProgramCall({ address, body }: Pick<HookCall, 'address' | 'body'>): ProgramCall | null {
  const target = readTarget(address)
  switch (target?.form) {
    case 'kannel':
      return writeKannelCall(target, body)
    case 'jasmin':
      return writeJasminCall(target, body)
    default:
      return null
  }
}

/** Returns what the answer says in this form. */
export function readProgramAnswer({ address, body }: Pick<HookCall, 'address' | 'body'>, answer: AnswerBody): string {
  const target = readTarget(address)
  if (target?.form === 'jasmin') return answer.bytes.toString().trim()
  return isInboundReport(body) && target?.facts['reply'] !== 'no' ? readReply(answer) : ''
}
