/**
 * Sign-in by OpenID Connect: authorization code flow with PKCE, state and nonce, by `openid-client`, which is loaded at
 * the first use, and checks the identity's signature too. The provider's addresses are read once an hour.
 */
import { createHash } from 'node:crypto'
import type { ClientAuth, Configuration, CustomFetchOptions } from 'openid-client'
import type { Role } from '../../domain/accounts/admin-user.ts'
import {
  type Identity,
  type IdentityProvider,
  IdentityRefused,
  type SignInAttempt,
} from '../../ports/hooks/identity-provider.ts'
import type { Clock } from '../../ports/system/clock.ts'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly name: string
  /** Of the claim with the groups of a user. */
  readonly groupsClaim: string
  /** Pairs of a group and a role: the first that fits counts. The group `*` is every user. */
  readonly roles: readonly (readonly [group: string, role: Role])[]
}

const SECONDS_TO_ANSWER = 10
const KNOWN_FOR_MS = 3_600_000
/** For a proof of identity: since the user signed in there, seconds. */
const ANEW_SECONDS = 300
const MAX_GROUPS = 1_000
/** Claims with a name for the user, the better one first. */
const NAMES = ['preferred_username', 'email']
/** At most 255 ASCII characters (OpenID Connect Core, 2). */
const SUB = /^[!-~]{1,255}$/

export class OpenIdProvider implements IdentityProvider {
  readonly #settings: OpenIdSettings
  readonly #clock: Clock
  #known: { readonly until: number; readonly configuration: Promise<Configuration> } | null = null

  constructor(settings: OpenIdSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  get name(): string {
    return this.#settings.name
  }

  roleOf(groups: readonly string[]): Role | null {
    return this.#settings.roles.find(([group]) => group === '*' || groups.includes(group))?.[1] ?? null
  }

  begin({ returnTo, state, verifier }: SignInAttempt, anew: boolean): Promise<string> {
    return this.#ask(async (configuration, { buildAuthorizationUrl, calculatePKCECodeChallenge }) => {
      const address = buildAuthorizationUrl(configuration, {
        redirect_uri: returnTo,
        scope: 'openid profile email',
        state,
        nonce: nonceOf(state),
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(anew ? { prompt: 'login', max_age: '0' } : {}),
      })
      return address.href
    })
  }

  finish({ returnTo, state, verifier }: SignInAttempt, query: string, anew: boolean): Promise<Identity> {
    return this.#ask(async (configuration, { authorizationCodeGrant, fetchUserInfo }) => {
      const address = new URL(returnTo)
      address.search = query
      const tokens = await authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonceOf(state),
        idTokenExpected: true,
        ...(anew ? { maxAge: ANEW_SECONDS } : {}),
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new IdentityRefused('the provider sent no identity')
      if (!SUB.test(claims.sub)) throw new IdentityRefused('the sub of the provider must be printable ASCII')
      // Some providers put groups and names into the token, others only behind this address.
      const { userinfo_endpoint: more } = configuration.serverMetadata()
      const { groupsClaim } = this.#settings
      const isWhole = groupsClaim in claims && NAMES.some((name) => name in claims)
      const facts =
        more === undefined || isWhole
          ? claims
          : { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
      return {
        subject: `${claims.iss} ${claims.sub}`,
        name: NAMES.flatMap((name) => textIn(facts, name) ?? [])[0] ?? null,
        groups: groupsIn(facts, groupsClaim),
      }
    })
  }

  signOut(returnTo: string): Promise<string | null> {
    return this.#ask(async (configuration, { buildEndSessionUrl }) => {
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href
    })
  }

  async #ask<T>(
    use: (configuration: Configuration, library: typeof import('openid-client')) => Promise<T>,
  ): Promise<T> {
    try {
      const library = await import('openid-client')
      return await use(await this.#configuration(library), library)
    } catch (error) {
      throw error instanceof IdentityRefused ? error : new IdentityRefused(reasonOf(error))
    }
  }

  #configuration(library: typeof import('openid-client')): Promise<Configuration> {
    const now = this.#clock.now()
    if (this.#known !== null && this.#known.until > now) return this.#known.configuration
    const configuration = discover(this.#settings, library)
    const known = { until: now + KNOWN_FOR_MS, configuration }
    this.#known = known
    configuration.catch(() => {
      if (this.#known === known) this.#known = null
    })
    return configuration
  }
}

async function discover(
  { issuer, clientId, clientSecret }: OpenIdSettings,
  library: typeof import('openid-client'),
): Promise<Configuration> {
  const address = new URL(issuer)
  return library.discovery(address, clientId, undefined, authenticationBy(clientSecret, library), {
    timeout: SECONDS_TO_ANSWER,
    [library.customFetch]: readBounded,
    // The settings allow plain HTTP on loopback alone.
    execute: [
      library.enableNonRepudiationChecks,
      ...(address.protocol === 'http:' ? [library.allowInsecureRequests] : []),
    ],
  })
}

/** In the header, as every provider takes it unless it says otherwise. */
function authenticationBy(
  secret: string | null,
  { ClientSecretBasic, ClientSecretPost, None }: typeof import('openid-client'),
): ClientAuth {
  if (secret === null) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    const inHeader = methods === undefined || methods.includes('client_secret_basic')
    return inHeader ? basic(server, ...rest) : post(server, ...rest)
  }
}

const MAX_BYTES = 1_048_576

/** Reads an answer as a whole, of bounded size; follows no redirects. */
async function readBounded(address: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(address, { ...options, redirect: 'manual' } as RequestInit)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new RangeError(`the answer has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  const { status, headers } = response
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers })
}

/** Ties the identity to the attempt, without a further value to keep. */
function nonceOf(state: string): string {
  return createHash('sha256').update(`nonce ${state}`).digest('base64url')
}

function textIn(claims: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = claims[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A list of names, or one name. */
function groupsIn(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = claims[name]
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.slice(0, MAX_GROUPS).filter((each): each is string => typeof each === 'string')
}

/** What went wrong, for the user: the library's texts and the provider's error codes hold no secrets. */
function reasonOf(error: unknown): string {
  const {
    error: code,
    message,
    cause,
  } = error as { readonly error?: unknown; readonly message?: string; cause?: unknown }
  if (code === 'access_denied') return 'the sign-in was refused or given up at the provider'
  if (typeof code === 'string') return `the provider answered ${JSON.stringify(code.slice(0, 60))}`
  const inner = cause instanceof Error ? `: ${cause.message.slice(0, 200)}` : ''
  return `the provider gave no valid answer (${(message ?? 'unknown').slice(0, 200)}${inner})`
}
