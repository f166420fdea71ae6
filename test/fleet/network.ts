import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const PREFIX = '10.77';
/** Address of what all machines share. */
export const SHARED_ADDRESS = `${PREFIX}.0.1`;

/**
 * A network namespace: command words that run a program in it. Without such words, programs run in the namespace of the
 * test.
 */
export interface Place {
  readonly before: readonly string[];
}

/** Connection of a machine to the others. */
export interface Line extends Place {
  cut(): void;
  mend(): void;
}

/** Reason why no networks can be created here; undefined if they can. */
export function noNetwork(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  try {
    execFileSync(
      'unshare',
      ['--net', 'sh', '-c', 'ip link add name one type veth peer name two && ip link set lo up'],
      {
        stdio: 'pipe',
      },
    );
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 2).join(' ');
  }
}

/**
 * A switch in a namespace of its own, with machines in further namespaces, invisible from outside. A process holds each
 * namespace; it ends, and the namespace with it, when its input closes, however the test ends.
 */
export class Network {
  readonly hub: Place;
  private lines = 0;

  private constructor(hubPid: number) {
    this.hub = { before: wordsInto(hubPid) };
  }

  static async open(): Promise<Network> {
    const pid = await heldNamespace();
    const network = new Network(pid);
    network.ip('link', 'add', 'switch', 'type', 'bridge');
    network.ip('addr', 'add', `${SHARED_ADDRESS}/16`, 'dev', 'switch');
    network.ip('link', 'set', 'switch', 'up');
    return network;
  }

  /** Connects a further machine. */
  async line(): Promise<Line> {
    const number = ++this.lines;
    const name = `line${number}`;
    const pid = await heldNamespace();
    this.ip('link', 'add', 'name', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
    this.ip('link', 'set', name, 'master', 'switch');
    const before = wordsInto(pid);
    ipIn(before, 'addr', 'add', `${PREFIX}.1.${number}/16`, 'dev', 'eth0');
    ipIn(before, 'link', 'set', 'eth0', 'up');
    this.ip('link', 'set', name, 'up');
    return {
      before,
      cut: () => this.ip('link', 'set', name, 'down'),
      mend: () => this.ip('link', 'set', name, 'up'),
    };
  }

  private ip(...words: string[]): void {
    ipIn(this.hub.before, ...words);
  }
}

function wordsInto(pid: number): readonly string[] {
  return ['nsenter', `--net=/proc/${pid}/ns/net`, '--'];
}

function ipIn([program = '', ...before]: readonly string[], ...words: string[]): void {
  execFileSync(program, [...before, 'ip', ...words], { stdio: 'pipe' });
}

async function heldNamespace(): Promise<number> {
  const script = 'ip link set lo up && echo made && read -r _';
  const keeper: ChildProcess = spawn('unshare', ['--net', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (keeper.exitCode !== null) return;
    const end = once(keeper, 'exit');
    keeper.stdin?.end();
    await end;
  });
  const { pid, stdout } = keeper;
  if (pid === undefined || stdout === null) throw new Error('no namespace could be made');
  await once(stdout, 'data');
  return pid;
}
