/** A real OpenID provider on loopback (oidc-provider), whose users sign in without a page, as `user` says. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface ProviderUser {
  readonly sub: string
  readonly name: string
  readonly groups: readonly string[]
}

const CLIENT = { id: 'posthorn', secret: 'a-secret-of-the-console-at-the-provider' }

export class TestIdentityProvider {
  readonly #server: Server
  /** As they last signed in. */
  readonly #users = new Map<string, ProviderUser>()
  #next: ProviderUser | null = null

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<TestIdentityProvider> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TestIdentityProvider(server)
  }

  /** Begins to answer, for a console of this origin. */
  serve(origin: string): void {
    const provider = this.#provider(origin)
    const answer = provider.callback()
    this.#server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') === true) void this.#interact(provider, request, response)
      else void answer(request, response)
    })
  }

  /** Who signs in next; null gives up. */
  set user(user: ProviderUser | null) {
    this.#next = user
    if (user !== null) this.#users.set(user.sub, user)
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Settings of a gateway that uses it. */
  settings(roles: string): Readonly<Record<string, string>> {
    const client = { 'sso-client-id': CLIENT.id, 'sso-client-secret': CLIENT.secret }
    return { 'sso-issuer': this.issuer, ...client, 'sso-roles': roles, 'sso-name': 'Example Ltd' }
  }

  /**
   * Signs in at an address of the provider as a browser does, with its cookies. Returns the query of the address of the
   * console to which it was sent back.
   */
  async signIn(address: string): Promise<string> {
    const cookies = new Map<string, string>()
    let next = new URL(address)
    while (next.origin === this.issuer) {
      const cookie = [...cookies].map((each) => each.join('=')).join('; ')
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
      next = new URL(location, next)
    }
    return next.search
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #provider(origin: string): Provider {
    return new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${origin}/console/login/sso`],
          post_logout_redirect_uris: [`${origin}/console/login`],
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
      conformIdTokenClaims: false,
      features: {
        devInteractions: { enabled: false },
        // Its own page asks a host of fonts.
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => void Object.assign(context, { body: form }),
        },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['of the test'] },
      findAccount: (_context, sub) => {
        const user = this.#users.get(sub)
        return {
          accountId: sub,
          claims: () => ({ sub, preferred_username: user?.name, groups: user?.groups }),
        }
      },
      loadExistingGrant: async ({ oidc }) => {
        const { client, session, provider } = oidc
        if (client === undefined || session?.accountId === undefined) return undefined
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    })
  }

  async #interact(
    provider: Provider,
    ...[request, response]: Parameters<Provider['interactionFinished']> extends [infer Q, infer S, ...unknown[]]
      ? [Q, S]
      : never
  ): Promise<void> {
    const user = this.#next
    const result =
      user === null
        ? { error: 'access_denied', error_description: 'given up' }
        : { login: { accountId: user.sub, amr: ['pwd'] } }
    await provider.interactionFinished(request, response, result)
  }
}
