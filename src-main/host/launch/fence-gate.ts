import { isLoopbackHost } from '../../../src-shared/base/hosts.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'

type Environment = Readonly<Record<string, string>>

/** The numbers of Linux for `sendmsg`. Perl, which starts in a tenth of the time of Node, has no function of its own that sends a socket. */
const SENDMSG: Readonly<Record<string, number>> = { x64: 46, arm64: 211 }

/** The reason why there is no gate on a computer. */
export const noGate = (arch: string): Problem =>
  arch in SENDMSG
    ? {
        code: 'no-fence',
        what: 'To let it reach only some hosts, Parley needs Perl, which was not found.',
        todo: 'Install the package “perl” of your system, or choose another network under “Fence”.',
      }
    : {
        code: 'no-fence',
        what: `On this kind of processor (${arch}), Parley cannot let a server reach only some hosts.`,
        todo: 'Choose another network under “Fence”.',
      }

/**
 * Opens a port on the fence's own loopback, hands it to Parley, which listens there from outside, and becomes the program. Nothing of it
 * remains inside: the socket and the channel to Parley close as the program takes over its process. The message has the form that Node's
 * channel expects. The socket travels with it as ancillary data (`SCM_RIGHTS`), packed here for 64-bit Linux.
 */
const GATE = `
my ($sendmsg, @program) = @ARGV;
socket(my $gate, 2, 1, 0) || die "$!\\n";
bind($gate, pack("S n N x8", 2, 0, 0x7f000001)) && listen($gate, 128) || die "$!\\n";
my (undef, $port) = unpack("S n", getsockname($gate));
open(my $parley, "+<&=", delete $ENV{NODE_CHANNEL_FD}) || die "$!\\n";
delete $ENV{NODE_CHANNEL_SERIALIZATION_MODE};
my $said = qq({"cmd":"NODE_HANDLE","type":"net.Server","msg":"gate"}\\n);
my $text = pack("P Q", $said, length $said);
my $socket = pack("Q i i i x4", 20, 1, 1, fileno $gate);
my $message = pack("x16 P Q P Q x8", $text, 1, $socket, length $socket);
syscall($sendmsg, fileno $parley, $message, 0) == length $said || die "$!\\n";
close $parley;
$ENV{$_} = $ENV{lc $_} = "http://127.0.0.1:$port" for "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY";
$ENV{$_} = "socks5h://127.0.0.1:$port" for "SOCKS_PROXY", "socks_proxy";
exec { $program[0] } @program;
die "$!\\n"`

const LOOPBACK = 'localhost,127.0.0.1,::1'

/** The words that make `perl` the gate of the words that follow. */
export const gateBefore = (perl: string, arch: string): readonly string[] => [perl, '-e', GATE, '--', sendmsgOn(arch)]

/** The words with which `perl` ends well where it can be a gate. */
export const gateTrial = (arch: string): readonly string[] => ['-e', 'pack "Q", 1; exit !shift', '--', sendmsgOn(arch)]

const sendmsgOn = (arch: string) => String(SENDMSG[arch] ?? 0)

/** Arguments with which a Node succeeds that asks a proxy by itself. Under an older one most servers would reach no named host. */
export const PROXY_TRIAL = ['--eval', "process.exit(process.allowedNodeEnvironmentFlags.has('--use-env-proxy') ? 0 : 1)"]

/**
 * The environment in which a program asks the proxy at this address for every host. `ALL_PROXY` is the one of HTTP: where it names SOCKS,
 * httpx and requests, which most servers in Python use, fail without an optional package.
 */
export function proxyEnvironment(proxy: string): Environment {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  const ways = names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, proxy])
  const socks = proxy.replace(/^http:/, 'socks5h:')
  return {
    ...Object.fromEntries(ways),
    SOCKS_PROXY: socks,
    socks_proxy: socks,
    NO_PROXY: '',
    no_proxy: '',
    NODE_USE_ENV_PROXY: '1',
  }
}

/** Its own loopback is reached directly, unless a host of this computer is named. */
export function gateEnvironment(env: Environment, hosts: readonly string[]): Environment {
  const direct = hosts.some((host) => isLoopbackHost(host.replace(/:\d+$/, ''))) ? '' : LOOPBACK
  return { ...env, NO_PROXY: direct, no_proxy: direct, NODE_USE_ENV_PROXY: '1' }
}
