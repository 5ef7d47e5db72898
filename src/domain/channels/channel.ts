/** The channels: the ways to reach a recipient that a client can request. */
export const CHANNELS = ['rcs', 'chatapp', 'sms', 'call'] as const

export type Channel = (typeof CHANNELS)[number]

/** The channels that carry messages; a call carries only the digits of its number. */
export const MESSAGE_CHANNELS = ['rcs', 'chatapp', 'sms'] as const

export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** What carriers, routes, prices and costs are for: the channels, and lookups of numbers. */
export const ROUTED_CHANNELS = [...CHANNELS, 'lookup'] as const

export type RoutedChannel = (typeof ROUTED_CHANNELS)[number]
