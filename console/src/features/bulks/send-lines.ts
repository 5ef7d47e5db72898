/** Uploads a file to a bulk, part by part. A part whose answer was lost is repeated: stored lines are skipped. */
import { type AnswerOf, api, makeRequestKey } from '../../api/api.ts'
import { ApiError } from '../../api/problem.ts'
import { type Mapping, partsOf, type RecipientFile } from './recipients.ts'

const TRIES = 5
const PAUSE_MS = 1_500

type Added = AnswerOf<'POST', '/accounts/{account}/bulks/{bulk}/lines'>

export interface Upload {
  readonly account: number
  readonly bulk: number
  readonly file: RecipientFile
  readonly mapping: Mapping
  /** Lines of the bulk before the first one of the file. */
  readonly offset: number
  readonly signal: AbortSignal
  /** Called after each part with the number of lines that are done. */
  readonly onProgress: (lines: number) => void
}

/** Rejects with ApiError if a part is refused, or the gateway cannot be reached for some seconds. */
export async function sendLines({
  account,
  bulk,
  file,
  mapping,
  offset,
  signal,
  onProgress,
}: Upload): Promise<Added | null> {
  let added: Added | null = null
  for (const { csv, from, lines } of partsOf(file, mapping)) {
    added = await sendPart({ account, bulk }, { csv, from_line: offset + from }, signal)
    onProgress(from + lines - 1)
  }
  return added
}

async function sendPart(
  params: { readonly account: number; readonly bulk: number },
  body: { readonly csv: string; readonly from_line: number },
  signal: AbortSignal,
): Promise<Added> {
  for (let tries = 1; ; tries += 1) {
    try {
      const input = { params, body, signal, key: makeRequestKey() }
      return await api.post('/accounts/{account}/bulks/{bulk}/lines', input)
    } catch (error) {
      if (tries === TRIES || !(error instanceof ApiError && isPassing(error))) throw error
      await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS * tries))
    }
  }
}

const TOO_MANY_REQUESTS = 429

function isPassing(error: ApiError): boolean {
  return error.isUnclear || error.status === TOO_MANY_REQUESTS
}
