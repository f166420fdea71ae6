import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Finding, finding } from '#core/review/finding.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';

/** Bytes inspected to distinguish text from binary files, as in git. */
const TEXT_LOOK_BYTES = 8_000;

type Skip = 'link' | 'unreadable' | 'large' | 'binary' | 'gone';

export interface OpenedFile {
  /** The first bytes of the file, at most the requested number. */
  readonly head: Buffer;
  readonly size: number;
}

/**
 * Reads tracked files of one repository within the limits of one inspection. Links are not followed, neither as the
 * file nor as a folder in its path; pipes and devices are not opened; skipped files are recorded and reported.
 */
export class TrackedFileReader {
  files = 0;
  bytes = 0;
  private readonly top: string;
  private readonly skipped = new Map<string, Skip>();
  private readonly folders = new Map<string, boolean>();
  private readonly deadline: number;
  private realTop: string | undefined;
  private bounded = 0;

  constructor(top: string, timeMs: number = SURFACE_LIMITS.inspectMs) {
    this.top = top;
    this.deadline = performance.now() + timeMs;
  }

  /** Yields the texts of `names` in order. Large, binary and inaccessible files are skipped. */
  async *texts(
    names: readonly string[],
    maxBytes: number = SURFACE_LIMITS.inspectFileBytes,
  ): AsyncGenerator<{ file: string; text: string }> {
    for (const file of names) {
      if (this.isSpent()) {
        this.bounded++;
        continue;
      }
      const opened = await this.open(file, maxBytes + 1);
      if (!opened) continue;
      if (opened.head.subarray(0, TEXT_LOOK_BYTES).includes(0)) this.skipped.set(file, 'binary');
      else if (opened.size > maxBytes) this.skipped.set(file, 'large');
      else {
        this.files++;
        this.bytes += opened.size;
        yield { file, text: opened.head.toString('utf8') };
      }
    }
  }

  /** Size and first bytes of a file; undefined if it is not a readable regular file. */
  async open(file: string, headBytes: number): Promise<OpenedFile | undefined> {
    if (!(await this.isInside(file))) {
      this.skipped.set(file, 'link');
      return undefined;
    }
    try {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await open(path.join(this.top, file), flags);
      try {
        const { size } = await handle.stat().then((stats) => (stats.isFile() ? stats : { size: -1 }));
        if (size < 0) {
          this.skipped.set(file, 'link'); // a folder where git has a submodule, a pipe, a device
          return undefined;
        }
        // A file above the limit is not read whole to be discarded: its beginning shows whether it is text.
        const isBeyond = size > headBytes && headBytes > SURFACE_LIMITS.inspectFileBytes;
        const head = Buffer.alloc(Math.min(size, isBeyond ? TEXT_LOOK_BYTES : headBytes));
        const { bytesRead } = await handle.read(head, 0, head.length, 0);
        return { head: head.subarray(0, bytesRead), size };
      } finally {
        await handle.close();
      }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      this.skipped.set(
        file,
        code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : code === 'ELOOP' ? 'link' : 'unreadable',
      );
      return undefined;
    }
  }

  isSpent(): boolean {
    return (
      this.files >= SURFACE_LIMITS.inspectFiles ||
      this.bytes >= SURFACE_LIMITS.inspectTotalBytes ||
      performance.now() > this.deadline
    );
  }

  /** Counts a file that was inspected without being read whole. */
  count(): void {
    this.files++;
  }

  /** Findings about what could not be inspected: unreadable files, files above the size limit, and exhausted limits. */
  findings(inspection: string): Finding[] {
    const findings: Finding[] = [];
    for (const [file, why] of this.skipped) {
      if (findings.length >= SURFACE_LIMITS.inspectFindings) break;
      if (why === 'unreadable') {
        findings.push(
          finding({
            severity: 'info',
            title: 'A tracked file cannot be read',
            detail: 'It was left out of every inspection.',
            file,
            rule: 'unreadable-file',
            remedy: 'Make it readable, or stop tracking it.',
          }),
        );
      } else if (why === 'large' && inspection === 'secrets') {
        findings.push(
          finding({
            severity: 'info',
            title: 'A file is too large to search',
            detail: `Files above ${SURFACE_LIMITS.inspectFileBytes / 1024 / 1024} MiB are not searched.`,
            file,
            rule: 'file-not-searched',
            remedy: 'Check it yourself if people wrote it.',
          }),
        );
      }
    }
    if (this.bounded > 0) {
      findings.push(
        finding(
          {
            severity: 'info',
            title: `“${inspection}” stopped at its limits`,
            detail: `${this.files} files were inspected, ${this.bounded} more were not.`,
            rule: 'inspection-bounded',
            remedy: 'Review the rest of the repository in parts.',
          },
          inspection,
        ),
      );
    }
    return findings;
  }

  /** Whether no folder in the path is a link: its real path equals the path. Cached by folder. */
  private async isInside(file: string): Promise<boolean> {
    const folder = path.posix.dirname(file);
    const cached = this.folders.get(folder);
    if (cached !== undefined) return cached;
    let inside = !path.isAbsolute(file) && !folder.split('/').some((part) => part === '..' || part === '.git');
    if (inside) {
      try {
        this.realTop ??= await realpath(this.top);
        inside = (await realpath(path.join(this.top, folder))) === path.join(this.realTop, folder);
      } catch (error) {
        // `open` reports missing files; an inaccessible folder is not reported as a link.
        inside = ['ENOENT', 'EACCES', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
      }
    }
    this.folders.set(folder, inside);
    return inside;
  }
}
