/** The templates of one account as last listed: asked for again and again, and soon after Meta says that some changed. */
import type { ListedTemplates } from '../../ports/carrier.ts'
import type { Cancel } from '../../ports/clock.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import type { CarrierTools } from '../carrier-tools.ts'
import { type MessageTemplate, sendableTemplates } from './message-template.ts'
import type { WhatsAppSettings } from './read-settings.ts'
import { askForTemplates } from './template-list.ts'

/** How long a change is left to be followed by others. */
const SOON_MS = 5_000

export class TemplateBook {
  /** Null until Meta has answered once. */
  listed: ListedTemplates | null = null
  sendable: readonly MessageTemplate[] | null = null
  readonly #carrierId: string
  readonly #settings: WhatsAppSettings
  readonly #ask: (request: HttpRequest) => Promise<HttpResult>
  readonly #tools: CarrierTools
  #next: Cancel | null = null
  #soon: Cancel | null = null
  #asking: Promise<string | null> | null = null
  #running = false

  constructor(
    carrierId: string,
    settings: WhatsAppSettings,
    ask: (request: HttpRequest) => Promise<HttpResult>,
    tools: CarrierTools,
  ) {
    this.#carrierId = carrierId
    this.#settings = settings
    this.#ask = ask
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

  /** Asks now; null, or in one sentence why the list is as it was. Never rejects. */
  refresh(): Promise<string | null> {
    this.#asking ??= this.#refresh().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  refreshSoon(): void {
    if (!this.#running) return
    this.#soon ??= this.#tools.clock.after(SOON_MS, () => {
      this.#soon = null
      void this.refresh()
    })
  }

  async #refresh(): Promise<string | null> {
    const found = await askForTemplates(this.#settings, this.#ask)
    if (typeof found === 'string') {
      this.#tools.log.warn({ carrier: this.#carrierId, reason: found }, 'the templates could not be listed')
      return found
    }
    this.sendable = sendableTemplates(found)
    const templates = found.map(({ text, status }) => ({ text, status }))
    this.listed = { senders: [...this.#settings.senders.keys()], templates }
    return null
  }

  #plan(): void {
    this.#next = this.#tools.clock.after(this.#settings.templateRefreshSeconds * 1000, () => {
      void this.refresh()
      this.#plan()
    })
  }
}
