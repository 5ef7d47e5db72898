/**
 * Lists the templates of a WhatsApp Business Account page by page, with a limit of pages. The list is complete or
 * missing.
 */
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import { isJsonObject, parseJsonObject } from '../../wire/json.ts'
import { readGraphError } from './graph-error.ts'
import { type MessageTemplate, readMessageTemplate } from './message-template.ts'
import type { WhatsAppSettings } from './settings.ts'

const FIELDS = 'id,name,language,status,rejected_reason,category,parameter_format,components'
const PAGE = 50
const MAX_PAGES = 200

/** Returns the list, or the reason why there is none. Never rejects. */
export async function listTemplates(
  settings: Pick<WhatsAppSettings, 'baseUrl' | 'version' | 'wabaId'>,
  send: (request: HttpRequest) => Promise<HttpResult>,
): Promise<readonly MessageTemplate[] | string> {
  const { baseUrl, version, wabaId } = settings
  const templates: MessageTemplate[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ fields: FIELDS, limit: String(PAGE), ...(after === null ? {} : { after }) })
    const result = await send({ method: 'GET', url: `${baseUrl}/${version}/${wabaId}/message_templates?${query}` })
    if (result.kind === 'silent') return `templates: ${result.reason}`
    const answer = result.status === 200 ? parseJsonObject(result.body) : null
    const { data, paging } = answer ?? {}
    if (!Array.isArray(data)) return `templates: ${readGraphError(result.body)?.words ?? `HTTP ${result.status}`}`
    for (const item of data) {
      const template = readMessageTemplate(item)
      if (template !== null) templates.push(template)
    }
    after = nextOf(paging)
    if (after === null) return templates
  }
  return `templates: more than ${MAX_PAGES * PAGE}`
}

/** Only a page with a successor has `next`. */
function nextOf(paging: unknown): string | null {
  if (!isJsonObject(paging) || paging['next'] === undefined) return null
  const { cursors } = paging
  const after = isJsonObject(cursors) ? cursors['after'] : null
  return typeof after === 'string' && after !== '' ? after : null
}
