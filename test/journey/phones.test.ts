/**
 * The phones in the box, held to their table: for every ending of a number, everything that a chain, an RCS message and
 * a chat-app message to it bring about. They all live in one world at the same time; each test looks at one of them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, chatappItem, rcsItem } from '../support/send-items.ts'
import type { Story } from '../support/story.ts'

const KINDS = ['chain', 'rcs', 'chatapp'] as const
type Kind = (typeof KINDS)[number]

const nothing = { revoked: [], reports: [], arrived: [] }
const taken = (channel: string) => ({ ...nothing, arrived: [channel] })

const byRcs: Story = {
  ...taken('rcs'),
  steps: ['rcs DELIVERED'],
  timeline: ['rcs taken', 'rcs delivered'],
  money: ['hold 0.03', 'charge 0.03'],
  reports: ['DELIVERED by rcs for 0.03'],
}
const byRcsInChain: Story = { ...byRcs, money: ['hold 0.05', 'charge 0.03', 'release 0.02'] }
const byChat: Story = {
  ...taken('chatapp'),
  steps: ['chatapp DELIVERED'],
  timeline: ['chatapp taken', 'chatapp delivered'],
  money: ['hold 0.04', 'charge 0.04'],
  reports: ['DELIVERED by chatapp for 0.04'],
}
const noRcs: Story = {
  ...nothing,
  steps: ['rcs UNDELIVERABLE'],
  timeline: ['rcs refused'],
  money: ['hold 0.03', 'release 0.03'],
  reports: ['UNDELIVERABLE by rcs for 0: NOT_FOUND: the user is not reachable by RCS'],
}
const noChat: Story = {
  ...nothing,
  steps: ['chatapp UNDELIVERABLE'],
  timeline: ['chatapp refused'],
  money: ['hold 0.04', 'release 0.04'],
  reports: ['UNDELIVERABLE by chatapp for 0: status 9: the phone has no Viber'],
}
const rcsNever: Story = {
  ...taken('rcs'),
  steps: ['rcs EXPIRED'],
  timeline: ['rcs taken', 'rcs expired'],
  revoked: ['rcs'],
  money: ['hold 0.03', 'release 0.03'],
  reports: ['EXPIRED by rcs for 0: not delivered within its lifetime'],
}
const byChatAfterExpiry: Story = {
  ...nothing,
  steps: ['rcs EXPIRED', 'chatapp DELIVERED'],
  timeline: ['rcs taken', 'rcs expired', 'chatapp taken', 'chatapp delivered'],
  revoked: ['rcs'],
  money: ['hold 0.05', 'charge 0.04', 'release 0.01'],
  arrived: ['rcs', 'chatapp'],
  reports: ['DELIVERED by chatapp for 0.04'],
}
const bySms: Story = {
  ...taken('sms'),
  steps: ['rcs UNDELIVERABLE', 'chatapp UNDELIVERABLE', 'sms DELIVERED'],
  timeline: ['rcs refused', 'chatapp refused', 'sms taken', 'sms delivered'],
  money: ['hold 0.05', 'charge 0.05'],
  reports: ['DELIVERED by sms for 0.05'],
}
const smsEnds = (status: string, error: string): Story => ({
  ...bySms,
  steps: [...bySms.steps.slice(0, 2), `sms ${status}`],
  timeline: [...bySms.timeline.slice(0, 3), 'sms failed'],
  reports: [`${status} by sms for 0.05: ${error}`],
})
const ordinary = { chain: byRcsInChain, rcs: byRcs, chatapp: byChat }

const channelOf = (story: Story) => story.steps[0]?.split(' ')[0] ?? ''

/** The first try came to nothing, in such a way. */
const afterTry = (story: Story, kind: string): Story => ({
  ...story,
  timeline: [`${channelOf(story)} ${kind}`, ...story.timeline],
})
const read = (story: Story, timeline: readonly string[]): Story => {
  const channel = channelOf(story)
  return {
    ...story,
    steps: [`${channel} READ`],
    timeline: timeline.map((kind) => `${channel} ${kind}`),
    reports: [...story.reports, ...story.reports.map((report) => report.replace('DELIVERED', 'READ'))],
  }
}
const all = (change: (story: Story) => Story) => ({
  chain: change(byRcsInChain),
  rcs: change(byRcs),
  chatapp: change(byChat),
})

