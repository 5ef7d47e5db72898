/** The parser of Bruno, as far as tests use it; the package has no types. */
declare module '@usebruno/lang' {
  interface Pair {
    readonly name: string
    readonly value: string
    readonly secret?: boolean
  }
  interface BrunoRequest {
    readonly meta: { readonly name: string; readonly type: string; readonly seq: string }
    readonly http: { readonly method: string; readonly url: string; readonly body: string; readonly auth: string }
    readonly headers: readonly Pair[]
    readonly body?: { readonly json?: string; readonly text?: string }
    readonly script?: { readonly req?: string; readonly res?: string }
    readonly docs: string
  }
  export function bruToJsonV2(text: string): BrunoRequest
  export function bruToEnvJsonV2(text: string): { readonly variables: readonly Pair[] }
}
