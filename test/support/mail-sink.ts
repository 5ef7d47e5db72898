/** An SMTP server on loopback: keeps the mails that it receives. It can fall silent, as a dead server does. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface SunkMail {
  readonly to: readonly string[]
  /** Headers and text. */
  readonly raw: string
  readonly subject: string
}

export class MailSink {
  readonly mails: SunkMail[] = []
  /** It takes connections, and says nothing. */
  isSilent = false
  /** Connections that it took in silence. */
  ignored = 0
  readonly #server: SMTPServer

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ['STARTTLS'],
      onConnect: (_session, callback) => {
        if (this.isSilent) this.ignored += 1
        else callback()
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString()
          const to = session.envelope.rcptTo.map(({ address }) => address)
          this.mails.push({ to, raw, subject: /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '' })
          callback()
        })
      },
    })
    this.#server.on('error', () => {})
  }

  static async open(): Promise<MailSink> {
    const sink = new MailSink()
    await new Promise<void>((resolve) => sink.#server.listen(0, '127.0.0.1', resolve))
    return sink
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`
  }

  get subjects(): readonly string[] {
    return this.mails.map(({ subject }) => subject)
  }

  close(): Promise<void> {
    for (const connection of this.#server.connections) connection.close()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
