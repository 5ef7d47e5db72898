# An SMSC by Net::SMPP (Debian: libnet-smpp-perl): takes one client, prints every submit_sm as a line of hexadecimal
# fields and sends a receipt for each, the id hexadecimal in its answer and decimal in its receipt.
use strict;
use warnings;
use Net::SMPP;
$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => $ARGV[0], smpp_version => 0x34, async => 1)
  or die "cannot listen: $!";
my $client = $listener->accept or die "cannot accept: $!";
my $last = 0xabc0;
while (my $pdu = $client->read_pdu) {
  if ($pdu->{cmd} == Net::SMPP::CMD_bind_transceiver) {
    $client->bind_transceiver_resp(seq => $pdu->{seq}, system_id => 'perl');
  } elsif ($pdu->{cmd} == Net::SMPP::CMD_submit_sm) {
    my $id = ++$last;
    print join(' ', map { unpack('H*', $_) } @$pdu{qw(source_addr destination_addr)}),
      sprintf(' %02x %02x ', $pdu->{esm_class}, $pdu->{data_coding}), unpack('H*', $pdu->{short_message}), "\n";
    $client->submit_sm_resp(seq => $pdu->{seq}, message_id => sprintf('%08X', $id));
    $client->deliver_sm(source_addr => $pdu->{destination_addr}, destination_addr => $pdu->{source_addr}, esm_class => 4,
      short_message => "id:$id sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:");
  } elsif ($pdu->{cmd} == Net::SMPP::CMD_enquire_link) {
    $client->enquire_link_resp(seq => $pdu->{seq});
  } elsif ($pdu->{cmd} == Net::SMPP::CMD_unbind) {
    $client->unbind_resp(seq => $pdu->{seq});
    exit 0;
  }
}
