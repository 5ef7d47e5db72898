# An SMPP client by Net::SMPP (Debian: libnet-smpp-perl): port, system id, password, sender and phone are its arguments.
# Submits two messages, prints the id of each answer, then each receipt, and unbinds.
use strict;
use warnings;
use Net::SMPP;
$| = 1;
my ($port, $system_id, $password, $sender, $phone) = @ARGV;
my $smsc = Net::SMPP->new_transceiver('127.0.0.1', port => $port, system_id => $system_id, password => $password,
  smpp_version => 0x34, interface_version => 0x34, async => 1) or die "cannot connect: $!";
my $bound = $smsc->read_pdu or die 'no answer to the bind';
die sprintf('bind refused: %x', $bound->{status}) if $bound->{status};
for my $text ('Hello from Perl', 'And again') {
  $smsc->submit_sm(source_addr_ton => 5, source_addr_npi => 0, source_addr => $sender, dest_addr_ton => 1,
    dest_addr_npi => 1, destination_addr => $phone, registered_delivery => 1, short_message => $text);
}
my $left = 4;
while ($left > 0 and my $pdu = $smsc->read_pdu) {
  if ($pdu->{cmd} == Net::SMPP::CMD_submit_sm_resp) {
    print "submitted $pdu->{status} $pdu->{message_id}\n";
    $left -= 1;
  } elsif ($pdu->{cmd} == Net::SMPP::CMD_deliver_sm) {
    print "receipt $pdu->{short_message}\n";
    $smsc->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
    $left -= 1;
  } elsif ($pdu->{cmd} == Net::SMPP::CMD_enquire_link) {
    $smsc->enquire_link_resp(seq => $pdu->{seq});
  }
}
$smsc->unbind;
$smsc->read_pdu;
