import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseJsonObject } from '#kernel/json.js';
import type { PeopleDeskOptions } from '#operations/service/people-desk.js';
import type { KeptState } from '#operations/service/round-options.js';

/** Up to where the room was read in which people answer. */
export function roomKept(graphFolder: string): Pick<PeopleDeskOptions, 'since' | 'saveSince'> {
  const file = new KeptFile(path.join(graphFolder, 'service', 'room.json'));
  const since = file.read()?.['since'];
  return { ...(typeof since === 'string' ? { since } : {}), saveSince: (value) => file.write({ since: value }) };
}

/** What a coordinator keeps over restarts: the pause after silent runs, and the one a person asked for. */
export function keptOverRestarts(graphFolder: string): KeptState {
  const backOff = new KeptFile(path.join(graphFolder, 'service', 'back-off.json'));
  const paused = new KeptFile(path.join(graphFolder, 'service', 'paused.json'));
  const { until, pauseMs } = backOff.read() ?? {};
  const whole = typeof until === 'number' && typeof pauseMs === 'number';
  return {
    backOff: whole ? { until, pauseMs } : undefined,
    saveBackOff: (value) => backOff.write(value && { until: value.until, pauseMs: value.pauseMs }),
    paused: paused.read()?.['paused'] === true,
    savePaused: (value) => paused.write(value ? { paused: true } : undefined),
  };
}

/** One JSON object in a file of its own; no file when there is nothing to keep. */
class KeptFile {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  read() {
    return existsSync(this.file) ? parseJsonObject(readFileSync(this.file, 'utf8')) : undefined;
  }

  write(value: object | undefined): void {
    if (value === undefined) {
      rmSync(this.file, { force: true });
      return;
    }
    writeFileSync(`${this.file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}
