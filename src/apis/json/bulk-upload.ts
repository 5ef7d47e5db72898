/**
 * `POST /api/bulk/{bulk_id}/lines`: the lines of a bulk as CSV or JSON lines, read only as fast as they are checked and
 * stored. The answer is HTTP 200 with an envelope, as on the API paths; the key is in `Authorization: Bearer`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeRefusal } from '../../contract/request/envelope.ts'
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { discardBody, isEncoded } from '../../http/server/body.ts'
import { type ClientAddresses, requestOriginOf } from '../../http/server/client-address.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import type { LineFormat } from '../../operations/bulk/read-lines.ts'
import type { BulkUploads } from '../../operations/bulk/upload.ts'
import { UPLOAD_ERRORS } from '../../operations/bulk/upload-errors.ts'
import { keyOfRequest } from '../../operations/request/api-key.ts'

const BULK_PATH = '/api/bulk/'

const TARGET = /^\/api\/bulk\/(\d{1,16})\/lines(?:\?(.*))?$/
const FORMATS: Readonly<Record<string, LineFormat>> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' }

export function createBulkUpload(uploads: BulkUploads, addresses: ClientAddresses): HttpRoute {
  return {
    path: BULK_PATH,
    methods: ['POST'],
    handle: async (request, response, target) => {
      const [, id, query = ''] = TARGET.exec(target) ?? []
      if (id === undefined) return answer(request, response, { status: 404, text: 'Not found\n', type: 'text/plain' })
      const refuse = (error: string) =>
        answer(request, response, { status: 200, text: writeRefusal(error), type: JSON_TYPE })
      const format = formatOf(request)
      if (format === null) return refuse(UPLOAD_ERRORS.contentType)
      if (isEncoded(request)) return refuse(UPLOAD_ERRORS.encoding)
      const text = await uploads
        .take({
          auth: keyOfRequest({ authorization: request.headers.authorization ?? null }, ''),
          bulkId: Number(id),
          fromLine: Number(new URLSearchParams(query).get('from_line') ?? 1),
          format,
          body: bodyOf(request),
          address: () => addresses.of(requestOriginOf(request)),
        })
        .catch((error: unknown) => {
          // A client that has gone gets no answer; what was stored stays.
          if (error instanceof BrokenOff) return null
          throw error
        })
      answer(request, response, {
        status: 200,
        text: text ?? writeRefusal(REQUEST_ERRORS.unavailable),
        type: JSON_TYPE,
      })
    },
  }
}

const JSON_TYPE = 'application/json'

/** Leaves the request open when the reader ends early, so that the client can read the answer. */
function bodyOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return (async function* () {
    try {
      yield* request.iterator({ destroyOnReturn: false })
    } catch (cause) {
      throw new BrokenOff('the client ended the upload', { cause })
    }
  })()
}

/** The connection ended before the body. */
class BrokenOff extends Error {}

function formatOf({ headers }: IncomingMessage): LineFormat | null {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return FORMATS[type] ?? null
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly type: string
}

/** Answers, and reads what is left of the body. */
function answer(request: IncomingMessage, response: ServerResponse, { status, text, type }: Answer): void {
  if (response.destroyed) return
  if (!request.complete) discardBody(request)
  request.resume()
  response.writeHead(status, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(text))])
  response.end(text)
}
