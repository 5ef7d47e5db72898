/** Sums the rows of all accounts, which each bucket had of its own, into one bucket (rows/message-total.ts). */
const KEY = 'level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency'
const SUMS = ['parts', 'price_micros', 'cost_micros', 'messages']
const OF_OTHERS = 'message_total WHERE bucket <> 0 AND level IN (3, 4)'

export const TOTALS_IN_ONE_BUCKET = `
INSERT INTO message_total (bucket, ${KEY}, ${SUMS.join(', ')})
  SELECT 0, ${KEY}, ${SUMS.map((sum) => `sum(${sum})::bigint`).join(', ')} FROM ${OF_OTHERS} GROUP BY ${KEY}
  ON CONFLICT (bucket, ${KEY}) DO UPDATE SET ${SUMS.map((sum) => `${sum} = message_total.${sum} + excluded.${sum}`).join(', ')};
DELETE FROM ${OF_OTHERS};
`
