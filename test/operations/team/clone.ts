import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSquadState } from '#core/squad/squad-state.js';
import type { Context, Operation } from '#operations/operation.js';
import { add } from '#operations/squad/memories.js';
import { exportMemory } from '#operations/squad/memory-files.js';
import type { SquadFiles } from '#ports/squad-files.js';
import type { TeamInbox } from '#ports/team-inbox.js';
import { world } from '../../e2e/world.js';
import { LedgerInMemory } from '../../ledger-in-memory.js';
import { storesInMemory } from '../../tables-in-memory.js';

/** A clone of a repository: its files, and its own database. */
export class Clone {
  readonly ledger = new LedgerInMemory();
  inbox: TeamInbox = storesInMemory().teamInbox;
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  call<Given, Taken, Answer>(operation: Operation<string, Given, Taken, Answer>, input: Taken): Promise<Answer> {
    return operation.run(this.context(), input);
  }

  async learn(agent: string, content: string): Promise<void> {
    await this.call(add, { agent, content });
  }

  export() {
    return this.call(exportMemory, {});
  }

  text(name: string): string {
    return this.ledger.files.get(name) ?? '';
  }

  put(name: string, text: string): void {
    this.ledger.files = new Map([...this.ledger.files, [name, text]]);
  }

  private context(): Context {
    const team = ['neo', 'trinity'].map((name) => JSON.stringify({ eventId: name, name, status: 'Active' })).join('\n');
    const state = readSquadState(new Map([['.squad/casting/registry.events.jsonl', team]]));
    return {
      ...world().context,
      clock: { now: () => this.now },
      request: {},
      squad: async () => ({ read: async () => state }) as Partial<SquadFiles> as SquadFiles,
      ledger: async () => this.ledger,
      teamInbox: async () => this.inbox,
    };
  }
}

/**
 * Merges the files of two clones as `git merge` does: lines of both sides where the attributes ask for it, otherwise
 * the first side's.
 */
export function mergeFiles(place: string, ours: Clone, base: ReadonlyMap<string, string>, theirs: Clone): void {
  const names = new Set([...ours.ledger.files.keys(), ...theirs.ledger.files.keys()]);
  const merged = new Map<string, string>();
  for (const name of [...names].sort()) {
    const [one, before, other] = [ours.ledger.files.get(name), base.get(name), theirs.ledger.files.get(name)];
    if (one === other || other === before) keep(name, one);
    else if (one === before || one === undefined) keep(name, other);
    else if (!UNION.some((pattern) => pattern.test(name))) keep(name, one);
    else keep(name, union(place, one, before ?? '', other ?? ''));
  }
  ours.ledger.files = merged;

  function keep(name: string, text: string | undefined): void {
    if (text !== undefined) merged.set(name, text);
  }
}

/** Files with the union attribute, as written by a cast and the memory. */
const UNION = [
  /^\.squad\/(?:decisions\.md|memory\.events\.jsonl|identity\/now\.md)$/,
  /^\.squad\/agents\/[^/]+\/history\.md$/,
];

function union(place: string, ours: string, base: string, theirs: string): string {
  mkdirSync(place, { recursive: true });
  const files = Object.entries({ ours, base, theirs }).map(([name, text]) => {
    const file = path.join(place, name);
    writeFileSync(file, text);
    return file;
  });
  return execFileSync('git', ['merge-file', '-p', '--union', ...files], { encoding: 'utf8' });
}
