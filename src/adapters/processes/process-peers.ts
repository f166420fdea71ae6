import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '#kernel/loopback.js';
import type { Peers, ProcessLineage, TcpConnection } from '#ports/processes.js';
import { lineageFromProc, lineageFromPs } from './lineage.js';
import { outputOf, PROC } from './process-table.js';

/** Bit of `CAP_SYS_RESOURCE` in a capability set: a process that has it may raise hard limits. */
const SYS_RESOURCE = 1n << 24n;

/** Facts about a calling process from `/proc`; without `/proc`, from `ps` as far as it shows them. */
export class ProcessPeers implements Peers {
  /** Empty on systems without `/proc`. */
  private readonly proc: string;

  constructor(proc = PROC) {
    this.proc = proc;
  }

  /** From `CapEff` of `/proc/self/status`: runs have no capabilities beyond ours. */
  get limitsHold(): boolean {
    const set = /^CapEff:\s*([0-9a-f]+)$/m.exec(String(this.read('self', 'status')))?.[1];
    return set !== undefined && (BigInt(`0x${set}`) & SYS_RESOURCE) === 0n;
  }

  lineageOf(pid: number): ProcessLineage | undefined {
    if (this.proc !== '') return lineageFromProc(this.proc, pid);
    return lineageFromPs(outputOf('ps', ['-axo', 'pid=,ppid=,pgid=,lstart=,comm=']) ?? '', pid);
  }

  limitOf(pid: number): number | undefined {
    const limit = /^Max file locks\s+\S+\s+(\S+)/m.exec(String(this.read(String(pid), 'limits')))?.[1];
    if (limit === undefined) return undefined;
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  }

  all(): readonly number[] {
    if (this.proc === '') return [];
    return readdirSync(this.proc)
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid));
  }

  below(limit: number): readonly number[] {
    return this.all().filter((pid) => (this.limitOf(pid) ?? limit) < limit);
  }

  wordsOf(pid: number): readonly string[] {
    return this.read(String(pid), 'cmdline')?.split('\0') ?? [];
  }

  shows(pid: number, name: string): boolean {
    if (this.proc !== '') return this.read(String(pid), 'comm')?.trimEnd() === name;
    return (
      outputOf('ps', ['-o', 'command=', '-p', String(pid)])
        ?.split(/\s+/)
        .includes(name) === true
    );
  }

  holdersOf(connection: Omit<TcpConnection, 'address'>, among: readonly number[]): readonly number[] | undefined {
    const socket = this.socketOf(connection);
    return socket === undefined ? undefined : among.filter((pid) => this.openFiles(pid)?.includes(socket));
  }

  isAfar(address: string): boolean {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
    if (plain === '' || isLoopback(plain)) return false;
    return !Object.values(networkInterfaces()).some((own) => own?.some((one) => one.address === plain));
  }

  hidesFiles(pid: number): boolean {
    return this.openFiles(pid) === undefined;
  }

  /** Socket at the other end of a connection, from the tables of the system: our remote port is its local port. */
  private socketOf({ from, to }: Omit<TcpConnection, 'address'>): string | undefined {
    const [client, server] = [from, to].map((port) => port.toString(16).toUpperCase().padStart(4, '0'));
    for (const table of ['tcp', 'tcp6']) {
      for (const row of (this.read('self', `net/${table}`) ?? '').split('\n')) {
        const [, local = '', remote = '', state, , , , , , inode] = row.trim().split(/\s+/);
        if (state !== '01' || !local.endsWith(`:${client}`) || !remote.endsWith(`:${server}`)) continue;
        if (inode !== undefined && inode !== '0') return `socket:[${inode}]`;
      }
    }
    return undefined;
  }

  /** Open files of a process; undefined if access is denied or it has ended. */
  private openFiles(pid: number): string[] | undefined {
    try {
      const folder = `${this.proc}/${pid}/fd`;
      return readdirSync(folder).flatMap((descriptor) => this.linkOf(`${folder}/${descriptor}`) ?? []);
    } catch {
      return undefined;
    }
  }

  private linkOf(file: string): string | undefined {
    try {
      return readlinkSync(file);
    } catch {
      return undefined; // closed meanwhile
    }
  }

  private read(process: string, file: string): string | undefined {
    if (this.proc === '') return undefined;
    try {
      return readFileSync(`${this.proc}/${process}/${file}`, 'utf8');
    } catch {
      return undefined; // it has ended
    }
  }
}
