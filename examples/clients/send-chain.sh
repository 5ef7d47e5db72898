#!/bin/sh
# Sends one message by RCS, with fallback to the chat app and SMS, and waits for its final status. Needs curl.
#
#   POSTHORN_URL=http://127.0.0.1:8080 POSTHORN_KEY=... sh send-chain.sh 491701234501
#
# POSTHORN_HOOK sets the address for reports. A request without an answer is repeated with the same Idempotency-Key, so that
# the message is sent once.
set -eu

url="${POSTHORN_URL:?the address of the gateway is missing}"
url="${url%/}/api/json.php"
auth="${POSTHORN_KEY:?the API key is missing}"
phone="${1:?the phone number is missing}"
case "$phone" in *[!0-9+]*) echo 'the phone number must be digits, with the country code' >&2 && exit 1 ;; esac
hook="${POSTHORN_HOOK:+, \"hook\": \"$POSTHORN_HOOK\"}"

# Posts the request from standard input, so that the key is not on a command line, and prints the answer. Lost connections
# and states such as 503 are tried again, a wrong address is not.
post() {
  curl --silent --show-error --max-time 30 --retry 4 --retry-all-errors --data-binary @- \
    --header 'Content-Type: application/json' "$@" "$url"
}

# Prints the last value of a member in the answer.
value() {
  printf '%s' "$1" | sed -n "s/.*\"$2\":\"\{0,1\}\([^\",}]*\).*/\1/p"
}

# Ends the program with an answer that is not the success of both the request and its operation.
check() {
  case "$1" in *'"success":false'*) ;; '{"success":true'*) return ;; esac
  echo "$1" >&2
  exit 1
}

key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
answer=$(post --header "Idempotency-Key: $key" <<END
{"auth": "$auth", "data": [{
  "type": "rcs+chatapp+sms", "phone": "$phone",
  "rcs_signature": "RCSTest", "rcs_message": "Your parcel is here.", "rcs_lifetime": 3600,
  "chatapp_type": "text", "chatapp_signature": "ChatTest", "chatapp_message": "Your parcel is here.",
  "sms_signature": "SMSTest", "sms_message": "Your parcel is here."$hook
}]}
END
)
check "$answer"
id=$(value "$answer" msg_id)
echo "accepted as $id"

status=QUEUED
while [ "$status" = QUEUED ] || [ "$status" = ACCEPTED ]; do
  sleep 1
  answer=$(printf '{"auth": "%s", "data": [{"type": "status", "msg_id": %s}]}' "$auth" "$id" | post)
  check "$answer"
  # The statuses of the steps follow that of the message.
  status=$(value "${answer%%\"steps\"*}" status)
done
echo "$status"
