/** Alarms, admin users, and what they have done. */
import type { Declaration } from './declaration.ts'

export const OPERATING_TABLES = {
  traffic_alarm: {
    why: 'Traffic that guards found unusual, and what operators decided.',
    columns: {
      account_id: 'bigint', // 0 for all accounts
      kind: 'name',
      prefix: 'name',
      raised_at: 'bigint',
      seen: 'double',
      usual: 'double',
      state: 'text',
      until: 'bigint null', // NULL until an operator changes it
    },
    key: 'account_id, kind, prefix',
  },
  carrier_check: {
    why: 'The last check of the receipts of a carrier, by country.',
    columns: {
      carrier_id: 'name',
      country: 'name',
      token: 'text',
      message_id: 'bigint null', // NULL if none was sent
      sent_at: 'bigint',
      outcome: 'text',
      ended_at: 'bigint null', // NULL while it waits
      detail: 'text null',
    },
    key: 'carrier_id, country',
  },
  quality_rule: {
    why: 'Settings of routing by quality; NULL for the default.',
    columns: {
      carrier_id: 'name', // empty for all
      mode: 'text null',
      floor_percent: 'integer null',
      drop_percent: 'integer null',
      trickle_percent: 'integer null',
      within_seconds: 'integer null',
      window_minutes: 'integer null',
      min_messages: 'integer null',
      slow_percent: 'integer null',
      country: "name default ''", // empty for all
    },
    key: 'carrier_id, country',
  },
  demotion: {
    why: 'Where carriers deliver too little or too slowly, now and in the past.',
    columns: {
      channel: 'name',
      carrier_id: 'name',
      country: 'name',
      operator: 'name', // empty for all of the country
      began_at: 'bigint',
      ended_at: 'bigint null', // NULL while it lasts
      kind: 'text',
      measure: 'text',
      reason: 'text',
      end_reason: 'text null',
      trickle: 'double',
      user: 'text null', // NULL for the gateway
      until: 'bigint',
    },
    key: 'channel, carrier_id, country, operator, began_at',
    indexes: ['demotion_ended (ended_at)'],
  },
  carrier_time: {
    why: 'How long carriers were in each state, by day and gateway.',
    columns: {
      carrier_id: 'name',
      day: 'integer', // since 1970, UTC
      node: 'integer', // 0 without a cluster
      state: 'name',
      seconds: 'bigint',
    },
    key: 'carrier_id, day, node, state',
  },
  notification_target: {
    why: 'Where notifications of alarms go, with the result of the last try.',
    columns: {
      name: 'name',
      kind: 'text',
      address: 'text null sealed bound',
      recipients: 'text',
      secret: 'text null sealed bound',
      min_severity: 'text',
      kinds: 'text null', // NULL for all
      repeat_minutes: 'integer null', // NULL for no repetition
      sent_at: 'bigint null',
      failed_at: 'bigint null',
      last_error: 'text null',
      enabled: 'smallint default 1', // 0: it is paused
      time_zone: "text default 'UTC'",
    },
    key: 'name',
  },
  alarm_rule: {
    why: 'Rules of alarms that operators set; NULL for the default.',
    columns: {
      kind: 'name',
      enabled: 'smallint',
      open_after_seconds: 'integer null',
      resolve_after_seconds: 'integer null',
      threshold: 'double null',
    },
    key: 'kind',
  },
  alarm: {
    why: 'Alarms, open and past.',
    columns: {
      alarm_id: 'bigint identity autoincrement',
      kind: 'name',
      subject: 'name',
      severity: 'text',
      state: 'name',
      detail: 'text',
      opened_at: 'bigint',
      acknowledged_at: 'bigint null',
      acknowledged_by: 'text null',
      resolved_at: 'bigint null',
      notified_at: 'bigint null',
      seen_by: 'text', // the nodes that find its condition
      effect: 'text null', // NULL for that of its kind
    },
    key: 'alarm_id',
  },
  notification: {
    why: 'Notifications of alarms that wait for their target.',
    columns: {
      target: 'name',
      alarm_id: 'bigint',
      event: 'name',
      at: 'bigint',
      due_at: 'bigint',
      tries: 'integer',
    },
    key: 'target, alarm_id',
  },
  traffic: {
    why: 'Traffic to prefixes and its pattern, for the guards.',
    columns: {
      account_id: 'bigint', // 0 for all accounts
      kind: 'name',
      prefix: 'name',
      slot: 'bigint',
      count: 'bigint',
      before: 'bigint',
      mean: 'double',
      slots: 'bigint',
    },
    key: 'account_id, kind, prefix',
    indexes: ['traffic_kept (slot)'],
  },
  admin_user: {
    why: 'Users of the console and the admin API; those with an account see only that one.',
    columns: {
      name: 'name',
      role: 'text',
      state: 'text',
      password_hash: 'text null', // NULL without a password
      totp_secret: 'text null sealed bound', // JSON
      account_id: 'bigint null references account',
      subject: 'text null', // NULL unless the user signs in with the firm's account
    },
    key: 'name',
    indexes: [
      'admin_user_of_account (account_id) WHERE account_id IS NOT NULL',
      'admin_user_of_subject (subject) WHERE subject IS NOT NULL',
    ],
  },
  admin_token: {
    why: 'Sessions and tokens of admin users. Only hashes are stored.',
    columns: {
      hash: 'name',
      user: 'name references admin_user',
      label: 'name',
      created_at: 'bigint',
      expires_at: 'bigint null', // NULL for no end
      proved_at: 'bigint null', // NULL for a token that an owner issued
    },
    key: 'hash',
    unique: 'user, label',
  },
  passkey: {
    why: 'Passkeys of admin users, under the ids of their authenticators.',
    columns: {
      credential_id: 'name',
      user: 'name references admin_user',
      name: 'name',
      public_key: 'text',
      counter: 'bigint',
      created_at: 'bigint',
      last_used_at: 'bigint null',
    },
    key: 'credential_id',
    unique: 'user, name',
  },
  login_tally: {
    why: 'Failed logins: a row for each user, and a number of shared ones for unknown names and addresses.',
    columns: {
      name: 'name',
      failures: 'integer',
      until: 'bigint',
      code_step: 'bigint default -1', // of the last one-time code that was used
    },
    key: 'name',
  },
  login_network: {
    why: 'Networks from which users signed in, as keyed hashes; bounded for each user.',
    columns: {
      user: 'name',
      network: 'name',
      signed_in_at: 'bigint',
    },
    key: 'user, network',
    indexes: ['login_network_of_any (network)'],
  },
  one_time_token: {
    why: 'Hashes of tokens that are valid once: sign-in links, and challenges of passkeys, which have no user.',
    columns: {
      hash: 'name',
      expires_at: 'bigint',
      user: 'name null', // whom a sign-in link is for
    },
    key: 'hash',
    indexes: ['one_time_token_expiry (expires_at)', 'one_time_token_of_user ("user") WHERE "user" IS NOT NULL'],
  },
  audit: {
    why: 'Each change by an operator. Rows are only added.',
    columns: {
      audit_id: 'bigint identity',
      at: 'bigint',
      actor: 'name',
      via: 'text',
      action: 'text',
      subject: 'name',
      before: 'text',
      after: 'text',
    },
    key: 'audit_id',
    sqlite: {
      indexes: ['audit_of_subject (subject)', 'audit_of_actor (actor)'],
      also: [
        `CREATE TRIGGER audit_is_not_edited BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is not edited'); END`,
      ],
    },
    postgres: {
      indexes: ['audit_of_actor (actor, audit_id)', 'audit_of_subject (subject, audit_id)'],
      also: [
        `CREATE FUNCTION refuse_to_edit() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit log is not edited'; END $$`,
        'CREATE TRIGGER audit_is_not_edited BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_to_edit()',
      ],
    },
  },
  admin_request: {
    why: 'Answers to changes that a client may repeat.',
    columns: {
      actor: 'name',
      key: 'name',
      body_hash: 'text',
      answer: 'text null sealed bound', // NULL until it is known
      keep_until: 'bigint',
    },
    key: 'actor, key',
    indexes: ['admin_request_kept (keep_until)'],
  },
} as const satisfies Readonly<Record<string, Declaration>>
