/** Reads the first lines of a bulk as its run would, without making it. */
import type { RequestObject } from '../../../contract/request/envelope.ts'
import { ItemRefused, Refused } from '../../../contract/request/refused.ts'
import type { LineError } from '../../../domain/bulk/bulk-lines.ts'
import type { Access } from '../../../domain/directory/directory.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Step } from '../../../domain/message/message.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { describeError } from '../../bulk/describe-bulk.ts'
import { LineChecker } from '../../bulk/line-checker.ts'
import { lineColumnsOf, readLine } from '../../bulk/line-fields.ts'
import { planBulkCreate } from '../../bulk/plan-bulk.ts'
import { readLines } from '../../bulk/read-lines.ts'
import { openScope, rulesOf } from '../../request/open-scope.ts'
import type { OperationTools } from '../../request/operation-tools.ts'
import type { Scope } from '../../request/planned.ts'

export const MAX_PREVIEWED = 10

/** Of messages that are only tried. */
const NO_ID = 0 as MessageId

interface Sample {
  readonly message: RequestObject
  readonly csv: string
}

export async function previewLines(tools: OperationTools, access: Access, { message, csv }: Sample) {
  const { currency } = access.account
  const none = { error: null, warnings: [] as string[], currency, data: [] as PreviewedLine[] }
  const scope = openScope(tools, { ...access, now: tools.clock.now(), newId: () => NO_ID })
  try {
    const { warnings = [] } = planBulkCreate(scope, { type: 'bulk/create', message })
    return { ...none, warnings: [...warnings], data: await readSample(scope, { message, csv }) }
  } catch (error) {
    if (error instanceof ItemRefused || error instanceof Refused) return { ...none, error: error.message }
    throw error
  }
}

interface PreviewedLine {
  readonly line: number
  readonly phone: string | null
  readonly error: string | null
  readonly field: string | null
  readonly steps: PreviewedStep[]
}

interface PreviewedStep {
  readonly channel: string
  readonly sender: string
  readonly text: string | null
  readonly parts: number
  readonly price: number
}

/** Rejects with Refused if the CSV cannot be read. */
async function readSample(scope: Scope, { message, csv }: Sample): Promise<PreviewedLine[]> {
  const bulk = { message: JSON.stringify(message) }
  const { names, required, optional } = lineColumnsOf(bulk)
  const rules = rulesOf(scope.account, scope.tools.limits)
  const checker = new LineChecker(scope, bulk)
  const run = async (work: () => void) => work()
  const lines: PreviewedLine[] = []
  for await (const raw of readLines({ bytes: csvBytes(csv), format: 'csv', fromLine: 1, required, optional, run })) {
    const line = readLine(raw, lines.length + 1, { rules, names })
    lines.push('cause' in line ? viewRefused(line, null) : viewLine(checker, line))
    if (lines.length === MAX_PREVIEWED) break
  }
  return lines
}

function viewLine(checker: LineChecker, line: Parameters<LineChecker['read']>[0]): PreviewedLine {
  const send = checker.read(line)
  if (!('plan' in send)) return viewRefused({ line: line.line, cause: send }, line.phone)
  return { line: line.line, phone: send.phone, error: null, field: null, steps: send.plan.map(viewStep) }
}

function viewRefused(refused: LineError, phone: string | null): PreviewedLine {
  const { line, error, field } = describeError(refused)
  return { line, phone, error, field, steps: [] }
}

function viewStep({ channel, sender, content, parts, priceMicros }: Step): PreviewedStep {
  const text = content.kind === 'text' ? content.text : null
  return { channel, sender, text, parts, price: toDecimal(priceMicros) }
}

/** The text as a body that is read in one piece. */
export async function* csvBytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
