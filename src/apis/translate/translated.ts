/** What the paths of the older protocols have in common: every answer is HTTP 200 and not cached. */
import { isRefusal } from '../../contract/request/envelope.ts'
import { isEncoded } from '../../http/server/body.ts'
import type { Run } from '../../operations/run/run.ts'
import type { ApiAnswer, ApiForm, ApiTools, Arrived } from '../shared/api-path.ts'
import { createAsk, createOpenAccount, type OlderApi } from './ask.ts'

export interface TranslatedForm extends Pick<ApiForm, 'path' | 'maxBytes' | 'lenientQuery'> {
  readonly contentType: string
  /** Answered in place of a body that is too large or compressed, and without memory for one. */
  readonly tooLarge: string
  readonly encoded: string
  readonly busy: string
  readonly answer: (arrived: Arrived, api: OlderApi) => Promise<string>
}

export function translated(tools: ApiTools, form: TranslatedForm): ApiForm {
  // An address with a command is no document.
  const headers = ['Content-Type', form.contentType, 'Cache-Control', 'private, no-store']
  const write = (text: string, refused = false): ApiAnswer => ({ headers, text, isRefusal: refused })
  return {
    ...form,
    // A client library sends its document with GET.
    methods: ['GET', 'POST'],
    copiesBody: true,
    refuse: (request) => (isEncoded(request) ? write(form.encoded) : null),
    fail: (why) => write(why === 'busy' ? form.busy : form.tooLarge),
    answer: async (arrived) => {
      const { api, isRefused } = openApi(tools, arrived)
      return write(await form.answer(arrived, api), isRefused())
    },
  }
}

/** Notes whether one of the requests was refused as a whole. */
function openApi({ run, workForKey, addresses }: ApiTools, { origin, hold }: Arrived) {
  let refused = false
  const from = { address: () => addresses.of(origin), reserve: (bytes: number) => hold.grow(bytes) }
  const runAndNote: Run = async (asked) => {
    const text = await run(asked)
    refused ||= isRefusal(text)
    return text
  }
  const open = createOpenAccount(workForKey, from)
  const openAndNote: OlderApi['open'] = async (key, read) => {
    const account = await open(key, read)
    refused ||= typeof account === 'string'
    return account
  }
  return { api: { ask: createAsk(runAndNote, from), open: openAndNote }, isRefused: () => refused }
}
