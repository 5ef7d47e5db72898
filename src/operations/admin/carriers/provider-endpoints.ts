/** Providers with ready settings: what they ask, and what to do at the provider. */
import Type from 'typebox'
import { nearestName } from '../../../domain/text/nearest-name.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { DOCUMENTATION, PROVIDER_STATUS, type Provider } from '../fields/provider-file.ts'
import { CARRIER, CHANNEL, listOf, nullable, READERS } from '../fields/shapes.ts'
import { knownAnswers } from './fill-answers.ts'
import { fillSteps, webhooksOf } from './webhook-addresses.ts'

const PROVIDER = Type.String({ examples: ['twilio'], description: 'name of a provider: listProviders has them' })

const ProviderView = Type.Object({
  provider: PROVIDER,
  title: Type.String(),
  channel: CHANNEL,
  version: Type.Integer({ description: 'a carrier keeps the version that it was added with' }),
  status: PROVIDER_STATUS,
  documentation: DOCUMENTATION,
})

const QuestionView = Type.Object({
  name: Type.String(),
  title: Type.String(),
  help: Type.String(),
  example: nullable(Type.String()),
  secret: Type.Boolean(),
  required: Type.Boolean({ description: 'it has neither a default nor an answer that is kept' }),
  default: nullable(Type.String()),
})

export function providerNamed(providers: readonly Provider[], name: string): Provider {
  const found = providers.find((each) => each.name === name)
  if (found !== undefined) return found
  const nearest = nearestName(
    name,
    providers.map((each) => each.name),
  )
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`
  throw new UnknownThing(`there is no provider ${name.slice(0, 40)}${hint}`)
}

export const PROVIDER_ENDPOINTS = [
  endpoint({
    name: 'listProviders',
    method: 'GET',
    path: '/providers',
    command: 'provider list',
    summary: 'list the providers with ready settings',
    may: READERS,
    result: listOf(ProviderView),
    columns: ['provider', 'title', 'channel', 'status'],
    run: async ({ providers }) => ({ data: providers().map(view) }),
  }),
  endpoint({
    name: 'showProvider',
    method: 'GET',
    path: '/providers/{provider}',
    ownCommand: 'provider show',
    summary: 'show what a provider asks, what to do there, and what it lacks',
    may: READERS,
    params: { provider: PROVIDER },
    query: { carrier: Type.Optional(CARRIER) },
    result: Type.Object({
      ...ProviderView.properties,
      questions: Type.Array(QuestionView),
      set_up: Type.Array(Type.String(), { description: 'what to do at the provider, in order' }),
      limits: Type.Array(Type.String(), { description: 'what it does not have, and what could not be verified' }),
    }),
    run: async ({ providers, store, publicUrl }, { provider: name, carrier: id = name }) => {
      const provider = providerNamed(providers(), name)
      const carrier = (await store.loadDirectory()).carriers.find((each) => each.id === id)
      const known = knownAnswers(provider, carrier?.settings)
      const secrets = Object.fromEntries(Object.keys(provider.ask).map((each) => [each, each.toUpperCase()]))
      const settings = { ...provider.settings, secrets }
      const webhooks = webhooksOf({ id, kind: 'http', settings }, publicUrl)
      return {
        ...view(provider),
        questions: Object.entries(provider.ask).map(
          ([each, { title, help, secret = false, made = false, ...question }]) => ({
            name: each,
            title,
            help,
            example: question.example ?? null,
            secret,
            required: !made && question.default === undefined && !known.has(each),
            default: question.default ?? null,
          }),
        ),
        set_up: [...fillSteps(provider.setUp, webhooks)],
        limits: provider.limits,
      }
    },
  }),
]

function view({ name, title, channel, version, status, documentation }: Provider) {
  return { provider: name, title, channel, version, status, documentation }
}
