/** A program to run, as `child_process.spawn` takes it. */
export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** A file that it reads as it starts. It holds values of variables, so it is there for the start alone. */
  readonly handed?: { readonly file: string; readonly text: string }
}

/** Everything that a fenced program can reach. Paths are absolute and, but for `home`, without symbolic links. */
export interface Reach {
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** `via` is the way to named hosts: the program that is the gate, or the address of a proxy where the fence shares the loopback. */
  readonly network: 'none' | 'any' | { readonly via: string; readonly hosts: readonly string[] }
  /** The person's home folder; inside the fence `ownHome` takes its place. */
  readonly home: string
  /** A folder that only this server has, kept between its starts. */
  readonly ownHome: string
  /** Parley's data, of which only what is named here is reached. */
  readonly dataFolder: string
}

/** Variables that name sockets and folders which are not inside the fence. */
const OUTSIDE = [
  'DBUS_SESSION_BUS_ADDRESS',
  'SSH_AUTH_SOCK',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'TMPDIR',
  'GPG_AGENT_INFO',
]

/** The environment without what names things outside the fence. */
export function environmentInside(env: Command['env']): Command['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OUTSIDE.includes(name)))
}
