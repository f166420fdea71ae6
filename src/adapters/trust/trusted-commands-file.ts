import { appendFileSync, chmodSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { sha256 } from '#kernel/hash.js';
import type { TrustedCommands } from '#ports/trust.js';
import { identityOfFolder } from './person-file.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * `trusted-commands/NAME` in the person's own configuration, one file per project: a first line that identifies the
 * folder, then appended lines with one hash each. A file for another folder at this path counts as empty.
 */
export class TrustedCommandsFile implements TrustedCommands {
  private readonly folder: string;
  private readonly file: string;
  private readonly head: string;
  private readonly hashes = new Set<string>();
  private cached: string | undefined;

  constructor({ folder, projectFolder }: { readonly folder: string; readonly projectFolder: string }) {
    const real = realpathSync(projectFolder);
    this.folder = path.join(folder, 'trusted-commands');
    this.file = path.join(this.folder, sha256(real).slice(0, 32));
    this.head = JSON.stringify({ version: 1, folder: real, ...identityOfFolder(real) });
  }

  trusts(hash: string): boolean {
    if (this.cached === undefined) this.look();
    return this.hashes.has(hash);
  }

  look(): void {
    const state = stateOf(this.file);
    if (state === this.cached) return;
    this.cached = state;
    this.hashes.clear();
    for (const hash of this.storedHashes()) this.hashes.add(hash);
  }

  add(hashes: readonly string[]): void {
    const fresh = hashes.filter((hash) => !this.trusts(hash));
    if (fresh.length === 0) return;
    try {
      makePersonalFolder(this.folder);
      chmodSync(path.dirname(this.folder), PRIVATE_FOLDER);
      const lines = fresh.map((hash) => `${hash}\n`).join('');
      if (this.isOurs()) appendFileSync(this.file, lines, { mode: PRIVATE_FILE });
      else writeFileSync(this.file, `${this.head}\n${lines}`, { mode: PRIVATE_FILE });
      this.look();
    } catch {
      // A read-only home must not prevent adding tasks: after a restart they wait for `troupe trust`.
    }
    for (const hash of fresh) this.hashes.add(hash);
  }

  clear(): void {
    rmSync(this.file, { force: true });
    this.look();
  }

  private isOurs(): boolean {
    return this.lines()[0] === this.head;
  }

  private storedHashes(): readonly string[] {
    const [head, ...hashes] = this.lines();
    return head === this.head ? hashes.filter((line) => HASH.test(line)) : [];
  }

  private lines(): readonly string[] {
    try {
      return readFileSync(this.file, 'utf8').split('\n');
    } catch {
      return []; // missing or unreadable: nothing is trusted
    }
  }
}

/** State of a file, which differs whenever the file has changed. */
function stateOf(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return 'none';
  }
}
