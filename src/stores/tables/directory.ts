/** What operators have set up for sending: accounts, prices, carriers, routes, guards. */
import type { Declaration } from './declaration.ts'

export const DIRECTORY_TABLES = {
  account: {
    why: 'Clients, with their settings.',
    columns: {
      account_id: 'bigint identity autoincrement',
      name: 'name',
      currency: 'text',
      state: 'text',
      hook_secrets: 'text sealed bound', // JSON
      settings: 'text sealed addresses',
      old_secrets_until: 'bigint null', // NULL for no end
    },
    key: 'account_id',
    unique: 'name',
  },
  account_hooks: {
    why: 'Hooks that a client manages (JSON), found by the revision of their last change; one row for each account that ever had one.',
    columns: {
      account_id: 'bigint references account',
      revision: 'bigint',
      hooks: 'text sealed addresses',
      secrets: 'text sealed bound',
    },
    key: 'account_id',
    indexes: ['account_hooks_changed (revision)'],
  },
  api_key: {
    why: 'The keys of an account. Only hashes are stored.',
    columns: {
      hash: 'name',
      account_id: 'bigint references account',
      name: 'name',
      created_at: 'bigint',
      scopes: 'text',
      test: 'smallint', // 1: its messages reach simulated phones alone
      expires_at: 'bigint null', // NULL for never
      last_used_at: 'bigint null', // NULL if never used
      networks: 'text null', // JSON; NULL for all
      operations_per_second: 'double null', // NULL for the limit of the account
      priority: 'text null', // NULL for the class of each operation
    },
    key: 'hash',
    sqlite: {
      columns: { scopes: `text default '["send","otp","templates","balance"]'`, test: 'smallint default 0' },
      first: 'hash, account_id, name, created_at, scopes, expires_at, last_used_at',
    },
  },
  client_login: {
    why: 'Names and passwords with which programs that exist send.',
    columns: {
      name: 'name',
      account_id: 'bigint references account',
      secrets: 'text sealed bound', // JSON of salt, hash of the password, signing key
      networks: 'text null', // JSON; NULL for all
      type: 'text',
      sender: 'text null', // NULL for the default of the account
      max_binds: 'integer',
      per_second: 'double null', // NULL for the limit of the account
      window_size: 'integer',
      once_by_reference: 'smallint',
      test: 'smallint',
      created_at: 'bigint',
      priority: 'text null', // NULL for the class of each operation
    },
    key: 'name',
  },
  sender: {
    why: 'Names that an account may send from, or has asked for.',
    columns: {
      account_id: 'bigint references account',
      channel: 'name',
      name: 'name',
      approved: 'smallint',
      details: 'text null', // JSON of state, reason, countries, ids
    },
    key: 'account_id, channel, name',
  },
  price: {
    why: 'What accounts pay for a part, by destination and time.',
    columns: {
      account_id: 'bigint', // 0 for general prices, -1 for those of a group
      currency: 'name',
      channel: 'name',
      prefix: 'name',
      operator: 'name', // empty for every operator
      valid_from: 'bigint', // 0 for no beginning
      valid_until: 'bigint null', // NULL for no end
      price_micros: 'bigint',
      group_id: "name default ''", // empty for prices of an account and general ones
    },
    key: 'account_id, group_id, currency, channel, prefix, operator, valid_from',
    checks: { price_check: 'valid_until > valid_from', price_price_micros_check: 'price_micros >= 0' },
  },
  price_group: {
    why: 'Groups of accounts that pay the same prices.',
    columns: {
      group_id: 'name',
    },
    key: 'group_id',
  },
  price_group_member: {
    why: 'Which group an account belongs to from when on, until the next row of the account.',
    columns: {
      account_id: 'bigint references account',
      valid_from: 'bigint', // 0 for no beginning
      group_id: 'name null references price_group', // NULL for none
    },
    key: 'account_id, valid_from',
  },
  carrier: {
    why: 'Connections to carriers.',
    columns: {
      carrier_id: 'name',
      channel: 'name',
      kind: 'text',
      settings: 'text sealed bound', // JSON
      draining: 'smallint default 0',
    },
    key: 'carrier_id',
  },
  pool: {
    why: 'Numbers from which codes are called.',
    columns: {
      pool_id: 'name',
      numbers: 'text',
      code_digits: 'integer',
    },
    key: 'pool_id',
  },
  inbound_number: {
    why: 'Whose inbound messages are, and which reply they get.',
    columns: {
      carrier_id: 'name references carrier',
      address: 'name',
      keyword: 'name', // empty for messages without the keyword of another
      account_id: 'bigint references account',
      hook: 'text null sealed address', // NULL for the default hook of the account
      reply: 'text null',
      reply_sender: 'text null',
    },
    key: 'carrier_id, address, keyword',
  },
  route: {
    why: 'Which carriers a destination is sent through.',
    columns: {
      channel: 'name',
      prefix: 'name',
      carrier_id: 'name references carrier',
      account_id: 'bigint', // 0 for every account
      sender: 'name', // empty for every sender
      operators: 'text null', // NULL for all
      priority: 'integer',
      weight: 'integer',
      pool_id: 'name null references pool',
      ring_seconds: 'double null', // NULL for the carrier's setting
    },
    key: 'channel, prefix, carrier_id, account_id, sender',
  },
  cost: {
    why: 'What carriers bill for a part, by destination and time.',
    columns: {
      carrier_id: 'name references carrier',
      prefix: 'name',
      operator: 'name', // empty for every operator
      price_micros: 'bigint',
      currency: 'text null', // NULL for the installation's
      category: "name default ''", // empty for every category
      valid_from: 'bigint default 0', // 0 for no beginning
      valid_until: 'bigint null', // NULL for no end
    },
    key: 'carrier_id, category, prefix, operator, valid_from',
    checks: { cost_check: 'valid_until > valid_from' },
  },
  operators: {
    why: 'One row: the table of operators is only read and replaced whole.',
    columns: {
      one: 'smallint',
      content: 'text',
    },
    key: 'one',
    checks: { operators_one_check: 'one = 1' },
    row: "1, ''",
  },
  chat_template: {
    why: 'Templates that messengers approve.',
    columns: {
      template_id: 'bigint',
      account_id: 'bigint references account',
      template: 'text sealed text',
      signature: 'text',
      status: 'text',
      carrier_id: 'text null', // NULL if an operator added it
    },
    key: 'template_id',
  },
  stopped_hook: {
    why: 'Hooks that answered 410. PostgreSQL has a hash of the address, which may be too long for an index.',
    columns: {
      account_id: 'bigint',
      address: 'name',
      hash: 'name generated (md5(address)) only postgres',
      stopped: 'smallint default 1', // 0: it was resumed
      changed_at: 'bigint default 0',
      test: 'smallint default 0', // 1: only reports of test messages stopped it
    },
    key: 'account_id, hash',
    indexes: ['stopped_hook_changed (changed_at)', 'stopped_hook_of_account (account_id, changed_at)'],
    sqlite: { key: 'account_id, address' },
  },
  guard_settings: {
    why: 'One row: the settings of the guards.',
    columns: {
      one: 'smallint',
      content: 'text',
    },
    key: 'one',
    checks: { guard_settings_one_check: 'one = 1' },
    row: "1, '{}'",
  },
  listed_number: {
    why: 'Numbers and prefixes on the lists of the guards.',
    columns: {
      list: 'name',
      digits: 'name',
      whole: 'smallint',
      note: 'text',
    },
    key: 'list, digits, whole',
  },
} as const satisfies Readonly<Record<string, Declaration>>
