/** The settings of sign-in with the firm's account. */
import { OpenIdProvider } from '../../http/sign-in/open-id-provider.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { type Config, ConfigError } from './config.ts'

/** Returns null unless it is set up. */
export function openIdOf(config: Config, clock: Clock): OpenIdProvider | null {
  const settings = readOpenId(config)
  return settings && new OpenIdProvider(settings, clock)
}

/** Returns null unless it is set up. Throws ConfigError for half of the settings. */
export function readOpenId(config: Config) {
  const { ssoIssuer: issuer, ssoClientId: clientId, ssoClientSecret: clientSecret, ssoRoles: roles } = config
  if (issuer === null) return null
  if (clientId === null) throw new ConfigError('POSTHORN_SSO_ISSUER needs POSTHORN_SSO_CLIENT_ID')
  if (roles.length === 0) throw new ConfigError('POSTHORN_SSO_ISSUER needs POSTHORN_SSO_ROLES, such as *=support')
  const { ssoName: name, ssoGroupsClaim: groupsClaim } = config
  return { issuer, clientId, clientSecret, name, groupsClaim, roles }
}