const TABLE: Readonly<Record<string, Readonly<Record<Kind, Story>>>> = {
  '00': ordinary,
  '01': {
    chain: {
      ...taken('chatapp'),
      steps: ['rcs UNDELIVERABLE', 'chatapp DELIVERED'],
      timeline: ['rcs refused', 'chatapp taken', 'chatapp delivered'],
      money: ['hold 0.05', 'charge 0.04', 'release 0.01'],
      reports: ['DELIVERED by chatapp for 0.04'],
    },
    rcs: noRcs,
    chatapp: byChat,
  },
  '02': { chain: bySms, rcs: noRcs, chatapp: noChat },
  '03': { chain: smsEnds('UNDELIVERABLE', 'stat:UNDELIV err:001'), rcs: noRcs, chatapp: noChat },
  '04': { chain: byChatAfterExpiry, rcs: rcsNever, chatapp: byChat },
  '05': {
    chain: {
      steps: ['rcs EXPIRED', 'chatapp EXPIRED', 'sms DELIVERED'],
      timeline: ['rcs taken', 'rcs expired', 'chatapp taken', 'chatapp expired', 'sms taken', 'sms delivered'],
      revoked: ['rcs'],
      money: ['hold 0.05', 'charge 0.05'],
      arrived: ['rcs', 'chatapp', 'sms'],
      reports: ['DELIVERED by sms for 0.05'],
    },
    rcs: rcsNever,
    chatapp: {
      ...taken('chatapp'),
      steps: ['chatapp EXPIRED'],
      timeline: ['chatapp taken', 'chatapp expired'],
      money: ['hold 0.04', 'release 0.04'],
      reports: ['EXPIRED by chatapp for 0: not delivered within its lifetime'],
    },
  },
  '06': all((story) => read(story, ['taken', 'delivered', 'read'])),
  '07': ordinary,
  '08': ordinary,
  '09': { chain: smsEnds('EXPIRED', 'stat:EXPIRED err:001'), rcs: noRcs, chatapp: noChat },
  '10': all((story) => read(story, ['taken', 'read', 'late', 'late'])),
  '11': ordinary,
  '12': all((story) => afterTry(story, 'slow')),
  '13': all((story) => afterTry(story, 'unclear')),
  '14': {
    chain: { ...byChatAfterExpiry, timeline: [...byChatAfterExpiry.timeline, 'rcs late'] },
    rcs: { ...rcsNever, timeline: [...rcsNever.timeline, 'rcs late'] },
    chatapp: byChat,
  },
  '99': ordinary,
}

/** What all of TABLE costs: the sum of its charges. */
const COST = Object.values(TABLE)
  .flatMap((stories) => KINDS.flatMap((kind) => stories[kind].money))
  .map((posting) => (posting.startsWith('charge') ? Number(posting.split(' ')[1]) : 0))
  .reduce((sum, amount) => sum + Math.round(amount * 1e6), 0)

const ITEM_OF = { chain: chainItem, rcs: rcsItem, chatapp: chatappItem } as const
const PREFIX_OF = { chain: '4917012345', rcs: '4917112345', chatapp: '4917212345' } as const

describe('messages', () => {
  let world: SandboxWorld
  const idOf = new Map<string, MessageId>()

  beforeAll(async () => {
    world = await SandboxWorld.start()
    const asked = Object.keys(TABLE).flatMap((ending) => KINDS.map((kind) => ({ ending, kind })))
    const ids = await world.send(
      ...asked.map(({ ending, kind }, index) =>
        ITEM_OF[kind](PREFIX_OF[kind] + ending, {
          id: index,
          ...(kind === 'chatapp' ? { chatapp_lifetime: LIFETIME_SECONDS } : { rcs_lifetime: LIFETIME_SECONDS }),
        }),
      ),
    )
    for (const [index, { ending, kind }] of asked.entries()) idOf.set(`${kind} ${ending}`, ids[index] as MessageId)
    await world.pass(2 * LIFETIME_SECONDS + 5)
  })
  afterAll(() => world.stop())

  test.each(Object.keys(TABLE))('to a phone that ends in %s', async (ending) => {
    for (const kind of KINDS) {
      const story = await world.story(idOf.get(`${kind} ${ending}`) as MessageId)
      expect({ kind, ...story }).toEqual({ kind, ...TABLE[ending]?.[kind] })
    }
  })

  test('leave nothing open, and all the money where it belongs', async () => {
    expect(await world.gateway.store.counts()).toEqual({
      open: 0,
      pendingReports: 0,
      failedReports: 0,
      unreadEvents: 0,
    })
    const paid = 1_000_000_000
    expect(await world.balances()).toEqual({ paid: -paid, available: paid - COST, held: 0, earned: COST })
    expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('SMS, when no other channel has a carrier', () => {
  let world: SandboxWorld
  const noRoute = ['rcs NO ROUTE', 'chatapp NO ROUTE']
  const hold = 'hold 0.05'
  const charge = 'charge 0.05'
  const carried: Story = {
    ...taken('sms'),
    steps: [...noRoute, 'sms DELIVERED'],
    timeline: ['rcs no route', 'chatapp no route', 'sms taken', 'sms delivered'],
    money: [hold, charge],
    reports: ['DELIVERED by sms for 0.05'],
  }
  const tried = (kind: string) => ({ ...carried, timeline: carried.timeline.toSpliced(2, 0, `sms ${kind}`) })
  const stories: Readonly<Record<string, Story>> = {
    '00': carried,
    '06': carried,
    '10': { ...carried, timeline: [...carried.timeline, 'sms late'] },
    '11': carried,
    '12': tried('slow'),
    '13': tried('unclear'),
  }
  const idOf = new Map<string, MessageId>()

  beforeAll(async () => {
    world = await SandboxWorld.start()
    await world.operate(async (store) => {
      for (const [id, channel] of [
        ['sandbox-rcs', 'rcs'],
        ['sandbox-chat', 'chatapp'],
      ] as const) {
        await store.change({ kind: 'set carrier', carrier: { id, channel, kind: 'none', settings: {} } })
      }
    })
    const endings = Object.keys(stories)
    const ids = await world.send(...endings.map((ending) => chainItem(`4917312345${ending}`)))
    for (const [index, ending] of endings.entries()) idOf.set(ending, ids[index] as MessageId)
    await world.pass(LIFETIME_SECONDS)
  })
  afterAll(() => world.stop())

  test.each(Object.keys(stories))('to a phone that ends in %s', async (ending) => {
    expect(await world.story(idOf.get(ending) as MessageId)).toEqual(stories[ending])
  })
})
