/** The cached list of an account's templates: refreshed at an interval, and soon after Meta reports a change. */
import type { ListedTemplates, TemplateAnswer, TemplateDraft } from '../../ports/carriers/carrier.ts'
import type { Cancel } from '../../ports/system/clock.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { sendableTemplates } from './fit-template.ts'
import type { MessageTemplate } from './message-template.ts'
import type { WhatsAppSettings } from './settings.ts'
import { planTemplateSubmission, readTemplateAnswer } from './submit-template.ts'
import { listTemplates } from './template-list.ts'

/** Wait for further changes before a refresh. */
const SOON_MS = 5_000

export class TemplateCache {
  /** Null until Meta has answered once. */
  listed: ListedTemplates | null = null
  sendable: readonly MessageTemplate[] | null = null
  readonly #carrierId: string
  readonly #settings: WhatsAppSettings
  readonly #send: (request: HttpRequest) => Promise<HttpResult>
  readonly #tools: CarrierTools
  #next: Cancel | null = null
  #soon: Cancel | null = null
  #refreshing: Promise<string | null> | null = null
  /** Resolves when the templates submitted so far are listed, or have failed. */
  #submitted: Promise<unknown> = Promise.resolve()
  #running = false

  constructor(
    carrierId: string,
    settings: WhatsAppSettings,
    send: (request: HttpRequest) => Promise<HttpResult>,
    tools: CarrierTools,
  ) {
    this.#carrierId = carrierId
    this.#settings = settings
    this.#send = send
    this.#tools = tools
  }

  start(): void {
    this.#running = true
    this.#plan()
  }

  stop(): void {
    this.#running = false
    this.#next?.()
    this.#soon?.()
  }

  /** Lists the templates now. Returns null, or the reason why the list was not refreshed. Never rejects. */
  refresh(): Promise<string | null> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  refreshSoon(): void {
    if (!this.#running) return
    this.#soon ??= this.#tools.clock.after(SOON_MS, () => {
      this.#soon = null
      void this.refresh()
    })
  }

  /**
   * Submits one template after the other, each against a list that is newer than the last submission. Never rejects.
   */
  submit(draft: TemplateDraft): Promise<TemplateAnswer> {
    const answer = this.#submitted.then(() => this.#submit(draft))
    this.#submitted = answer
    return answer
  }

  async #submit(draft: TemplateDraft): Promise<TemplateAnswer> {
    if (!this.#running) return { kind: 'unclear', reason: 'the carrier is not running' }
    const listed = await this.#list()
    if (typeof listed === 'string') return { kind: 'unclear', reason: listed }
    const request = planTemplateSubmission(draft, listed)
    if (request.kind !== 'create' && request.kind !== 'edit') return request
    const { baseUrl, version, wabaId } = this.#settings
    const path = request.kind === 'create' ? `${wabaId}/message_templates` : request.id
    const result = await this.#send({
      method: 'POST',
      url: `${baseUrl}/${version}/${path}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    })
    const answer = readTemplateAnswer(request, result)
    if (answer.kind === 'taken') await this.#list()
    return answer
  }

  async #refresh(): Promise<string | null> {
    const found = await this.#list()
    return typeof found === 'string' ? found : null
  }

  async #list(): Promise<readonly MessageTemplate[] | string> {
    const found = await listTemplates(this.#settings, this.#send)
    if (typeof found === 'string') {
      this.#tools.log.warn({ carrier: this.#carrierId, reason: found }, 'the templates could not be listed')
      return found
    }
    this.sendable = sendableTemplates(found)
    const templates = found.map(({ text, status, reason }) => ({ text, status, reason }))
    this.listed = { senders: [...this.#settings.senders.keys()], templates }
    return found
  }

  #plan(): void {
    this.#next = this.#tools.clock.after(this.#settings.templateRefreshSeconds * 1000, () => {
      void this.refresh()
      this.#plan()
    })
  }
}
