/** Posts each report by what its address says: to a web address, or over the connections of a login. */
import { formOf } from '../../domain/reports/report-target.ts'
import type { HookPost } from '../../ports/hooks/hook-post.ts'

export function joinHookPosts({ web, logins }: { readonly web: HookPost; readonly logins: HookPost }): HookPost {
  const postOf = (address: string) => (formOf(address) === 'smpp' ? logins : web)
  return {
    post: (call) => postOf(call.address).post(call),
    reaches: (hook) => postOf(hook).reaches?.(hook) ?? true,
    stop: async () => void (await Promise.all([web.stop(), logins.stop()])),
  }
}
