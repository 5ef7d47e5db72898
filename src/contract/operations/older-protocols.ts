/** The older protocols of services of this kind, which are translated to operations of the JSON API. */

export const OLDER_PROTOCOLS = ['http', 'xml'] as const
export type OlderProtocol = (typeof OLDER_PROTOCOLS)[number]
