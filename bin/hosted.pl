#!/usr/bin/perl
# hosted.pl COMMAND ARGUMENT...: has a Slurm command run by the controller of this machine, over its local socket, which
# spares the start of a JVM. Ends with 254, and has said and changed nothing, when the command has to run by itself.
use strict;
use warnings;
use Socket;

use constant {ELSEWHERE => 254, CONTRACT => 1, MESSAGE => 1, CLOSE => 3, RUN => 4, LONGEST => 16 << 20};

sub elsewhere { exit ELSEWHERE }

# The one controller that slurm.conf names: its address and port. Several, or included files, are for the JVM to read.
sub controller {
  my $file = $ENV{SLURM_CONF};
  if (!defined $file || $file eq '') {
    $file = '/etc/slurm/slurm.conf';
    if (!-e $file) {
      my $state = $ENV{XDG_STATE_HOME};
      $state = (($ENV{HOME} // '') eq '' ? '/tmp' : $ENV{HOME}) . '/.local/state' if !defined $state || $state eq '';
      $file = "$state/yardmaster/sample/slurm.conf";
    }
  }
  open my $in, '<', $file or elsewhere;
  my ($host, $port, $address) = (undef, 6817, undef);
  while (my $line = <$in>) {
    next if $line !~ /^\s*(?:include\s|slurmctldhost|slurmctldport|controlmachine|controladdr|.*\\\s*$)/i;
    elsewhere if $line !~ /^\s*(slurmctldhost|slurmctldport)\s*=\s*"?([^\s"#]+)"?\s*(?:#.*)?$/i;
    my ($key, $value) = (lc $1, $2);
    if ($key eq 'slurmctldport') { $port = $value; next }
    elsewhere if defined $host;
    $host = $value;
  }
  close $in;
  elsewhere if !defined $host || $port !~ /^\d{1,5}$/;
  if ($host =~ /\((.*)\)$/) { return ($1, $port) }
  open my $name, '<', '/proc/sys/kernel/hostname' or elsewhere;
  chomp(my $here = lc <$name>);
  return index("$here.", lc($host) . '.') == 0 ? ('127.0.0.1', $port) : ($host, $port);
}

# A connection to the controller's local socket, which belongs to root or to this user; another could listen in.
sub connection {
  my ($host, $port) = @_;
  my $network = readlink('/proc/self/ns/net') // '0';
  $network =~ s/\D//g;
  my $address = '';
  if ($host !~ /^(?:127\.0\.0\.1|localhost|::1)$/) { ($address = $host) =~ tr{:/}{__}; $address .= '-' }
  for my $directory ('/run', '/tmp') {
    my $path = "$directory/yardmaster-$address$port-$network.sock";
    my @is = lstat $path or next;
    next if $is[4] != 0 && $is[4] != $>;
    socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or elsewhere;
    return $socket if connect $socket, pack_sockaddr_un($path);
  }
  elsewhere;
}

my $said = 0;
my $changes = 0;
my $name = $ARGV[0] // elsewhere;

# The controller is silent.
sub fail {
  my $what = $name eq 'sbatch' ? 'Batch job submission failed: ' : '';
  print STDERR "$name: error: $what$_[0]\n";
  exit 1;
}

# The controller has gone; what only asks may ask again.
sub lost {
  elsewhere if !$said && !$changes;
  fail('Unable to contact slurm controller (connect failure)');
}

sub send_all {
  my ($socket, $kind, $content) = @_;
  my $bytes = pack('CN', $kind, length $content) . $content;
  my $at = 0;
  while ($at < length $bytes) {
    my $count = syswrite $socket, $bytes, length($bytes) - $at, $at;
    lost() if !defined $count;
    $at += $count;
  }
}

sub receive {
  my ($socket, $length) = @_;
  my $bytes = '';
  while (length $bytes < $length) {
    my $count = sysread $socket, $bytes, $length - length $bytes, length $bytes;
    lost() if !$count;
  }
  return $bytes;
}

sub put {
  my ($to, $bytes) = @_;
  my $at = 0;
  while ($at < length $bytes) {
    my $count = syswrite $to, $bytes, length($bytes) - $at, $at;
    exit 1 if !defined $count;
    $at += $count;
  }
  $said = 1;
}

sub content {
  my ($path) = @_;
  my $in = \*STDIN;
  if ($path ne '') {
    return if -d $path;
    # What is too long for one message is refused to a process of its own, in its words.
    elsewhere if -f _ && -s _ >= LONGEST;
    open $in, '<:raw', $path or return;
  }
  local $/;
  my $text = <$in> // '';
  return length $text < LONGEST ? $text : undef;
}

my $directory = readlink('/proc/self/cwd') // elsewhere;
elsewhere if grep { /\0/ } @ARGV;
my $user = getpwuid($>) // $>;
my $gid = $) + 0;
my $group = getgrgid($gid) // $gid;
my $socket = connection(controller());
local $SIG{PIPE} = 'IGNORE';
local $SIG{ALRM} = sub { fail('Socket timed out on send/recv operation') };
$changes = $name =~ /^(?:sbatch|scancel|scontrol|sacctmgr)$/;
my $patience = $changes ? 10 : 30;
alarm $patience;
my @words = (CONTRACT, $directory, (-t STDIN && -t STDOUT ? 't' : ''), $user, $>, $group, $gid, scalar @ARGV, @ARGV);
push @words, map { "$_=$ENV{$_}" } sort keys %ENV;
send_all($socket, RUN, join('', map { "$_\0" } @words));
while (1) {
  my ($kind, $length) = unpack 'CN', receive($socket, 5);
  alarm 0;
  my $content = receive($socket, $length);
  if ($kind == CLOSE) {
    my $code = unpack 'l>', $content;
    exit($code < 0 ? ELSEWHERE : $code & 255);
  }
  my $what = ord $content;
  $content = substr $content, 1;
  if ($what == 1) { put(\*STDOUT, $content) }
  elsif ($what == 2) { put(\*STDERR, $content) }
  else {
    my $text = $what == 3 ? content($content) : $what == 4 ? (-e $content ? '' : undef) : (-f $content && -x _ ? '' : undef);
    send_all($socket, MESSAGE, defined $text ? "\0$text" : "\1");
    alarm $patience;
  }
}
