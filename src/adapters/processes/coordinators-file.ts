import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NO_SESSIONS, type Sessions, sessionsFrom } from '#core/coordinator/sessions.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes } from '#ports/processes.js';
import type { SessionFile } from '#ports/session-file.js';

/** `.workgraph/service/coordinators.json`. Each tick reads it, so it is parsed again only if the file has changed. */
export class CoordinatorsFile implements SessionFile {
  private readonly service: string;
  private readonly processes: Processes;
  private readonly clock: Clock;
  private cached: { readonly mark: string; readonly sessions: Sessions } | undefined;

  /** `folder` is the absolute path of `.workgraph/`. */
  constructor(parts: { folder: string; processes: Processes; clock: Clock }) {
    this.service = graphLayout(parts.folder).service;
    this.processes = parts.processes;
    this.clock = parts.clock;
  }

  async read(): Promise<Sessions> {
    const stats = statSync(this.file, { throwIfNoEntry: false });
    if (!stats) return NO_SESSIONS;
    const mark = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (this.cached?.mark !== mark) this.cached = { mark, sessions: this.parsed() };
    return this.cached.sessions;
  }

  async change<Result>(edit: (sessions: Sessions) => readonly [Sessions, Result]): Promise<Result> {
    const lock = this.processes.lock(path.join(this.service, 'coordinators.lock'), this.clock);
    await lock.acquire();
    try {
      const [sessions, result] = edit(await this.read());
      const draft = `${this.file}.new`;
      writeFileSync(draft, `${JSON.stringify(sessions)}\n`, { mode: PRIVATE_FILE, flush: true });
      renameSync(draft, this.file);
      return result;
    } finally {
      lock.release();
    }
  }

  private get file(): string {
    return path.join(this.service, 'coordinators.json');
  }

  private parsed(): Sessions {
    const descriptor = openSync(this.file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile() || stat.size > WORK_LIMITS.settingsBytes) {
        throw new TroupeError('unsafe_path', { what: 'service/coordinators.json is not a regular file of its size.' });
      }
      return sessionsFrom(parseJsonObject(readFileSync(descriptor, 'utf8')));
    } finally {
      closeSync(descriptor);
    }
  }
}
