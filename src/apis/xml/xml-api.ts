/** The address of the XML protocol. */
import type { HttpRoute } from '../../http/server/server.ts'
import { ApiPath, type ApiTools } from '../shared/api-path.ts'
import { translated } from '../translate/translated.ts'
import { answerXml, UNKNOWN_ERROR, WRONG_FORMAT, xmlFailure } from './xml-protocol.ts'

/** A thousand messages. */
const XML_BYTES = 128 * 1024

export function createXmlApi(tools: ApiTools): readonly HttpRoute[] {
  const form = translated(tools, {
    path: '/api/xml.php',
    maxBytes: XML_BYTES,
    contentType: 'text/xml; charset=utf-8',
    tooLarge: xmlFailure(WRONG_FORMAT),
    encoded: xmlFailure(WRONG_FORMAT),
    busy: xmlFailure(UNKNOWN_ERROR),
    answer: ({ body }, api) => answerXml(body, api, tools.clock.now()),
  })
  return [new ApiPath(form, tools)]
}
