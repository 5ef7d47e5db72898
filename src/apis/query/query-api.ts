/** The address of the query protocol, and how its parameters arrive. */
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import { ApiPath, type ApiTools, type Arrived, splitTarget } from '../shared/api-path.ts'
import { translated } from '../translate/translated.ts'
import { answerQuery } from './query-protocol.ts'

const FORM_BYTES = 64 * 1024
/** All commands together have fewer than 30. */
const MAX_PARAMS = 64

export function createQueryApi(tools: ApiTools): readonly HttpRoute[] {
  const form = translated(tools, {
    path: '/api/http.php',
    maxBytes: FORM_BYTES,
    lenientQuery: true,
    contentType: 'text/plain; charset=utf-8',
    tooLarge: 'errors:The request is too large\n',
    encoded: `errors:${REQUEST_ERRORS.compressed}\n`,
    busy: 'errors:Service unavailable, try again later\n',
    answer: async (arrived, api) => {
      const params = await paramsOf(arrived)
      return typeof params === 'string' ? `errors:${params}\n` : answerQuery(params, api)
    },
  })
  return [new ApiPath(form, tools)]
}

/** Values of the form replace those of the query. Returns why they are not read; the key is one of them. */
async function paramsOf({ target, body, request }: Arrived): Promise<URLSearchParams | string> {
  const contentType = request.headers['content-type'] ?? ''
  const [, query] = splitTarget(target)
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    const sent = `${query}&${body.toString()}`
    return countOf(sent, '&') >= MAX_PARAMS ? TOO_MANY : new URLSearchParams(sent)
  }
  if (countOf(query, '&') + countOf(body.toString('latin1').toLowerCase(), 'content-disposition:') >= MAX_PARAMS) {
    return TOO_MANY
  }
  const params = new URLSearchParams(query)
  try {
    const form = await new Response(...withLongBoundary(body, contentType)).formData()
    for (const [name, value] of form) if (typeof value === 'string') params.append(name, value)
    return params
  } catch {
    return 'The form cannot be read'
  }
}

/** Node reads boundaries from this length on, and programs send shorter ones, such as `xYzZY` of Perl. */
const SHORTEST_BOUNDARY = 27

function withLongBoundary(body: Buffer, contentType: string): [body: Buffer, init: ResponseInit] {
  const [parameter = '', quoted, bare] = /\bboundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare ?? ''
  if (boundary === '' || boundary.length >= SHORTEST_BOUNDARY)
    return [body, { headers: { 'content-type': contentType } }]
  const long = boundary.padEnd(SHORTEST_BOUNDARY, 'x')
  const lines = `\r\n${body.toString('latin1')}`.replaceAll(`\r\n--${boundary}`, `\r\n--${long}`).slice(2)
  return [
    Buffer.from(lines, 'latin1'),
    { headers: { 'content-type': contentType.replace(parameter, `boundary="${long}"`) } },
  ]
}

const TOO_MANY = 'Too many parameters'

/** Stops at the maximum. */
function countOf(text: string, mark: string): number {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0 && count < MAX_PARAMS; at = text.indexOf(mark, at + mark.length)) count += 1
  return count
}
